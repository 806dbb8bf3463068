// The layout somebody asked for, where no layout keeps what was asked: which division does not come out even.
import type { Machine } from '../../hardware/machine.ts';
import { type LayoutProblem, layoutProblem } from '../check-layout.ts';
import type { Job } from '../job.ts';
import type { Layout } from '../layout.ts';
import type { LayoutSpace } from './layouts.ts';

/** Of a space in which `layoutsOf` finds nothing. */
export function whyNoLayout(job: Job, machine: Machine, nodes: number, space: LayoutSpace): LayoutProblem {
  const layout = givenLayout(job, machine.devices * nodes, space);
  const { workload } = job;
  if (workload.kind === 'program' && layout.microBatch !== workload.samplesPerStep) {
    return {
      problem: `${workload.name} was recorded with ${workload.samplesPerStep} samples a step, and micro-batches of ${layout.microBatch} are asked for`,
      instead: 'leave --micro-batch out, or change the batch in the script',
    };
  }
  return (
    layoutProblem(job, machine, nodes, layout) ??
    batchProblem(layout, space) ?? {
      problem: `no layout of ${workload.name} on ${nodes} × ${machine.name} keeps everything that was asked for`,
      instead: 'leave some of the sizes free',
    }
  );
}

/** Nothing is split that was not asked for; what is left over is data parallel. */
function givenLayout(job: Job, devices: number, space: LayoutSpace): Layout {
  const tensor = space.tensor ?? 1;
  const pipeline = space.pipeline ?? 1;
  const data = space.data ?? Math.max(1, Math.floor(devices / (tensor * pipeline)));
  const { workload } = job;
  const microBatch = space.microBatch ?? (workload.kind === 'program' ? workload.samplesPerStep : 1);
  return {
    data,
    tensor,
    pipeline,
    interleave: space.interleave ?? 1,
    expert: space.expert ?? 1,
    sequenceParallel: space.sequenceParallel ?? false,
    zero1: space.zero1 ?? false,
    microBatch,
    microBatches:
      space.globalBatch === undefined
        ? (space.microBatches ?? pipeline)
        : Math.max(1, Math.floor(space.globalBatch / (data * microBatch))),
    recompute: space.recompute ?? 'none',
  };
}

function batchProblem({ data, microBatch }: Layout, { globalBatch }: LayoutSpace): LayoutProblem | undefined {
  const least = data * microBatch;
  if (globalBatch === undefined || globalBatch % least === 0) return undefined;
  const next = Math.ceil(globalBatch / least) * least;
  return {
    problem: `a global batch of ${globalBatch} cannot be shared among ${data} copies of the model${microBatch === 1 ? '' : ` in micro-batches of ${microBatch}`}`,
    instead: `choose a multiple of ${least}: ${next}, or share the model among more devices (tensor or pipeline parallel) so that there are fewer copies`,
  };
}
