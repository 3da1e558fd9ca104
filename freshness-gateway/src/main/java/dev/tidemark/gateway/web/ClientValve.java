package dev.tidemark.gateway.web;

import dev.tidemark.gateway.replica.Client;
import jakarta.servlet.ServletException;
import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;

/** Hands a request its {@link Client}, which {@link LeanHttp} knows. */
final class ClientValve extends ValveBase {

  ClientValve() {
    super(true);
  }

  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    if (request.getCoyoteRequest().getNote(LeanHttp.CLIENT_NOTE) instanceof Client client) {
      request.setAttribute(Client.ATTRIBUTE, client);
    }
    getNext().invoke(request, response);
  }
}
