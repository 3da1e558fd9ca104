package dev.tidemark.tests.prove;

import dev.tidemark.standalone.client.Answer;
import dev.tidemark.tests.prove.end.EndCheck;
import dev.tidemark.tests.prove.faults.Faults;
import dev.tidemark.tests.prove.faults.Schedule;
import dev.tidemark.tests.prove.history.Crashes;
import dev.tidemark.tests.prove.history.Figures;
import dev.tidemark.tests.prove.history.Figures.Figure;
import dev.tidemark.tests.prove.history.Journal;
import dev.tidemark.tests.prove.history.Watermarks;
import dev.tidemark.tests.prove.load.Context;
import dev.tidemark.tests.prove.load.DocumentWriter;
import dev.tidemark.tests.prove.load.Followers;
import dev.tidemark.tests.prove.load.Http;
import dev.tidemark.tests.prove.load.HttpReader;
import dev.tidemark.tests.prove.load.JdbcReader;
import dev.tidemark.tests.prove.load.MoverWriter;
import dev.tidemark.tests.prove.load.PairWriter;
import dev.tidemark.tests.prove.load.SharedWriter;
import dev.tidemark.tests.prove.load.StatusReader;
import dev.tidemark.tests.prove.load.Subjects;
import dev.tidemark.tests.prove.load.SwapWriter;
import dev.tidemark.tests.prove.load.VolatileWriter;
import dev.tidemark.tests.prove.load.WatermarkReader;
import dev.tidemark.tests.prove.load.Worker;
import dev.tidemark.tests.prove.system.Schema;
import dev.tidemark.tests.prove.system.Tidemark;
import java.io.IOException;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/** One run: load and faults for a while, then the checks of the end. Single-use. */
final class ProveRun {

  private static final Duration PROGRESS = Duration.ofSeconds(5);
  private static final Duration START_LIMIT = Duration.ofMinutes(2);
  private static final long PAUSE_MS = 50;
  private static final int DOCUMENT_WRITERS = 3;
  private static final int FOLLOWERS = 4;
  private static final int READERS = 16;
  private static final int JDBC_READERS = 2;

  private final Tidemark tidemark;
  private final Journal journal;
  private final PrintWriter out;
  private final long seed;
  private final Duration duration;
  private final boolean stopAtFirst;
  private final Figures figures = new Figures();

  ProveRun(
      Tidemark tidemark,
      Journal journal,
      PrintWriter out,
      long seed,
      Duration duration,
      boolean stopAtFirst) {
    this.tidemark = tidemark;
    this.journal = journal;
    this.out = out;
    this.seed = seed;
    this.duration = duration;
    this.stopAtFirst = stopAtFirst;
  }

  Figures figures() {
    return figures;
  }

  void run() throws Exception {
    awaitFirstSnapshot();
    try (Http http = new Http(tidemark.gatewayUrl(), tidemark.issuer())) {
      Context context =
          new Context(
              tidemark,
              new Subjects(),
              new Crashes(),
              new Watermarks(Schema.PARTITIONS),
              figures,
              journal,
              new Followers(),
              () -> leader(http));
      Random seeds = new Random(seed);
      List<Worker> writers = writers(context, http, seeds);
      List<Worker> readers = readers(context, http, seeds);
      writers.forEach(Worker::start);
      readers.forEach(Worker::start);
      Faults faults = new Faults(context, seeds.nextLong());
      breakThings(faults);
      if (ended()) {
        return;
      }
      stop(writers);
      say("healing, and waiting for the watermark");
      faults.heal();
      EndCheck end = new EndCheck(context, out);
      boolean reached = end.reachEveryToken();
      stop(readers);
      if (reached) {
        end.compare();
      }
    }
  }

  private void awaitFirstSnapshot() throws SQLException, InterruptedException, IOException {
    long deadline = System.nanoTime() + START_LIMIT.toNanos();
    while (!tidemark
        .replica()
        .query("select min(lsn) > '0/0' from tidemark_watermark")
        .getFirst()
        .equals("t")) {
      if (System.nanoTime() - deadline > 0) {
        throw new IOException("the first snapshot was not complete after " + START_LIMIT);
      }
      Thread.sleep(PAUSE_MS);
    }
  }

  private static List<Worker> writers(Context context, Http http, Random seeds) {
    List<Worker> writers = new ArrayList<>();
    for (int i = 0; i < DOCUMENT_WRITERS; i++) {
      writers.add(new DocumentWriter(i, context, http, seeds.nextLong()));
    }
    writers.add(new PairWriter(0, context, false, seeds.nextLong()));
    writers.add(new PairWriter(1, context, true, seeds.nextLong()));
    writers.add(new MoverWriter(context, false, seeds.nextLong()));
    writers.add(new SwapWriter(context, true, seeds.nextLong()));
    writers.add(new SharedWriter(context, true, seeds.nextLong()));
    writers.add(new VolatileWriter(context, false, seeds.nextLong()));
    return writers;
  }

  private static List<Worker> readers(Context context, Http http, Random seeds) {
    List<Worker> readers = new ArrayList<>();
    for (int i = 0; i < FOLLOWERS + READERS; i++) {
      readers.add(new HttpReader(i, i < FOLLOWERS, context, http, seeds.nextLong()));
    }
    for (int i = 0; i < JDBC_READERS; i++) {
      readers.add(new JdbcReader(i, context, seeds.nextLong()));
    }
    readers.add(new StatusReader(context, http, seeds.nextLong()));
    readers.add(new WatermarkReader(context));
    return readers;
  }

  private void breakThings(Faults faults) throws InterruptedException {
    Deque<Schedule.Planned> planned = new ArrayDeque<>(Schedule.of(seed, duration));
    long begin = System.nanoTime();
    Duration nextProgress = PROGRESS;
    while (true) {
      Duration now = Duration.ofNanos(System.nanoTime() - begin);
      if (now.compareTo(duration) >= 0 || ended()) {
        return;
      }
      if (!planned.isEmpty() && now.compareTo(planned.getFirst().at()) >= 0) {
        faults.inject(planned.removeFirst());
      }
      if (now.compareTo(nextProgress) >= 0) {
        progress(now, faults);
        nextProgress = nextProgress.plus(PROGRESS);
      }
      Thread.sleep(PAUSE_MS);
    }
  }

  /** Whether a violation ends the run; its threads end with the process. */
  private boolean ended() {
    return stopAtFirst && journal.violationCount() > 0;
  }

  private void progress(Duration now, Faults faults) {
    say(
        "%4d s  %7d operations  %7d gated reads  %6d x 202  %3d faults  longest wait %5.1f s%s  (%s)"
            .formatted(
                now.toSeconds(),
                figures.operations(),
                figures.gatedReads(),
                figures.of(Figure.GATED_202),
                figures.allFaults(),
                seconds(figures.longestWait()),
                journal.violationCount() == 0
                    ? ""
                    : "  " + journal.violationCount() + " VIOLATIONS",
                faults.last()));
  }

  static double seconds(Duration duration) {
    return duration.toMillis() / 1000.0;
  }

  private static void stop(List<Worker> workers) throws InterruptedException {
    workers.forEach(Worker::stop);
    for (Worker worker : workers) {
      worker.join();
    }
  }

  private static String leader(Http http) {
    try {
      Answer status = http.send(Context.TENANTS.getFirst(), "GET", "/api/sync/status", "");
      return status.json().path("leader").asText("");
    } catch (IOException e) {
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }

  private void say(String text) {
    out.println("  " + text);
    out.flush();
  }
}
