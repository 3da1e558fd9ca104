package dev.tidemark.gateway.web;

import dev.tidemark.gateway.auth.Access;
import dev.tidemark.gateway.desk.DeskController;
import dev.tidemark.gateway.doc.DocumentController;
import dev.tidemark.gateway.doc.DocumentStore;
import dev.tidemark.gateway.doc.JsonBody;
import dev.tidemark.gateway.openapi.ApiDescription;
import dev.tidemark.gateway.openapi.DescriptionController;
import dev.tidemark.gateway.ops.OpsController;
import dev.tidemark.gateway.ops.PauseController;
import dev.tidemark.gateway.ops.RequestTimer;
import dev.tidemark.gateway.problem.Problem;
import dev.tidemark.gateway.problem.ProblemAdvice;
import dev.tidemark.gateway.problem.ProblemKind;
import dev.tidemark.gateway.problem.ProblemResponses;
import dev.tidemark.gateway.problem.StatusDetails;
import dev.tidemark.gateway.replica.ReplicaEndpoint;
import dev.tidemark.gateway.replica.ReplicaReads;
import dev.tidemark.gateway.sync.CurrentHistory;
import dev.tidemark.gateway.sync.SyncController;
import dev.tidemark.topics.route.RouteFile;
import jakarta.servlet.Filter;
import java.util.Map;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.servlet.DelegatingFilterProxyRegistrationBean;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.http.converter.ByteArrayHttpMessageConverter;
import org.springframework.http.converter.HttpMessageConverters;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.handler.SimpleUrlHandlerMapping;

/**
 * All beans, by hand: nothing is scanned for, and no auto-configuration takes part, so what another
 * module brings to the class path changes nothing here.
 */
@Configuration(proxyBeanMethods = false)
@EnableWebMvc
@Import({SecurityBeans.class, ProblemAdvice.class})
class WebBeans implements WebMvcConfigurer {

  private static final int TIMER = -300;
  private static final int HEADERS = -200;
  private static final int CORS = -150;
  private static final int SECURITY = -100;

  /** For what is there by configuration only: before the caller is known. */
  static final int OPS = -175;

  /** Behind the check of tokens. */
  static final int RATE = -50;

  /** Behind all that may refuse a request. */
  private static final int REPLICA = 0;

  @Override
  public void configureMessageConverters(HttpMessageConverters.ServerBuilder builder) {
    builder.disableDefaults().addCustomConverter(new ByteArrayHttpMessageConverter());
  }

  @Bean
  TomcatServletWebServerFactory webServerFactory(GatewayParts parts) {
    return WebServer.factory(parts.config().host(), parts.config().port(), parts.ops());
  }

  @Bean
  DispatcherServlet dispatcherServlet() {
    return new DispatcherServlet();
  }

  @Bean
  DispatcherServletRegistrationBean dispatcherServletRegistration(DispatcherServlet servlet) {
    DispatcherServletRegistrationBean registration =
        new DispatcherServletRegistrationBean(servlet, "/");
    registration.setLoadOnStartup(1);
    return registration;
  }

  @Bean
  FilterRegistrationBean<RequestTimer> requestTimer(GatewayParts parts) {
    return filter(new RequestTimer(parts.metrics()), TIMER);
  }

  @Bean
  FilterRegistrationBean<AnswerHeaders> answerHeaders() {
    return filter(new AnswerHeaders(), HEADERS);
  }

  @Bean
  FilterRegistrationBean<Filter> crossOrigin(GatewayParts parts) {
    FilterRegistrationBean<Filter> registration =
        filter(CrossOrigin.filter(parts.config().allowedOrigins()), CORS);
    registration.setEnabled(!parts.config().allowedOrigins().isEmpty());
    return registration;
  }

  @Bean
  DelegatingFilterProxyRegistrationBean security() {
    DelegatingFilterProxyRegistrationBean registration =
        new DelegatingFilterProxyRegistrationBean("springSecurityFilterChain");
    registration.setOrder(SECURITY);
    return registration;
  }

  /** After all others; without it Spring would log every path that nothing serves. */
  @Bean
  SimpleUrlHandlerMapping nothing() {
    HttpRequestHandler handler =
        (request, response) ->
            ProblemResponses.write(
                response, Problem.of(ProblemKind.NO_SUCH_RESOURCE, StatusDetails.of(404)));
    return new SimpleUrlHandlerMapping(Map.of("/**", handler), Ordered.LOWEST_PRECEDENCE);
  }

  @Bean
  DocumentController documentController(GatewayParts parts) {
    RouteFile routes = parts.config().routes();
    return new DocumentController(
        new DocumentStore(parts.source(), parts.position(), routes.documents()),
        new Access(routes),
        new CurrentHistory(parts.board(), parts.position(), routes.partitions()),
        new JsonBody(parts.config().maxDocumentBytes()));
  }

  @Bean
  FilterRegistrationBean<ReplicaEndpoint> replicaEndpoint(GatewayParts parts) {
    return filter(
        new ReplicaEndpoint(
            new ReplicaReads(
                parts.catalog(),
                parts.reads(),
                new Access(parts.config().routes()),
                parts.replica())),
        REPLICA);
  }

  @Bean
  SyncController syncController(GatewayParts parts) {
    return new SyncController(parts.status(), parts.stream());
  }

  @Bean
  PauseController pauseController(GatewayParts parts) {
    return new PauseController(parts.config().pausable());
  }

  @Bean
  DeskController deskController() {
    return new DeskController();
  }

  @Bean
  OpsController opsController(GatewayParts parts) {
    return new OpsController(parts.health(), parts.metrics());
  }

  @Bean
  DescriptionController descriptionController() {
    return new DescriptionController(ApiDescription.load());
  }

  static <F extends Filter> FilterRegistrationBean<F> filter(F filter, int order) {
    FilterRegistrationBean<F> registration = new FilterRegistrationBean<>(filter);
    registration.setOrder(order);
    return registration;
  }
}
