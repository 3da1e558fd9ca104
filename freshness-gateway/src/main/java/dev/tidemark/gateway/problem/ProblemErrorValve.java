package dev.tidemark.gateway.problem;

import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;

/**
 * The web server's last word on errors that no handler answered, such as a malformed request line:
 * a problem document instead of Tomcat's HTML page. Tomcat makes it by its name.
 */
public final class ProblemErrorValve extends ErrorReportValve {

  @Override
  protected void report(Request request, Response response, @Nullable Throwable failure) {
    int status = response.getStatus();
    if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
      return;
    }
    try {
      response.reset();
      StandardHeaders.set(response);
      ProblemResponses.write(response, problem(status, failure));
      response.finishResponse();
    } catch (IOException | IllegalStateException e) {
      // The client has gone or has been sent a part of an answer: there is nobody to tell.
      getContainer().getLogger().debug("an error answer could not be written", e);
    }
  }

  private static Problem problem(int status, @Nullable Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof ProblemException known) {
        return known.problem();
      }
    }
    return failure == null || status < 500
        ? Problem.of(ProblemKind.ofStatus(status), StatusDetails.of(status))
        : Failures.internal(failure);
  }
}
