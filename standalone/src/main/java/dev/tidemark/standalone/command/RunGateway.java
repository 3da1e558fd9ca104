package dev.tidemark.standalone.command;

import dev.tidemark.gateway.DatabaseConfig;
import dev.tidemark.gateway.Gateway;
import dev.tidemark.gateway.GatewayConfig;
import dev.tidemark.gateway.GatewayStartException;
import dev.tidemark.standalone.data.InstallationException;
import dev.tidemark.standalone.role.RoleFile;
import dev.tidemark.standalone.role.SignIn;
import dev.tidemark.topics.Failures;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code ./tidemark gateway}: one gateway on servers of your own. */
@Command(
    name = "gateway",
    description = {
      "Answers HTTP from a source and a replica PostgreSQL of your own.",
      "Several may run behind a load balancer. Stays in the foreground until Ctrl-C or SIGTERM."
    })
public final class RunGateway implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private ConfigOption config = new ConfigOption();

  @Override
  public Integer call() throws Exception {
    Logs.toConsole();
    GatewayConfig gateway = RoleFile.gateway(config.file(), System.getenv());
    for (DatabaseConfig database : List.of(gateway.source(), gateway.replica())) {
      SignIn.check(database.jdbcUrl(), database.user(), database.password());
    }
    PrintWriter out = spec.commandLine().getOut();
    try (Foreground foreground = Foreground.untilSignal();
        Gateway running = start(gateway)) {
      Lines.print(
          out,
          "tidemark: gateway of %s answers on port %d of %s (Ctrl-C stops it)"
              .formatted(gateway.routes().pipeline(), running.port(), gateway.host()));
      running
          .opsPort()
          .ifPresent(port -> Lines.print(out, "tidemark: health and metrics are on port " + port));
      foreground.await();
      Lines.print(out, "tidemark: stopping");
    }
    return 0;
  }

  private static Gateway start(GatewayConfig config) {
    try {
      return Gateway.start(config);
    } catch (GatewayStartException | IllegalArgumentException e) {
      throw new InstallationException(Failures.describe(e), e);
    }
  }
}
