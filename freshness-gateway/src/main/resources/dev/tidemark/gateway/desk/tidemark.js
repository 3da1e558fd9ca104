/**
 * Reads that never miss a write they name, from JavaScript: keeps the position of every write, demands it of later
 * reads, and asks again while the replica is behind. No dependencies and no build; runs in browsers and in Node.js 20.3
 * or newer. docs/reference/javascript.md describes it.
 *
 * @module tidemark
 */

const LSN = /^([0-9A-Fa-f]{1,8})\/([0-9A-Fa-f]{1,8})$/;
const PROBLEM = 'urn:tidemark:problem:';

/** Shortest and longest pause between two reads, whatever the server's hint says, in ms. */
const MIN_PAUSE_MS = 10;
const MAX_PAUSE_MS = 60_000;

/** Pause when the server gives no hint, in ms. */
const DEFAULT_PAUSE_MS = 100;

/**
 * What the next read of a source must include.
 *
 * @typedef {object} Requirement
 * @property {string} [lsn] the highest position so far, in PostgreSQL's text form, such as `0/387F920`
 * @property {string} [generation] `X-Tx-Generation`: the name of the history that the position belongs to
 * @property {number} [unknown] how many writes there were whose position is not known; the read then asks for the
 *     source's position at its arrival
 */

/**
 * What is known while a read is pending.
 *
 * @typedef {object} Pending
 * @property {string} requiredLsn what the read demands; `latest` when it is not known which position that is
 * @property {string} [replicatedLsn] what the replica has; absent when no answer came in time
 * @property {number} retryAfterMs when the next read is sent
 * @property {number} attempt how many reads were answered `202` so far
 * @property {number} elapsedMs since the first read was sent
 */

/**
 * What is known when a read is in sync.
 *
 * @typedef {object} Fresh
 * @property {string} requiredLsn what the read demanded
 * @property {string | null} replicatedLsn what the answer is at least as fresh as
 * @property {number} attempts how many reads were sent
 * @property {number} elapsedMs since the first read was sent
 */

/**
 * The unsigned 64-bit number of a position.
 *
 * @param {string} text such as `0/387F920`
 * @returns {bigint}
 * @throws {TypeError} when the text is no LSN
 */
export function parseLsn(text) {
  const match = LSN.exec(text);
  if (match === null) {
    throw new TypeError(`not an LSN: ${JSON.stringify(text)}; expected 1 to 8 hexadecimal digits on each side of a slash`);
  }
  return (BigInt(`0x${match[1]}`) << 32n) | BigInt(`0x${match[2]}`);
}

/**
 * PostgreSQL's text form of a position.
 *
 * @param {bigint} value 0 to 2^64 - 1
 * @returns {string}
 */
export function formatLsn(value) {
  if (BigInt.asUintN(64, value) !== value) {
    throw new RangeError(`not an LSN: ${value}; expected 0 to 2^64 - 1`);
  }
  return `${(value >> 32n).toString(16)}/${(value & 0xffff_ffffn).toString(16)}`.toUpperCase();
}

/**
 * Compares two positions of the same history.
 *
 * @param {string} a
 * @param {string} b
 * @returns {-1 | 0 | 1} below 0 when `a` is earlier
 */
