package dev.tidemark.standalone.command;

import dev.tidemark.standalone.issuer.LocalIssuer;
import dev.tidemark.topics.Tenants;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./tidemark token}: a bearer token of the installation's own issuer. */
@Command(
    name = "token",
    description =
        "Prints a bearer token of the local issuer, which embedded installations accept. Needs a"
            + " data folder that ./tidemark up has been started on; it need not be running.")
public final class Token implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private DataOption data = new DataOption();

  @Option(
      names = "--tenant",
      paramLabel = "T",
      required = true,
      description = "the tenant that the bearer acts for")
  private String tenant = "";

  @Option(
      names = "--roles",
      paramLabel = "a,b",
      required = true,
      split = ",",
      description = "the bearer's roles, separated by commas")
  private List<String> roles = List.of();

  @Option(
      names = "--ttl",
      paramLabel = "1h",
      defaultValue = "1h",
      converter = TtlConverter.class,
      description = "how long it is valid: a number and s, m, h or d (default: ${DEFAULT-VALUE})")
  private Duration ttl = Duration.ofHours(1);

  @Override
  public Integer call() throws Exception {
    check(
        !tenant.isBlank() && tenant.equals(tenant.strip()),
        "--tenant is empty or has spaces around it");
    check(
        !tenant.equals(Tenants.SHARED),
        "--tenant '"
            + Tenants.SHARED
            + "' stands for rows that all tenants share: nobody acts for it");
    check(roles.stream().noneMatch(String::isBlank), "--roles holds an empty role: write a,b");
    List<String> names = roles.stream().map(String::strip).toList();
    spec.commandLine().getOut().println(LocalIssuer.load(data.folder()).issue(tenant, names, ttl));
    return 0;
  }

  private void check(boolean holds, String message) {
    if (!holds) {
      throw new ParameterException(spec.commandLine(), message);
    }
  }
}
