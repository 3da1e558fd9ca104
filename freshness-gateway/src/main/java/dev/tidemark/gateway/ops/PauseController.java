package dev.tidemark.gateway.ops;

import dev.tidemark.gateway.RoleControl;
import dev.tidemark.gateway.auth.Access;
import dev.tidemark.gateway.auth.Caller;
import dev.tidemark.gateway.doc.JsonBody;
import dev.tidemark.gateway.problem.Problem;
import dev.tidemark.gateway.problem.ProblemKind;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** {@code /api/ops/paused}: pausing roles that run in this process. Administrators only. */
@RestController
@RequestMapping("/api/ops/paused/{role}")
public final class PauseController {

  private static final Logger LOG = LoggerFactory.getLogger(PauseController.class);

  /** Longer than {@code false} with any white space that a client may put around it. */
  private static final int MAX_BODY = 64;

  private final Map<String, RoleControl> roles;
  private final JsonBody body = new JsonBody(MAX_BODY);

  public PauseController(Map<String, RoleControl> roles) {
    this.roles = roles;
  }

  /** Whether the role is paused. */
  @GetMapping
  public ResponseEntity<byte[]> paused(
      @AuthenticationPrincipal Caller caller, @PathVariable String role) {
    Access.requireAdmin(caller);
    return ResponseEntity.ok()
        .contentType(MediaType.APPLICATION_JSON)
        .body(Boolean.toString(control(role).paused()).getBytes(StandardCharsets.UTF_8));
  }

  /** Pauses with {@code true}, resumes with {@code false}. */
  @PutMapping
  public ResponseEntity<Void> pause(
      @AuthenticationPrincipal Caller caller, @PathVariable String role, HttpServletRequest request)
      throws IOException {
    Access.requireAdmin(caller);
    RoleControl control = control(role);
    switch (body.word(request)) {
      case "true" -> control.pause();
      case "false" -> control.resume();
      default ->
          throw Problem.of(ProblemKind.BAD_BODY, "The body must be true or false.").exception();
    }
    LOG.atInfo()
        .addKeyValue("role", role)
        .addKeyValue("paused", control.paused())
        .log("by request");
    return ResponseEntity.noContent().build();
  }

  private RoleControl control(String role) {
    return Optional.ofNullable(roles.get(role))
        .orElseThrow(
            () ->
                Problem.of(
                        ProblemKind.ROLE_NOT_PAUSABLE,
                        "Only roles that run in the gateway's own process can be paused here.")
                    .with("pausable", roles.keySet().stream().sorted().toList())
                    .exception());
  }
}
