package com.example.care;

import dev.tidemark.client.http.FreshClient;
import dev.tidemark.client.http.TokenJar;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;

/** Moves hub 7 to a city, and shows it as the replica has it. */
public final class CustomerCare {

  private CustomerCare() {}

  /** Arguments: the URLs of service and gateway, and the city; acme's bearer token is in TOKEN. */
  public static void main(String[] arguments) throws Exception {
    FreshClient client = new FreshClient(HttpClient.newHttpClient(), new TokenJar(), "hubs");
    HttpRequest write =
        HttpRequest.newBuilder(URI.create(arguments[0] + "/tenants/acme/hubs/7"))
            .PUT(BodyPublishers.ofString(arguments[2]))
            .build();
    HttpRequest read =
        HttpRequest.newBuilder(URI.create(arguments[1] + "/api/replica/replica_hub/7"))
            .header("Authorization", "Bearer " + System.getenv("TOKEN"))
            .build();

    System.out.println("written: " + client.write(write).statusCode());
    System.out.println("read: " + client.read(read, Duration.ofSeconds(10)).orElseThrow());
  }
}
