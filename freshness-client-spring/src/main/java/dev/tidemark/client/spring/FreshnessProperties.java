package dev.tidemark.client.spring;

import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.Ordered;

/**
 * {@code tidemark.freshness.*}.
 *
 * @param enabled whether answers get X-Tx-LSN.
 * @param urlPatterns paths whose requests hand out tokens, as URL patterns of servlet filters.
 * @param filterOrder the filter's place among the servlet filters. What commits must come after it.
 */
@ConfigurationProperties("tidemark.freshness")
public record FreshnessProperties(
    @DefaultValue("true") boolean enabled,
    @DefaultValue("/*") List<String> urlPatterns,
    @DefaultValue(FILTER_ORDER) int filterOrder) {

  /** Soon after the first, {@link Ordered#HIGHEST_PRECEDENCE}, which is for encodings. */
  static final String FILTER_ORDER = "-2147483638";
}
