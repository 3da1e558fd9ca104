package dev.tidemark.gateway.web;

import dev.tidemark.gateway.problem.Problem;
import dev.tidemark.gateway.problem.ProblemKind;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.DefaultCorsProcessor;
import org.springframework.web.cors.UrlBasedCorsConfigurationSource;
import org.springframework.web.filter.CorsFilter;

/** Browsers of other origins: which may call, and which headers they may send and read. */
final class CrossOrigin {

  private CrossOrigin() {}

  static CorsFilter filter(List<String> origins) {
    CorsConfiguration rules = new CorsConfiguration();
    rules.setAllowedOrigins(origins);
    rules.setAllowedMethods(List.of("GET", "HEAD", "PUT", "PATCH", "DELETE"));
    rules.setAllowedHeaders(
        List.of(
            "Authorization",
            "Content-Type",
            "If-Match",
            "If-None-Match",
            "Prefer",
            "X-Max-Staleness-Ms",
            "X-Required-LSN",
            "X-Required-Generation"));
    rules.setExposedHeaders(
        List.of(
            "ETag",
            "Location",
            "Preference-Applied",
            "Retry-After",
            "X-Replicated-LSN",
            "X-Tx-LSN",
            "X-Tx-Generation"));
    rules.setAllowCredentials(false);
    rules.setMaxAge(Duration.ofHours(1));
    UrlBasedCorsConfigurationSource source = new UrlBasedCorsConfigurationSource();
    source.registerCorsConfiguration("/api/**", rules);
    CorsFilter filter = new CorsFilter(source);
    filter.setCorsProcessor(new Refusing());
    return filter;
  }

  private static final class Refusing extends DefaultCorsProcessor {
    @Override
    protected void rejectRequest(ServerHttpResponse response) throws IOException {
      response.setStatusCode(HttpStatus.FORBIDDEN);
      response.getHeaders().setContentType(MediaType.parseMediaType(Problem.MEDIA_TYPE));
      response
          .getBody()
          .write(
              Problem.of(
                      ProblemKind.ORIGIN_REFUSED,
                      "Browsers of this origin may not call with this method and these headers. An"
                          + " operator can add the origin to the gateway's configuration.")
                  .body());
      response.flush();
    }
  }
}
