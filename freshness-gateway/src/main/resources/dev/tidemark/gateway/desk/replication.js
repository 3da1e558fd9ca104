/** The page of the pipeline: where it stands, live from one event stream. */

import { byId, bytes, describe, duration, make, number, text } from './dom.js';
import { follow } from './events.js';
import { Plot, powersOfTwo, roundSteps } from './plot.js';
import { clear, problemOf } from './problems.js';
import { parseLsn } from './tidemark.js';

/** A status comes every second; after this long without one the page says so. */
const STALE_MS = 6_000;

let context;
let stop = new AbortController();
let plots;
let heardAt = 0;
let checking;
let status;

export function enter(given) {
  context = given;
  plots ??= {
    lag: new Plot(byId('lag-plot'), 'Lag', duration, roundSteps(10)),
    behind: new Plot(byId('behind-plot'), 'Bytes behind', bytes, powersOfTwo(1024)),
    events: new Plot(byId('events-plot'), 'Events per second', (value) => number(value, 1), roundSteps(10)),
  };
  stop = new AbortController();
  live('wait', 'Connecting');
  checking = setInterval(checkAge, 1000);
  listen(stop.signal);
}

export function leave() {
  stop.abort();
  clearInterval(checking);
}

async function listen(signal) {
  const refused = await follow(new URL('sync/stream', context.api), {
    token: context.session.token,
    signal,
    onOpen() {
      heardAt = Date.now();
    },
    onEvent(type, data) {
      if (type === 'status') {
        heardAt = Date.now();
        live('ok', 'Live');
        showStatus(data);
      } else if (type === 'watermark') {
        showWatermarks(data);
      }
    },
    onLost(error, retryMs) {
      heardAt = 0;
      live('bad', `${error.problem.title}; trying again in ${duration(retryMs)}`);
    },
  });
  if (refused) {
    context.expired(`${refused.problem.title}. ${refused.problem.detail}`);
  }
}

function checkAge() {
  if (heardAt > 0 && Date.now() - heardAt > STALE_MS) {
    live('bad', 'No status for some seconds: a database does not answer the gateway');
  }
}

function live(kind, word) {
  const badge = byId('live');
  badge.className = `badge ${kind}`;
  text(badge, word);
}

function showStatus(next) {
  status = next;
  const now = Date.now();
  text(byId('lag'), next.lagMs === null ? '–' : duration(next.lagMs));
  text(byId('behind'), next.bytesBehind === null ? '–' : bytes(next.bytesBehind));
  text(byId('events'), next.eventsPerSecond === null ? '–' : number(next.eventsPerSecond, 1));
  plots.lag.add(now, next.lagMs);
  plots.behind.add(now, next.bytesBehind);
  plots.events.add(now, next.eventsPerSecond);
  describe(byId('pipeline-facts'), pipelineFacts(next));
  describe(byId('slot-facts'), slotFacts(next.slot));
  showPartitions(next);
  showRoutes(next.routes);
  showRoles(next.paused);
  showAlerts(next);
}

/** Watermarks come as they move, between two statuses. */
function showWatermarks({ partitions, replicatedLsn }) {
  if (status) {
    const moved = new Map(partitions.map((each) => [each.partition, each.lsn]));
    showPartitions({
      ...status,
      partitions: status.partitions.map((each) => ({ ...each, lsn: moved.get(each.partition) ?? each.lsn })),
    });
    const shown = byId('replicated-lsn');
    if (shown) {
      text(shown, replicatedLsn);
    }
  }
}

function pipelineFacts({ replicatedLsn, currentLsn, workerReporting, leader, snapshot, generation, history }) {
  return [
    ['Replicated', make('span', { class: 'mono', id: 'replicated-lsn' }, replicatedLsn)],
    ['End of the source’s log', mono(currentLsn)],
    ['Projector', badge(workerReporting ? 'ok' : 'bad', workerReporting ? 'reporting' : 'not reporting')],
    ['Leader of capture', mono(leader, 'none')],
    ['Snapshot', `${snapshot.complete ? 'complete' : 'running'}, ${number(snapshot.rows)} rows applied`],
    ['Generation', mono(generation)],
    ['History', mono(history || null, 'none yet')],
  ];
}

