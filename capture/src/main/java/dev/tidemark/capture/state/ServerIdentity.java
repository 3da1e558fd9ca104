package dev.tidemark.capture.state;

import dev.tidemark.topics.Fingerprint;
import dev.tidemark.topics.Generation;

/**
 * Which log a position belongs to: after {@code initdb} the system identifier differs, after a
 * promotion the timeline.
 *
 * @param systemIdentifier as {@code pg_control_system()} prints it
 * @param timeline the timeline that the server writes
 * @param database the database's name: a slot belongs to one
 */
public record ServerIdentity(String systemIdentifier, int timeline, String database) {

  /** The generation of this number on this server. */
  public Generation generation(int number) {
    return new Generation(number, Fingerprint.of(this + "/" + number));
  }
}
