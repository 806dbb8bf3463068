import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLogger } from '../base/logger.ts';
import { formatIdentity, ownIdentity } from '../base/process-identity.ts';
import { emit, isObserved, subscribe } from './events.ts';
import { observeProcess } from './observe-process.ts';
import { Recorder } from './recorder.ts';
import { liveRings, makeRingDirectory, ringName } from './ring-directory.ts';
import { type ProcessDetails, type ProcessIdentityCard, RingWriter, readRing } from './ring-file.ts';
import { recordBytes, type Sample, sampleFields } from './sample.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trenio-observe-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const card: ProcessIdentityCard = {
  pid: 1,
  parent: 0,
  startedMs: 0,
  script: '/home/someone/train.ts',
  args: ['--lr', '1'],
  user: 'someone',
  host: 'here',
  rank: 0,
  worldSize: 1,
  localRank: 0,
  run: '1',
  tag: '',
  cpus: [0, 1],
  threads: 2,
  version: '0',
};
const sample = (sequence: number): Sample => ({
  ...(Object.fromEntries(sampleFields.map((field, i) => [field, i + sequence])) as unknown as Sample),
  sequence,
});

test('a full ring keeps the newest records, oldest first', () => {
  const path = join(folder, 'a.ring');
  const ring = new RingWriter(path, card);
  expect(readRing(path)).toEqual({ identity: card, details: { programs: [] }, samples: [] });
  const written = 16_384 + 3;
  for (let n = 1; n <= written; n++) ring.append(sample(n));
  expect(readRing(path, 5)!.samples).toEqual([-4, -3, -2, -1, 0].map(n => sample(written + n)));
  const all = readRing(path)!.samples;
  expect([all.length, all[0]!.sequence, all.at(-1)!.sequence]).toEqual([16_384, 4, written]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(path).size).toBe(65_536 + 16_384 * recordBytes);
  ring.remove();
  expect(readRing(path)).toBeUndefined();
});

test('details are replaced, and truncated to fit', () => {
  const path = join(folder, 'a.ring');
  const ring = new RingWriter(path, { ...card, args: Array(5000).fill('--option') });
  const program = {
    id: 1,
    name: 'step',
    stateInputs: 2,
    kernels: 3,
    flops: 4,
    runs: 5,
    totalMs: 6,
    fastestMs: 7,
    lastMs: 8,
  };
  const details: ProcessDetails = { programs: [program], kernelGroups: [{ name: 'fused', calls: 1, totalMs: 2 }] };
  ring.describe(details);
  expect(readRing(path)!.details).toEqual(details);
  expect(readRing(path)!.identity.args.at(-1)).toBe('…');
  ring.describe({ programs: Array(1000).fill({ ...program, name: 'x'.repeat(100) }) });
  expect(readRing(path)!.details.programs.length).toBe(250);
  ring.remove();
});

test('a file that is damaged, short or of another kind is not shown', () => {
  const path = join(folder, 'a.ring');
  const ring = new RingWriter(path, card);
  ring.append(sample(1));
  truncateSync(path, 65_536 + 10);
  expect(readRing(path)!.samples).toEqual([]);
  truncateSync(path, 100);
  expect(readRing(path)).toBeUndefined();
  writeFileSync(path, 'x'.repeat(10_000));
  expect(readRing(path)).toBeUndefined();
  ring.remove();
});

