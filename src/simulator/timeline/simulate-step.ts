// Plays one training step. Every stage has lanes that do one thing at a time:
//
//   compute       ▐F0▌▐F1▌▐F2▌▐B0▌▐F3▌▐B1▌…                          ▐optimizer▌
//   activations      ▐0▌ ▐1▌ ▐2▌                  to the next stage
//   gradients                 ▐0▌   ▐1▌           to the one before
//   collectives                                  ▐bucket▌▐bucket▌▐bucket▌
//
// A task starts when its lane is free and its inputs are available. The order within a lane is fixed beforehand
// (schedule.ts), so the simulation runs each stage until it has to wait, and each finished task wakes the
// stage that waits for it. The result does not depend on the order in which stages are run.
import { invariant } from '../../base/errors.ts';
import type { Phase } from '../run.ts';
import { chunkOf, isBackward, microBatchOf, stageOrder } from './schedule.ts';
import { type Chunk, checkStep, type Step } from './step.ts';
import type { Lane, Task, Timeline } from './timeline.ts';

/** @throws {INVALID_OPTION} for invalid times and inconsistent schedules */
export function simulateStep(step: Step): Timeline {
  const lanes: Lane[] = [];
  const tasks: { -readonly [K in keyof Task]: Task[K] }[] = [];
  const seconds = play(step, {
    named: true,
    lane: lane => lanes.push(lane) - 1,
    task: (lane, name, phase, start, end) => {
      tasks.push({ lane, name, phase, start, end });
    },
  });
  // Lanes on which nothing happens are of no interest.
  const used = new Uint8Array(lanes.length);
  for (const task of tasks) used[task.lane] = 1;
  const renumbered = new Int32Array(lanes.length);
  for (let i = 1; i < lanes.length; i++) renumbered[i] = renumbered[i - 1]! + used[i - 1]!;
  for (const task of tasks) task.lane = renumbered[task.lane]!;
  return { seconds, lanes: lanes.filter((_, i) => used[i] === 1), tasks };
}

/** The same without keeping the tasks: several times as fast. */
export function stepSeconds(step: Step): number {
  let lanes = 0;
  return play(step, { named: false, lane: () => lanes++, task: () => {} });
}

interface Recorder {
  /** Whether names are needed: creating them takes longer than the rest. */
  readonly named: boolean;
  /** Its index. */
  lane(lane: Lane): number;
  task(lane: number, name: string, phase: Phase, start: number, end: number): void;
}

/** A resource and the moment at which it is free. */
class Resource {
  free = 0;
  private readonly recorder: Recorder;
  private readonly lane: number;

  constructor(recorder: Recorder, lane: Lane) {
    this.recorder = recorder;
    this.lane = recorder.lane(lane);
  }

  /** Schedules an activity of `seconds`, not before `ready`; returns its end. Activities of zero duration are not recorded. */
  run(ready: number, seconds: number, name: string, phase: Phase): number {
    const start = Math.max(ready, this.free);
    const end = start + seconds;
    if (seconds > 0) this.recorder.task(this.lane, name, phase, start, end);
    this.free = end;
    return end;
  }
}

interface Stage {
  readonly order: Int32Array;
  /** The number of completed entries of `order`. */
  done: number;
  readonly compute: Resource;
  readonly activations: Resource;
  readonly gradients: Resource;
  readonly collectives: Resource;
  /** For each of its chunks: when each bucket of parameters and of gradients is available. */
  readonly gathered: readonly number[][];
  readonly finished: number[][];
}

function play(step: Step, recorder: Recorder): number {
  checkStep(step);
  const { stages: p, interleave: v, microBatches: m, chunks } = step;
  const stages = makeStages(step, recorder);
  const name = recorder.named ? names(step) : () => unnamed;
  // When a chunk's input is available: activations from the chunk before it, gradients from the one after. Negative: not yet.
  const forwardReady = new Float64Array(p * v * m).fill(-1);
  const backwardReady = new Float64Array(p * v * m).fill(-1);
  forwardReady.fill(step.waitForData ?? 0, 0, m);

  // Stages that may be able to continue. Each is in it at most once.
  const awake: number[] = [];
  const isAwake = new Uint8Array(p);
  const wake = (s: number): void => {
    if (isAwake[s] === 1) return;
    isAwake[s] = 1;
    awake.push(s);
  };
  for (let s = 0; s < p; s++) wake(s);
  while (awake.length > 0) {
    const s = awake.pop()!;
    isAwake[s] = 0;
    const stage = stages[s]!;
    while (stage.done < stage.order.length) {
      const entry = stage.order[stage.done]!;
      const chunkOfStage = chunkOf(entry, v);
      const k = chunkOfStage * p + s;
      const microBatch = microBatchOf(entry, v);
      const back = isBackward(entry);
      const ready = (back ? backwardReady : forwardReady)[k * m + microBatch]!;
      if (ready < 0) break;
      const chunk = chunks[k]!;
      if (back) {
        const end = backwardPass(
          stage,
          chunkOfStage,
          chunk,
          ready,
          name(microBatch, chunkOfStage),
          microBatch === m - 1,
        );
        if (k > 0) {
          const arrival = send(step, stage, 'gradients', end, name(microBatch, chunkOfStage));
          backwardReady[(k - 1) * m + microBatch] = arrival;
          wake((s + p - 1) % p);
        }
      } else {
        const end = forwardPass(stage, chunkOfStage, chunk, ready, name(microBatch, chunkOfStage), microBatch === 0);
        if (k < p * v - 1) {
          const arrival = send(step, stage, 'activations', end, name(microBatch, chunkOfStage));
          forwardReady[(k + 1) * m + microBatch] = arrival;
          wake((s + 1) % p);
        } else backwardReady[k * m + microBatch] = end;
      }
      stage.done++;
    }
  }
  invariant(
    stages.every(stage => stage.done === stage.order.length),
    'the stages of a pipeline wait for each other forever',
  );
  return finish(step, stages, recorder);
}

