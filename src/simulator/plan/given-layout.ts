// Explains why a given layout is impossible: the division that does not come out even.
import type { Machine } from '../../hardware/machine.ts';
import { type LayoutProblem, layoutProblem } from '../check-layout.ts';
import type { Layout } from '../layout.ts';
import type { Workload } from '../workload.ts';
import { type LayoutQuestion, withLayout } from './layout-question.ts';
import { divisors, type LayoutSpace } from './layouts.ts';

/**
 * Returns why `layoutsOf` finds no layout in a space.
 * @example
 * const model = simulator.modelOf('gpt2');
 * const run = { kind: 'training', sequence: 1024, optimizer: 'adamw' } as const;
 * const workload = { model, run, precision: 'bf16-mixed', attention: 'blocked' } as const;
 * const machine = hardware.machineOf('p5.48xlarge');
 * const question = { workload, machine, nodes: 1 };
 * simulator.whyNoLayout({ ...question, space: { tensor: 3 } }).problem // '2 × 3 × 1 (data × tensor × pipeline) is 6 devices, …'
 */
export function whyNoLayout(question: LayoutQuestion): LayoutProblem {
  const { workload, machine, nodes, space } = question;
  const layout = givenLayout(workload, machine.devices * nodes, space);
  const { model } = workload;
  if (model.kind === 'transformer' && space.interleave !== undefined && space.pipeline === undefined) {
    const problem = interleaveProblem(model.layers, machine, nodes, space.interleave);
    if (problem !== undefined) return problem;
  }
  if (model.kind === 'program' && layout.microBatch !== model.samplesPerStep) {
    return {
      problem: `${model.name} was recorded with ${model.samplesPerStep} samples per step, but the layout requests micro-batches of ${layout.microBatch}`,
      instead: 'leave --micro-batch out, or change the batch in the script',
    };
  }
  return (
    layoutProblem(withLayout(question, layout)) ??
    nothingToShare(layout) ??
    batchProblem(layout, space) ?? {
      problem: `no layout of ${model.name} on ${nodes} × ${machine.name} satisfies all requested settings`,
      instead: 'leave some of the sizes free',
    }
  );
}

/** If chunks were given without stages: whether any number of stages divides the layers. */
function interleaveProblem(
  layers: number,
  machine: Machine,
  nodes: number,
  interleave: number,
): LayoutProblem | undefined {
  const devices = machine.devices * nodes;
  const stages = divisors(devices).filter(count => count > 1 && count <= layers);
  if (interleave === 1 || stages.some(count => Math.floor(layers / count) % interleave === 0)) return undefined;
  const where = `${nodes} × ${machine.name}`;
  if (stages.length === 0)
    return {
      problem: `interleaving needs more than one pipeline stage, and ${where} has ${devices} ${devices === 1 ? 'device' : 'devices'}`,
      instead: 'leave --interleave out, or use more devices',
    };
  const chunks = new Set(stages.flatMap(count => divisors(Math.floor(layers / count))));
  return {
    problem: `no number of pipeline stages on ${where} leaves each stage layers that can be cut into ${interleave} chunks: ${stages
      .map(count => `${count} stages have ${Math.floor(layers / count)}`)
      .slice(0, 6)
      .join(', ')}`,
    instead: `choose one of ${[...chunks].toSorted((a, b) => a - b).join(', ')}`,
  };
}

/** Only the given sizes split the model; the remaining devices are data parallel. */
function givenLayout(workload: Workload, devices: number, space: LayoutSpace): Layout {
  const tensor = space.tensor ?? 1;
  const pipeline = space.pipeline ?? 1;
  const data = space.data ?? Math.max(1, Math.floor(devices / (tensor * pipeline)));
  const { model } = workload;
  const microBatch = space.microBatch ?? (model.kind === 'program' ? model.samplesPerStep : 1);
  return {
    data,
    tensor,
    pipeline,
    interleave: space.interleave ?? 1,
    expert: space.expert ?? 1,
    sequenceParallel: space.sequenceParallel ?? false,
    zero1: space.zero1 ?? false,
    shard: space.shard,
    replicas: space.replicas,
    recomputeEvery: space.recomputeEvery,
    microBatch,
    microBatches:
      space.globalBatch === undefined
        ? (space.microBatches ?? pipeline)
        : Math.max(1, Math.floor(space.globalBatch / (data * microBatch))),
    recompute: space.recompute ?? 'none',
  };
}

/** The settings that split work among devices although there is only one. */
function nothingToShare({ zero1, data, sequenceParallel, tensor }: Layout): LayoutProblem | undefined {
  if (zero1 && data === 1)
    return {
      problem: 'ZeRO-1 splits the optimizer state among copies of the model, and there is one copy',
      instead: 'leave --zero1 out, use more devices, or split the model less',
    };
  if (sequenceParallel && tensor === 1)
    return {
      problem: 'sequence parallelism splits norms among tensor-parallel devices, and each layer is on one device',
      instead: 'leave --sequence-parallel out, or choose --tp 2 or more',
    };
  return undefined;
}

function batchProblem({ data, microBatch }: Layout, { globalBatch }: LayoutSpace): LayoutProblem | undefined {
  const least = data * microBatch;
  if (globalBatch === undefined || globalBatch % least === 0) return undefined;
  const next = Math.ceil(globalBatch / least) * least;
  return {
    problem: `a global batch of ${globalBatch} cannot be divided among ${data} copies of the model${microBatch === 1 ? '' : ` in micro-batches of ${microBatch}`}`,
    instead: `choose a multiple of ${least}: ${next}, or share the model among more devices (tensor or pipeline parallel) so that there are fewer copies`,
  };
}
