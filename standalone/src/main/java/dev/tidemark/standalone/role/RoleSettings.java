package dev.tidemark.standalone.role;

import dev.tidemark.topics.route.RouteFile;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a configuration file says to one role. Present is what the role needs, and nothing else.
 *
 * @param instance this process's name among those of its role
 * @param routes the route file
 * @param kafka for capture and projector
 * @param source for capture and gateway
 * @param replica for projector and gateway
 * @param stateFolder for projector
 * @param http for gateway
 */
record RoleSettings(
    String instance,
    RouteFile routes,
    Optional<KafkaSettings> kafka,
    Optional<Login> source,
    Optional<Login> replica,
    Optional<Path> stateFolder,
    Optional<HttpSettings> http) {}
