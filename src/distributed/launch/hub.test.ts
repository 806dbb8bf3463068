// The decisions of the hub, with the test's own clock and launchers.
import { describe, expect, test } from 'vitest';
import { Hub, type HubOptions } from './hub.ts';
import type { NodeLink } from './hub-state.ts';
import type { HubMessage, RankFailure } from './messages.ts';

class Launcher implements NodeLink {
  readonly host: string;
  readonly heard: HubMessage[] = [];
  readonly isLocal: boolean;
  closed: string | undefined;
  constructor(host: string, isLocal = false) {
    this.host = host;
    this.isLocal = isLocal;
  }
  send(message: HubMessage): void {
    if (message.kind !== 'beat') this.heard.push(message);
  }
  close(reason: string): void {
    this.closed = reason;
  }
  get last(): HubMessage | undefined {
    return this.heard.at(-1);
  }
  last_<K extends HubMessage['kind']>(kind: K): Extract<HubMessage, { kind: K }> {
    expect(this.last?.kind).toBe(kind);
    return this.last as Extract<HubMessage, { kind: K }>;
  }
}

class Run {
  now = 0;
  readonly hub: Hub;
  readonly nodes: { readonly minNodes: number; readonly maxNodes: number };
  constructor(minNodes: number, maxNodes: number, options: Partial<HubOptions> = {}) {
    this.nodes = { minNodes, maxNodes };
    this.hub = new Hub({
      minNodes,
      maxNodes,
      maxRestarts: 1,
      joinMs: 600_000,
      lastCallMs: 10_000,
      beatMs: 1000,
      lostMs: 5000,
      graceMs: 5000,
      signalGraceMs: 30_000,
      clock: () => this.now,
      ...options,
    });
  }
  join(who: string | Launcher, nodeRank?: number, restarts = 0): Launcher {
    const launcher = typeof who === 'string' ? new Launcher(who) : who;
    this.hub.receive(launcher, {
      kind: 'join',
      host: launcher.host,
      ranks: 2,
      address: '127.0.0.1',
      ports: [1, 2],
      nodeRank,
      restarts,
      ...this.nodes,
    });
    return launcher;
  }
  pass(ms: number, alive: readonly Launcher[]): void {
    for (let step = 0; step < ms; step += 500) {
      this.now += 500;
      for (const launcher of alive) this.hub.receive(launcher, { kind: 'beat' });
      this.hub.tick();
    }
  }
  stopped(launchers: readonly Launcher[], attempt: number, requeue = false): void {
    for (const one of launchers) this.hub.receive(one, { kind: 'stopped', attempt, requeue });
  }
}

const failure = (rank: number, more: Partial<RankFailure> = {}): RankFailure => ({
  rank,
  host: 'a',
  pid: 1,
  how: 'ended with exit code 3',
  exitCode: 3,
  signal: undefined,
  lastLines: [],
  others: 1,
  logFile: undefined,
  error: undefined,
  lostPeer: false,
  saidItself: false,
  late: [],
  lateRanks: [],
  ...more,
});

describe('gathering', () => {
  test('starts when all have joined; node ranks are distinct, and as requested', () => {
    const run = new Run(3, 3);
    const [a, b] = [run.join('a'), run.join('b', 0)];
    expect(a.last?.kind).not.toBe('start');
    const c = run.join('c');
    expect([b, a, c].map(one => one.last_('start').groupRank)).toEqual([0, 1, 2]);
    expect(a.last_('start').nodes.map(node => node.host)).toEqual(['b', 'a', 'c']);
  });

  test('with a range: waits for more nodes until the last call is over', () => {
    const run = new Run(2, 4);
    const [a, b] = [run.join('a'), run.join('b')];
    run.pass(9000, [a, b]);
    expect(a.last?.kind).toBe('waiting');
    const c = run.join('c');
    run.pass(1500, [a, b, c]);
    expect(c.last_('start').nodes).toHaveLength(3);
  });

  test('too few nodes before the timeout end the run, and the error names those that joined', async () => {
    const run = new Run(3, 3, { joinMs: 20_000 });
    const a = run.join('a');
    run.pass(21_000, [a]);
    expect(a.last_('end').ending.reason).toBe('only 1 of 3 nodes (a) came within 20 s');
    expect((await run.hub.ended).exitCode).toBe(1);
  });

  test('a taken or impossible node rank, and another --nnodes, are rejected', () => {
    const run = new Run(2, 2);
    run.join('a', 1);
    expect(run.join('b', 1).last_('refused').reason).toBe('--node-rank 1 is taken by a; this is b');
    expect(run.join('c', 2).last_('refused').reason).toContain('there are 2 nodes');
    const other = new Launcher('d');
    run.hub.receive(other, {
      kind: 'join',
      host: 'd',
      ranks: 1,
      address: '127.0.0.1',
      ports: [1],
      nodeRank: undefined,
      restarts: 0,
      minNodes: 1,
      maxNodes: 3,
    });
    expect(other.last_('refused').reason).toBe('--nnodes is 2:2 there and 1:3 here');
  });
});

