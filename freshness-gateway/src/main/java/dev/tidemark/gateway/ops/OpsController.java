package dev.tidemark.gateway.ops;

import dev.tidemark.gateway.RoleReport;
import dev.tidemark.gateway.json.JsonObjectWriter;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** {@code /actuator}: health and metrics, in the form that Spring Boot's own have. No token. */
@RestController
public final class OpsController {

  private final Health health;
  private final PrometheusMeterRegistry metrics;

  public OpsController(Health health, PrometheusMeterRegistry metrics) {
    this.health = health;
    this.metrics = metrics;
  }

  /** Everything. */
  @GetMapping("/actuator/health")
  public ResponseEntity<byte[]> health() {
    return answer(health.components());
  }

  /** Whether the process answers; it does not ask anybody else, so no outage restarts it. */
  @GetMapping("/actuator/health/liveness")
  public ResponseEntity<byte[]> liveness() {
    return answer(Map.of());
  }

  /** Whether replica reads can be served. */
  @GetMapping("/actuator/health/readiness")
  public ResponseEntity<byte[]> readiness() {
    return answer(health.readiness());
  }

  /** All meters, in Prometheus' text format. */
  @GetMapping("/actuator/prometheus")
  public ResponseEntity<byte[]> prometheus() {
    return ResponseEntity.ok()
        .header(HttpHeaders.CONTENT_TYPE, "text/plain;version=0.0.4;charset=utf-8")
        .body(metrics.scrape().getBytes(StandardCharsets.UTF_8));
  }

  private static ResponseEntity<byte[]> answer(Map<String, RoleReport.State> states) {
    boolean up = states.values().stream().allMatch(RoleReport.State::up);
    JsonObjectWriter json = new JsonObjectWriter().text("status", up ? "UP" : "DOWN");
    if (!states.isEmpty()) {
      JsonObjectWriter components = new JsonObjectWriter();
      states.forEach((name, state) -> components.raw(name, json(state)));
      json.raw("components", components.json());
    }
    return ResponseEntity.status(up ? 200 : 503)
        .contentType(MediaType.APPLICATION_JSON)
        .body(json.bytes());
  }

  private static String json(RoleReport.State state) {
    JsonObjectWriter json = new JsonObjectWriter().text("status", state.up() ? "UP" : "DOWN");
    if (!state.reason().isEmpty()) {
      json.text("reason", state.reason());
    }
    return json.json();
  }
}
