/** The page of a waybill: a form that writes the document to the source, and the row that the replica has of it. */

import { byId, bytes, describe, duration, make, text } from './dom.js';
import { clear, problemOf, ProblemError } from './problems.js';
import { HistoryChangedError, parseLsn } from './tidemark.js';

const TARGET = 'replica_waybill';
const TEXTS = ['order', 'ops_status', 'current_hub', 'receiver_name'];
const FIELDS = [...TEXTS, 'scan_log'];

/** Lets the gateway hold a pending read for so long: it answers the moment that the watermark passes. */
const WAIT_SECONDS = 1;

let context;
let stop = new AbortController();
/** What the form shows of the source; undefined for a document that was not loaded. */
let loaded;
/** The fields' texts when they were last filled, to see what has been changed. */
let filled = {};
/** Lines of the scan log that stand for something else than a text. */
let lines = new Map();
let ready = false;

export function enter(given, name) {
  context = given;
  if (!ready) {
    ready = true;
    byId('find').addEventListener('submit', (event) => {
      event.preventDefault();
      load();
    });
    byId('edit').addEventListener('submit', (event) => {
      event.preventDefault();
      save();
    });
    byId('name').addEventListener('input', showVersion);
    fill({});
    showVersion();
    idle();
  }
  lookForRoute();
  const wanted = safeDecode(name);
  if (wanted && wanted !== loaded?.name) {
    byId('name').value = wanted;
    load();
  } else if (loaded) {
    follow(loaded.name);
  }
}

export function leave() {
  stop.abort();
}

/** Says so when no route writes the replica table. */
async function lookForRoute() {
  try {
    const problem = await problemOf(await ask(new URL(`replica/${TARGET}?limit=1`, context.api)));
    byId('route-missing').hidden = !problem?.is('unknown-target');
  } catch {
    // The gateway does not answer: the next thing that the person does will say so.
  }
}

async function load() {
  const name = documentName();
  if (name === undefined) {
    return;
  }
  clear(byId('document-problem'));
  text(byId('saved'), '');
  try {
    const answer = await ask(address(name));
    const problem = await problemOf(answer);
    if (problem?.is('no-such-document')) {
      loaded = undefined;
      fill({});
      showVersion();
      idle();
      text(byId('saved'), 'The source has none of this name. Saving creates it.');
      return;
    }
    if (problem) {
      throw problem;
    }
    await took(name, answer);
    follow(name);
  } catch (failure) {
    context.fail(byId('document-problem'), failure);
  }
}

async function save() {
  const name = documentName();
  if (name === undefined) {
    return;
  }
  const button = byId('save');
  clear(byId('document-problem'));
  text(byId('saved'), 'Saving …');
  button.disabled = true;
  try {
    const answer = await context.client.fetch(address(name), request(name));
    const savedAt = performance.now();
    const problem = await problemOf(answer);
    if (problem) {
      throw problem;
    }
    await took(name, answer);
    text(byId('saved'), `Saved at ${answer.headers.get('X-Tx-LSN')}.`);
    follow(name, savedAt);
    // On a phone the replica is below the form.
    byId('replica-title').scrollIntoView({ block: 'nearest' });
  } catch (failure) {
    text(byId('saved'), '');
    context.fail(byId('document-problem'), conflict(failure, name), ...reload(failure));
  } finally {
    button.disabled = false;
  }
}

/**
 * A new document is put, under the condition that there is none. Of a loaded one only what was changed is sent, under
 * the condition that it is still in the version that was loaded: members that the form does not show stay as they are.
 */
function request(name) {
  const known = loaded?.name === name;
  const changed = Object.fromEntries(
    FIELDS.filter((field) => !known || byId(field).value !== filled[field]).map((field) => [field, value(field)]),
  );
  return known
    ? {
        method: 'PATCH',
        headers: { 'Content-Type': 'application/merge-patch+json', 'If-Match': loaded.etag },
        body: JSON.stringify(changed),
      }
    : {
        method: 'PUT',
        headers: { 'Content-Type': 'application/json', 'If-None-Match': '*' },
        body: JSON.stringify(Object.fromEntries(Object.entries(changed).filter(([, each]) => each !== null))),
      };
}

