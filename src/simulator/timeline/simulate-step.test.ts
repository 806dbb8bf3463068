import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bubbleRatio, uniformPipelineSeconds } from './closed-form.ts';
import { exposedByPhase } from './exposed.ts';
import { simulateStep, stepSeconds } from './simulate-step.ts';
import { type Chunk, idleChunk, type Step } from './step.ts';
import type { Timeline } from './timeline.ts';

function stepOf(chunks: readonly Chunk[], stages: number, microBatches: number, more: Partial<Step> = {}): Step {
  return {
    stages,
    interleave: chunks.length / stages,
    microBatches,
    chunks,
    sendActivations: 0,
    sendGradients: 0,
    overlapSends: true,
    overlapGradients: true,
    overlapGather: false,
    optimizer: new Array<number>(stages).fill(0),
    waitForAll: false,
    overhead: 0,
    ...more,
  };
}
const alike = (count: number, forward: number, backward: number): Chunk[] =>
  Array.from({ length: count }, () => ({ ...idleChunk, forward, backward }));

/** Every lane does one thing at a time, in the order of the tasks. */
function checkLanes({ lanes, tasks, seconds }: Timeline): void {
  const free = new Map<number, number>();
  for (const task of tasks) {
    expect(task.start).toBeGreaterThanOrEqual((free.get(task.lane) ?? 0) - 1e-9);
    expect(task.end).toBeGreaterThan(task.start);
    expect(task.end).toBeLessThanOrEqual(seconds + 1e-9);
    free.set(task.lane, task.end);
  }
  expect(free.size).toBe(lanes.length);
}

/**
 * The plainest way to play it: a clock that ticks by one, lanes that look at each tick whether their next piece of work can
 * begin. Integers only; sends of one tick or more; overlapping sends.
 */
function tick(step: Step): number {
  const { stages, interleave, microBatches, chunks } = step;
  interface Work {
    readonly seconds: number;
    readonly needs: readonly string[];
    readonly gives: string;
  }
  const last = chunks.length - 1;
  const lanes: Work[][] = [];
  for (let s = 0; s < stages; s++) {
    const compute: Work[] = [];
    const up: Work[] = [];
    const down: Work[] = [];
    const forward: [chunk: number, microBatch: number][] = [];
    const backward: [chunk: number, microBatch: number][] = [];
    for (let group = 0; group < microBatches; group += stages) {
      const size = Math.min(stages, microBatches - group);
      for (let c = 0; c < interleave; c++) {
        for (let i = 0; i < size; i++) {
          forward.push([c * stages + s, group + i]);
          backward.push([(interleave - 1 - c) * stages + s, group + i]);
        }
      }
    }
    const distance = stages - 1 - s;
    const warmUp = interleave === 1 ? distance : 2 * distance + (interleave - 1) * stages;
    const order: ['F' | 'B', number, number][] = [];
    const put = (): void => void order.push(['B', ...backward.shift()!]);
    forward.forEach(([k, mb], i) => {
      order.push(['F', k, mb]);
      if (i >= warmUp) put();
    });
    while (backward.length > 0) put();
    for (const [what, k, mb] of order) {
      if (what === 'F') {
        compute.push({ seconds: chunks[k]!.forward, needs: k === 0 ? [] : [`a${k}.${mb}`], gives: `F${k}.${mb}` });
        if (k < last) up.push({ seconds: step.sendActivations, needs: [`F${k}.${mb}`], gives: `a${k + 1}.${mb}` });
      } else {
        const needs = [k === last ? `F${k}.${mb}` : `g${k}.${mb}`];
        compute.push({ seconds: chunks[k]!.backward, needs, gives: `B${k}.${mb}` });
        if (k > 0) down.push({ seconds: step.sendGradients, needs: [`B${k}.${mb}`], gives: `g${k - 1}.${mb}` });
      }
    }
    lanes.push(compute, up, down);
  }
  const there = new Set<string>();
  const busy = lanes.map(() => ({ left: 0, gives: '' }));
  for (let now = 0; ; now++) {
    if (now > 1e5) throw new Error('stuck');
    // Finished tasks release their results first, so that others can begin at this tick.
    busy.forEach(lane => {
      if (lane.left > 0 && --lane.left === 0) there.add(lane.gives);
    });
    if (lanes.every((lane, i) => lane.length === 0 && busy[i]!.left === 0)) return now;
    lanes.forEach((lane, i) => {
      const next = lane[0];
      if (busy[i]!.left === 0 && next?.needs.every(need => there.has(need))) {
        lane.shift();
        busy[i] = { left: next.seconds, gives: next.gives };
      }
    });
  }
}

