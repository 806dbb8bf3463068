// The lane of a pipeline in profiles that are written by hand: two ranks, 1F1B, two micro-batches.
import { expect, test } from 'vitest';
import { chromeTrace } from './chrome-trace.ts';
import { bubbleOf, bubbleText, laneOf } from './pipeline-lane.ts';
import type { Timeline } from './timeline.ts';

type Run = readonly [name: string, at: number, ns: number];
function profileOf(rank: number, runs: readonly Run[]): Timeline {
  const names = [...new Set(runs.map(([name]) => name))];
  return {
    ...{ format: 'trenio-profile', version: 1, rank, worldSize: 2, host: 'host', pid: rank, script: 'train.ts' },
    ...{ startNs: String(1000 * rank), startMs: 0, durationNs: 5000, threads: 1, loop: [], kernels: [], workers: [] },
    ...{ collectives: [], spans: [], dropped: 0 },
    programs: names.map(name => ({ name, kernels: [] })),
    steps: runs.map(([name, at, ns]) => [at, ns, names.indexOf(name)]),
  };
}
//  0  F0 0  F0 1        B0 0        B0 1        forward 100, backward 200, sending 10
//  1        F1 0  B1 0        F1 1  B1 1
const first = profileOf(0, [
  ...([
    ['F0', 1000, 100],
    ['send', 1100, 10],
    ['F0', 1110, 100],
    ['send', 1210, 10],
    ['recv', 1220, 210],
  ] as const),
  ...([
    ['B0', 1430, 200],
    ['recv', 1630, 110],
    ['B0', 1740, 200],
    ['round 0', 1940, 30],
  ] as const),
]);
const second = profileOf(1, [
  ...([
    ['recv', 0, 110],
    ['F1', 110, 100],
    ['B1', 210, 200],
    ['send', 410, 10],
  ] as const),
  ...([
    ['recv', 420, 0],
    ['F1', 420, 100],
    ['B1', 520, 200],
    ['send', 720, 10],
    ['round 0', 730, 30],
  ] as const),
]);

test('actions have their micro-batch, and what a rank sends and awaits is between them', () => {
  expect(laneOf(first).map(lane => lane.map(({ name }) => name).join(', '))).toEqual([
    'F0 0, send, F0 1, send, receive, B0 0, receive, B0 1, update',
  ]);
  const names = chromeTrace([first, second])
    .traceEvents.filter(({ cat, pid }) => cat === 'pipeline' && pid === 1)
    .map(({ name }) => name);
  expect(names).toEqual(['receive', 'F1 0', 'B1 0', 'send', 'receive', 'F1 1', 'B1 1', 'send', 'update']);
  const { traceEvents } = chromeTrace([profileOf(0, [['step', 0, 100]])]);
  expect(traceEvents.some(({ cat }) => cat === 'pipeline')).toBe(false);
});

test('the bubble of a step, and that of its schedule on paper', () => {
  // From 1000 to 1940 both ranks work 600 each; on paper, 1 / (2 + 1) of the time is a bubble.
  const bubble = bubbleOf([first, second])!;
  expect(bubble.measured).toBeCloseTo(1 - 600 / 940, 10);
  expect(bubble.onPaper).toBeCloseTo(1 / 3, 10);
  expect(bubbleText([first, second])).toContain('36.2 % of the time from the first to the last of a step; by the');
  expect(bubbleOf([first])).toBeUndefined();
  // Gradients of weights apart: rank 0 has nothing to send in the backward pass.
  const parted = [
    profileOf(0, [
      ['F0', 1000, 100],
      ['W0', 1300, 100],
      ['round 0', 1400, 9],
    ]),
    profileOf(1, [
      ['F1', 100, 100],
      ['I1', 200, 100],
      ['W1', 300, 100],
      ['round 0', 400, 9],
    ]),
  ];
  expect(bubbleOf(parted)).toEqual({ measured: 1 - 500 / 800, onPaper: 1 - 5 / 8 });
  // Two equal stages of a rank that share their programs: F1 is also F2.
  const shared = [
    profileOf(0, [
      ['F0', 1000, 100],
      ['F1', 1100, 100],
      ['B0', 1300, 100],
      ['round 0', 1400, 9],
    ]),
    profileOf(1, [
      ['F1', 100, 100],
      ['F1', 200, 100],
      ['B1', 300, 100],
      ['round 0', 400, 9],
    ]),
  ];
  expect(bubbleOf(shared)).toEqual({ measured: 1 - 6 / 8, onPaper: undefined });
  expect(bubbleText([profileOf(0, [['step', 0, 100]])])).toBe('');
});
