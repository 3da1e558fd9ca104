package dev.tidemark.client.servlet;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Gives each request a {@link CommitRecorder}. Map it to the paths that write, before whatever
 * commits, with {@code async-supported} and for the dispatcher types {@code REQUEST}, {@code ASYNC}
 * and {@code ERROR}. Thread-safe.
 *
 * <p>The header is set when the commit is noted, not at the end. So it is there for streaming and
 * asynchronous answers too, as long as the commit comes before the first flush; after that, {@link
 * CommitRecorder} throws {@link LateCommitException}. An answer with an error keeps the header,
 * because the commit stands.
 */
public final class FreshnessFilter implements Filter {

  private static final System.Logger LOG = System.getLogger(FreshnessFilter.class.getName());
  private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

  private final GenerationSource generations;
  private final AtomicBoolean hinted = new AtomicBoolean();

  /** A filter whose tokens are positions alone; what a deployment descriptor creates. */
  public FreshnessFilter() {
    this(GenerationSource.NONE);
  }

  /** A filter whose tokens name the history too, where the source knows it. */
  public FreshnessFilter(GenerationSource generations) {
    this.generations = generations;
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (!(request instanceof HttpServletRequest http)
        || !(response instanceof HttpServletResponse answer)) {
      chain.doFilter(request, response);
      return;
    }
    Optional<CommitRecorder> outer = CommitRecorder.find(http);
    if (outer.isPresent() && outer.get().isOpen()) {
      chain.doFilter(request, response); // a forward, an include, or an asynchronous dispatch
      return;
    }
    CommitRecorder recorder =
        outer.orElseGet(() -> new CommitRecorder(answer, generations.current()));
    recorder.reopen(answer);
    recorder.bind(http);
    try {
      chain.doFilter(http, new Keeping(answer, recorder));
    } finally {
      if (http.isAsyncStarted()) {
        closeWhenComplete(http, recorder);
      } else {
        recorder.close();
        hint(http, answer, recorder);
      }
    }
  }

  private static void closeWhenComplete(HttpServletRequest request, CommitRecorder recorder) {
    try {
      request.getAsyncContext().addListener(new Closing(recorder));
    } catch (IllegalStateException e) {
      recorder.close(); // another thread has completed it meanwhile
    }
  }

  /** Writes that Spring or the service does not tell of would go unnoticed. */
  private void hint(
      HttpServletRequest request, HttpServletResponse response, CommitRecorder recorder) {
    if (!recorder.hasCommits()
        && response.getStatus() / 100 == 2
        && !SAFE.contains(request.getMethod())
        && hinted.compareAndSet(false, true)) {
      LOG.log(
          Level.INFO,
          "a {0} request was answered without X-Tx-LSN, since no commit was noted in it. If it"
              + " wrote: write in a transaction that is noted, or call"
              + " CommitRecorder.of(request).committed(dataSource). This is said once",
          request.getMethod());
    }
  }

  /** An answer that keeps the token when it is reset for an error. */
  private static final class Keeping extends HttpServletResponseWrapper {

    private final CommitRecorder recorder;

    Keeping(HttpServletResponse response, CommitRecorder recorder) {
      super(response);
      this.recorder = recorder;
    }

    @Override
    public void reset() {
      super.reset();
      recorder.writeHeaders();
    }
  }

  /** Closes the recorder when the asynchronous request is complete. */
  private static final class Closing implements AsyncListener {

    private final CommitRecorder recorder;

    Closing(CommitRecorder recorder) {
      this.recorder = recorder;
    }

    @Override
    public void onComplete(AsyncEvent event) {
      recorder.close();
    }

    @Override
    public void onTimeout(AsyncEvent event) {
      // The container completes the request, and says so to onComplete.
    }

    @Override
    public void onError(AsyncEvent event) {
      // The container completes the request, and says so to onComplete.
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
      // A request that is made asynchronous again forgets its listeners.
      event.getAsyncContext().addListener(this);
    }
  }
}
