package dev.tidemark.tests.mutant;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.locks.LockSupport;

/** What mutated methods call. Public, since they are in other packages. */
public final class Interference {

  private static final long BETWEEN_NANOS = 3_000_000;

  private Interference() {}

  /** Commits the next watermark over a connection of its own, and gives readers a moment. */
  public static void watermarkFirst(Object replicaConnection, Object watermark)
      throws SQLException {
    Object config = field(replicaConnection, "config");
    try (Connection aside =
            DriverManager.getConnection(
                call(config, "replicaJdbcUrl"), call(config, "user"), call(config, "password"));
        PreparedStatement statement =
            aside.prepareStatement(
                "update public.tidemark_watermark set lsn = greatest(lsn, ?::pg_lsn)"
                    + " where partition = ?")) {
      statement.setString(1, call(watermark, "lsn"));
      statement.setInt(2, (Integer) field(replicaConnection, "partition"));
      statement.executeUpdate();
    }
    LockSupport.parkNanos(BETWEEN_NANOS);
  }

  private static Object field(Object of, String name) {
    try {
      Field field = of.getClass().getDeclaredField(name);
      field.setAccessible(true);
      return field.get(of);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String call(Object of, String name) {
    try {
      Method method = of.getClass().getDeclaredMethod(name);
      method.setAccessible(true);
      return String.valueOf(method.invoke(of));
    } catch (InvocationTargetException | IllegalAccessException | NoSuchMethodException e) {
      throw new IllegalStateException(e);
    }
  }
}