/** What a field holds as JSON; null for nothing. */
function value(field) {
  const shown = byId(field).value;
  if (field !== 'scan_log') {
    return shown === '' ? null : shown;
  }
  return shown
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => (lines.has(line) ? lines.get(line) : line));
}

function conflict(failure, name) {
  if (failure instanceof ProblemError && failure.is('precondition-failed')) {
    return new ProblemError(
      {
        ...failure.problem,
        detail:
          loaded?.name === name
            ? 'Somebody else has changed or deleted this waybill since you loaded it. Load it again and repeat your ' +
              'change; what you typed stays until you load.'
            : 'There is a waybill of this name already. Load it to change it, or choose another name.',
      },
      failure.status,
    );
  }
  return failure;
}

function reload(failure) {
  return failure instanceof ProblemError && failure.is('precondition-failed')
    ? [make('button', { type: 'button', class: 'quiet', click: load }, 'Load the newest version')]
    : [];
}

/** Takes the document of an answer into the form. */
async function took(name, answer) {
  loaded = { name, etag: answer.headers.get('ETag') };
  fill(await answer.json());
  showVersion();
  // So that a reload shows it again, and its address can be handed on.
  history.replaceState(null, '', `#/waybill/${encodeURIComponent(name)}`);
}

function fill(content) {
  for (const field of TEXTS) {
    const each = content[field];
    byId(field).value = each === undefined || each === null ? '' : typeof each === 'string' ? each : JSON.stringify(each);
  }
  lines = new Map();
  const log = content.scan_log ?? [];
  byId('scan_log').value = (Array.isArray(log) ? log : [log]).map(line).join('\n');
  // Read back, since a field may not show a text as it was set.
  filled = Object.fromEntries(FIELDS.map((field) => [field, byId(field).value]));
}

/** A scan as one line; one that is no plain text is written as JSON and remembered. */
function line(scan) {
  if (typeof scan === 'string' && scan.trim() !== '' && !/[\r\n]/.test(scan)) {
    return scan;
  }
  const json = JSON.stringify(scan);
  lines.set(json, scan);
  return json;
}

function showVersion() {
  const known = loaded !== undefined && byId('name').value === loaded.name;
  text(byId('document-state'), known ? `Version ${loaded.etag.replaceAll('"', '')}` : 'New');
}

/** Reads the row, again and again while it is behind the last write of this tab. */
async function follow(name, savedAt) {
  stop.abort();
  stop = new AbortController();
  const { signal } = stop;
  const began = savedAt ?? performance.now();
  clear(byId('replica-problem'));
  byId('replica-row').hidden = true;
  byId('positions').hidden = true;
  state('plain', 'Reading …');
  text(byId('replica-story'), '');
  let ticking;
  let fresh;
  try {
    const answer = await context.client.fetch(new URL(`replica/${TARGET}/${encodeURIComponent(name)}`, context.api), {
      signal,
      cache: 'no-store',
      deadlineMs: Infinity,
      waitSeconds: WAIT_SECONDS,
      onPending(pending) {
        pendingNow(pending);
        ticking ??= setInterval(() => waiting(began), 100);
      },
      onFresh(found) {
        fresh = { ...found, elapsedMs: performance.now() - began };
      },
    });
    const problem = await problemOf(answer);
    if (problem && !problem.is('no-such-row')) {
      throw problem;
    }
    const row = problem ? undefined : await answer.json();
    signal.throwIfAborted();
    shown(name, row, answer.headers.get('X-Replicated-LSN'), fresh);
  } catch (failure) {
    if (!signal.aborted) {
      failed(name, failure);
    }
  } finally {
    clearInterval(ticking);
  }
}