function makeStages(step: Step, recorder: Recorder): readonly Stage[] {
  const { stages: p, interleave: v, microBatches: m } = step;
  return Array.from({ length: p }, (_, s): Stage => {
    const group = p === 1 ? 'device' : `stage ${s}`;
    const resource = (name: string, kind: Lane['kind']): Resource => new Resource(recorder, { group, name, kind });
    const compute = resource('compute', 'compute');
    const activations = resource(`activations to stage ${(s + 1) % p}`, 'link');
    const gradients = resource(`gradients to stage ${(s + p - 1) % p}`, 'link');
    const collectives = resource('collectives', 'collectives');
    // Parameters that the optimizer has just changed, gathered in the order in which they will be used.
    const gathered = Array.from({ length: v }, (_, c) =>
      step.overlapGather
        ? step.chunks[c * p + s]!.gatherBuckets.map(seconds =>
            collectives.run(0, seconds, 'gather parameters', 'gradient collectives'),
          )
        : [],
    );
    return {
      order: stageOrder(s, p, v, m),
      done: 0,
      compute,
      activations,
      gradients,
      collectives,
      gathered,
      finished: Array.from({ length: v }, () => []),
    };
  });
}

/** Names of micro-batches, created once. */
function names({ interleave: v, microBatches: m }: Step): (microBatch: number, chunk: number) => Names {
  const all = Array.from({ length: m * v }, (_, i): Names => {
    const which = v === 1 ? `${i}` : `${Math.floor(i / v)}, chunk ${i % v}`;
    return {
      forward: `forward ${which}`,
      backward: `backward ${which}`,
      recompute: `recompute ${which}`,
      collectives: `collectives `,
      send: `send ${which}`,
    };
  });
  return (microBatch, chunk) => all[microBatch * v + chunk]!;
}

const unnamed: Names = { forward: '', backward: '', recompute: '', collectives: '', send: '' };

interface Names {
  readonly forward: string;
  readonly backward: string;
  readonly recompute: string;
  readonly collectives: string;
  readonly send: string;
}

function forwardPass(stage: Stage, c: number, chunk: Chunk, ready: number, name: Names, first: boolean): number {
  const { compute } = stage;
  const buckets = first ? stage.gathered[c]! : [];
  if (buckets.length === 0) compute.run(ready, chunk.forward, name.forward, 'forward');
  // Each part of the first forward pass waits for the parameters that it uses.
  for (const there of buckets) {
    compute.run(Math.max(ready, there), chunk.forward / buckets.length, name.forward, 'forward');
  }
  return compute.run(0, chunk.forwardCollectives, name.collectives, 'layer collectives');
}

function backwardPass(stage: Stage, c: number, chunk: Chunk, ready: number, name: Names, last: boolean): number {
  const { compute } = stage;
  const begin = Math.max(ready, compute.free);
  compute.run(ready, chunk.recompute, name.recompute, 'recompute');
  compute.run(ready, chunk.backward, name.backward, 'backward');
  const end = compute.run(0, chunk.backwardCollectives, name.collectives, 'layer collectives');
  // Gradients are finished evenly over the last backward pass, including its block-by-block recomputation.
  if (last) {
    const count = chunk.gradientBuckets.length;
    for (let i = 1; i <= count; i++) stage.finished[c]!.push(begin + ((end - begin) * i) / count);
  }
  return end;
}

/** Returns the time at which it is available. */
function send(step: Step, stage: Stage, what: 'activations' | 'gradients', ready: number, name: Names): number {
  if (step.stages === 1) return ready;
  const seconds = what === 'activations' ? step.sendActivations : step.sendGradients;
  const through = step.overlapSends ? stage[what] : stage.compute;
  return through.run(ready, seconds, name.send, 'pipeline send/recv');
}

/** Gradient collectives, optimizer, gathering of parameters. Returns the end of the step. */
function finish(step: Step, stages: readonly Stage[], recorder: Recorder): number {
  const { stages: p, interleave: v, chunks } = step;
  const reduced = stages.map((stage, s) => {
    // The last chunk's gradients are available first.
    for (let c = v - 1; c >= 0; c--) {
      chunks[c * p + s]!.gradientBuckets.forEach((seconds, i) => {
        const ready = step.overlapGradients ? stage.finished[c]![i]! : stage.compute.free;
        stage.collectives.run(ready, seconds, 'gradient collectives', 'gradient collectives');
      });
    }
    return Math.max(stage.compute.free, stage.collectives.free);
  });
  const all = Math.max(...reduced);
  let end = 0;
  stages.forEach((stage, s) => {
    const updated = stage.compute.run(
      step.waitForAll ? all : reduced[s]!,
      step.optimizer[s]!,
      'optimizer',
      'optimizer',
    );
    end = Math.max(end, updated);
    if (step.overlapGather) return;
    for (let c = 0; c < v; c++) {
      for (const seconds of chunks[c * p + s]!.gatherBuckets) {
        end = Math.max(end, stage.collectives.run(updated, seconds, 'gather parameters', 'gradient collectives'));
      }
    }
  });
  const host = new Resource(recorder, { group: 'host', name: 'host', kind: 'host' });
  host.run(0, step.waitForData ?? 0, 'wait for data', 'data loading');
  return host.run(end, step.overhead, 'host', 'overhead');
}