describe('simulateStep', () => {
  it('matches the closed form for equal stages', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 5 }),
        (stages, interleave, groups, forward) => {
          const microBatches = stages * groups;
          const step = stepOf(alike(stages * interleave, forward, 2 * forward), stages, microBatches);
          const uniform = { stages, interleave, microBatches, seconds: 3 * forward * interleave };
          expect(simulateStep(step).seconds).toBeCloseTo(uniformPipelineSeconds(uniform), 9);
        },
      ),
      { seed: 1, numRuns: 200 },
    );
    // Not a multiple of the stages: 1F1B takes any number.
    expect(simulateStep(stepOf(alike(4, 1, 2), 4, 6)).seconds).toBe((6 + 3) * 3);
    expect(bubbleRatio({ stages: 4, interleave: 2, microBatches: 8 })).toBe(3 / 16);
  });

  it('matches a tick-by-tick simulation, for stages of any times', () => {
    const seconds = fc.integer({ min: 1, max: 5 });
    fc.assert(
      fc.property(
        fc
          .record({
            stages: fc.integer({ min: 2, max: 5 }),
            interleave: fc.integer({ min: 1, max: 3 }),
            groups: fc.integer({ min: 1, max: 3 }),
            more: fc.integer({ min: 0, max: 4 }),
            sendActivations: seconds,
            sendGradients: seconds,
          })
          .chain(r =>
            fc.tuple(
              fc.constant(r),
              fc.array(fc.tuple(seconds, seconds), {
                minLength: r.stages * r.interleave,
                maxLength: r.stages * r.interleave,
              }),
            ),
          ),
        ([{ stages, interleave, groups, more, sendActivations, sendGradients }, times]) => {
          const chunks = times.map(([forward, backward]): Chunk => ({ ...idleChunk, forward, backward }));
          const microBatches = stages * groups + (interleave === 1 ? more : 0);
          const step = stepOf(chunks, stages, microBatches, { sendActivations, sendGradients });
          const timeline = simulateStep(step);
          checkLanes(timeline);
          expect(timeline.seconds).toBe(tick(step));
          expect(stepSeconds(step)).toBe(timeline.seconds);
        },
      ),
      { seed: 2, numRuns: 200 },
    );
  });

  it('shows two stages and three micro-batches', () => {
    const { lanes, tasks, seconds } = simulateStep(stepOf(alike(2, 1, 2), 2, 3));
    expect(lanes.map(l => `${l.group} ${l.name}`)).toEqual(['stage 0 compute', 'stage 1 compute']);
    const spans = (group: string) =>
      tasks
        .filter(t => lanes[t.lane]!.group === group)
        .map(t => `${t.name.replace('forward ', 'F').replace('backward ', 'B')} ${t.start}-${t.end}`);
    expect(spans('stage 0')).toEqual(['F0 0-1', 'F1 1-2', 'B0 4-6', 'F2 6-7', 'B1 7-9', 'B2 10-12']);
    expect(spans('stage 1')).toEqual(['F0 1-2', 'B0 2-4', 'F1 4-5', 'B1 5-7', 'F2 7-8', 'B2 8-10']);
    expect(seconds).toBe(12);
  });

  it('overlaps sending with computation, or not', () => {
    const step = stepOf(alike(2, 1, 2), 2, 1, { sendActivations: 0.5, sendGradients: 0.25 });
    expect(simulateStep(step).seconds).toBe(6.75);
    const more = stepOf(alike(2, 1, 2), 2, 2, { sendActivations: 0.5, sendGradients: 0.25 });
    expect(simulateStep({ ...more, overlapSends: false }).seconds).toBeGreaterThan(simulateStep(more).seconds);
    expect(simulateStep({ ...more, overlapSends: false }).lanes.every(lane => lane.kind === 'compute')).toBe(true);
  });

  it('all-reduces buckets during the last backward pass, then updates', () => {
    const chunk: Chunk = { ...idleChunk, forward: 1, backward: 2, recompute: 1, gradientBuckets: [0.5, 0.5, 0.5, 0.5] };
    const step = stepOf([chunk], 1, 2, { optimizer: [0.25], overhead: 0.125 });
    const timeline = simulateStep(step);
    checkLanes(timeline);
    // Two micro-batches of 4 s; the last bucket is ready at the end, the other three have gone by then.
    expect(timeline.seconds).toBe(8 + 0.5 + 0.25 + 0.125);
    const buckets = timeline.tasks.filter(t => t.phase === 'gradient collectives').map(t => t.start);
    expect(buckets).toEqual([5.75, 6.5, 7.25, 8]);
    expect(simulateStep({ ...step, overlapGradients: false }).seconds).toBe(8 + 2 + 0.25 + 0.125);
    expect(Object.fromEntries(exposedByPhase(timeline, 'device'))).toEqual({
      forward: 2,
      recompute: 2,
      backward: 4,
      'gradient collectives': 0.5,
      optimizer: 0.25,
      overhead: 0.125,
    });
  });

  it('gathers parameters at the end or during the next forward pass', () => {
    const chunk: Chunk = { ...idleChunk, forward: 4, backward: 4, gatherBuckets: [1, 1, 1, 1] };
    const late = stepOf([chunk], 1, 1);
    expect(simulateStep(late).seconds).toBe(12);
    // The first quarter of the forward pass waits for the first bucket, the others are there in time.
    expect(simulateStep({ ...late, overlapGather: true }).seconds).toBe(9);
  });

  it('lets every stage wait for the gradient norm of all, or not', () => {
    const chunks = alike(2, 1, 1).map((c, i): Chunk => ({ ...c, gradientBuckets: i === 1 ? [10] : [] }));
    const step = stepOf(chunks, 2, 1, { optimizer: [5, 1] });
    expect(simulateStep(step).seconds).toBe(3 + 10 + 1);
    expect(simulateStep({ ...step, waitForAll: true }).seconds).toBe(3 + 10 + 5);
  });

  it("sums each stage's phases to the step", () => {
    const chunks = alike(8, 1, 2).map(
      (c): Chunk => ({ ...c, forwardCollectives: 0.25, backwardCollectives: 0.5, gradientBuckets: [0.3, 0.3] }),
    );
    const timeline = simulateStep(
      stepOf(chunks, 4, 8, { sendActivations: 0.1, sendGradients: 0.1, optimizer: [1, 1, 1, 1], waitForAll: true }),
    );
    checkLanes(timeline);
    for (let s = 0; s < 4; s++) {
      const phases = exposedByPhase(timeline, `stage ${s}`);
      expect([...phases.values()].reduce((a, b) => a + b)).toBeCloseTo(timeline.seconds, 9);
      expect(phases.get('forward')).toBeCloseTo(16, 9);
      expect(phases.get('layer collectives')).toBeCloseTo(12, 9);
    }
  });

  it('rejects inconsistent inputs', () => {
    expect(() => simulateStep(stepOf(alike(8, 1, 2), 4, 6))).toThrow(
      'microBatches is 6, expected a multiple of the 4 stages',
    );
    expect(() => simulateStep(stepOf(alike(4, 1, 2), 4, 0))).toThrow('microBatches is 0');
    expect(() => simulateStep({ ...stepOf(alike(4, 1, 2), 4, 4), interleave: 2 })).toThrow('chunks is 4 of them');
    expect(() => simulateStep(stepOf(alike(4, -1, 2), 4, 4))).toThrow('chunks[0].forward is -1');
    expect(() => simulateStep(stepOf(alike(4, 1, 2), 4, 4, { overhead: Number.NaN }))).toThrow('overhead is NaN');
    expect(() => simulateStep(stepOf(alike(4, 1, 2), 4, 4, { optimizer: [1] }))).toThrow('optimizer is 1 times');
  });
});
