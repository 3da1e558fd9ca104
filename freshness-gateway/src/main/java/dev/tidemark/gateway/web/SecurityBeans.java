package dev.tidemark.gateway.web;

import dev.tidemark.gateway.auth.AuthFailures;
import dev.tidemark.gateway.auth.BearerHeader;
import dev.tidemark.gateway.auth.TokenDecoders;
import dev.tidemark.gateway.auth.VerifiedTokens;
import dev.tidemark.gateway.problem.Problem;
import dev.tidemark.gateway.problem.ProblemKind;
import dev.tidemark.gateway.problem.ProblemResponses;
import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.ObjectPostProcessor;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.server.resource.web.authentication.BearerTokenAuthenticationFilter;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.firewall.HttpFirewall;
import org.springframework.security.web.firewall.RequestRejectedHandler;
import org.springframework.security.web.firewall.StrictHttpFirewall;

/** Bearer tokens on all of {@code /api}; nothing is kept between requests. */
@Configuration(proxyBeanMethods = false)
@EnableWebSecurity
class SecurityBeans {

  @Bean
  JwtDecoder jwtDecoder(GatewayParts parts) {
    return TokenDecoders.of(
        parts.config().tokenKeys(), parts.config().audience(), Clock.systemUTC());
  }

  @Bean
  SecurityFilterChain securityFilterChain(HttpSecurity http, JwtDecoder decoder) {
    VerifiedTokens tokens = new VerifiedTokens(decoder, Clock.systemUTC());
    AuthFailures failures = new AuthFailures();
    // Outside of it nobody signs in, and nothing is served but what handlers of our own serve.
    return http.securityMatcher("/api/**")
        .csrf(AbstractHttpConfigurer::disable)
        .headers(AbstractHttpConfigurer::disable)
        .requestCache(AbstractHttpConfigurer::disable)
        .logout(AbstractHttpConfigurer::disable)
        .sessionManagement(
            sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
        .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
        .exceptionHandling(
            handling -> handling.authenticationEntryPoint(failures).accessDeniedHandler(failures))
        .oauth2ResourceServer(
            server ->
                server
                    .authenticationEntryPoint(failures)
                    .accessDeniedHandler(failures)
                    .withObjectPostProcessor(answeringWith(failures))
                    .bearerTokenResolver(new BearerHeader())
                    .authenticationManagerResolver(request -> tokens))
        .build();
  }

  /** Spring's own handler lets an issuer that can't be reached end in a fault of the gateway. */
  private static ObjectPostProcessor<BearerTokenAuthenticationFilter> answeringWith(
      AuthFailures failures) {
    return new ObjectPostProcessor<>() {
      @Override
      public <F extends BearerTokenAuthenticationFilter> F postProcess(F filter) {
        filter.setAuthenticationFailureHandler(failures::commence);
        return filter;
      }
    };
  }

  /** Percent-encoded, a document's name may hold any character that is no control character. */
  @Bean
  HttpFirewall httpFirewall() {
    StrictHttpFirewall firewall = new NamesFirewall();
    firewall.setAllowUrlEncodedSlash(true);
    firewall.setAllowUrlEncodedPercent(true);
    firewall.setAllowUrlEncodedPeriod(true);
    firewall.setAllowBackSlash(true);
    firewall.setAllowSemicolon(true);
    // Spring's own rule by another way: its regular expressions take longer than a read's query.
    firewall.setAllowedHeaderNames(SecurityBeans::isPlain);
    firewall.setAllowedHeaderValues(SecurityBeans::isPlain);
    return firewall;
  }

  /** Without control characters; what a header may hold of Unicode is all assigned (RFC 9110). */
  private static boolean isPlain(String header) {
    for (int i = 0; i < header.length(); i++) {
      if (Character.isISOControl(header.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  @Bean
  RequestRejectedHandler requestRejectedHandler() {
    return (request, response, rejected) ->
        ProblemResponses.write(
            response,
            Problem.of(
                ProblemKind.BAD_REQUEST,
                "The path or a header holds what is not allowed: empty or dotted path segments, a"
                    + " bare semicolon (send %3B), control characters, or an unknown method."));
  }
}