describe('a rank fails', () => {
  test('restarts are counted, and ranks are stopped everywhere before the next attempt', () => {
    const run = new Run(2, 2);
    const [a, b] = [run.join('a'), run.join('b')];
    run.hub.receive(b, { kind: 'failed', attempt: 0, failure: failure(2) });
    expect([a, b].map(one => one.last_('stop').restart)).toEqual([true, true]);
    run.stopped([a], 0);
    expect(a.last?.kind).toBe('stop');
    run.stopped([b], 0);
    expect(a.last_('start')).toMatchObject({ attempt: 1, restarts: 1, groupRank: 0 });
    run.hub.receive(a, { kind: 'failed', attempt: 1, failure: failure(0) });
    run.stopped([a, b], 1);
    expect(b.last_('end').ending).toMatchObject({ exitCode: 3, failure: { rank: 0 } });
  });

  test('a rank that only reports the loss of another is not blamed if the lost one is found', () => {
    const run = new Run(2, 2, { maxRestarts: 0 });
    const [a, b] = [run.join('a'), run.join('b')];
    run.hub.receive(a, { kind: 'failed', attempt: 0, failure: failure(0, { lostPeer: true }) });
    expect(a.last?.kind).toBe('start');
    run.hub.receive(b, { kind: 'failed', attempt: 0, failure: failure(3) });
    run.stopped([a, b], 0);
    expect(a.last_('end').ending.failure?.rank).toBe(3);
  });

  test('… and is blamed if nothing else turns up', () => {
    const run = new Run(2, 2, { maxRestarts: 0 });
    const [a, b] = [run.join('a'), run.join('b')];
    run.hub.receive(a, { kind: 'failed', attempt: 0, failure: failure(0, { lostPeer: true }) });
    run.pass(8000, [a, b]);
    run.stopped([a, b], 0);
    expect(a.last_('end').ending.failure?.rank).toBe(0);
  });

  test('exit code 75 is not a failure: no restart, time to finish, and the same exit code', () => {
    const run = new Run(2, 2);
    const [a, b] = [run.join('a'), run.join('b')];
    run.hub.receive(a, { kind: 'failed', attempt: 0, failure: failure(0, { exitCode: 75 }) });
    expect(b.last_('stop').patienceMs).toBe(5000);
    run.stopped([a, b], 0, true);
    expect(b.last_('end').ending.exitCode).toBe(75);
  });

  test('messages of an earlier attempt are ignored', () => {
    const run = new Run(1, 1);
    const a = run.join('a');
    run.hub.receive(a, { kind: 'failed', attempt: 0, failure: failure(0) });
    run.stopped([a], 0);
    run.hub.receive(a, { kind: 'failed', attempt: 0, failure: failure(1) });
    run.hub.receive(a, { kind: 'done', attempt: 0 });
    expect(a.last_('start').attempt).toBe(1);
  });
});

describe('a node is lost', () => {
  test('a silent node is detected and named; with a fixed number of nodes, waits for a replacement', () => {
    const run = new Run(2, 2);
    const [a, b] = [run.join('a'), run.join('b')];
    run.pass(6000, [a]);
    expect(b.closed).toBe('not heard of');
    expect(a.last_('stop')).toMatchObject({
      restart: true,
      reason: expect.stringMatching(/^node 1 \(b\) has not been heard of for [56] s$/),
    });
    run.stopped([a], 0);
    run.pass(2000, [a]);
    expect(a.last_('waiting')).toMatchObject({ here: 1, needed: 2 });
    const c = run.join('c');
    expect(c.last_('start')).toMatchObject({ attempt: 1, restarts: 1, groupRank: 1 });
  });

  test('silence while the hub itself was stopped does not count', () => {
    const run = new Run(2, 2);
    const [a, b] = [run.join('a'), run.join('b')];
    run.pass(1000, [a, b]);
    run.now += 8000;
    run.hub.tick();
    run.pass(1000, [a, b]);
    expect([a.closed, b.closed, a.last?.kind, b.last?.kind]).toEqual([undefined, undefined, 'start', 'start']);
    run.pass(6000, [a]);
    expect(b.closed).toBe('not heard of');
  });

  test('the launcher of the same process is not lost, however short the limit', () => {
    const run = new Run(1, 1, { beatMs: 1, lostMs: 2 });
    const a = new Launcher('a', true);
    run.join(a);
    run.pass(2000, []);
    run.hub.receive(a, { kind: 'done', attempt: 0 });
    expect(a.last_('end').ending.exitCode).toBe(0);
  });

  test('without restarts the run ends with the reason', () => {
    const run = new Run(2, 2, { maxRestarts: 0 });
    const [a, b] = [run.join('a'), run.join('b')];
    run.hub.disconnected(b, 'connection reset');
    run.stopped([a], 0);
    expect(a.last_('end').ending).toMatchObject({ exitCode: 1, reason: 'node 1 (b) is gone (connection reset)' });
  });

  test('with a range, the run continues without it', () => {
    const run = new Run(1, 2);
    const [a, b] = [run.join('a'), run.join('b')];
    run.hub.disconnected(b, 'killed');
    run.stopped([a], 0);
    run.pass(11_000, [a]);
    expect(a.last_('start')).toMatchObject({ restarts: 1, nodes: [{ host: 'a' }] });
  });

  test('does not wait for a node that is lost while all are being stopped', () => {
    const run = new Run(2, 2, { maxRestarts: 0 });
    const [a, b] = [run.join('a'), run.join('b')];
    run.hub.receive(a, { kind: 'failed', attempt: 0, failure: failure(0) });
    run.stopped([a], 0);
    run.hub.disconnected(b, 'killed');
    expect(a.last_('end').ending.failure?.rank).toBe(0);
  });
});

