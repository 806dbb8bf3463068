// The lane of a pipeline in profiles that are written by hand: two ranks.
import { expect, test } from 'vitest';
import { type Action, actionsOf, type ScheduleName, schedules } from '../../transforms/pipeline/schedules.ts';
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
  // Rank 0 needs from 1000 to 1940, and both ranks work 600 each; on paper, 1 / (2 + 1) of the time is a bubble.
  const bubble = bubbleOf([first, second])!;
  expect(bubble.measured).toBeCloseTo(1 - 600 / 940, 10);
  expect(bubble.onPaper).toBeCloseTo(1 / 3, 10);
  expect(bubbleText([first, second])).toContain('36.2 % of a step; by the schedule');
  expect(bubbleOf([first])).toBeUndefined();
  expect(bubbleText([profileOf(0, []), profileOf(1, [])])).toBe('');
});

/** Cells of equal time: actions, `==` while one continues, `..` while the rank waits. */
const laneOf = (cells: string, at: number): StageSpan[] => {
  const counts = new Map<string, number>();
  return cells.split(' ').flatMap((cell, i, all) => {
    if (cell === '..' || cell === '==') return [];
    const microBatch = counts.get(cell) ?? 0;
    counts.set(cell, microBatch + 1);
    return [act([`${cell} ${microBatch}`, at + 10 * i, all[i + 1] === '==' ? 20 : 10])];
  });
};
// Gradients of weights apart: stage 0 has no others.
test.each<readonly [name: ScheduleName, zero: string, one: string, bubble: number]>([
  ['GPipe', 'F0 F0 .. .. .. B0 == B0 ==', '.. F1 F1 B1 == B1 ==', 1 - 12 / 18],
  ['1F1B', 'F0 F0 .. .. B0 == .. B0 ==', '.. F1 B1 == F1 B1 ==', 1 - 12 / 18],
  [
    'Interleaved1F1B',
    'F0 F0 F2 F2 .. .. B2 == .. B2 == B0 == B0 ==',
    '.. F1 F1 F3 B3 == F3 B3 == B1 == B1 ==',
    1 - 24 / 30,
  ],
  // Rank 0 ends before rank 1, which begins later: what a step adds is shorter than from the first action to the last.
  ['ZBH1', 'F0 F0 .. W0 .. W0', '.. F1 I1 F1 I1 W1 W1', 1 - 10 / 12],
  [
    'ZBVZeroBubble',
    'F0 F0 F0 F3 I3 W3 F3 I3 W3 W0 .. F3 I3 W3 W0 .. W0',
    '.. F1 F2 F1 F2 I2 W2 F1 I1 W1 F2 I2 W2 I1 I2 I1 W1 W2 W1',
    1 - 33 / 36,
  ],
  [
    'DualPipeV',
    'F0 F0 F0 F3 I3 W3 F3 F0 I3 W3 F3 W0 I3 W3 .. F3 W0 I3 W3 .. W0 .. .. W0',
    '.. F1 F2 F1 F2 F1 I2 W2 F2 I1 W1 F1 I2 W2 F2 I1 W1 I2 W2 I1 W1 I2 I1 W2 W1',
    1 - 44 / 48,
  ],
])('the bubble of %s, measured and on paper', (name, zero, one, expected) => {
  // Steps overlap: rank 0 is ahead.
  const timelines = [profileOf(0, [laneOf(zero, 0)]), profileOf(1, [laneOf(one, 500)])];
  const lanes = timelines.map(({ pipeline }) =>
    pipeline[0]!.map(({ kind, stage, microBatch }) => ({ kind, stage, microBatch })),
  );
  const microBatches = 1 + Math.max(...lanes[0]!.map(({ microBatch }) => microBatch!));
  const planned = actionsOf(name, { ranks: 2, stages: 2 * schedules[name].stagesPerRank, microBatches });
  expect(lanes).toEqual(planned.map(list => list.filter(({ kind, stage }) => kind !== 'I' || stage > 0)));
  const { measured, onPaper } = bubbleOf(timelines)!;
  expect(measured).toBeCloseTo(expected, 10);
  expect(onPaper).toBeCloseTo(expected, 10);
});
