package dev.tidemark.gateway.doc;

import dev.tidemark.gateway.auth.Access;
import dev.tidemark.gateway.auth.Caller;
import dev.tidemark.gateway.json.MergePatch;
import dev.tidemark.gateway.sync.CurrentHistory;
import dev.tidemark.topics.Generation;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** {@code /api/doc}: documents of the source. Writes answer with their position in its log. */
@RestController
@RequestMapping("/api/doc/{doctype}/{name}")
public final class DocumentController {

  private final DocumentStore store;
  private final Access access;
  private final CurrentHistory history;
  private final JsonBody body;

  public DocumentController(
      DocumentStore store, Access access, CurrentHistory history, JsonBody body) {
    this.store = store;
    this.access = access;
    this.history = history;
    this.body = body;
  }

  /** Reads from the source. */
  @GetMapping
  public ResponseEntity<byte[]> get(
      @AuthenticationPrincipal Caller caller,
      @PathVariable String doctype,
      @PathVariable String name) {
    access.requireRead(caller, doctype);
    StoredDocument document =
        store
            .find(caller.tenant(), new DocumentName(doctype, name))
            .orElseThrow(DocumentStore::missing);
    return json(ResponseEntity.ok(), document);
  }

  /** Creates or replaces. */
  @PutMapping
  public ResponseEntity<byte[]> put(
      @AuthenticationPrincipal Caller caller,
      @PathVariable String doctype,
      @PathVariable String name,
      HttpServletRequest request)
      throws IOException {
    DocumentName document = writable(caller, doctype, name);
    String json = body.object(request);
    Optional<Generation> generation = history.of(caller.tenant());
    DocumentStore.Written written =
        store.put(caller.tenant(), document, json, precondition(request));
    ResponseEntity.BodyBuilder answer = written(written.created() ? 201 : 200, written, generation);
    if (written.created()) {
      answer.header("Location", request.getRequestURI());
    }
    return json(answer, written.document().orElseThrow());
  }

  /** Merges a patch into the document (RFC 7396). */
  @PatchMapping
  public ResponseEntity<byte[]> patch(
      @AuthenticationPrincipal Caller caller,
      @PathVariable String doctype,
      @PathVariable String name,
      HttpServletRequest request)
      throws IOException {
    DocumentName document = writable(caller, doctype, name);
    String patch = body.object(request);
    Optional<Generation> generation = history.of(caller.tenant());
    DocumentStore.Written written =
        store.change(
            caller.tenant(), document, current -> merged(current, patch), precondition(request));
    return json(written(200, written, generation), written.document().orElseThrow());
  }

  /** Deletes. */
  @DeleteMapping
  public ResponseEntity<byte[]> delete(
      @AuthenticationPrincipal Caller caller,
      @PathVariable String doctype,
      @PathVariable String name,
      HttpServletRequest request) {
    DocumentName document = writable(caller, doctype, name);
    Optional<Generation> generation = history.of(caller.tenant());
    DocumentStore.Written written = store.delete(caller.tenant(), document, precondition(request));
    return written(204, written, generation).build();
  }

  private DocumentName writable(Caller caller, String doctype, String name) {
    DocumentName document = new DocumentName(doctype, name);
    access.requireWrite(caller, doctype);
    return document;
  }

  private static String merged(String current, String patch) {
    try {
      return MergePatch.apply(current, patch);
    } catch (MergePatch.NotAnObjectException e) {
      throw JsonBody.bad("Can't merge: " + e.getMessage() + ".");
    }
  }

  private static Precondition precondition(HttpServletRequest request) {
    return Precondition.parse(headers(request, "If-Match"), headers(request, "If-None-Match"));
  }

  private static List<String> headers(HttpServletRequest request, String name) {
    return Collections.list(request.getHeaders(name));
  }

  private ResponseEntity.BodyBuilder written(
      int status, DocumentStore.Written written, Optional<Generation> before) {
    ResponseEntity.BodyBuilder answer =
        ResponseEntity.status(status).header("X-Tx-LSN", written.position().toString());
    history.vouching(before).ifPresent(value -> answer.header("X-Tx-Generation", value));
    return answer;
  }

  private static ResponseEntity<byte[]> json(
      ResponseEntity.BodyBuilder answer, StoredDocument document) {
    return answer
        .contentType(MediaType.APPLICATION_JSON)
        .header("ETag", document.etag())
        .body(document.json().getBytes(StandardCharsets.UTF_8));
  }
}
