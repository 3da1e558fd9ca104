# The image of capture, projector and gateway: the same file, told apart by the command's first argument.
#
#   ./tidemark --help > /dev/null && ./tidemark routes check examples/routes.yaml   # builds standalone/target
#   docker build -t tidemark .
#
# Not built where it was written, for want of a Docker engine. What was checked there: its java command, with the same
# jar and lib folder side by side, runs all three roles.
FROM eclipse-temurin:25-jre

# Neither root nor a user that the host is likely to have.
RUN useradd --system --uid 10025 --home-dir /var/lib/tidemark --create-home tidemark

COPY standalone/target/lib/ /opt/tidemark/lib/
COPY standalone/target/tidemark.jar /opt/tidemark/

USER 10025
WORKDIR /var/lib/tidemark

# The heap is the deployment's to set (JDK_JAVA_OPTIONS): 256 MB for capture and projector, 512 MB for the gateway.
ENTRYPOINT ["java", "-XX:+ExitOnOutOfMemoryError", "-Duser.timezone=UTC", "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow", "-jar", "/opt/tidemark/tidemark.jar"]
