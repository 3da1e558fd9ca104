package dev.tidemark.standalone.command;

import dev.tidemark.standalone.client.Answer;
import dev.tidemark.standalone.client.GatewayClient;
import dev.tidemark.standalone.data.Endpoints;
import dev.tidemark.standalone.data.InstallationException;
import dev.tidemark.standalone.issuer.LocalIssuer;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code ./tidemark status}: what a running installation says of itself, for a person. */
@Command(
    name = "status",
    description =
        "Prints where a running installation stands: watermark, lag, bytes behind, slot,"
            + " partitions.")
public final class Status implements Callable<Integer> {

  /** Any tenant may ask; the token needs one. */
  private static final String TENANT = "tidemark-status";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private DataOption data = new DataOption();

  @Override
  public Integer call() throws Exception {
    Endpoints endpoints = Endpoints.read(data.folder());
    LocalIssuer issuer = LocalIssuer.load(data.folder());
    try (GatewayClient client =
        new GatewayClient(endpoints.gateway(), issuer, TENANT, List.of("admin"))) {
      Answer answer = client.get("/api/sync/status", Map.of());
      if (answer.status() != 200) {
        throw new InstallationException(
            "the gateway at "
                + endpoints.gateway()
                + " answers with status "
                + answer.status()
                + ": "
                + answer.json().path("detail").asText(answer.body()));
      }
      PrintWriter out = spec.commandLine().getOut();
      out.println("gateway      " + endpoints.gateway() + "   process " + endpoints.pid());
      out.print(StatusText.of(answer.json()));
      out.flush();
      return 0;
    }
  }
}
