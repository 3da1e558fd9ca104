package com.example.hubs;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Keeps hubs in a table. Every answer to a write tells the position of its commit. */
@SpringBootApplication
public class HubService {

  public static void main(String[] arguments) {
    SpringApplication.run(HubService.class, arguments);
  }

  @RestController
  static class Hubs {

    private final JdbcClient jdbc;

    Hubs(JdbcClient jdbc) {
      this.jdbc = jdbc;
    }

    @PutMapping("/tenants/{tenant}/hubs/{id}")
    @Transactional
    public void put(@PathVariable String tenant, @PathVariable long id, @RequestBody String city) {
      jdbc.sql(
              "insert into hub values (?, ?, ?)"
                  + " on conflict (tenant_id, id) do update set city = excluded.city")
          .params(tenant, id, city)
          .update();
    }
  }
}
