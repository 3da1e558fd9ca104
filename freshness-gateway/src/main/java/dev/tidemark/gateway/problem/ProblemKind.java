package dev.tidemark.gateway.problem;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * Every kind of error answer. The type of the problem document is {@code urn:tidemark:problem:} and
 * the kind in lower case with hyphens.
 */
public enum ProblemKind {
  /** No bearer token. */
  TOKEN_MISSING(401, "A bearer token is needed"),
  /** A token whose signature, times or claims do not hold. */
  TOKEN_INVALID(401, "The token is not accepted"),
  /** The issuer's keys can't be fetched. */
  ISSUER_UNAVAILABLE(503, "The token issuer's keys can't be read"),
  /** The caller lacks a role. */
  PERMISSION_DENIED(403, "A role is missing"),
  /** A browser's origin that is not configured. */
  ORIGIN_REFUSED(403, "This origin is not allowed"),
  /** A path that nothing serves. */
  NO_SUCH_RESOURCE(404, "Nothing is served at this path"),
  /** A replica table that no route writes. */
  UNKNOWN_TARGET(404, "No such replica table"),
  /** No row with this key that the caller may see. */
  NO_SUCH_ROW(404, "No such row"),
  /** No document with this name that the caller may see. */
  NO_SUCH_DOCUMENT(404, "No such document"),
  /** A role that this process can't pause. */
  ROLE_NOT_PAUSABLE(404, "This role can't be paused here"),
  /** A request that HTTP or this interface does not allow, beyond the kinds below. */
  BAD_REQUEST(400, "The request is malformed"),
  /** {@code X-Required-LSN} that is no LSN. */
  MALFORMED_LSN(400, "X-Required-LSN is malformed"),
  /** {@code X-Max-Staleness-Ms} that is no number of milliseconds. */
  MALFORMED_STALENESS(400, "X-Max-Staleness-Ms is malformed"),
  /** A filter on a column that the replica table does not have. */
  UNKNOWN_COLUMN(400, "No such column"),
  /** A filter value that is not of the column's type. */
  BAD_VALUE(400, "A value does not fit its column"),
  /** A query parameter that is malformed. */
  BAD_PARAMETER(400, "A query parameter is malformed"),
  /** The newest change of this row could not be written to the replica table. */
  ROW_QUARANTINED(409, "The row is set aside"),
  /** A row was asked for by one key, but the key has several columns. */
  COMPOSITE_KEY(400, "The key has several columns"),
  /** A document type or name that can't be one. */
  BAD_NAME(400, "The document's type or name is not allowed"),
  /** A body that is no JSON object. */
  BAD_BODY(400, "The body is not what this request needs"),
  /** Valid JSON that PostgreSQL's jsonb can't hold. */
  BODY_NOT_STORABLE(422, "The document can't be stored"),
  /** A body beyond the limit. */
  BODY_TOO_LARGE(413, "The body is too large"),
  /** A content type that is not accepted. */
  UNSUPPORTED_MEDIA_TYPE(415, "The content type is not accepted"),
  /** A method that the path does not have. */
  METHOD_NOT_ALLOWED(405, "The method is not allowed here"),
  /** More requests a second than one caller may send. */
  TOO_MANY_REQUESTS(429, "Too many requests"),
  /** If-Match or If-None-Match does not hold. */
  PRECONDITION_FAILED(412, "The document is not in the expected version"),
  /** A position of a history that the source no longer has. */
  HISTORY_CHANGED(409, "The source's history has changed"),
  /** A position that the source has not reached itself. */
  POSITION_BEYOND_SOURCE(409, "The position lies beyond the source's log"),
  /** A replica table whose first snapshot is not complete. */
  REPLICA_NOT_READY(503, "The replica table is not complete yet"),
  /** A database that can't be reached or refuses work. */
  DATABASE_UNAVAILABLE(503, "A database is not available"),
  /** A statement that took too long. */
  DATABASE_TIMEOUT(503, "A database took too long"),
  /** Written, but the position could not be read. */
  POSITION_UNKNOWN(503, "Written, but the position is not known"),
  /** Too many event streams are open. */
  TOO_MANY_STREAMS(503, "Too many event streams"),
  /** A fault of the gateway itself. */
  INTERNAL(500, "The gateway failed");

  private final int status;
  private final String title;

  ProblemKind(int status, String title) {
    this.status = status;
    this.title = title;
  }

  /** The HTTP status. */
  public int status() {
    return status;
  }

  /** A short summary, the same for every problem of the kind. */
  public String title() {
    return title;
  }

  /** The URI that names the kind. */
  public String type() {
    return "urn:tidemark:problem:" + name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The kind for an error that only has a status, such as one of the web server's own. */
  public static ProblemKind ofStatus(int status) {
    Optional<ProblemKind> general =
        switch (status) {
          case 401 -> Optional.of(TOKEN_MISSING);
          case 403 -> Optional.of(PERMISSION_DENIED);
          case 404 -> Optional.of(NO_SUCH_RESOURCE);
          // Methods, encodings and versions of HTTP that the server does not know.
          case 501, 505 -> Optional.of(BAD_REQUEST);
          case 503 -> Optional.of(DATABASE_UNAVAILABLE);
          default -> Arrays.stream(values()).filter(kind -> kind.status == status).findFirst();
        };
    return general.orElse(status >= 500 ? INTERNAL : BAD_REQUEST);
  }
}
