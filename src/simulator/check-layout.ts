// Whether a layout is possible, and if not, which division does not come out even.
import { TrenioError } from '../base/errors.ts';
import { devicesOf } from './layout.ts';
import type { StepQuestion } from './question.ts';

/**
 * Checks that a layout is possible on the machines.
 * @throws {LAYOUT_IMPOSSIBLE} naming the division that does not come out even
 * @example
 * const model = simulator.modelOf('gpt2');
 * const run = { kind: 'training', sequence: 1024, optimizer: 'adamw' } as const;
 * const workload = { model, run, precision: 'bf16-mixed', attention: 'blocked' } as const;
 * const machine = hardware.machineOf('p5.48xlarge');
 * const question = { workload, machine, nodes: 1, space: { globalBatch: 64 } };
 * const { prediction } = simulator.chooseLayout(question, simulator.predict);
 * simulator.checkLayout({ ...question, layout: prediction.layout });
 * simulator.checkLayout({ ...question, layout: { ...prediction.layout, tensor: 3 } }) // throws LAYOUT_IMPOSSIBLE
 */
export function checkLayout(question: StepQuestion): void {
  const problem = layoutProblem(question);
  if (problem !== undefined) throw new TrenioError('LAYOUT_IMPOSSIBLE', problem);
}

/** Why a layout is invalid, and what to use instead. */
export interface LayoutProblem {
  /** The problem. */
  readonly problem: string;
  /** The replacement. */
  readonly instead: string;
}

/**
 * The same without throwing: undefined if the layout is possible.
 * @example
 * const model = simulator.modelOf('gpt2');
 * const run = { kind: 'training', sequence: 1024, optimizer: 'adamw' } as const;
 * const workload = { model, run, precision: 'bf16-mixed', attention: 'blocked' } as const;
 * const machine = hardware.machineOf('p5.48xlarge');
 * const question = { workload, machine, nodes: 1, space: { globalBatch: 64 } };
 * const { prediction } = simulator.chooseLayout(question, simulator.predict);
 * simulator.layoutProblem({ ...question, layout: prediction.layout }) // undefined
 */
export function layoutProblem({ workload, machine, nodes, layout }: StepQuestion): LayoutProblem | undefined {
  const counts = { ...layout, nodes };
  for (const name of [
    'data',
    'tensor',
    'pipeline',
    'interleave',
    'expert',
    'microBatch',
    'microBatches',
    'nodes',
  ] as const) {
    const value = counts[name];
    if (!Number.isInteger(value) || value < 1)
      return { problem: `${name} is ${value}`, instead: 'give an integer, 1 or more' };
  }
  const { data, tensor, pipeline, interleave, expert } = layout;
  if (layout.shard !== undefined && !layout.zero1) {
    return {
      problem: `${layout.shard} are split, but not the optimizer state`,
      instead: 'split the optimizer state as well (ZeRO-1)',
    };
  }
  const { replicas = 1, recomputeEvery = 1 } = layout;
  for (const [name, value] of Object.entries({ replicas, recomputeEvery }))
    if (!Number.isInteger(value) || value < 1)
      return { problem: `${name} is ${value}`, instead: 'give an integer, 1 or more' };
  if (replicas > 1 && (!layout.zero1 || data % replicas !== 0)) {
    return {
      problem: `${data} data-parallel devices cannot be ${replicas} groups that each hold all shards`,
      instead: `shard the state (ZeRO-1 to 3) and choose a number of groups that divides ${data}: ${divisorsOf(data).join(', ')}`,
    };
  }
  if (recomputeEvery > 1 && layout.recompute !== 'full') {
    return {
      problem: `one of ${recomputeEvery} layers is recomputed, but recomputation is ${layout.recompute}`,
      instead: 'recompute whole layers (full)',
    };
  }
  const devices = machine.devices * nodes;
  const used = devicesOf(layout);
  if (used > devices || devices % used !== 0) {
    return {
      problem: `${data} × ${tensor} × ${pipeline} (data × tensor × pipeline) is ${used} devices, and ${nodes} × ${machine.name} has ${devices}`,
      instead: `choose sizes whose product is ${devices}, or divides it`,
    };
  }
  const { model } = workload;
  if (model.kind === 'program') {
    const { division } = model;
    if (division !== undefined && division.devices !== used)
      return {
        problem: `${model.name} was recorded for the ${division.devices} devices of ${division.layout}, and the layout has ${used}`,
        instead: 'record it for this number of devices',
      };
    return tensor === 1 && pipeline === 1 && expert === 1
      ? undefined
      : {
          problem: `a recorded program supports only data parallelism, not tensor (${tensor}), pipeline (${pipeline}) or expert parallelism (${expert})`,
          instead: 'use data parallelism and ZeRO-1, or plan a model by its name (--model)',
        };
  }
  const uneven = (what: string, count: number, by: string, parts: number): LayoutProblem | undefined =>
    count % parts === 0
      ? undefined
      : {
          problem: `${count} ${what} cannot be divided among ${parts} ${by}`,
          instead: `choose a number that divides ${count}: ${divisorsOf(count).join(', ')}`,
        };
  const { heads, feedForward, layers, experts, keyValueHeads } = model;
  return (
    uneven('attention heads', heads, 'tensor-parallel devices', tensor) ??
    (tensor > keyValueHeads
      ? uneven('tensor-parallel devices', tensor, 'heads of keys and values', keyValueHeads)
      : uneven('heads of keys and values', keyValueHeads, 'tensor-parallel devices', tensor)) ??
    uneven('feed-forward columns', feedForward, 'tensor-parallel devices', tensor) ??
    (pipeline * interleave > layers
      ? {
          problem: `${layers} layers cannot fill ${pipeline} stages × ${interleave} chunks`,
          instead: `use at most ${layers} stages and chunks together`,
        }
      : undefined) ??
    (interleave > 1 && pipeline === 1
      ? { problem: 'interleaving needs more than one pipeline stage', instead: 'leave interleave at 1' }
      : undefined) ??
    (interleave > 1 && Math.floor(layers / pipeline) % interleave !== 0
      ? {
          problem: `${layers} layers on ${pipeline} stages are ${Math.floor(layers / pipeline)} per stage, which cannot be divided into ${interleave} chunks`,
          instead: `choose a number of chunks that divides ${Math.floor(layers / pipeline)}: ${divisorsOf(Math.floor(layers / pipeline)).join(', ')}`,
        }
      : undefined) ??
    (interleave > 1 && layout.microBatches % pipeline !== 0
      ? {
          problem: `the interleaved schedule processes micro-batches in groups of ${pipeline}, one per stage, but a step has ${layout.microBatches} per copy`,
          instead: `choose a global batch that gives each copy a multiple of ${pipeline} micro-batches`,
        }
      : undefined) ??
    (layout.sequenceParallel && tensor > 1
      ? uneven('tokens of a sequence', workload.run.sequence, 'tensor-parallel devices', tensor)
      : undefined) ??
    (expert > 1 && experts === undefined
      ? { problem: `${model.name} has no experts`, instead: 'leave expert parallelism at 1' }
      : undefined) ??
    (expert > 1 ? uneven('experts', experts!.count, 'expert-parallel devices', expert) : undefined) ??
    (expert > 1 ? uneven('data-parallel copies', data, 'expert-parallel devices', expert) : undefined)
  );
}

function divisorsOf(count: number): number[] {
  const all: number[] = [];
  for (let i = 1; i <= Math.min(count, 1024); i++) if (count % i === 0) all.push(i);
  return all;
}
