package dev.tidemark.client.spring;

import dev.tidemark.client.servlet.FreshnessFilter;
import dev.tidemark.client.servlet.GenerationSource;
import jakarta.servlet.DispatcherType;
import java.util.EnumSet;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingFilterBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;

/**
 * Every commit of a Spring transaction in a web request puts its position into the answer's {@code
 * X-Tx-LSN}. Holds in a servlet web application with one {@link DataSource}, or one that is
 * primary; {@code tidemark.freshness.enabled=false} turns it off. A bean of type {@link
 * GenerationSource} adds {@code X-Tx-Generation}.
 */
@AutoConfiguration(
    afterName = {
      "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
      "org.springframework.boot.jdbc.autoconfigure.JndiDataSourceAutoConfiguration",
      "org.springframework.boot.jdbc.autoconfigure.XADataSourceAutoConfiguration"
    })
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnSingleCandidate(DataSource.class)
@ConditionalOnBooleanProperty(name = "tidemark.freshness.enabled", matchIfMissing = true)
@EnableConfigurationProperties(FreshnessProperties.class)
public final class FreshnessAutoConfiguration {

  @Bean
  @ConditionalOnMissingFilterBean(FreshnessFilter.class)
  FilterRegistrationBean<FreshnessFilter> freshnessFilter(
      FreshnessProperties properties, ObjectProvider<GenerationSource> generations) {
    FilterRegistrationBean<FreshnessFilter> registration =
        new FilterRegistrationBean<>(
            new FreshnessFilter(generations.getIfAvailable(() -> GenerationSource.NONE)));
    registration.setUrlPatterns(properties.urlPatterns());
    registration.setOrder(properties.filterOrder());
    registration.setDispatcherTypes(
        EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC, DispatcherType.ERROR));
    return registration;
  }

  /** Static, and lazy in what it needs, as befits a post-processor of other beans. */
  @Bean
  static ListenerRegistration freshnessListenerRegistration(ObjectProvider<DataSource> dataSource) {
    return new ListenerRegistration(new CommitListener(dataSource));
  }
}
