package dev.tidemark.standalone.role;

/** What one process does. */
enum Role {
  CAPTURE("capture"),
  PROJECTOR("projector"),
  GATEWAY("gateway");

  private final String key;

  Role(String key) {
    this.key = key;
  }

  /** As the command line and the file spell it. */
  String key() {
    return key;
  }

  /** The database role that the migration of the routes creates for it. */
  String defaultUser() {
    return "tidemark_" + key;
  }
}