describe('nodes come and go', () => {
  test('a late node joins the next attempt at once, which does not count as a restart', () => {
    const run = new Run(1, 2, { lastCallMs: 0 });
    const a = run.join('a');
    expect(a.last_('start').nodes).toHaveLength(1);
    const b = run.join('b');
    expect(a.last_('stop')).toMatchObject({ restart: true, reason: 'node b has come' });
    run.stopped([a], 0);
    expect(b.last_('start')).toMatchObject({ restarts: 0, groupRank: 1 });
  });

  test('a spare node replaces a lost one', () => {
    const run = new Run(2, 2);
    const [a, b, spare] = [run.join('a'), run.join('b'), run.join('c')];
    expect(spare.last?.kind).toBe('welcome');
    run.hub.disconnected(b, 'killed');
    run.stopped([a], 0);
    expect(spare.last_('start').groupRank).toBe(1);
  });

  test('stopping a node shrinks an elastic run, and ends a fixed one', () => {
    const elastic = new Run(1, 2);
    const [a, b] = [elastic.join('a'), elastic.join('b')];
    elastic.hub.receive(b, { kind: 'leave', signal: 'SIGTERM', exitCode: 143 });
    elastic.stopped([a, b], 0);
    expect(b.last_('end').ending.exitCode).toBe(143);
    elastic.pass(11_000, [a]);
    expect(a.last_('start')).toMatchObject({ restarts: 0, nodes: [{ host: 'a' }] });

    const fixed = new Run(2, 2);
    const [c, d] = [fixed.join('c'), fixed.join('d')];
    fixed.hub.receive(d, { kind: 'leave', signal: 'SIGTERM', exitCode: 143 });
    expect(c.last_('stop')).toMatchObject({ signal: 'SIGTERM', graceMs: 30_000, restart: false });
    fixed.stopped([c, d], 0, true);
    expect(c.last_('end').ending).toMatchObject({ exitCode: 75, reason: 'node 1 (d) was stopped by SIGTERM' });
  });

  test('a new hub continues to count restarts', () => {
    const run = new Run(2, 2, { maxRestarts: 3 });
    const a = run.join('a', undefined, 2);
    run.join('b');
    expect(a.last_('start').restarts).toBe(2);
  });
});

test('a fixed number of nodes: waits for a lost one, then the run ends with the reason for the loss', () => {
  const run = new Run(2, 2, { joinMs: 20_000 });
  const [a, b] = [run.join('a'), run.join('b')];
  run.hub.disconnected(b, 'gone');
  run.stopped([a], 0);
  run.pass(15_000, [a]);
  const back = run.join('b');
  expect([a, back].map(one => one.last_('start').restarts)).toEqual([1, 1]);

  const alone = new Run(2, 2, { joinMs: 20_000 });
  const [c, d] = [alone.join('c'), alone.join('d')];
  alone.hub.disconnected(d, 'cut off');
  alone.stopped([c], 0);
  alone.pass(21_000, [c]);
  expect(c.last_('end').ending.reason).toBe('node 1 (d) is gone (cut off); only 1 of 2 nodes (c) came within 20 s');
});

describe('late ranks', () => {
  const late = { rank: 2, doing: 'is stopped', frames: [] };
  const started = () => {
    const run = new Run(2, 2, { maxRestarts: 0 });
    return { run, a: run.join('a'), b: run.join('b') };
  };

  test('their launchers are asked for their activity, and the answer is part of the failure', () => {
    const { run, a, b } = started();
    run.hub.receive(a, { kind: 'failed', attempt: 0, failure: failure(0, { late: [2] }) });
    run.hub.receive(a, { kind: 'failed', attempt: 0, failure: failure(1, { late: [2] }) });
    expect(b.last_('ask').ranks).toEqual([2]);
    run.hub.receive(b, { kind: 'activity', attempt: 0, ranks: [late] });
    run.stopped([a, b], 0);
    const { ending } = a.last_('end');
    expect(ending.failure).toMatchObject({ rank: 0, lateRanks: [late] });
    expect(ending.reason).toBe('rank 0 ended with exit code 3; rank 2 is stopped');
  });

  test('waits only a few seconds for a launcher that does not answer', () => {
    const { run, a, b } = started();
    run.hub.receive(a, { kind: 'failed', attempt: 0, failure: failure(0, { late: [2] }) });
    run.pass(8000, [a, b]);
    run.stopped([a, b], 0);
    expect(a.last_('end').ending.failure).toMatchObject({ rank: 0, lateRanks: [] });
  });
});