test('events are accumulated into samples; a span is written when it ends', () => {
  let nowMs = 1000;
  let collectiveNs = 0;
  const samples: Sample[] = [];
  const described: ProcessDetails[] = [];
  const recorder = new Recorder(
    { append: s => void samples.push(s), describe: d => void described.push(d) },
    { nowMs: () => nowMs, collectiveNs: () => collectiveNs, residentBytes: () => 77 },
  );
  recorder.flush();
  expect(samples).toEqual([]);
  const program = { kind: 'program', kernels: 1, ops: 1, flops: 1e6, products: 'f32' } as const;
  recorder.hear({ ...program, id: 1, name: 'step', stateInputs: 3 });
  recorder.hear({ ...program, id: 2, name: 'read', stateInputs: 0, flops: 0 });
  recorder.hear({ kind: 'memory', parameterBytes: 10, optimizerBytes: 20 });
  recorder.hear({ kind: 'memory', arenaBytes: 30 });
  for (const ms of [3, 1, 2]) {
    recorder.hear({ kind: 'batch', examples: 4, tokens: 40, waitMs: 0.5 });
    recorder.hear({ kind: 'step' });
    recorder.hear({ kind: 'run', program: 1, nanoseconds: ms * 1e6 });
  }
  recorder.hear({ kind: 'compile', milliseconds: 9, fromCache: true });
  recorder.hear({ kind: 'loss', value: 0.5 });
  collectiveNs = 2e6;
  nowMs += 300;
  recorder.hear({ kind: 'run', program: 2, nanoseconds: 5e5 });
  expect(samples).toEqual([
    {
      sequence: 1,
      timeMs: 1300,
      spanMs: 300,
      steps: 3,
      totalSteps: 3,
      runs: 4,
      totalRuns: 4,
      busyMs: 6.5,
      collectiveMs: 2,
      dataWaitMs: 1.5,
      compiles: 1,
      compileMs: 9,
      loss: 0.5,
      examples: 12,
      tokens: 120,
      flops: 3e6,
      fastestMs: 1,
      slowestMs: 3,
      residentBytes: 77,
      parameterBytes: 10,
      optimizerBytes: 20,
      arenaBytes: 30,
    },
  ]);
  expect(described[0]!.programs).toMatchObject([
    { name: 'step', runs: 3, totalMs: 6, fastestMs: 1, lastMs: 2 },
    { name: 'read', runs: 1 },
  ]);
  recorder.hear({ kind: 'step' });
  recorder.close();
  recorder.flush();
  expect(samples.length).toBe(1);
});

test('subscribers receive events until they unsubscribe', () => {
  const heard: number[] = [];
  const before = isObserved();
  const leave = subscribe(event => event.kind === 'loss' && heard.push(event.value));
  emit({ kind: 'loss', value: 1 });
  leave();
  leave();
  emit({ kind: 'loss', value: 2 });
  expect([heard, isObserved()]).toEqual([[1], before]);
});

test('a process has a file while it is observed; files of ended processes are removed', () => {
  const directory = join(folder, 'rings');
  const log = createLogger('silent');
  const facts = { rank: 0, worldSize: 1, localRank: 0, cpus: [0], threads: 1 };
  const observe = (variables: Record<string, string> = {}) =>
    observeProcess(facts, log, { variables: { TRENIO_OBSERVE_DIR: directory, ...variables } });
  expect(observe({ TRENIO_OBSERVE: '0' })).toBeUndefined();
  expect(existsSync(directory)).toBe(false);

  expect(makeRingDirectory(directory)).toBe(true);
  const ended = join(directory, ringName(formatIdentity({ ...ownIdentity(), started: '1' }), 0));
  writeFileSync(ended, '');
  const old = join(directory, ringName(formatIdentity({ ...ownIdentity(), realm: '0'.repeat(12) }), 0));
  writeFileSync(old, '');
  const end = observe({ NEURON_PROCESS_TAG: 'tag' })!;
  expect(observe()).toBeUndefined(); // already recording
  expect(existsSync(ended)).toBe(false);
  // A process in another container is shown as long as its file changes.
  expect(liveRings(directory, Date.now() + 120_000).length).toBe(1);
  const [path] = liveRings(directory).filter(name => name !== old);
  expect(readRing(path!)!.identity).toMatchObject({ pid: process.pid, tag: 'tag', threads: 1 });
  end();
  end();
  expect(readdirSync(directory).map(name => join(directory, name))).toEqual([old]);

  chmodSync(directory, 0o755);
  expect(observe()).toBeUndefined(); // other users could have put files there
  expect(liveRings(directory)).toEqual([]);
});
