/**
 * Server-sent events over fetch: the browser's own EventSource can't send an Authorization header. Connects again when
 * the connection is lost; events are states, so nothing needs to be made up for.
 */

import { ProblemError, problemOf, unanswered } from './problems.js';

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 10_000;

/** The gateway says something every 15 s at least; after this long without a word the connection is dead. */
const SILENCE_MS = 40_000;

/** Cuts a text/event-stream into events, wherever the chunks of it end. */
export class EventParser {
  #rest = '';
  #type = '';
  #data = [];

  /**
   * @param {string} chunk
   * @returns {{ type: string, data: string }[]} the events that the chunk completes
   */
  push(chunk) {
    // A carriage return at the end may be the first half of a line's end.
    const lines = (this.#rest + chunk).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop();
    const events = [];
    for (const line of lines) {
      if (line === '') {
        if (this.#data.length > 0) {
          events.push({ type: this.#type || 'message', data: this.#data.join('\n') });
        }
        this.#type = '';
        this.#data = [];
      } else if (!line.startsWith(':')) {
        const colon = line.indexOf(':');
        const field = colon < 0 ? line : line.slice(0, colon);
        const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
        if (field === 'event') {
          this.#type = value;
        } else if (field === 'data') {
          this.#data.push(value);
        }
      }
    }
    return events;
  }
}

/**
 * Follows a stream until the signal ends it, or the token is refused.
 *
 * @param {URL} url
 * @param {object} options
 * @param {string} options.token
 * @param {AbortSignal} options.signal
 * @param {(type: string, data: any) => void} options.onEvent with the data as parsed JSON
 * @param {() => void} options.onOpen
 * @param {(error: ProblemError, retryMs: number) => void} options.onLost
 * @returns {Promise<ProblemError | undefined>} the error of a refused token
 */
export async function follow(url, { token, signal, onEvent, onOpen, onLost }) {
  let pauseMs = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    let error;
    try {
      await connection(url, token, signal, () => {
        pauseMs = FIRST_PAUSE_MS;
        onOpen();
      }, onEvent);
      error = new ProblemError({ title: 'The stream has ended', detail: 'The gateway closed it.' }, 0);
    } catch (failure) {
      if (signal.aborted) {
        return undefined;
      }
      error = unanswered(failure);
    }
    if (error.status === 401) {
      return error;
    }
    // Spread, so that not all pages of a restarted gateway come back in the same moment.
    const retryMs = Math.round(pauseMs * (0.75 + Math.random() / 2));
    onLost(error, retryMs);
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, retryMs);
      signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
    });
    pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
  }
  return undefined;
}

async function connection(url, token, signal, onOpen, onEvent) {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(new Error('no word for 40 s')), SILENCE_MS);
  try {
    const answer = await fetch(url, {
      headers: { Authorization: `Bearer ${token}`, Accept: 'text/event-stream' },
      cache: 'no-store',
      signal: AbortSignal.any([signal, silence.signal]),
    });
    const problem = await problemOf(answer);
    if (problem) {
      throw problem;
    }
    onOpen();
    const parser = new EventParser();
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(new Error('no word for 40 s')), SILENCE_MS);
      parser.push(read.value).forEach((event) => onEvent(event.type, JSON.parse(event.data)));
    }
  } finally {
    clearTimeout(timer);
  }
}
