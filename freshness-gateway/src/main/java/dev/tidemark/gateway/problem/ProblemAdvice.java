package dev.tidemark.gateway.problem;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.ErrorResponse;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.async.AsyncRequestNotUsableException;

/** What handlers throw, as problem answers; also Spring's own refusals. */
@RestControllerAdvice
public final class ProblemAdvice {

  /** Our own answers. */
  @ExceptionHandler
  public ResponseEntity<byte[]> problem(ProblemException exception) {
    return ProblemResponses.entity(exception.problem());
  }

  /** Query strings that can't be decoded. */
  @ExceptionHandler
  public ResponseEntity<byte[]> parameters(InvalidParameterException exception) {
    return ProblemResponses.entity(
        Problem.of(
            ProblemKind.BAD_PARAMETER,
            "The query string can't be decoded. Send UTF-8, percent-encoded."));
  }

  /** A method that the path does not have. */
  @ExceptionHandler
  public ResponseEntity<byte[]> method(HttpRequestMethodNotSupportedException exception) {
    String[] supported = exception.getSupportedMethods();
    String allow =
        supported == null
            ? ""
            : Arrays.stream(supported).sorted().collect(Collectors.joining(", "));
    return ProblemResponses.entity(
        Problem.of(ProblemKind.METHOD_NOT_ALLOWED, "Allowed here: " + allow + ".")
            .withHeader(HttpHeaders.ALLOW, allow));
  }

  /** The client has gone; nobody reads an answer. */
  @ExceptionHandler
  public @Nullable ResponseEntity<byte[]> gone(AsyncRequestNotUsableException exception) {
    return null;
  }

  /** Everything else: Spring's refusals by their status, all other exceptions as a fault. */
  @ExceptionHandler
  public ResponseEntity<byte[]> other(Exception exception) {
    if (exception instanceof ErrorResponse refusal) {
      int status = refusal.getStatusCode().value();
      return ProblemResponses.entity(
          Problem.of(ProblemKind.ofStatus(status), StatusDetails.of(status)));
    }
    return ProblemResponses.entity(Failures.internal(exception));
  }
}
