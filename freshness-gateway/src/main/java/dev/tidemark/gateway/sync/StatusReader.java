package dev.tidemark.gateway.sync;

import dev.tidemark.gateway.RoleControl;
import dev.tidemark.gateway.db.Database;
import dev.tidemark.gateway.db.SqlFailures;
import dev.tidemark.topics.Lsn;
import dev.tidemark.topics.route.RouteFile;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts the status together from both databases. Thread-safe. */
public final class StatusReader {

  private static final Logger LOG = LoggerFactory.getLogger(StatusReader.class);

  private final Database source;
  private final Database replica;
  private final Watermarks watermarks;
  private final SourcePosition position;
  private final RouteFile routes;
  private final RouteStates routeStates;
  private final EventRate rate;
  private final Map<String, RoleControl> pausable;

  public StatusReader(
      Database source,
      Database replica,
      Watermarks watermarks,
      SourcePosition position,
      RouteFile routes,
      EventRate rate,
      Map<String, RoleControl> pausable) {
    this.source = source;
    this.replica = replica;
    this.watermarks = watermarks;
    this.position = position;
    this.routes = routes;
    this.routeStates = new RouteStates(replica, routes);
    this.rate = rate;
    this.pausable = pausable;
  }

  /** The status now; without the source's part when that can't be asked. */
  public SyncStatus read() {
    try {
      var partitions = watermarks.read();
      var states = routeStates.read();
      SourcePart part = sourcePart();
      return new SyncStatus(
          partitions,
          part.current(),
          part.slot(),
          states,
          rate.perSecond(System.nanoTime()),
          paused());
    } catch (SQLException e) {
      throw SqlFailures.answer(replica, e);
    }
  }

  private record SourcePart(Optional<Lsn> current, Optional<SlotState> slot) {}

  private SourcePart sourcePart() {
    try {
      return new SourcePart(
          Optional.of(position.now()), SlotState.read(source, routes.pipeline(), routes.slot()));
    } catch (SQLException e) {
      LOG.atDebug()
          .addKeyValue("sqlState", SqlFailures.state(e))
          .log("the status has no part of the source");
      return new SourcePart(Optional.empty(), Optional.empty());
    }
  }

  private Map<String, Boolean> paused() {
    Map<String, Boolean> states = new HashMap<>();
    pausable.forEach((role, control) -> states.put(role, control.paused()));
    return states;
  }
}
