package dev.tidemark.gateway.openapi;

import java.nio.charset.StandardCharsets;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** {@code /openapi.json} and {@code /openapi.yaml}: the description, to anybody. */
@RestController
public final class DescriptionController {

  /** RFC 9512. */
  private static final MediaType YAML = MediaType.parseMediaType("application/yaml");

  private final ApiDescription description;

  public DescriptionController(ApiDescription description) {
    this.description = description;
  }

  /** For programs. */
  @GetMapping("/openapi.json")
  public ResponseEntity<byte[]> json() {
    return answer(MediaType.APPLICATION_JSON, description.json());
  }

  /** For people. */
  @GetMapping("/openapi.yaml")
  public ResponseEntity<byte[]> yaml() {
    return answer(YAML, description.yaml());
  }

  private static ResponseEntity<byte[]> answer(MediaType type, String text) {
    return ResponseEntity.ok().contentType(type).body(text.getBytes(StandardCharsets.UTF_8));
  }
}
