package dev.tidemark.capture.engine;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.topics.Lsn;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.apache.kafka.connect.runtime.WorkerConfig;
import org.apache.kafka.connect.storage.OffsetBackingStore;
import org.apache.kafka.connect.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * The engine's side of the offset: hands it the stored position. {@link Engine} stores a position
 * in Kafka before it marks it, since a stopping engine moves the replication slot to the last
 * position that was marked, whether that could be stored or not; so nothing is left to do here when
 * the engine says that it stores one.
 *
 * <p>What is stored is {@code {lsn: X, lsn_commit: X}} with X the end of a commit record or of our
 * own beacon. With its stock offsets Debezium 3.6.1 loses rows at a restart: those that share an
 * LSN with the last stored one, and those of a transaction that was open across a stored commit.
 */
public final class PositionStore implements OffsetBackingStore {

  static final String ENGINE_PROPERTY = "tidemark.engine";
  static final String LSN = "lsn";
  static final String COMMIT_LSN = "lsn_commit";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Map<String, Supplier<Optional<Lsn>>> OWNERS = new ConcurrentHashMap<>();

  private @Nullable Supplier<Optional<Lsn>> owner;

  /** For Debezium, which creates the store by name. */
  public PositionStore() {}

  /** Says where the stored position of an engine is found; empty before the first. */
  static void register(String engine, Supplier<Optional<Lsn>> owner) {
    OWNERS.put(engine, owner);
  }

  static void unregister(String engine) {
    OWNERS.remove(engine);
  }

  @Override
  public void configure(WorkerConfig config) {
    Object engine = config.originals().get(ENGINE_PROPERTY);
    Supplier<Optional<Lsn>> found = engine == null ? null : OWNERS.get(engine.toString());
    if (found == null) {
      throw new IllegalStateException("no run of capture is registered for engine " + engine);
    }
    owner = found;
  }

  @Override
  public void start() {}

  @Override
  public void stop() {}

  @Override
  public Future<Map<ByteBuffer, @Nullable ByteBuffer>> get(Collection<ByteBuffer> keys) {
    Optional<ByteBuffer> value =
        owner().get().map(lsn -> ByteBuffer.wrap(encode(lsn).getBytes(StandardCharsets.UTF_8)));
    Map<ByteBuffer, @Nullable ByteBuffer> values = new HashMap<>();
    for (ByteBuffer key : keys) {
      values.put(key, value.orElse(null));
    }
    return CompletableFuture.completedFuture(values);
  }

  @Override
  public Future<Void> set(Map<ByteBuffer, ByteBuffer> values, @Nullable Callback<Void> callback) {
    if (callback != null) {
      callback.onCompletion(null, null);
    }
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public Set<Map<String, Object>> connectorPartitions(String connectorName) {
    return Set.of();
  }

  private Supplier<Optional<Lsn>> owner() {
    if (owner == null) {
      throw new IllegalStateException("the store is not configured");
    }
    return owner;
  }

  private static String encode(Lsn position) {
    return JSON.createObjectNode()
        .put(LSN, position.value())
        .put(COMMIT_LSN, position.value())
        .toString();
  }
}