function pendingNow({ requiredLsn, replicatedLsn, attempt }) {
  state('wait', 'Sync pending');
  positions([
    ['Required', requiredLsn],
    ['Replicated', replicatedLsn ?? 'not known'],
    ['Missing', replicatedLsn ? bytes(parseLsn(requiredLsn) - parseLsn(replicatedLsn)) : 'not known'],
    ['Asked', `${attempt} ${attempt === 1 ? 'time' : 'times'}`],
  ]);
}

function waiting(began) {
  text(byId('replica-story'), `The replica has not reached the write yet. Waiting for ${duration(performance.now() - began)}.`);
}

function shown(name, row, replicatedLsn, fresh) {
  if (fresh) {
    state('ok', 'In sync');
    text(byId('replica-story'), `In sync ${duration(fresh.elapsedMs)} after the write. The row includes it.`);
    positions([
      ['Required', fresh.requiredLsn],
      ['Replicated', replicatedLsn ?? 'not known'],
      ['Asked', `${fresh.attempts} ${fresh.attempts === 1 ? 'time' : 'times'}`],
    ]);
  } else {
    state('plain', 'As it is');
    text(byId('replica-story'), 'Read without a required position: nothing was written from this tab yet.');
    positions([['Replicated', replicatedLsn ?? 'not known']]);
  }
  text(byId('row-name'), name);
  describe(
    byId('row-facts'),
    row
      ? Object.entries(row).map(([column, each]) => [column, cell(each)])
      : [['no row', 'The replica table has no row of this name at this position.']],
  );
  byId('replica-row').hidden = false;
}

function cell(each) {
  return each === null
    ? make('span', { class: 'muted' }, 'null')
    : make('span', { class: 'mono' }, typeof each === 'string' ? each : JSON.stringify(each));
}

function failed(name, failure) {
  byId('positions').hidden = true;
  text(byId('replica-story'), '');
  if (failure instanceof ProblemError && failure.is('unknown-target')) {
    byId('route-missing').hidden = false;
    state('plain', 'No route');
    return;
  }
  state('bad', 'Not read');
  const error =
    failure instanceof HistoryChangedError
      ? new ProblemError(
          {
            ...failure.problem,
            detail:
              'The source’s log has been started anew since this waybill was saved, so its position can’t be ' +
              'waited for. Load the waybill to see what the source has, and save it again if it lacks your change.',
          },
          409,
        )
      : failure;
  context.fail(
    byId('replica-problem'),
    error,
    make('button', { type: 'button', class: 'quiet', click: () => follow(name) }, 'Read again'),
  );
}

function idle() {
  stop.abort();
  state('plain', '');
  clear(byId('replica-problem'));
  byId('positions').hidden = true;
  byId('replica-row').hidden = true;
  text(byId('replica-story'), 'Load or save a waybill to see its row.');
}

function state(kind, word) {
  const badge = byId('replica-state');
  badge.className = `badge ${kind}`;
  text(badge, word);
}

function positions(pairs) {
  describe(
    byId('positions'),
    pairs.map(([name, each]) => [name, make('span', { class: 'mono' }, each)]),
  );
  byId('positions').hidden = false;
}

/** The name in its field; undefined, with a message, when it can be none. */
function documentName() {
  const field = byId('name');
  const name = field.value.toWellFormed();
  const problem = name.trim() === '' ? 'A waybill needs a name.' : /^\.{1,2}$/.test(name) ? 'A name is not just dots.' : '';
  field.setCustomValidity(problem);
  field.addEventListener('input', () => field.setCustomValidity(''), { once: true });
  return field.reportValidity() ? name : undefined;
}

function address(name) {
  return new URL(`doc/Waybill/${encodeURIComponent(name)}`, context.api);
}

/** Reads the source, or looks at the replica as it is: no position is demanded. */
function ask(url) {
  return fetch(url, { headers: { Authorization: `Bearer ${context.session.token}` }, cache: 'no-store' });
}

function safeDecode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}
