package dev.tidemark.gateway.web;

import dev.tidemark.gateway.GatewayConfig;
import dev.tidemark.gateway.GatewayStartException;
import dev.tidemark.gateway.db.Database;
import dev.tidemark.gateway.db.IsolationCheck;
import dev.tidemark.gateway.ops.Health;
import dev.tidemark.gateway.ops.Meters;
import dev.tidemark.gateway.replica.GatedReads;
import dev.tidemark.gateway.replica.ReadMetrics;
import dev.tidemark.gateway.replica.ReplicaCatalog;
import dev.tidemark.gateway.sync.EventRate;
import dev.tidemark.gateway.sync.Nudge;
import dev.tidemark.gateway.sync.SourcePosition;
import dev.tidemark.gateway.sync.SourceSampler;
import dev.tidemark.gateway.sync.StatusFeed;
import dev.tidemark.gateway.sync.StatusReader;
import dev.tidemark.gateway.sync.WatermarkBoard;
import dev.tidemark.gateway.sync.WatermarkListener;
import dev.tidemark.gateway.sync.WatermarkRefresher;
import dev.tidemark.gateway.sync.WatermarkStream;
import dev.tidemark.gateway.sync.Watermarks;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The gateway without its web server: connections, checks, and the threads that follow the
 * watermarks. Made by hand, in order; closed in the reverse order.
 */
public final class GatewayParts implements AutoCloseable {

  private static final Duration STATUS_INTERVAL = Duration.ofSeconds(1);

  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private final GatewayConfig config;
  private final PrometheusMeterRegistry metrics =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Database source;
  private final Database replica;
  private final Watermarks watermarks;
  private final WatermarkBoard board;
  private final SourcePosition position;
  private final ReplicaCatalog catalog;
  private final GatedReads reads;
  private final Health health;
  private final StatusReader status;
  private final WatermarkStream stream;
  private final Optional<OpsPort> ops;

  /**
   * Connects and checks.
   *
   * @throws GatewayStartException when a database can't be reached or tenants are not kept apart
   */
  public GatewayParts(GatewayConfig config) {
    this.config = config;
    this.ops = config.opsPort().stream().mapToObj(OpsPort::new).findFirst();
    try {
      String pipeline = config.routes().pipeline();
      int partitions = config.routes().partitions();
      source = open(new Database("source", config.source(), metrics));
      replica = open(new Database("replica", config.replica(), metrics));
      IsolationCheck isolation = new IsolationCheck(config.routes(), source, replica);
      requireIsolation(isolation.violations());
      catalog = new ReplicaCatalog(replica, config.routes());
      watermarks = new Watermarks(replica, pipeline);
      board = open(new WatermarkBoard(partitions));
      position = new SourcePosition(source);
      SourceSampler sampler = open(new SourceSampler(position));
      Nudge nudge = new Nudge(source, position);
      reads =
          new GatedReads(
              config.routes(),
              source,
              replica,
              watermarks,
              board,
              position,
              sampler,
              nudge,
              new ReadMetrics(metrics),
              config.maxWaitingReads());
      health = new Health(source, replica, watermarks, isolation, partitions, config.reports());
      EventRate rate = new EventRate();
      status =
          new StatusReader(
              source, replica, watermarks, position, config.routes(), rate, config.pausable());
      stream =
          new WatermarkStream(
              board, new StatusFeed(status::read, board, STATUS_INTERVAL), Clock.systemUTC());
      new Meters(board, position).register(metrics, stream, partitions);
      WatermarkRefresher refresher = open(new WatermarkRefresher(watermarks, board, rate));
      refresher.refresh();
      refresher.start();
      open(new WatermarkListener(replica, pipeline, board, refresher::refresh));
      sampler.start();
    } catch (SQLException | RuntimeException e) {
      closeAfter(e);
      throw startFailure(e);
    }
  }

  private static GatewayStartException startFailure(Exception e) {
    return e instanceof GatewayStartException known
        ? known
        : new GatewayStartException("the gateway could not start: " + e.getMessage(), e);
  }

  private static void requireIsolation(List<String> violations) {
    if (!violations.isEmpty()) {
      throw new GatewayStartException(
          "the gateway does not start, because tenants would not be kept apart:\n  "
              + String.join("\n  ", violations),
          null);
    }
  }

  /** Lets waiting requests and streams end, so that the web server can stop at once. */
  public void release() {
    board.close();
  }

  @Override
  public void close() {
    RuntimeException failure = new IllegalStateException("the gateway could not be closed cleanly");
    closeAfter(failure);
    if (failure.getSuppressed().length > 0) {
      throw failure;
    }
  }

  private void closeAfter(Exception failure) {
    for (AutoCloseable part = opened.poll(); part != null; part = opened.poll()) {
      try {
        part.close();
      } catch (Exception e) {
        failure.addSuppressed(e);
      }
    }
    metrics.close();
  }

  private <T extends AutoCloseable> T open(T part) {
    opened.push(part);
    return part;
  }

  /** The port that health and metrics are served on; empty when they have none of their own. */
  public OptionalInt opsPort() {
    return ops.stream().mapToInt(OpsPort::port).findFirst();
  }

  Optional<OpsPort> ops() {
    return ops;
  }

  GatewayConfig config() {
    return config;
  }

  PrometheusMeterRegistry metrics() {
    return metrics;
  }

  Database source() {
    return source;
  }

  Database replica() {
    return replica;
  }

  WatermarkBoard board() {
    return board;
  }

  SourcePosition position() {
    return position;
  }

  ReplicaCatalog catalog() {
    return catalog;
  }

  GatedReads reads() {
    return reads;
  }

  Health health() {
    return health;
  }

  StatusReader status() {
    return status;
  }

  WatermarkStream stream() {
    return stream;
  }
}
