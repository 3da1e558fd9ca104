package dev.tidemark.tests.bench.program;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The conversation of a program with the bench: a line in, a line out. Whatever else is printed
 * goes to the standard error stream.
 */
final class Commands {

  /** Obeys one line. */
  interface Handler {
    /** Returns the answer, without a line end. */
    String obey(String command) throws Exception;
  }

  private final PrintStream answers = System.out;

  /** Takes the standard output for the answers. */
  Commands() {
    System.setOut(System.err);
  }

  /**
   * Obeys until the standard input is closed. An answer that begins with {@code failed} is none.
   */
  void serve(Handler handler) throws IOException {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      String line = lines.readLine();
      while (line != null) {
        answers.println(answer(handler, line));
        answers.flush();
        line = lines.readLine();
      }
    }
  }

  private static String answer(Handler handler, String line) {
    try {
      return handler.obey(line);
    } catch (Exception e) {
      e.printStackTrace();
      return "failed " + e.toString().replace('\n', ' ');
    }
  }
}
