package dev.tidemark.tests.prove.load;

import dev.tidemark.standalone.client.Answer;
import dev.tidemark.tests.prove.history.Figures.Figure;
import dev.tidemark.tests.prove.system.Schema;
import dev.tidemark.topics.Lsn;
import java.io.IOException;
import java.util.List;
import java.util.Random;

/**
 * Asks for the state of the pipeline, and then reads as any tenant: its {@code replicatedLsn} is
 * what every partition has reached.
 */
public final class StatusReader extends Worker {

  private static final long PAUSE_MS = 100;

  private final Http http;
  private final Random random;

  /** Its choices follow from the seed. */
  public StatusReader(Context context, Http http, long seed) {
    super("status-reader", context);
    this.http = http;
    this.random = new Random(seed);
  }

  @Override
  void step() throws InterruptedException {
    rest(PAUSE_MS);
    String tenant = Context.TENANTS.get(random.nextInt(Context.TENANTS.size()));
    try {
      Answer status = http.send(tenant, "GET", "/api/sync/status", "");
      if (status.status() != 200) {
        context().figures().count(Figure.REFUSED);
        return;
      }
      Lsn replicated = Lsn.parse(status.json().path("replicatedLsn").asText());
      Answer read = http.send(tenant, "GET", "/api/replica/" + Schema.DOCUMENTS + "?limit=1", "");
      if (read.status() != 200) {
        context().figures().count(Figure.REFUSED);
        return;
      }
      context().figures().count(Figure.PLAIN_READS);
      Lsn reached = Lsn.parse(read.header("X-Replicated-LSN"));
      if (!reached.reaches(replicated)) {
        context()
            .journal()
            .violation(
                "the status names a position that a partition had not reached\n  found    "
                    + replicated
                    + " as replicatedLsn\n  expected at most "
                    + reached
                    + ", the watermark of a read of "
                    + tenant
                    + " after it",
                List.of(status.body()));
      }
    } catch (IOException e) {
      context().figures().count(Figure.REFUSED);
    }
  }
}
