/**
 * The cases of tidemark.js that need no gateway. Gives a map of names to functions that throw when they fail; runs in a
 * browser (ModuleTest) with the module as the argument.
 */
(tidemark) => {
  const { FreshClient, HistoryChangedError, SyncPendingError, TokenJar, compareLsn, formatLsn, parseLsn } = tidemark;

  function equal(actual, expected) {
    const [left, right] = [JSON.stringify(actual), JSON.stringify(expected)];
    if (left !== right) {
      throw new Error(`expected ${right}, but was ${left}`);
    }
  }

  async function throws(type, work) {
    try {
      await work();
    } catch (failure) {
      if (failure instanceof type) {
        return failure;
      }
      throw failure;
    }
    throw new Error(`expected a ${type.name}, but nothing was thrown`);
  }

  /** A server that gives its answers in turn, and keeps what it was asked. */
  function server(...answers) {
    const asked = [];
    const fetch = async (url, init) => {
      init.signal?.throwIfAborted();
      asked.push({
        url: String(url),
        method: init.method ?? 'GET',
        lsn: init.headers.get('X-Required-LSN'),
        generation: init.headers.get('X-Required-Generation'),
        prefer: init.headers.get('Prefer'),
        token: init.headers.get('Authorization'),
      });
      const next = answers.length > 1 ? answers.shift() : answers[0];
      return typeof next === 'function' ? next(init) : next.clone();
    };
    return { asked, fetch };
  }

  const written = (lsn, generation) =>
    new Response('{}', { status: 200, headers: { 'X-Tx-LSN': lsn, ...(generation && { 'X-Tx-Generation': generation }) } });
  const pending = (requiredLsn, retryAfterMs = 1) =>
    new Response(JSON.stringify({ status: 'sync-pending', requiredLsn, replicatedLsn: '0/1', retryAfterMs }), {
      status: 202,
      headers: { 'X-Replicated-LSN': '0/1', 'Retry-After': '1' },
    });
  const rows = (lsn) => new Response('{"rows":[]}', { status: 200, headers: { 'X-Replicated-LSN': lsn } });
  const problem = (kind) =>
    new Response(JSON.stringify({ type: `urn:tidemark:problem:${kind}`, title: 'T', detail: 'D', status: 409 }), {
      status: 409,
      headers: { 'Content-Type': 'application/problem+json' },
    });
  const base = 'https://gateway.example/api/';
  const source = 'https://gateway.example';

  return {
    'positions are unsigned 64 bit numbers': () => {
      equal(compareLsn('7FFFFFFF/FFFFFFFF', '80000000/0'), -1);
      equal(compareLsn('FFFFFFFF/FFFFFFFF', '0/1'), 1);
      equal(compareLsn('0/A', '0/0000000a'), 0);
      equal(compareLsn('0/9', '0/10'), -1);
      equal(compareLsn('1/0', '0/FFFFFFFF'), 1);
      equal(String(parseLsn('FFFFFFFF/FFFFFFFF')), '18446744073709551615');
      equal(formatLsn(parseLsn('00000a/0bc')), 'A/BC');
    },
    'what is no position is refused': async () => {
      for (const text of ['', '0', '0/', '/0', '0/123456789', 'g/0', ' 0/1', '0/1\n', '-1/0', 'latest']) {
        await throws(TypeError, () => parseLsn(text));
      }
      await throws(RangeError, () => formatLsn(-1n));
      await throws(RangeError, () => formatLsn(1n << 64n));
    },
    'the jar keeps the highest token of each source': () => {
      const jar = new TokenJar();
      jar.note('a', '0/9', 'g');
      jar.note('a', '0/10', 'g');
      jar.note('a', '0/2', 'g');
      jar.note('b', '0/1', 'g');
      equal(jar.get('a'), { lsn: '0/10', generation: 'g' });
      equal(jar.headers('b'), { 'X-Required-LSN': '0/1', 'X-Required-Generation': 'g' });
      equal(jar.get('c'), undefined);
      equal(jar.headers('c'), {});
      equal(jar.get('__proto__'), undefined);
    },
    'a token of another history takes the place of the one before': () => {
      const jar = new TokenJar();
      jar.note('a', '5/0', 'old');
      jar.note('a', '0/1', 'new');
      equal(jar.get('a'), { lsn: '0/1', generation: 'new' });
    },
    'a token without a history raises the position and keeps the history': () => {
      const jar = new TokenJar();
      jar.note('a', '5/0', 'g');
      jar.note('a', '4/0');
      equal(jar.get('a'), { lsn: '5/0', generation: 'g' });
      jar.note('a', '6/0');
      equal(jar.get('a'), { lsn: '6/0', generation: 'g' });
    },
    'a write whose position is not known makes reads demand the latest': async () => {
      const lost = () => {
        throw new TypeError('network');
      };
      for (const outcome of [lost, new Response('{}', { status: 200 }), new Response('{}', { status: 503 })]) {
        const { asked, fetch } = server(outcome, pending('0/C'), rows('0/D'), rows('0/E'));
        const client = new FreshClient({ base, fetch });
        client.jar.note(source, '0/A', 'g');
        await client.fetch('doc/x', { method: 'PUT' }).catch(() => undefined);
        await client.fetch('replica/t');
        await client.fetch('replica/t');
        // What the latest was at first, and then what the reader has seen.
        equal(asked.slice(1).map((each) => each.lsn), ['latest', '0/C', '0/D']);
        equal(asked[1].generation, 'g');
      }
    },
    'a write that was refused demands nothing': async () => {
      const { asked, fetch } = server(new Response('{}', { status: 412 }), rows('0/1'));
      const client = new FreshClient({ base, fetch });
      await client.fetch('doc/x', { method: 'PUT' });
      await client.fetch('replica/t');
      equal(asked[1].lsn, null);
    },
    'an unknown write during a read is not taken for seen': async () => {
      const client = new FreshClient({
        base,
        fetch: async () => {
          client.jar.noteUnknown(source);
          return rows('0/5');
        },
      });
      client.jar.noteUnknown(source);
      await client.fetch('replica/t');
      equal(client.jar.headers(source), { 'X-Required-LSN': 'latest' });
    },
    'a jar in a storage outlives its object and sees what other tabs note': () => {
      const store = new Map();
      const storage = { getItem: (key) => store.get(key) ?? null, setItem: (key, value) => store.set(key, value) };
      new TokenJar({ storage }).note('a', '0/5', 'g');
      const jar = new TokenJar({ storage });
      equal(jar.get('a').lsn, '0/5');
      new TokenJar({ storage }).note('a', '0/7', 'g');
      jar.note('a', '0/6', 'g');
      equal(jar.get('a').lsn, '0/7');
      jar.forget('a');
      equal(new TokenJar({ storage }).get('a'), undefined);
    },
    'a storage that refuses costs the memory of this page only': () => {
      const storage = {
        getItem: () => null,
        setItem() {
          throw new Error('full');
        },
      };
      const jar = new TokenJar({ storage });
      jar.note('a', '0/5');
      equal(jar.get('a').lsn, '0/5');
    },
    'reads without a token demand nothing': async () => {
      const { asked, fetch } = server(rows('0/1'));
      const answer = await new FreshClient({ base, fetch }).fetch('replica/t');
      equal(answer.status, 200);
      equal(asked[0].lsn, null);
      equal(asked[0].url, 'https://gateway.example/api/replica/t');
    },
    'a read after a write demands its position until it is there': async () => {
      const { asked, fetch } = server(written('0/A', 'g'), pending('0/A'), pending('0/A'), rows('0/B'));
      const told = [];
      const client = new FreshClient({
        base,
        fetch,
        token: () => 'secret',
        onPending: (each) => told.push([each.requiredLsn, each.replicatedLsn, each.attempt]),
        onFresh: (each) => told.push([each.requiredLsn, each.replicatedLsn, each.attempts]),
      });
      await client.fetch('doc/Waybill/1', { method: 'PUT', body: '{}' });
      const answer = await client.fetch('replica/t');
      equal(await answer.json(), { rows: [] });
      equal(asked.map((each) => each.lsn), [null, '0/A', '0/A', '0/A']);
      equal(asked[3].generation, 'g');
      equal(asked[3].token, 'Bearer secret');
      equal(told, [['0/A', '0/1', 1], ['0/A', '0/1', 2], ['0/A', '0/B', 3]]);
    },
    'the server may hold a read that was pending once': async () => {
      const { asked, fetch } = server(written('0/A'), pending('0/A'), rows('0/B'));
      const client = new FreshClient({ base, fetch, waitSeconds: 2 });
      await client.fetch('doc/x', { method: 'PATCH' });
      await client.fetch('replica/t');
      equal(asked.map((each) => each.prefer), [null, null, 'wait=2']);
    },
    'a position in the headers counts more than the jar': async () => {
      const { asked, fetch } = server(rows('0/B'));
      const client = new FreshClient({ base, fetch });
      client.jar.note(source, '0/A');
      await client.fetch('replica/t', { headers: { 'X-Required-LSN': 'latest' } });
      equal(asked[0].lsn, 'latest');
    },
    'a read that stays pending ends with the deadline': async () => {
      const { asked, fetch } = server(pending('0/A', 20));
      const client = new FreshClient({ base, fetch, deadlineMs: 60 });
      client.jar.note(source, '0/A');
      const failure = await throws(SyncPendingError, () => client.fetch('replica/t'));
      equal(failure.pending.requiredLsn, '0/A');
      equal(failure.pending.replicatedLsn, '0/1');
      equal(asked.length > 1, true);
    },
    'a server that says nothing is given up with the deadline': async () => {
      const { fetch } = server(
        (init) => new Promise((_, reject) => init.signal.addEventListener('abort', () => reject(init.signal.reason))),
      );
      const client = new FreshClient({ base, fetch, deadlineMs: 20 });
      client.jar.note(source, '0/A');
      const failure = await throws(SyncPendingError, () => client.fetch('replica/t'));
      equal(failure.pending.replicatedLsn, undefined);
    },
    'a signal ends a wait with its own reason': async () => {
      const { fetch } = server(pending('0/A', 60_000));
      const stop = new AbortController();
      const client = new FreshClient({ base, fetch, deadlineMs: Infinity, onPending: () => setTimeout(() => stop.abort(new RangeError('enough')), 5) });
      client.jar.note(source, '0/A');
      await throws(RangeError, () => client.fetch('replica/t', { signal: stop.signal }));
    },
    'a HEAD has no body, and its headers are enough': async () => {
      const { asked, fetch } = server(
        new Response(null, { status: 202, headers: { 'X-Replicated-LSN': '0/1', 'Retry-After': '0' } }),
        rows('0/B'),
      );
      const client = new FreshClient({ base, fetch });
      client.jar.note(source, '0/A');
      const answer = await client.fetch('replica/t', { method: 'HEAD' });
      equal([answer.status, asked.length], [200, 2]);
    },
    'another 202 is an answer like any other': async () => {
      const { asked, fetch } = server(new Response('{"queued":true}', { status: 202 }));
      const client = new FreshClient({ base, fetch });
      client.jar.note(source, '0/A');
      equal(await (await client.fetch('jobs')).json(), { queued: true });
      equal(asked.length, 1);
    },
    'a changed history is told once, and the jar forgets the token': async () => {
      for (const kind of ['history-changed', 'position-beyond-source']) {
        const { asked, fetch } = server(problem(kind), rows('0/1'));
        const client = new FreshClient({ base, fetch });
        client.jar.note(source, '0/A', 'old');
        const failure = await throws(HistoryChangedError, () => client.fetch('replica/t'));
        equal([failure.requirement.lsn, failure.problem.title], ['0/A', 'T']);
        equal((await client.fetch('replica/t')).status, 200);
        equal(asked.map((each) => each.lsn), ['0/A', null]);
      }
    },
    'a write of the new history that came in between is read instead': async () => {
      const client = new FreshClient({
        base,
        fetch: async (url, init) => {
          if (init.headers.get('X-Required-Generation') === 'old') {
            client.jar.note(source, '0/2', 'new');
            return problem('history-changed');
          }
          return rows('0/3');
        },
      });
      client.jar.note(source, '0/A', 'old');
      equal((await client.fetch('replica/t')).status, 200);
    },
    'other conflicts are answers like any other': async () => {
      const { fetch } = server(problem('row-quarantined'));
      const client = new FreshClient({ base, fetch });
      client.jar.note(source, '0/A');
      equal((await (await client.fetch('replica/t')).json()).title, 'T');
      equal(client.jar.get(source).lsn, '0/A');
    },
    'nothing is sent to another origin': async () => {
      const { asked, fetch } = server(rows('0/1'));
      const client = new FreshClient({ base, fetch, token: 'secret' });
      await throws(TypeError, () => client.fetch('https://elsewhere.example/api/replica/t'));
      await throws(TypeError, () => client.fetch('//elsewhere.example/'));
      equal(asked.length, 0);
    },
    'an event stream is cut into events wherever its chunks end': async () => {
      const { EventParser } = await import('/desk/events.js');
      const stream = ': hello\r\nevent: status\r\ndata: {"a":\ndata: 1}\n\nevent: watermark\rdata:2\r\r: still here\n\ndata: é😀\n\n';
      const expected = [
        { type: 'status', data: '{"a":\n1}' },
        { type: 'watermark', data: '2' },
        { type: 'message', data: 'é😀' },
      ];
      for (let size = 1; size <= stream.length; size++) {
        const parser = new EventParser();
        const events = [];
        for (let at = 0; at < stream.length; at += size) {
          events.push(...parser.push(stream.slice(at, at + size)));
        }
        equal(events, expected);
      }
    },
    'the plots have round edges': async () => {
      const { powersOfTwo, roundSteps } = await import('/desk/plot.js');
      equal([0, 10, 11, 20, 21, 51, 100, 101].map(roundSteps(10)), [10, 10, 20, 20, 50, 100, 100, 200]);
      equal([0, 1024, 1025, 5000].map(powersOfTwo(1024)), [1024, 1024, 2048, 8192]);
    },
  };
}
