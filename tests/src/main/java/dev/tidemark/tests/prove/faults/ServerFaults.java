package dev.tidemark.tests.prove.faults;

import dev.tidemark.tests.prove.load.Context;
import dev.tidemark.tests.prove.system.Database;
import java.io.IOException;
import java.util.Random;

/** Faults of the broker and of the databases' servers. */
final class ServerFaults {

  private final Context context;

  ServerFaults(Context context) {
    this.context = context;
  }

  void restartBroker(Random random) throws Exception {
    context.tidemark().stopBroker();
    moment(random);
    context.tidemark().startBroker();
  }

  void restart(Database database, Random random) throws IOException, InterruptedException {
    database.stop();
    moment(random);
    database.startAgain();
  }

  void crashReplica(Random random) throws IOException, InterruptedException {
    context.tidemark().replica().crash();
    moment(random);
    context.tidemark().replica().startAgain();
  }

  /** What was answered before it was flushed may be gone then. */
  void crashSource(Random random) throws IOException, InterruptedException {
    context.crashes().crash();
    context.tidemark().source().crash();
    context.crashes().crash();
    context.subjects().sourceCrashed(context.crashes().durable());
    moment(random);
    context.tidemark().source().startAgain();
  }

  private static void moment(Random random) throws InterruptedException {
    Thread.sleep(100 + random.nextLong(2_000));
  }
}