function slotFacts(slot) {
  if (slot === null) {
    return [['State', badge('bad', 'no slot, or the source does not answer')]];
  }
  const { name, active, walStatus, restartLsn, confirmedFlushLsn, retainedBytes, limitBytes, safeBytes } = slot;
  const limited = limitBytes >= 0;
  const retained = make(
    'div',
    {},
    limited
      ? `${bytes(retainedBytes)} of ${bytes(limitBytes)}`
      : `${bytes(retainedBytes)}, no limit (max_slot_wal_keep_size = -1)`,
  );
  if (limited && retainedBytes !== null) {
    retained.append(
      make('meter', {
        min: 0,
        max: Math.max(limitBytes, 1),
        low: limitBytes * 0.6,
        high: limitBytes * 0.85,
        optimum: 0,
        value: retainedBytes,
        'aria-label': 'Retained WAL of its limit',
      }),
    );
  }
  return [
    ['Name', mono(name)],
    ['State', badge(active ? 'ok' : 'bad', active ? 'active' : 'not active')],
    ['wal_status', badge(walStatus === 'reserved' || walStatus === 'extended' ? 'ok' : 'bad', walStatus ?? 'not known')],
    ['Retained WAL', retained],
    ...(limited ? [['safe_wal_size', safeBytes === null ? 'none' : bytes(safeBytes)]] : []),
    ['restart_lsn', mono(restartLsn)],
    ['confirmed_flush_lsn', mono(confirmedFlushLsn)],
  ];
}

function showPartitions({ partitions, currentLsn }) {
  table(
    byId('partitions'),
    ['Partition', 'Watermark', 'Behind', 'Lag', 'Events', 'Last moved', 'State'],
    partitions.map((each) => [
      String(each.partition),
      mono(each.lsn),
      currentLsn === null ? '–' : bytes(behind(currentLsn, each.lsn)),
      each.lagMs === null ? '–' : duration(each.lagMs),
      number(each.events),
      each.updatedAt.replace(/\.\d+\+00$/, ' UTC'),
      partitionState(each),
    ]),
  );
}

function behind(end, lsn) {
  const distance = parseLsn(end) - parseLsn(lsn);
  return distance > 0n ? distance : 0n;
}

function partitionState({ stopped, reporting, quarantined }) {
  const state = stopped
    ? badge('bad', 'stopped')
    : badge(reporting ? 'ok' : 'bad', reporting ? 'reporting' : 'not reporting');
  return quarantined > 0 ? make('span', {}, state, ` ${number(quarantined)} rows set aside`) : state;
}

function showRoutes(routes) {
  table(
    byId('routes'),
    ['Replica table', 'Source', 'Snapshot'],
    routes.map((route) => [
      mono(route.target),
      route.doctype === undefined ? make('span', {}, 'table ', mono(route.table)) : `document type ${route.doctype}`,
      route.ready
        ? badge('ok', 'complete')
        : badge('wait', `${route.readyPartitions} of ${route.partitions} partitions complete`),
    ]),
  );
}

/** The roles of this process, with buttons for an administrator. */
function showRoles(paused) {
  const place = byId('roles');
  const names = Object.keys(paused);
  if (names.join() !== place.dataset.names) {
    place.dataset.names = names.join();
    place.replaceChildren(...(names.length > 0 ? names.map(role) : [elsewhere()]));
  }
  for (const name of names) {
    const stands = paused[name];
    const state = byId(`role-${name}`);
    state.className = `badge ${stands ? 'wait' : 'ok'}`;
    text(state, stands ? 'paused' : 'running');
    const button = byId(`pause-${name}`);
    if (button) {
      text(button, `${stands ? 'Resume' : 'Pause'} ${name}`);
      button.dataset.next = String(!stands);
      if (button.dataset.asked !== String(!stands)) {
        delete button.dataset.asked;
        button.disabled = false;
      }
    }
  }
}

