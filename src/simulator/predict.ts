// One training step of a job on machines under a layout: its time by phase and by what it waits for, its memory. Closed
// forms only, so that a search can ask for thousands; the same pieces as a timeline are in step-timeline.ts.
import type { Machine } from '../hardware/machine.ts';
import { checkLayout } from './check-layout.ts';
import type { EngineConstants } from './engines/engine.ts';
import { engineConstants, withSoftware } from './engines/engine.ts';
import { addSpent, boundRecord, nothing } from './engines/spent.ts';
import type { Job } from './job.ts';
import { devicesOf, globalBatchOf, type Layout } from './layout.ts';
import { memoryOf } from './memory.ts';
import { type Phase, phases } from './phase.ts';
import type { Prediction } from './prediction.ts';
import { stepPieces } from './step-pieces.ts';
import { stepTimeline } from './step-timeline.ts';

export interface PredictOptions {
  /** Of the engine models; the calibrated ones by default. */
  readonly constants?: EngineConstants;
}

/**
 * Predicts one optimizer step on `nodes` machines.
 * A layout that does not fit into memory is predicted all the same: `memory.fits` says so.
 * @throws {LAYOUT_IMPOSSIBLE} naming the division that does not come out even
 */
export function predict(
  job: Job,
  machine: Machine,
  nodes: number,
  layout: Layout,
  { constants: given = engineConstants }: PredictOptions = {},
): Prediction {
  const constants = job.software === undefined ? given : withSoftware(job.software, given);
  checkLayout(job, machine, nodes, layout);
  const pieces = stepPieces(job, machine, nodes, layout, constants);
  const byPhase: Record<Phase, number> = { ...noPhase };
  let step = nothing;
  for (const { phase, time } of pieces.exposed) {
    byPhase[phase] += time.seconds;
    step = addSpent(step, time);
  }
  const { seconds: stepSeconds } = step;
  const used = devicesOf(layout);
  const { workload } = job;
  const samplesPerStep =
    workload.kind === 'program' ? workload.samplesPerStep * layout.data * layout.microBatches : globalBatchOf(layout);
  const tokensPerSample =
    workload.kind === 'program'
      ? workload.tokensPerStep === undefined
        ? undefined
        : workload.tokensPerStep / workload.samplesPerStep
      : job.sequence;
  const { watts } = machine.device;
  return {
    machine,
    nodes,
    layout,
    model: workload.name,
    stepSeconds,
    byPhase,
    byBound: boundRecord(step),
    samplesPerStep,
    tokensPerStep: tokensPerSample === undefined ? undefined : samplesPerStep * tokensPerSample,
    samplesPerSecond: samplesPerStep / stepSeconds,
    modelFlops: pieces.modelFlops,
    hardwareFlops: pieces.hardwareFlops,
    mfu: pieces.modelFlops / (stepSeconds * used * pieces.peakFlops),
    memory: memoryOf(job, machine, layout),
    joules: watts === undefined ? undefined : watts * used * stepSeconds,
    assumptions: pieces.assumptions,
    timeline: () => stepTimeline(pieces, layout),
  };
}

const noPhase = Object.fromEntries(phases.map(phase => [phase, 0])) as Record<Phase, number>;
