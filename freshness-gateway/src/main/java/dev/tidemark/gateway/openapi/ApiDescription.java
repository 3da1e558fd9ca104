package dev.tidemark.gateway.openapi;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.json.JsonMapper;

/**
 * The OpenAPI 3.1 description, as it is written and as JSON. The same for every installation: it
 * holds nothing of the route file, since anybody may read it. Immutable.
 */
public final class ApiDescription {

  private static final String FILE = "openapi.yaml";

  private final String yaml;
  private final String json;

  private ApiDescription(String yaml, String json) {
    this.yaml = yaml;
    this.json = json;
  }

  /**
   * Reads it and turns it into JSON.
   *
   * @throws IllegalStateException when this build of the gateway lacks it
   */
  public static ApiDescription load() {
    try (InputStream file = ApiDescription.class.getResourceAsStream(FILE)) {
      if (file == null) {
        throw new IllegalStateException(
            FILE + " is missing beside " + ApiDescription.class + ": build the gateway again");
      }
      String yaml = new String(file.readAllBytes(), StandardCharsets.UTF_8);
      Object read = new Load(LoadSettings.builder().setLabel(FILE).build()).loadFromString(yaml);
      return new ApiDescription(yaml, JsonMapper.builder().build().writeValueAsString(read));
    } catch (IOException e) {
      throw new UncheckedIOException(FILE + " can't be read from the gateway's jar", e);
    }
  }

  /** As it is written. */
  public String yaml() {
    return yaml;
  }

  /** As JSON. */
  public String json() {
    return json;
  }
}