export function compareLsn(a, b) {
  const left = parseLsn(a);
  const right = parseLsn(b);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The replica had not reached the position when the deadline was over. */
export class SyncPendingError extends Error {
  /** @param {Pending} pending */
  constructor(pending) {
    super(
      `not in sync after ${Math.round(pending.elapsedMs)} ms: required ${pending.requiredLsn}, ` +
        `replicated ${pending.replicatedLsn ?? 'not known'}`,
    );
    this.name = 'SyncPendingError';
    /** @type {Pending} */
    this.pending = pending;
  }
}

/**
 * The source's log has been started anew since the position was given, or has lost it: it can never be reached. Read
 * the source, or write again.
 */
export class HistoryChangedError extends Error {
  /**
   * @param {Requirement} requirement what was demanded
   * @param {Record<string, unknown>} problem the problem document (RFC 9457)
   */
  constructor(requirement, problem) {
    super(`${problem.title ?? 'The history has changed'}: ${problem.detail ?? ''}`);
    this.name = 'HistoryChangedError';
    /** @type {Requirement} */
    this.requirement = requirement;
    /** @type {Record<string, unknown>} */
    this.problem = problem;
  }
}

/**
 * Keeps the highest token of each source. A token of another history takes the place of the one that is kept, because
 * positions are comparable within one history only.
 */
export class TokenJar {
  #storage;
  #key;
  #memory = {};

  /**
   * @param {object} [options]
   * @param {Storage} [options.storage] such as `sessionStorage`, so that a reloaded page remembers, or `localStorage`,
   *     so that all tabs do; without one the jar lives as long as the object
   * @param {string} [options.key] the storage's key; `tidemark.tokens` by default
   */
  constructor({ storage, key = 'tidemark.tokens' } = {}) {
    this.#storage = storage;
    this.#key = key;
  }

  /**
   * Keeps a write's token. One without a generation raises the position and leaves the generation: if the history has
   * changed in between, the gateway says so.
   *
   * @param {string} source any name of the source
   * @param {string} lsn `X-Tx-LSN`
   * @param {string} [generation] `X-Tx-Generation`
   */
  note(source, lsn, generation) {
    const held = this.get(source) ?? {};
    this.#put(source, { ...held, ...higher(held, formatLsn(parseLsn(lsn)), generation || held.generation) });
  }

  /**
   * Keeps that there may have been a write whose position is not known.
   *
   * @param {string} source
   */
  noteUnknown(source) {
    const held = this.get(source) ?? {};
    this.#put(source, { ...held, unknown: (held.unknown ?? 0) + 1 });
  }

  /**
   * Keeps what the answer of a write says: its token, or that there may have been a write when it has none. An answer
   * of status 4xx has written nothing.
   *
   * @param {string} source
   * @param {Response} answer
   */
  noteAnswer(source, answer) {
    const lsn = answer.headers.get('X-Tx-LSN') ?? '';
    if (LSN.test(lsn)) {
      this.note(source, lsn, answer.headers.get('X-Tx-Generation') ?? undefined);
    } else if (answer.status < 400 || answer.status > 499) {
      this.noteUnknown(source);
    }
  }

  /**
   * What a read must include; undefined when nothing was noted.
   *
   * @param {string} source
   * @returns {Requirement | undefined}
   */
  get(source) {
    const all = this.#read();
    return Object.hasOwn(all, source) ? all[source] : undefined;
  }

  /**
   * The headers that demand it of a read; none when nothing was noted.
   *
   * @param {string} source
   * @returns {Record<string, string>}
   */
  headers(source) {
    return demand(this.get(source));
  }

  /**
   * Keeps that a read which demanded this was answered, as of a position: writes of unknown position are at or before
   * it. Changes nothing when something was noted meanwhile.
   *
   * @param {string} source
   * @param {Requirement} sent what the read demanded
   * @param {string} lsn `X-Replicated-LSN`
   */
  noteSeen(source, sent, lsn) {
    if (sent.unknown && same(sent, this.get(source))) {
      const { unknown, ...held } = sent;
      this.#put(source, { ...held, ...higher(held, lsn, held.generation) });
    }
  }

  /** @param {string} source */
  forget(source) {
    const { [source]: forgotten, ...others } = this.#read();
    this.#write(others);
  }

  /** Forgets everything. */
  clear() {
    this.#write({});
  }

  #put(source, requirement) {
    this.#write({ ...this.#read(), [source]: requirement });
  }

  #read() {
    try {
      // Read each time: another tab may have written to it.
      return this.#storage ? (JSON.parse(this.#storage.getItem(this.#key) ?? '{}') ?? {}) : this.#memory;
    } catch {
      return this.#memory;
    }
  }

  #write(tokens) {
    this.#memory = tokens;
    try {
      this.#storage?.setItem(this.#key, JSON.stringify(tokens));
    } catch {
      // A full or forbidden storage: the memory serves this page.
      this.#storage = undefined;
    }
  }
}

/** Sends requests to one service, and keeps its promise: a read that follows a write includes it. */
export class FreshClient {
  #base;
  #source;
  #token;
  #fetch;
  #defaults;

