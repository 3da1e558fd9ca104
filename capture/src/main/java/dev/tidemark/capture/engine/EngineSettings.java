package dev.tidemark.capture.engine;

import dev.tidemark.topics.route.TableName;
import io.debezium.connector.base.ChangeEventQueue;
import io.debezium.connector.postgresql.BriefSourceInfo;
import io.debezium.connector.postgresql.PostgresConnector;
import io.debezium.connector.postgresql.connection.ReplicationMessageColumnValueResolver;
import io.debezium.connector.postgresql.pipeline.txmetadata.PostgresTransactionMonitor;
import io.debezium.embedded.async.ParallelSmtAndConvertBatchProcessor;
import io.debezium.pipeline.source.spi.EventFormatter;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.SequencedSet;
import java.util.stream.Collectors;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/**
 * The engine's settings, each with the default of Debezium 3.6.1 that makes it needed.
 *
 * @param name unique within this JVM: the engine registers MBeans under it
 * @param jdbcUrl the source, as pgjdbc takes it
 * @param user the capture role
 * @param password its password
 * @param slot the replication slot
 * @param publication the publication
 * @param tables the tables to capture
 */
record EngineSettings(
    String name,
    String jdbcUrl,
    String user,
    String password,
    String slot,
    String publication,
    SequencedSet<TableName> tables) {

  /** How often marked offsets are stored. */
  private static final Duration OFFSET_FLUSH_INTERVAL = Duration.ofMillis(500);

  /**
   * Values travel as text, so what shapes texts must not come from the defaults of the source's
   * database or role: digits of floats would be lost, and bytes be written in another form.
   */
  private static final int MAX_QUEUE_BYTES = 32 << 20;

  private static final int SNAPSHOT_FETCH_ROWS = 200;

  private static final String SESSION_SETTINGS =
      "-c extra_float_digits=3 -c bytea_output=hex -c intervalstyle=postgres";

  Properties toProperties() {
    requireOurs();
    Properties address = Driver.parseURL(jdbcUrl, null);
    if (address == null) {
      throw new IllegalArgumentException(
          "the source's address is no pgjdbc URL: expected jdbc:postgresql://HOST:PORT/DATABASE");
    }
    Properties p = new Properties();
    p.setProperty("name", name);
    p.setProperty("connector.class", PostgresConnector.class.getName());
    p.setProperty("topic.prefix", name);
    p.setProperty("database.hostname", address.getProperty(PGProperty.PG_HOST.getName()));
    p.setProperty("database.port", address.getProperty(PGProperty.PG_PORT.getName()));
    p.setProperty("database.dbname", address.getProperty(PGProperty.PG_DBNAME.getName()));
    p.setProperty("database.user", user);
    p.setProperty("database.password", password);
    p.setProperty("driver." + PGProperty.OPTIONS.getName(), SESSION_SETTINGS);
    // decoderbufs by default
    p.setProperty("plugin.name", "pgoutput");
    p.setProperty("slot.name", slot);
    p.setProperty("publication.name", publication);
    // all_tables by default; the migration made the publication
    p.setProperty("publication.autocreate.mode", "disabled");
    p.setProperty(
        "table.include.list",
        tables.stream().map(EngineSettings::pattern).collect(Collectors.joining(",")));
    p.setProperty("provide.transaction.metadata", "true");
    p.setProperty("tombstones.on.delete", "false");
    p.setProperty("sourceinfo.struct.maker", BriefSourceInfo.class.getName());
    // truncations by default
    p.setProperty("skipped.operations", "none");
    // a value that cannot be converted becomes NULL by default
    p.setProperty("event.converting.failure.handling.mode", "fail");
    p.setProperty("include.unknown.datatypes", "true");
    p.setProperty("converters", "text");
    p.setProperty("text.type", TextConverter.class.getName());
    p.setProperty("snapshot.mode", "initial");
    p.setProperty("snapshot.query.mode", "custom");
    p.setProperty("snapshot.query.mode.custom.name", TextSnapshotQuery.NAME);
    // The engine restarts its task by itself by default, from the last flushed offset and without
    // telling; during a
    // snapshot it would go on with the slot that it finds, and read tables outside of the slot's
    // snapshot.
    p.setProperty("errors.max.retries", "0");
    // Our queue hands out what is there, so a large batch comes only to a handler that is behind.
    p.setProperty("max.batch.size", "2048");
    // Bounded by bytes too, and few rows at a time: 8,192 and 10,240 large rows would be too much
    // for a small heap.
    p.setProperty("max.queue.size.in.bytes", Integer.toString(MAX_QUEUE_BYTES));
    p.setProperty("snapshot.fetch.size", Integer.toString(SNAPSHOT_FETCH_ROWS));
    // The reader of the slot looks five times before it sleeps so long; with these sockets the
    // looks wait themselves.
    p.setProperty(
        "driver." + PGProperty.SOCKET_FACTORY.getName(), PromptSocketFactory.class.getName());
    p.setProperty("poll.interval.ms", "1");
    p.setProperty("offset.storage", PositionStore.class.getName());
    p.setProperty("offset.flush.interval.ms", Long.toString(OFFSET_FLUSH_INTERVAL.toMillis()));
    p.setProperty(PositionStore.ENGINE_PROPERTY, name);
    return p;
  }

  /**
   * The include list is a list of regular expressions, compared without case and separated by
   * commas. Here case counts, or a table that differs in case alone would be read as well, or stop
   * the snapshot for want of rights; and every character that could mean something is escaped.
   */
  private static String pattern(TableName table) {
    return (table.schema() + "." + table.name())
        .codePoints()
        .mapToObj(
            c ->
                Character.isLetterOrDigit(c) || c == '_'
                    ? Character.toString(c)
                    : String.format("\\x{%x}", c))
        .collect(Collectors.joining("", "(?-i:", ")"));
  }

  /** Some of Debezium's classes are replaced by ours; the class path decides which are loaded. */
  private static void requireOurs() {
    var ours = EngineSettings.class.getProtectionDomain().getCodeSource();
    for (Class<?> replaced :
        List.of(
            ReplicationMessageColumnValueResolver.class,
            ChangeEventQueue.class,
            EventFormatter.class,
            ParallelSmtAndConvertBatchProcessor.class,
            PostgresTransactionMonitor.class)) {
      var found = replaced.getProtectionDomain().getCodeSource();
      if (ours == null || found == null || !ours.getLocation().equals(found.getLocation())) {
        throw new IllegalStateException(
            "capture's classes must stand before Debezium's on the class path, or values of some types would be changed on"
                + " their way: put capture's jar first ("
                + replaced.getName()
                + " came from elsewhere)");
      }
    }
  }
}
