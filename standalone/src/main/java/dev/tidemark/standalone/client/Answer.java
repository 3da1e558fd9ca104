package dev.tidemark.standalone.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.net.http.HttpHeaders;

/**
 * What a gateway answered.
 *
 * @param status HTTP's status code
 * @param headers the answer's headers
 * @param body the text; may be empty
 */
public record Answer(int status, HttpHeaders headers, String body) {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** The body as JSON; a missing node when it is none. */
  public JsonNode json() {
    try {
      return JSON.readTree(body);
    } catch (JsonProcessingException e) {
      return MissingNode.getInstance();
    }
  }

  /** The first value of a header, or an empty text. */
  public String header(String name) {
    return headers.firstValue(name).orElse("");
  }
}