  /**
   * @param {object} [options]
   * @param {string | URL} [options.base] address that paths are relative to; the page's own by default. The client
   *     sends nothing to another origin
   * @param {string} [options.source] name of the source in the jar; the base's origin by default. Services that write
   *     to the same source share one
   * @param {TokenJar} [options.jar] a jar of its own by default
   * @param {string | (() => string | Promise<string>)} [options.token] bearer token, or what gives one
   * @param {typeof fetch} [options.fetch] sends the requests; the engine's own by default
   * @param {number} [options.deadlineMs] how long a read may stay pending; 10 s by default, `Infinity` for ever
   * @param {number} [options.waitSeconds] lets the server hold a read that was pending once for so long, 0 to 30
   *     (`Prefer: wait`); 0 by default
   * @param {(pending: Pending) => void} [options.onPending] called for each `202`
   * @param {(fresh: Fresh) => void} [options.onFresh] called when a read that demanded a position is answered
   */
  constructor({ base = globalThis.location?.href, source, jar = new TokenJar(), token, fetch, ...defaults } = {}) {
    if (base === undefined) {
      throw new TypeError('outside of a page the client needs a base, such as https://gateway.example/');
    }
    this.#base = new URL(base);
    this.#source = source ?? this.#base.origin;
    this.#token = token;
    this.#fetch = fetch ?? globalThis.fetch.bind(globalThis);
    this.#defaults = { deadlineMs: 10_000, waitSeconds: 0, ...defaults };
    /** @type {TokenJar} */
    this.jar = jar;
  }

  /** The name of the source in the jar. */
  get source() {
    return this.#source;
  }

