import { expect, test } from 'vitest';
import { chromeTrace } from './chrome-trace.ts';
import { communication, timeSentence, timeShares } from './time-shares.ts';
import type { Timeline } from './timeline.ts';

const kernel = (name: string, kind: 'multiply' | 'fused') => ({
  name,
  kind,
  shape: '',
  ops: '',
  line: '',
  flops: 0,
  bytes: 0,
});
const empty: Timeline = {
  format: 'trenio-profile',
  version: 1,
  rank: 0,
  worldSize: 1,
  host: 'host',
  pid: 1,
  script: 'train.ts',
  startNs: '0',
  startMs: 0,
  durationNs: 100,
  threads: 1,
  programs: [{ name: 'step', kernels: [kernel('k0', 'multiply'), kernel('k1', 'fused')] }],
  loop: [],
  pipeline: [],
  replicated: [],
  steps: [],
  kernels: [],
  workers: [],
  collectives: [],
  spans: [],
  dropped: 0,
};

test('the time of collectives outside of programs, such as the agreement of a checkpoint, is communication', () => {
  const timeline: Timeline = {
    ...empty,
    worldSize: 2,
    steps: [
      [0, 80, -1],
      [80, 20, 0],
    ],
    kernels: [[80, 18, 0, 0]],
  };
  expect(Object.fromEntries(timeShares(timeline))).toEqual({ multiply: 18, collective: 80, 'between kernels': 2 });
  expect(timeSentence(timeline)).toMatch(/^80 % of the time is spent in communication .*waiting for other ranks/);
});

test('without machine code, the time of programs is not blamed on the script', () => {
  expect(timeSentence({ ...empty, programs: [] })).toMatch(/^No program was recorded: /);
});

test('shares add up to the time, and idle time is attributed to the concurrent activity of the script', () => {
  const timeline: Timeline = {
    ...empty,
    steps: [
      [20, 30, 0],
      [70, 20, 0],
    ],
    kernels: [
      [20, 20, 0, 0],
      [42, 6, 0, 1],
      [70, 20, 0, 0],
    ],
    spans: [
      { at: 0, ns: 18, kind: 'data', name: '' },
      { at: 5, ns: 4, kind: 'compile', name: 'within it' },
      { at: 52, ns: 30, kind: 'tracing', name: 'partly while the device works' },
      { at: 0, ns: 100, kind: 'user', name: 'is not asked' },
    ],
  };
  expect(Object.fromEntries(timeShares(timeline))).toEqual({
    multiply: 40,
    fused: 6,
    'between kernels': 4,
    'idle: data': 14,
    'idle: compile': 4,
    'idle: tracing': 18,
    'idle: script': 14,
  });
  expect(timeSentence(timeline)).toMatch(/^18 % of the time the device waits while the script records the step/);
});
test('waiting on data is reported with the advice of the loader with the longest wait', () => {
  const data = (at: number, ns: number, name: string) => ({ at, ns, kind: 'data', name }) as const;
  const timeline: Timeline = {
    ...empty,
    spans: [data(0, 10, 'no loader workers'), data(10, 30, '2 loader workers, try 4 (numWorkers)')],
    steps: [[40, 60, 0]],
    kernels: [[40, 60, 0, 0]],
  };
  expect(timeSentence(timeline)).toBe('40 % of the time waits on data: 2 loader workers, try 4 (numWorkers).');
});
test('only the steps of the loop count', () => {
  const timeline: Timeline = { ...empty, loop: [[10, 20]], steps: [[0, 50, 0]], kernels: [[0, 50, 0, 0]] };
  expect(Object.fromEntries(timeShares(timeline))).toEqual({ multiply: 20 });
  expect(timeSentence(timeline)).toBe('100 % of the time is spent in matrix products and convolutions.');
});
test('communication that overlaps with kernels is distinguished from exposed communication', () => {
  const kernels = [kernel('k0', 'multiply'), { ...kernel('c0', 'fused'), kind: 'collective' as const }];
  const timeline: Timeline = {
    ...empty,
    programs: [{ name: 'step', kernels }],
    steps: [[0, 100, 0]],
    kernels: [
      [0, 30, 0, 0],
      [30, 30, 0, 0],
      [60, 40, 0, 1],
    ],
    collectives: [
      [20, 20, 'all-reduce', 8],
      [40, 60, 'all-reduce', 8],
    ],
  };
  expect(communication(timeline)).toEqual({ ns: 80, hiddenNs: 40 });
  expect(timeSentence(timeline)).toBe(
    '40 % of the time is spent in communication that computation does not hide, which includes waiting for other ranks. 50 % of communication overlaps with computation.',
  );
  const { traceEvents } = chromeTrace([timeline]);
  const thread = traceEvents.find(({ args }) => args?.name === 'communication')!.tid;
  expect(traceEvents.filter(({ tid, ph }) => tid === thread && ph === 'X').map(({ ts, dur }) => [ts, dur])).toEqual([
    [0.02, 0.02],
    [0.04, 0.06],
  ]);
});
