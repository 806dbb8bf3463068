// Times of the pieces of a step, for one micro-batch on one device: a block's passes, the ends, the
// optimizer. Cached per workload and device, because a search needs the same pieces many times.
import type { Device } from '../hardware/machine.ts';
import { type EngineConstants, timeOf } from './engines/engine.ts';
import { addSpent, nothing, type Spent, scaleSpent } from './engines/spent.ts';
import { formatsOf, optimizerFacts } from './formats.ts';
import { type BlockShape, blockWork, sweep } from './models/block.ts';
import { embeddingWork, headWork } from './models/ends.ts';
import { constantsOf, type StepQuestion } from './question.ts';
import { flopsOf, type Work, type WorkList } from './work.ts';
import type { TransformerConfig, Workload } from './workload.ts';

export interface Pass {
  readonly time: Spent;
  readonly flops: number;
}
export interface Passes {
  readonly forward: Pass;
  readonly backward: Pass;
  /** The part of the forward pass that selective recomputation repeats. */
  readonly attentionCore: Pass;
  /** The part that recomputation per operation repeats. */
  readonly unsaved: Pass;
  readonly firstForward: Pass;
  readonly firstBackward: Pass;
  readonly lastForward: Pass;
  readonly lastBackward: Pass;
  readonly collectiveBytes: number;
}

const kept = new WeakMap<Workload, WeakMap<Device, WeakMap<EngineConstants, Map<string, Passes>>>>();
const within = <K extends WeakKey, V>(map: WeakMap<K, V>, key: K, make: () => V): V => {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
};

export function passesOf(question: StepQuestion, config: TransformerConfig): Passes {
  const { workload, machine, layout } = question;
  const byDevice = within(kept, workload, () => new WeakMap());
  const byConstants = within(byDevice, machine.device, () => new WeakMap());
  const known = within(byConstants, constantsOf(question), () => new Map<string, Passes>());
  const key = `${layout.microBatch} ${layout.tensor} ${layout.sequenceParallel}`;
  let passes = known.get(key);
  if (passes === undefined) {
    passes = compute(question, config);
    known.set(key, passes);
  }
  return passes;
}

function compute(question: StepQuestion, config: TransformerConfig): Passes {
  const { workload, machine, layout } = question;
  const { device } = machine;
  const constants = constantsOf(question);
  const formats = formatsOf(workload.precision, device);
  const shape: BlockShape = {
    batch: layout.microBatch,
    sequence: workload.run.sequence,
    tensor: layout.tensor,
    sequenceParallel: layout.sequenceParallel,
    type: formats.multiply,
    bytes: formats.activation,
    attention: workload.attention,
  };
  const pass = (works: readonly Work[]): Pass => ({
    time: timeOf(works, device, constants),
    flops: works.reduce((sum, work) => sum + flopsOf(work), 0),
  });
  const block = blockWork(config, shape);
  const whole = pass(block.unsaved.whole);
  const half = pass(block.unsaved.half);
  const first = embeddingWork(config, shape);
  const last = headWork(config, shape);
  return {
    forward: pass(block.forward),
    backward: pass(block.backward),
    attentionCore: pass(block.attentionCore),
    unsaved: { time: addSpent(whole.time, scaleSpent(half.time, 0.5)), flops: whole.flops + half.flops / 2 },
    firstForward: pass(first.forward),
    firstBackward: pass(first.backward),
    lastForward: pass(last.forward),
    lastBackward: pass(last.backward),
    collectiveBytes: block.collectiveBytes,
  };
}

/** Adds a micro-batch's gradients to the accumulated ones. */
export function accumulationTime(parameters: number, question: StepQuestion): Spent {
  const { workload, machine } = question;
  const { device } = machine;
  const { gradient } = formatsOf(workload.precision, device);
  return timeOf(
    [sweep('gradient accumulation', parameters, 1, 0, 2 * parameters * gradient, parameters * gradient)],
    device,
    constantsOf(question),
  );
}

/** One update of this many parameters. */
export function optimizerTime(parameters: number, question: StepQuestion): Spent {
  const { workload, machine } = question;
  const { device } = machine;
  const formats = formatsOf(workload.precision, device);
  const { moments, simple, transcendental } = optimizerFacts[workload.run.optimizer];
  const own = formats.master === 0 ? formats.weight : formats.master;
  const read = parameters * (formats.gradient + own + moments * formats.moment);
  const written = parameters * (own + moments * formats.moment + (formats.master === 0 ? 0 : formats.weight));
  const bytes = parameters * formats.gradient;
  return timeOf(
    [
      // Clipping needs the norm first; the gradients start from zero again afterwards.
      sweep('norm of the gradients', parameters, 2, 0, bytes, bytes),
      sweep(workload.run.optimizer, parameters, simple, transcendental, read, written),
    ],
    device,
    constantsOf(question),
  );
}

/** Work lists of a recorded program. */
export function programTime(lists: readonly WorkList[], device: Device, constants: EngineConstants): Pass {
  let flops = 0;
  let time = nothing;
  for (const { work, times } of lists) {
    const once = timeOf(work, device, constants);
    for (const one of work) flops += times * flopsOf(one);
    time = addSpent(time, times === 1 ? once : scaleSpent(once, times));
  }
  return { time, flops };
}
