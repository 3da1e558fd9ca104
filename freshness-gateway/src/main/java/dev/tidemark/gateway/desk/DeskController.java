package dev.tidemark.gateway.desk;

import dev.tidemark.gateway.problem.Problem;
import dev.tidemark.gateway.problem.ProblemKind;
import dev.tidemark.gateway.problem.StatusDetails;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.ServletWebRequest;

/**
 * {@code /desk/}: the pages. They are the same for everybody and hold no data, so they need no
 * token; what they show, they ask for with the token of the person who signed in.
 */
@RestController
public final class DeskController {

  /**
   * The pages may load and call nothing but this gateway, and no text becomes script: a document's
   * field that holds markup stays text even if a page had a fault.
   */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
          + " require-trusted-types-for 'script'; trusted-types 'none'";

  private final Map<String, DeskFile> files =
      DeskFile.NAMES.stream()
          .map(DeskFile::load)
          .collect(Collectors.toUnmodifiableMap(DeskFile::name, Function.identity()));

  /** The page's address ends with a slash, so that its files' relative addresses hold. */
  @GetMapping("/desk")
  public void slash(HttpServletResponse response) {
    response.setStatus(HttpServletResponse.SC_PERMANENT_REDIRECT);
    response.setHeader("Location", "desk/");
  }

  /** The page. */
  @GetMapping("/desk/")
  public void page(ServletWebRequest request, HttpServletResponse response) throws IOException {
    file(DeskFile.PAGE, request, response);
  }

  /** One of its files. */
  @GetMapping("/desk/{name}")
  public void file(
      @PathVariable String name, ServletWebRequest request, HttpServletResponse response)
      throws IOException {
    DeskFile file =
        Optional.ofNullable(files.get(name))
            .orElseThrow(
                () -> Problem.of(ProblemKind.NO_SUCH_RESOURCE, StatusDetails.of(404)).exception());
    // Other than the answers of the interface, these may be kept, but are asked for each time.
    response.setHeader("Cache-Control", "no-cache");
    response.setHeader("Content-Security-Policy", POLICY);
    response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
    if (request.checkNotModified(file.etag())) {
      return;
    }
    response.setContentType(file.type());
    response.setContentLength(file.content().length);
    response.getOutputStream().write(file.content());
  }
}
