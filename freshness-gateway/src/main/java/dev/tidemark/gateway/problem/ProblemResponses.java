package dev.tidemark.gateway.problem;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;

/** Turns problems into HTTP answers, inside Spring MVC and in filters before it. */
public final class ProblemResponses {

  private static final MediaType TYPE = MediaType.parseMediaType(Problem.MEDIA_TYPE);

  private ProblemResponses() {}

  /** For a handler to return. */
  public static ResponseEntity<byte[]> entity(Problem problem) {
    ResponseEntity.BodyBuilder builder =
        ResponseEntity.status(problem.kind().status()).contentType(TYPE);
    problem.headers().forEach(builder::header);
    return builder.body(problem.body());
  }

  /** For a filter to write; does nothing when an answer has already begun. */
  public static void write(HttpServletResponse response, Problem problem) throws IOException {
    if (response.isCommitted()) {
      return;
    }
    byte[] body = problem.body();
    response.setStatus(problem.kind().status());
    problem.headers().forEach(response::setHeader);
    response.setContentType(Problem.MEDIA_TYPE);
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }
}
