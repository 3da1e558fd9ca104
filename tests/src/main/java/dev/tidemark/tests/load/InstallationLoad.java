package dev.tidemark.tests.load;

import dev.tidemark.standalone.client.Answer;
import dev.tidemark.standalone.client.GatewayClient;
import dev.tidemark.standalone.data.Endpoints;
import dev.tidemark.standalone.issuer.LocalIssuer;
import dev.tidemark.topics.Lsn;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * The load on an embedded installation that runs in another process, {@code ./tidemark up}, with
 * the built-in routes. Its arguments are the data folder, how many reads wait, over how many rows
 * they are spread, and, where another gateway on the same databases is to be measured, its URL and
 * process. Prints figures; it judges nothing.
 */
public final class InstallationLoad {

  private static final String TENANT = "load";
  private static final Duration WAIT = Duration.ofSeconds(30);
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Pattern PARKED = Pattern.compile("(?m)^tidemark_waits_parked ([0-9.E]+)");

  private final URI gateway;
  private final long process;
  private final Endpoints endpoints;
  private final LocalIssuer issuer;
  private final GatewayClient client;
  private final GatewayClient admin;

  private InstallationLoad(Path data, URI gateway, long process) throws IOException {
    this.gateway = gateway;
    this.process = process;
    endpoints = Endpoints.read(data);
    issuer = LocalIssuer.load(data);
    client = new GatewayClient(gateway.toString(), issuer, TENANT, List.of("ops"));
    admin = new GatewayClient(endpoints.gateway(), issuer, TENANT, List.of("admin"));
  }

  /** Runs both loads once. */
  public static void main(String[] arguments) throws Exception {
    Path data = Path.of(arguments[0]);
    boolean other = arguments.length > 3;
    Endpoints own = Endpoints.read(data);
    InstallationLoad load =
        new InstallationLoad(
            data,
            URI.create(other ? arguments[3] : own.gateway()),
            other ? Long.parseLong(arguments[4]) : own.pid());
    load.wakeUp(Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]), System.out);
    load.cost(System.out);
  }

  private String write(int document, String status) throws IOException, InterruptedException {
    Answer answer =
        client.put("/api/doc/Waybill/L-" + document, "{\"ops_status\":\"" + status + "\"}");
    if (answer.status() >= 300) {
      throw new IOException("a write was answered " + answer.status() + ": " + answer.body());
    }
    return answer.header("X-Tx-LSN");
  }

  private void wakeUp(int reads, int rows, PrintStream out) throws Exception {
    String position = "0/0";
    for (int i = 0; i < rows; i++) {
      position = write(i, "s" + i);
    }
    inSync(position);
    pause(true);
    String required = write(0, "s0");
    String token = issuer.issue(TENANT, List.of("ops"), Duration.ofHours(1));
    List<ParkedReads.Read> all = new ArrayList<>();
    for (int i = 0; i < reads; i++) {
      all.add(new ParkedReads.Read("/api/replica/replica_waybill/L-" + i % rows, token));
    }
    try (Connection listening = DriverManager.getConnection(endpoints.replicaJdbcUrl());
        Statement statement = listening.createStatement()) {
      statement.execute("listen tidemark_watermark");
      long sent = System.nanoTime();
      try (ParkedReads parked = new ParkedReads(gateway, all, required, WAIT)) {
        untilParked(reads);
        out.printf("all parked after %d ms%n", (System.nanoTime() - sent) / 1_000_000);
        long used = cpuNanos(process);
        pause(false);
        long passed = untilPassed(listening, Lsn.parse(required));
        List<ParkedReads.Ending> endings = parked.endings();
        out.printf(
            "CPU time of the process for the answers: %d ms%n",
            (cpuNanos(process) - used) / 1_000_000);
        report(out, endings, passed, rows);
      }
    } finally {
      pause(false);
    }
  }

  private void report(PrintStream out, List<ParkedReads.Ending> endings, long passed, int rows) {
    int wrong = 0;
    for (int i = 0; i < endings.size(); i++) {
      ParkedReads.Ending ending = endings.get(i);
      if (ending.status() != 200 || !ending.body().contains("\"s" + i % rows + "\"")) {
        wrong++;
        if (wrong < 4) {
          out.println("not as promised: " + ending);
        }
      }
    }
    List<Long> ms =
        endings.stream().map(ending -> (ending.nanos() - passed) / 1_000_000).sorted().toList();
    out.printf(
        "%d reads over %d rows, %d not as promised; after the watermark: first %d, median %d, p99"
            + " %d, last %d ms%n",
        endings.size(),
        rows,
        wrong,
        ms.getFirst(),
        ms.get(ms.size() / 2),
        ms.get(ms.size() * 99 / 100),
        ms.getLast());
  }

  private void inSync(String position) throws IOException, InterruptedException {
    Answer answer;
    do {
      answer =
          client.get(
              "/api/replica/replica_waybill/L-0",
              Map.of("X-Required-LSN", position, "Prefer", "wait=30"));
    } while (answer.status() == 202);
  }

  private void pause(boolean paused) throws IOException, InterruptedException {
    admin.put("/api/ops/paused/projector", Boolean.toString(paused));
  }

  private void untilParked(int reads) throws IOException, InterruptedException {
    long until = System.nanoTime() + LIMIT.toNanos();
    while (System.nanoTime() < until) {
      Matcher parked = PARKED.matcher(client.get("/actuator/prometheus", Map.of()).body());
      if (parked.find() && Double.parseDouble(parked.group(1)) >= reads) {
        return;
      }
      Thread.sleep(50);
    }
    throw new IOException("not all reads were parked within " + LIMIT);
  }

  /** When the news of the watermark came, which is when the gateway hears it, too. */
  private static long untilPassed(Connection listening, Lsn required)
      throws SQLException, IOException {
    PGConnection news = listening.unwrap(PGConnection.class);
    long until = System.nanoTime() + LIMIT.toNanos();
    while (System.nanoTime() < until) {
      for (PGNotification each : news.getNotifications(1_000)) {
        String[] words = each.getParameter().split(" ");
        if (Lsn.parse(words[words.length - 1]).reaches(required)) {
          return System.nanoTime();
        }
      }
    }
    throw new IOException("no watermark passed within " + LIMIT);
  }

  private void cost(PrintStream out) throws IOException, InterruptedException {
    String position = write(0, "s0");
    inSync(position);
    String token = issuer.issue(TENANT, List.of("ops"), Duration.ofHours(1));
    GateCost.Cost cost =
        GateCost.measure(
            gateway,
            "/api/replica/replica_waybill/L-0",
            token,
            position,
            10_000,
            9,
            () -> cpuNanos(process));
    out.printf(
        "CPU time of the process for 10,000 reads: ungated %d ms, gated %d ms, ratio of the medians"
            + " %.3f%n  ungated %s%n  gated   %s%n",
        GateCost.Cost.median(cost.ungated()) / 1_000_000,
        GateCost.Cost.median(cost.gated()) / 1_000_000,
        cost.ratio(),
        cost.ungated().stream().map(nanos -> nanos / 1_000_000).toList(),
        cost.gated().stream().map(nanos -> nanos / 1_000_000).toList());
  }

  /** User and system time, in clock ticks of 10 ms (proc(5), fields 14 and 15). */
  private static long cpuNanos(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
      return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * 10_000_000L;
    } catch (IOException e) {
      throw new IllegalStateException("the CPU time of process " + pid + " can't be read", e);
    }
  }
}
