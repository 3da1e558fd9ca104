/** Error answers: reading them (RFC 9457) and showing them. */

import { make } from './dom.js';

/** An answer that is an error, or none at all. */
export class ProblemError extends Error {
  /**
   * @param {Record<string, unknown>} problem at least `title` and `detail`
   * @param {number} status 0 when there was no answer
   */
  constructor(problem, status) {
    super(`${problem.title}: ${problem.detail}`);
    this.name = 'ProblemError';
    this.problem = problem;
    this.status = status;
  }

  /** Whether the problem is of this kind, such as `unknown-target`. */
  is(kind) {
    return this.problem.type === `urn:tidemark:problem:${kind}`;
  }
}

/** The error of an answer; undefined when it is none. */
export async function problemOf(answer) {
  if (answer.ok) {
    return undefined;
  }
  let problem;
  try {
    problem = await answer.json();
  } catch {
    problem = {};
  }
  return new ProblemError(
    {
      title: `HTTP status ${answer.status}`,
      detail: 'The answer is no problem document. Something between this page and the gateway may have answered.',
      ...problem,
    },
    answer.status,
  );
}

/** The error of a request that failed before there was an answer. */
export function unanswered(failure) {
  return failure instanceof ProblemError
    ? failure
    : new ProblemError(
        {
          title: 'The gateway does not answer',
          detail: `Check that it runs and that this machine reaches it. The browser says: ${failure.message}.`,
        },
        0,
      );
}

/** Shows an error in a region of role alert, with buttons for what can be done. */
export function show(region, error, ...actions) {
  const { title, detail, type, rolesThatMay, instance } = error.problem;
  region.replaceChildren(
    make('p', { class: 'problem-title' }, String(title)),
    make('p', {}, String(detail)),
    ...(Array.isArray(rolesThatMay) ? [make('p', {}, `Roles that may: ${rolesThatMay.join(', ')}.`)] : []),
    ...(type || instance ? [make('p', { class: 'fine' }, make('code', {}, String(instance ?? type)))] : []),
    ...(actions.length > 0 ? [make('p', { class: 'actions' }, ...actions)] : []),
  );
  region.hidden = false;
}

/** Takes an error away. */
export function clear(region) {
  region.hidden = true;
  region.replaceChildren();
}
