package dev.tidemark.gateway.sync;

import dev.tidemark.gateway.auth.Caller;
import dev.tidemark.gateway.auth.CallerToken;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** {@code /api/sync}: where the pipeline stands, once or as a stream. */
@RestController
public final class SyncController {

  private final StatusReader status;
  private final WatermarkStream stream;

  public SyncController(StatusReader status, WatermarkStream stream) {
    this.status = status;
    this.stream = stream;
  }

  /** Positions, lag, slot; to an administrator also the rows that partitions are stopped at. */
  @GetMapping("/api/sync/status")
  public ResponseEntity<byte[]> status(@AuthenticationPrincipal Caller caller) {
    return ResponseEntity.ok()
        .contentType(MediaType.APPLICATION_JSON)
        .body(status.read().json(administrator(caller)).getBytes(StandardCharsets.UTF_8));
  }

  /** Server-sent events, until the client goes or its token ends. */
  @GetMapping("/api/sync/stream")
  public void stream(CallerToken token, HttpServletResponse response)
      throws IOException, InterruptedException {
    stream.serve(response, token.expiresAt(), administrator(token.getPrincipal()));
  }

  private static boolean administrator(Caller caller) {
    return caller.roles().contains(Caller.ADMIN);
  }
}
