package dev.tidemark.standalone;

import dev.tidemark.standalone.data.Secrets;
import dev.tidemark.standalone.issuer.LocalIssuer;
import dev.tidemark.topics.route.RouteFile;
import java.nio.file.Path;

/**
 * What the services of one pipeline are started with.
 *
 * @param routes what is captured and projected
 * @param source the source database
 * @param replica the replica database; may be in the same cluster
 * @param kafkaBootstrap {@code host:port} of the broker
 * @param secrets the passwords of {@link Services#ROLES}
 * @param issuer whose tokens the gateway accepts
 * @param port of HTTP on 127.0.0.1; 0 takes a free one
 * @param streamsFolder for the projector's local state
 * @param instance the name under which capture and projector are members of their groups
 */
public record ServicesConfig(
    RouteFile routes,
    EmbeddedDatabase source,
    EmbeddedDatabase replica,
    String kafkaBootstrap,
    Secrets secrets,
    LocalIssuer issuer,
    int port,
    Path streamsFolder,
    String instance) {}
