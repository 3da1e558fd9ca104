package dev.tidemark.client.spring;

import dev.tidemark.client.servlet.GenerationSource;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** A service with Spring Data and Hibernate, which writes when it commits and not before. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EntityScan(basePackageClasses = JpaShop.class)
@EnableJpaRepositories(basePackageClasses = JpaShop.class, considerNestedRepositories = true)
@Import(JpaShop.Http.class)
class JpaShop {

  /** A row. */
  @Entity(name = "item")
  static class Item {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    @Nullable Long id;

    @Nullable String name;
  }

  /** Its rows; each call is a transaction of its own when there is none. */
  interface Items extends JpaRepository<Item, Long> {}

  @Bean
  GenerationSource generations() {
    return () -> Optional.of("g1");
  }

  /** The service's paths. */
  @RestController
  static class Http {

    private final Items items;

    Http(Items items) {
      this.items = items;
    }

    @PostMapping("/save")
    void save() {
      items.save(new Item());
    }

    /** Hibernate updates the row in the commit. */
    @PostMapping("/rename")
    @Transactional
    public void rename() {
      items.findAll().forEach(item -> item.name = item.name + "x");
    }

    @GetMapping("/count")
    long count() {
      return items.count();
    }
  }
}
