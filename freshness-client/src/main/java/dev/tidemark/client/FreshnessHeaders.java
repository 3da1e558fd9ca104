package dev.tidemark.client;

/** The headers of the freshness contract between services that write, gateways and callers. */
public final class FreshnessHeaders {

  /** Of a write's answer: its {@link Position}, or {@link #LATEST} when that is not known. */
  public static final String TX_LSN = "X-Tx-LSN";

  /** Of a write's answer: the history that the position belongs to. */
  public static final String TX_GENERATION = "X-Tx-Generation";

  /** Of a read: the position that its rows must include, or {@link #LATEST}. */
  public static final String REQUIRED_LSN = "X-Required-LSN";

  /** Of a read: the history that the required position belongs to. */
  public static final String REQUIRED_GENERATION = "X-Required-Generation";

  /** Of a read's answer: the position that it is at least as fresh as. */
  public static final String REPLICATED_LSN = "X-Replicated-LSN";

  /** In place of a position: the source's position when the read arrives at the gateway. */
  public static final String LATEST = "latest";

  private FreshnessHeaders() {}
}
