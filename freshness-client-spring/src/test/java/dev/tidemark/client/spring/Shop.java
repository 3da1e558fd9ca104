package dev.tidemark.client.spring;

import dev.tidemark.client.servlet.CommitRecorder;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** A service as its authors would write it: they know Spring, and nothing of tokens. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({Shop.Items.class, Shop.Audit.class, Shop.Http.class})
class Shop {

  /** Writes in transactions. */
  static class Items {

    private final JdbcClient jdbc;
    private final Audit audit;

    Items(JdbcClient jdbc, Audit audit) {
      this.jdbc = jdbc;
      this.audit = audit;
    }

    void insert() {
      jdbc.sql("insert into item default values").update();
    }

    String position() {
      return jdbc.sql("select pg_current_wal_insert_lsn()::text").query(String.class).single();
    }

    @Transactional
    public String add() {
      insert();
      return position();
    }

    @Transactional
    public void fail() {
      insert();
      throw new RefusedException();
    }

    @Transactional(readOnly = true)
    public long count() {
      return jdbc.sql("select count(*) from item").query(Long.class).single();
    }

    /** Gives the position between the inner commit and the outer one. */
    @Transactional
    public String addAndAudit() {
      insert();
      audit.record();
      return position();
    }

    /** The inner transaction commits, the outer one does not. */
    @Transactional
    public void auditAndFail() {
      audit.record();
      throw new RefusedException();
    }
  }

  /** Writes in transactions of its own. */
  static class Audit {

    private final JdbcClient jdbc;

    Audit(JdbcClient jdbc) {
      this.jdbc = jdbc;
    }

    @Transactional(propagation = Propagation.REQUIRES_NEW)
    public void record() {
      jdbc.sql("insert into item default values").update();
    }
  }

  /** A business rule does not hold. */
  @ResponseStatus(HttpStatus.CONFLICT)
  static class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** The service's paths. */
  @RestController
  static class Http {

    private final Items items;
    private final DataSource dataSource;

    Http(Items items, DataSource dataSource) {
      this.items = items;
      this.dataSource = dataSource;
    }

    @PostMapping("/add")
    String add() {
      return items.add();
    }

    @PostMapping("/fail")
    void fail() {
      items.fail();
    }

    @PostMapping("/add-then-fail")
    void addThenFail() {
      items.add();
      items.fail();
    }

    @GetMapping("/count")
    long count() {
      return items.count();
    }

    @PostMapping("/two-transactions")
    String twoTransactions() {
      return items.addAndAudit();
    }

    @PostMapping("/inner-transaction-only")
    void innerTransactionOnly() {
      items.auditAndFail();
    }

    @PostMapping("/callable")
    Callable<String> callable() {
      return items::add;
    }

    @PostMapping("/late")
    void late(HttpServletResponse response) throws IOException {
      response.getWriter().write("begun ");
      response.flushBuffer();
      items.add();
      response.getWriter().write("done");
    }

    @PostMapping("/without-transaction")
    void withoutTransaction() {
      items.insert();
    }

    @PostMapping("/without-transaction-but-told")
    void withoutTransactionButTold(HttpServletRequest request) {
      items.insert();
      CommitRecorder.of(request).committed(dataSource);
    }
  }
}
