package dev.tidemark.client.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.client.servlet.FreshnessFilter;
import java.nio.charset.StandardCharsets;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.ConfigurableTransactionManager;

/** When the auto-configuration holds, and what it makes. */
class FreshnessAutoConfigurationTest {

  private static final AutoConfigurations OURS =
      AutoConfigurations.of(FreshnessAutoConfiguration.class);

  private final WebApplicationContextRunner web =
      new WebApplicationContextRunner().withConfiguration(OURS);

  @Configuration(proxyBeanMethods = false)
  static class OneDataSource {
    @Bean
    DataSource dataSource() {
      return new DriverManagerDataSource();
    }

    /** The service's own, which Boot's customizers do not know. */
    @Bean
    JdbcTransactionManager transactions(DataSource dataSource) {
      return new JdbcTransactionManager(dataSource);
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class SecondDataSource {
    @Bean
    DataSource second() {
      return new DriverManagerDataSource();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class PrimaryDataSource {
    @Bean
    @Primary
    DataSource primary() {
      return new DriverManagerDataSource();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class OwnFilter {
    @Bean
    FreshnessFilter own() {
      return new FreshnessFilter();
    }
  }

  @Test
  void registersTheFilterAndListensToEveryTransactionManager() {
    web.withUserConfiguration(OneDataSource.class)
        .run(
            context -> {
              FilterRegistrationBean<?> filter = context.getBean(FilterRegistrationBean.class);
              assertThat(filter.getFilter()).isInstanceOf(FreshnessFilter.class);
              assertThat(filter.getUrlPatterns()).containsExactly("/*");
              assertThat(filter.getOrder()).isEqualTo(Integer.MIN_VALUE + 10);
              assertThat(
                      context
                          .getBean(ConfigurableTransactionManager.class)
                          .getTransactionExecutionListeners())
                  .hasOnlyElementsOfType(CommitListener.class)
                  .hasSize(1);
            });
  }

  @Test
  void takesPathsAndOrderFromTheProperties() {
    web.withUserConfiguration(OneDataSource.class)
        .withPropertyValues(
            "tidemark.freshness.url-patterns=/orders/*,/hubs/*",
            "tidemark.freshness.filter-order=7")
        .run(
            context -> {
              FilterRegistrationBean<?> filter = context.getBean(FilterRegistrationBean.class);
              assertThat(filter.getUrlPatterns()).containsExactly("/orders/*", "/hubs/*");
              assertThat(filter.getOrder()).isEqualTo(7);
            });
  }

  @Test
  void canBeTurnedOff() {
    web.withUserConfiguration(OneDataSource.class)
        .withPropertyValues("tidemark.freshness.enabled=false")
        .run(
            context -> {
              assertThat(context).doesNotHaveBean(FilterRegistrationBean.class);
              assertThat(
                      context
                          .getBean(ConfigurableTransactionManager.class)
                          .getTransactionExecutionListeners())
                  .isEmpty();
            });
  }

  @Test
  void holdsOnlyWhereItIsClearWhichDatabaseIsWrittenTo() {
    web.run(context -> assertThat(context).doesNotHaveBean(FilterRegistrationBean.class));
    web.withUserConfiguration(OneDataSource.class, SecondDataSource.class)
        .run(context -> assertThat(context).doesNotHaveBean(FilterRegistrationBean.class));
    web.withUserConfiguration(OneDataSource.class, PrimaryDataSource.class)
        .run(context -> assertThat(context).hasSingleBean(FilterRegistrationBean.class));
  }

  @Test
  void isNoConcernOfAnApplicationWithoutHttp() {
    new ApplicationContextRunner()
        .withConfiguration(OURS)
        .withUserConfiguration(OneDataSource.class)
        .run(context -> assertThat(context).doesNotHaveBean(FilterRegistrationBean.class));
  }

  @Test
  void leavesTheFilterToAnApplicationThatHasItsOwn() {
    web.withUserConfiguration(OneDataSource.class, OwnFilter.class)
        .run(context -> assertThat(context).doesNotHaveBean(FilterRegistrationBean.class));
  }

  @Test
  void editorsFindTheProperties() throws Exception {
    ClassPathResource metadata =
        new ClassPathResource("META-INF/spring-configuration-metadata.json");

    assertThat(metadata.getContentAsString(StandardCharsets.UTF_8))
        .contains("\"tidemark.freshness.enabled\"")
        .contains("\"tidemark.freshness.url-patterns\"")
        .contains("\"tidemark.freshness.filter-order\"")
        .contains("URL patterns of servlet filters");
  }
}
