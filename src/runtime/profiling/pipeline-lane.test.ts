// The lane of a pipeline in profiles that are written by hand: two ranks, 1F1B, two micro-batches.
import { expect, test } from 'vitest';
import type { Action } from '../../transforms/pipeline/schedules.ts';
import { chromeTrace } from './chrome-trace.ts';
import { bubbleOf, bubbleText } from './pipeline-lane.ts';
import type { StageSpan, Timeline } from './timeline.ts';

const profileOf = (rank: number, pipeline: Timeline['pipeline']): Timeline => ({
  ...{ format: 'trenio-profile', version: 1, rank, worldSize: 2, host: 'host', pid: rank, script: 'train.ts' },
  ...{ startNs: String(1000 * rank), startMs: 0, durationNs: 5000, threads: 1, loop: [], kernels: [], workers: [] },
  ...{ collectives: [], spans: [], dropped: 0, programs: [], steps: [], replicated: [], pipeline },
});
type Acted = readonly [action: string, at: number, ns: number];
const act = ([action, at, ns]: Acted): StageSpan => {
  const [, kind, stage, microBatch] = /^([FBIW])(\d+) (\d+)$/.exec(action)!;
  return { at, ns, kind: kind as Action['kind'], stage: Number(stage), microBatch: Number(microBatch) };
};
const send = (at: number, ns: number): StageSpan => ({ at, ns, kind: 'send', bytes: 512, microBatch: 0 });
const receive = (at: number, ns: number): StageSpan => ({ ...send(at, ns), kind: 'receive' });
const update = (at: number, ns: number): StageSpan => ({ at, ns, kind: 'update' });
//  0  F0 0  F0 1        B0 0        B0 1        forward 100, backward 200, sending 10
//  1        F1 0  B1 0        F1 1  B1 1
const first = profileOf(0, [
  [act(['F0 0', 1000, 100]), send(1100, 10), act(['F0 1', 1110, 100]), send(1210, 10), receive(1220, 210)].concat([
    ...[act(['B0 0', 1430, 200]), receive(1630, 110), act(['B0 1', 1740, 200]), update(1940, 30)],
  ]),
]);
const second = profileOf(1, [
  // A program that only reads a value.
  [update(0, 0)],
  [receive(0, 110), act(['F1 0', 110, 100]), act(['B1 0', 210, 200]), send(410, 10), receive(420, 0)].concat([
    ...[act(['F1 1', 420, 100]), act(['B1 1', 520, 200]), send(720, 10), update(730, 30)],
  ]),
]);

test('actions have their micro-batch, and what a rank sends and awaits is between them', () => {
  const names = chromeTrace([first, second])
    .traceEvents.filter(({ cat, pid }) => cat === 'pipeline' && pid === 0)
    .map(({ name }) => name);
  expect(names.join(', ')).toBe('F0 0, send, F0 1, send, receive, B0 0, receive, B0 1, update');
  const { traceEvents } = chromeTrace([profileOf(0, [])]);
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
    profileOf(0, [[act(['F0 0', 1000, 100]), act(['W0 0', 1300, 100]), update(1400, 9)]]),
    profileOf(1, [[act(['F1 0', 100, 100]), act(['I1 0', 200, 100]), act(['W1 0', 300, 100]), update(400, 9)]]),
  ];
  expect(bubbleOf(parted)).toEqual({ measured: 1 - 500 / 800, onPaper: 1 - 5 / 8 });
  expect(bubbleText([profileOf(0, []), profileOf(1, [])])).toBe('');
});
