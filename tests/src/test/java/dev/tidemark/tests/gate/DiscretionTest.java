package dev.tidemark.tests.gate;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import dev.tidemark.tests.harness.BareGateway;
import dev.tidemark.tests.harness.Caller;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What neither the log nor the metrics tell: tokens, tenants, subjects, names and rows. */
class DiscretionTest {

  private static final String TENANT = "discreet-tenant";
  private static final List<String> SECRET =
      List.of(TENANT, "local:" + TENANT, "hush-", "Hidden-", "eyJ", "hidden-role");

  /** Every line that is logged, with its keys, its exception and its thread. */
  private static final class Lines extends AppenderBase<ILoggingEvent> {
    private final List<String> lines = new CopyOnWriteArrayList<>();

    @Override
    protected void append(ILoggingEvent event) {
      lines.add(
          event.getLoggerName()
              + " "
              + event.getFormattedMessage()
              + " "
              + event.getKeyValuePairs()
              + " "
              + event.getThreadName()
              + (event.getThrowableProxy() == null
                  ? ""
                  : ThrowableProxyUtil.asString(event.getThrowableProxy())));
    }
  }

  private static void goodAndBad(BareGateway gateway) throws Exception {
    Caller caller = gateway.caller(TENANT, "reader", "writer", "hidden-role");
    String row = BareGateway.ROWS + "/R1";
    String position = gateway.position();
    caller.get(BareGateway.ROWS);
    caller.get(row);
    caller.get(row, "X-Required-LSN", position, "Prefer", "wait=1");
    caller.get(row, "X-Required-LSN", "FFFFFFFF/0");
    caller.get(row, "X-Required-LSN", "Hidden-position");
    caller.get(row, "X-Max-Staleness-Ms", "0");
    caller.get(row, "X-Required-LSN", "0/1", "X-Required-Generation", "Hidden-history");
    caller.get(BareGateway.ROWS + "?n=Hidden-number");
    caller.get(BareGateway.ROWS + "?Hidden-column=1");
    caller.get(BareGateway.ROWS + "?secret=hush-1");
    caller.get("/api/replica/Hidden-table");
    caller.get("/Hidden-path?x=hush-1");
    caller.put("/api/doc/Note/Hidden-name", "{\"secret\":\"hush-2\"}");
    caller.put("/api/doc/Note/Hidden-name", "{\"secret\":\"hush-\\u0000\"}");
    caller.put("/api/doc/Note/Hidden-name", "hush-3");
    caller.patch("/api/doc/Note/Hidden-name", "{\"secret\":null}");
    caller.get("/api/doc/Note/Hidden-name");
    caller.get("/api/doc/Note/Hidden-name;x");
    caller.delete("/api/doc/Note/Hidden-name");
    caller.put("/api/ops/paused/projector", "true");
    gateway.bearer(caller.token() + "x").get(row);
    gateway.bearer("eyJhbGciOiJub25lIn0." + caller.token().split("\\.")[1] + ".").get(row);
    // A failure that nobody foresaw on the way: the table is gone.
    gateway.replica("alter table replica_note rename to replica_away");
    caller.get(BareGateway.ROWS + "?secret=hush-1");
    caller.get(row);
    gateway.replica("alter table replica_away rename to replica_note");
    gateway.replica("revoke select on replica_note from tidemark_gateway");
    caller.get(row);
    gateway.bearer("").get("/actuator/health");
  }

  @Test
  @DisplayName("B37 neither the log nor a metric names a token, a tenant, a document or a row")
  void logsAndMetricsNameNobodyAndNoRow() throws Exception {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    Logger ours = context.getLogger("dev.tidemark.gateway");
    Level before = ours.getLevel();
    Lines lines = new Lines();
    lines.setContext(context);
    lines.start();
    String metrics;
    try (BareGateway gateway = BareGateway.start(builder -> builder.requestsPerSecond(1_000))) {
      gateway.rows(TENANT, 3);
      root.addAppender(lines);
      ours.setLevel(Level.TRACE);
      goodAndBad(gateway);
      metrics = gateway.bearer("").get("/actuator/prometheus").body();
    } finally {
      root.detachAppender(lines);
      ours.setLevel(before);
    }

    assertThat(lines.lines).as("the failure is logged").anyMatch(line -> line.contains("incident"));
    for (String secret : SECRET) {
      assertThat(lines.lines).noneMatch(line -> line.contains(secret));
      assertThat(metrics.lines()).noneMatch(line -> line.contains(secret));
    }
    assertThat(metrics)
        .contains("uri=\"/api/replica/{target}/{key}\"")
        .contains("uri=\"/api/doc/{doctype}/{name}\"");
  }
}