  /**
   * As `fetch`. A GET or HEAD demands the jar's position, unless it has an `X-Required-LSN` of its own, and is sent
   * again while the answer is `202`. All other methods are sent once, and the position of their answer is kept; where
   * there is none, or no answer, later reads demand the `latest`.
   *
   * @param {string | URL} path
   * @param {RequestInit & { deadlineMs?: number, waitSeconds?: number, onPending?: (pending: Pending) => void,
   *     onFresh?: (fresh: Fresh) => void }} [init] the last four take the place of the client's own
   * @returns {Promise<Response>} any answer but a pending one
   * @throws {SyncPendingError} when the deadline is over
   * @throws {HistoryChangedError} when the position can never be reached; the jar has forgotten it
   */
  async fetch(path, init = {}) {
    const url = new URL(path, this.#base);
    if (url.origin !== this.#base.origin) {
      throw new TypeError(`this client talks to ${this.#base.origin} only, not to ${url.origin}`);
    }
    const { deadlineMs, waitSeconds, onPending, onFresh, ...rest } = { ...this.#defaults, ...init };
    const headers = new Headers(rest.headers);
    if (this.#token !== undefined && !headers.has('Authorization')) {
      headers.set('Authorization', `Bearer ${typeof this.#token === 'function' ? await this.#token() : this.#token}`);
    }
    if (!/^(GET|HEAD)$/i.test(rest.method ?? 'GET')) {
      return this.#write(url, { ...rest, headers });
    }
    return this.#read(url, { ...rest, headers }, { deadlineMs, waitSeconds, onPending, onFresh });
  }

  async #write(url, init) {
    let answer;
    try {
      answer = await this.#fetch(url, init);
    } catch (failure) {
      // It may have been committed all the same.
      this.jar.noteUnknown(this.#source);
      throw failure;
    }
    this.jar.noteAnswer(this.#source, answer);
    return answer;
  }

  async #read(url, init, { deadlineMs, waitSeconds, onPending, onFresh }) {
    const own = init.headers.has('X-Required-LSN');
    const began = performance.now();
    const elapsed = () => performance.now() - began;
    let sent;
    let pending;
    for (let attempt = 1; ; attempt++) {
      const required = own ? ownRequirement(init.headers) : this.jar.get(this.#source);
      if (required === undefined) {
        return this.#fetch(url, init);
      }
      if (!same(required, sent)) {
        sent = required;
        pending = undefined;
      }
      const headers = new Headers(init.headers);
      Object.entries(demand(sent)).forEach(([name, value]) => headers.set(name, value));
      if (pending) {
        // What "latest" was at first: later writes of others are not waited for.
        headers.set('X-Required-LSN', pending.requiredLsn);
      }
      const patience = Math.min(waitSeconds, Math.floor((deadlineMs - elapsed()) / 1000));
      if (pending && patience > 0 && !headers.has('Prefer')) {
        headers.set('Prefer', `wait=${patience}`);
      }
      const requiredLsn = headers.get('X-Required-LSN');
      const late = () =>
        new SyncPendingError({ retryAfterMs: 0, attempt, requiredLsn, ...pending, elapsedMs: elapsed() });
      const answer = await this.#once(url, { ...init, headers }, deadlineMs - elapsed(), late);
      const hint = await pendingHint(answer);
      if (hint === undefined) {
        const problem = await historyProblem(answer);
        if (problem === undefined) {
          const replicatedLsn = answer.headers.get('X-Replicated-LSN');
          if (replicatedLsn !== null && !own) {
            this.jar.noteSeen(this.#source, sent, replicatedLsn);
          }
          onFresh?.({ requiredLsn, replicatedLsn, attempts: attempt, elapsedMs: elapsed() });
          return answer;
        }
        if (own || same(sent, this.jar.get(this.#source))) {
          if (!own) {
            this.jar.forget(this.#source);
          }
          throw new HistoryChangedError(sent, problem);
        }
        continue; // A write of the new history came in between: its token counts.
      }
      pending = { requiredLsn, ...hint, attempt, elapsedMs: elapsed() };
      if (pending.elapsedMs >= deadlineMs) {
        throw late();
      }
      pending.retryAfterMs = Math.min(pending.retryAfterMs, deadlineMs - pending.elapsedMs);
      onPending?.(pending);
      await pause(pending.retryAfterMs, init.signal);
    }
  }

  /** Sends a request that is given up when the time is over. */
  async #once(url, init, leftMs, late) {
    if (leftMs === Infinity) {
      return this.#fetch(url, init);
    }
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), Math.max(leftMs, MIN_PAUSE_MS));
    const signal = init.signal ? AbortSignal.any([init.signal, limit.signal]) : limit.signal;
    try {
      return await this.#fetch(url, { ...init, signal });
    } catch (failure) {
      throw limit.signal.aborted && !init.signal?.aborted ? late() : failure;
    } finally {
      // The answer's body may take longer.
      clearTimeout(timer);
    }
  }
}

/** @type {FreshClient | undefined} */
let page;

/**
 * As `fetch`, by one client for the whole page. Pages that need a bearer token or another address make a
 * {@link FreshClient} of their own.
 *
 * @param {string | URL} path
 * @param {Parameters<FreshClient['fetch']>[1]} [init]
 * @returns {Promise<Response>}
 */
export function freshFetch(path, init) {
  page ??= new FreshClient();
  return page.fetch(path, init);
}

/** The token of a position beside what is held already. */
function higher(held, lsn, generation) {
  const comparable = held.lsn !== undefined && (held.generation === undefined || held.generation === generation);
  return {
    lsn: comparable && compareLsn(held.lsn, lsn) >= 0 ? held.lsn : lsn,
    ...(generation && { generation }),
  };
}

function demand(required) {
  return required === undefined
    ? {}
    : {
        'X-Required-LSN': required.unknown ? 'latest' : required.lsn,
        ...(required.generation && { 'X-Required-Generation': required.generation }),
      };
}

function ownRequirement(headers) {
  const generation = headers.get('X-Required-Generation');
  return { lsn: headers.get('X-Required-LSN'), ...(generation && { generation }) };
}

function same(one, other) {
  return (
    other !== undefined &&
    one.lsn === other.lsn &&
    one.generation === other.generation &&
    one.unknown === other.unknown
  );
}

/** What a pending answer says; undefined when the answer is none. A HEAD's has no body. */
async function pendingHint(answer) {
  if (answer.status !== 202) {
    return undefined;
  }
  const body = await json(answer);
  if (body.status !== 'sync-pending' && !answer.headers.has('X-Replicated-LSN')) {
    return undefined;
  }
  const seconds = Number(answer.headers.get('Retry-After') ?? NaN);
  const hint = Number.isFinite(body.retryAfterMs) ? body.retryAfterMs : seconds * 1000;
  return {
    ...(body.requiredLsn && { requiredLsn: body.requiredLsn }),
    replicatedLsn: body.replicatedLsn ?? answer.headers.get('X-Replicated-LSN') ?? undefined,
    retryAfterMs: Number.isFinite(hint) ? Math.min(Math.max(hint, MIN_PAUSE_MS), MAX_PAUSE_MS) : DEFAULT_PAUSE_MS,
  };
}

/** The problem document of a position that can never be reached; undefined for every other answer. */
async function historyProblem(answer) {
  if (answer.status !== 409) {
    return undefined;
  }
  const body = await json(answer);
  return [`${PROBLEM}history-changed`, `${PROBLEM}position-beyond-source`].includes(body.type) ? body : undefined;
}

/** The body as JSON, leaving the answer's own unread; an empty object when it is no JSON object. */
async function json(answer) {
  try {
    const body = await answer.clone().json();
    return body !== null && typeof body === 'object' ? body : {};
  } catch {
    return {};
  }
}

/** Waits; an aborted signal ends it with the signal's reason. */
function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