function role(name) {
  return make(
    'div',
    { class: 'role' },
    make('span', { class: 'role-name' }, name),
    make('span', { class: 'badge', id: `role-${name}`, role: 'status' }),
    ...(context.session.roles.includes('admin')
      ? [make('button', { type: 'button', class: 'quiet', id: `pause-${name}`, click: () => pause(name) })]
      : []),
  );
}

function elsewhere() {
  return make('p', { class: 'hint' }, 'Capture and projector run in processes of their own: pause them there.');
}

/** The button waits for the stream to tell the new state. */
async function pause(name) {
  const button = byId(`pause-${name}`);
  const next = button.dataset.next;
  button.disabled = true;
  button.dataset.asked = next;
  clear(byId('roles-problem'));
  try {
    const answer = await fetch(new URL(`ops/paused/${name}`, context.api), {
      method: 'PUT',
      headers: { Authorization: `Bearer ${context.session.token}`, 'Content-Type': 'application/json' },
      body: next,
    });
    const problem = await problemOf(answer);
    if (problem) {
      throw problem;
    }
  } catch (failure) {
    delete button.dataset.asked;
    button.disabled = false;
    context.fail(byId('roles-problem'), failure);
  }
}

/** What somebody has to do something about. */
function showAlerts({ partitions, slot, currentLsn, workerReporting, paused }) {
  const alerts = partitions
    .filter((each) => each.stopped)
    .map((each) => `Partition ${each.partition} is stopped: ${each.stopped}. Nothing is lost; mend the cause and restart the projector.`);
  if (currentLsn === null) {
    alerts.push('The source does not answer. Replica reads go on with what they have; writes are refused.');
  } else if (slot === null) {
    alerts.push('The source has no replication slot. Start capture.');
  } else if (slot.walStatus === 'lost') {
    alerts.push('The slot is lost: the source has removed log that it needed. Stop capture, drop the slot, start capture.');
  } else if (!slot.active && !paused.capture) {
    alerts.push('Nobody reads the slot, and the source keeps its log for it. Start capture, or see why it fails.');
  }
  if (!workerReporting && !paused.projector) {
    alerts.push('The projector has not reported for 70 s. Start it, or see why it fails.');
  }
  const region = byId('alerts');
  if (region.dataset.shown !== alerts.join('\n')) {
    region.dataset.shown = alerts.join('\n');
    region.replaceChildren(...alerts.map((alert) => make('p', { class: 'problem' }, alert)));
  }
}

/** Fills a table; cells are texts or elements. Rows that stay the same in number are filled in place. */
function table(element, heads, rows) {
  if (!element.tHead) {
    const cells = heads.map((head) => make('th', { scope: 'col', role: 'columnheader' }, head));
    element.append(
      make('thead', { role: 'rowgroup' }, make('tr', { role: 'row' }, ...cells)),
      make('tbody', { role: 'rowgroup' }),
    );
  }
  element.tBodies[0].replaceChildren(
    ...rows.map((row) =>
      make(
        'tr',
        { role: 'row' },
        ...row.map((cell, i) =>
          make(
            i === 0 ? 'th' : 'td',
            { ...(i === 0 ? { scope: 'row', role: 'rowheader' } : { role: 'cell' }), 'data-label': heads[i] },
            make('span', {}, cell),
          ),
        ),
      ),
    ),
  );
}

function mono(value, otherwise = 'not known') {
  return value === null || value === undefined
    ? make('span', { class: 'muted' }, otherwise)
    : make('span', { class: 'mono' }, String(value));
}

function badge(kind, word) {
  return make('span', { class: `badge ${kind}` }, word);
}
