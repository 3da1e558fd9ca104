package dev.tidemark.tests.prove.faults;

import dev.tidemark.tests.prove.load.Context;
import dev.tidemark.tests.prove.system.RoleProcess;
import java.io.IOException;
import java.util.List;
import java.util.Random;

/** Faults of the processes of capture and projector. */
final class ProcessFaults {

  private final Context context;

  ProcessFaults(Context context) {
    this.context = context;
  }

  /** One of the captures, more often the one that reads the slot. */
  RoleProcess capture(Random random) {
    List<RoleProcess> all = context.tidemark().captures();
    RoleProcess any = all.get(random.nextInt(all.size()));
    if (random.nextInt(4) == 0) {
      return any;
    }
    String leader = context.leader().get();
    return all.stream().filter(each -> each.instance().equals(leader)).findFirst().orElse(any);
  }

  RoleProcess projector(Random random) {
    List<RoleProcess> all = context.tidemark().projectors();
    return all.get(random.nextInt(all.size()));
  }

  void kill(RoleProcess process, Random random) throws IOException, InterruptedException {
    process.kill();
    Thread.sleep(300 + random.nextLong(2_500));
    process.startAgain();
  }

  /** Longer than the 10 s after which the group gives its work to another. */
  void pause(RoleProcess process, Random random) throws IOException, InterruptedException {
    process.pause();
    Thread.sleep(11_000 + random.nextLong(3_000));
    process.resume();
  }

  void restart(RoleProcess process, Random random) throws IOException, InterruptedException {
    process.stop();
    Thread.sleep(1_000 + random.nextLong(3_000));
    process.startAgain();
  }
}
