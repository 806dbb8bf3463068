// One training step of a workload on machines under a layout: its time by phase and by bottleneck, its memory. Closed
// forms only, so that a search can ask for thousands; the same pieces as a timeline are in step-timeline.ts.
import { checkLayout } from './check-layout.ts';
import { dataAssumptions, dataLoadingOf } from './data-loading.ts';
import { addSpent, boundRecord, nothing, spend } from './engines/spent.ts';
import { devicesOf, globalBatchOf } from './layout.ts';
import { memoryOf } from './memory.ts';
import type { Prediction } from './prediction.ts';
import type { StepQuestion } from './question.ts';
import { type Phase, phases } from './run.ts';
import { stepTimeline } from './step-timeline.ts';
import { stepPieces } from './step-times.ts';

/**
 * Predicts one optimizer step on `nodes` machines.
 * A layout that does not fit in memory is predicted too: see `memory.fits`.
 * @throws {LAYOUT_IMPOSSIBLE} naming the division that does not come out even
 * @example
 * const model = simulator.modelOf('gpt2');
 * const run = { kind: 'training', sequence: 1024, optimizer: 'adamw' } as const;
 * const workload = { model, run, precision: 'bf16-mixed', attention: 'blocked' } as const;
 * const machine = hardware.machineOf('p5.48xlarge');
 * const question = { workload, machine, nodes: 1, space: { globalBatch: 64 } };
 * const { prediction } = simulator.chooseLayout(question, simulator.predict);
 * const again = simulator.predict({ ...question, layout: prediction.layout });
 * again.stepSeconds === prediction.stepSeconds // true
 */
export function predict(question: StepQuestion): Prediction {
  const { workload, machine, nodes, layout } = question;
  checkLayout(question);
  const pieces = stepPieces(question);
  const byPhase: Record<Phase, number> = { ...noPhase };
  let step = nothing;
  for (const { phase, time } of pieces.exposed) {
    byPhase[phase] += time.seconds;
    step = addSpent(step, time);
  }
  const { model } = workload;
  const samplesPerStep =
    model.kind === 'program'
      ? model.samplesPerStep * (model.division?.copies ?? layout.data * layout.microBatches)
      : globalBatchOf(layout);
  const dataLoading = dataLoadingOf(question, samplesPerStep, step.seconds);
  const waitSeconds = dataLoading?.waitSeconds ?? 0;
  byPhase['data loading'] += waitSeconds;
  step = addSpent(step, spend('storage', waitSeconds));
  const { seconds: stepSeconds } = step;
  const used = devicesOf(layout);
  const tokensPerSample =
    model.kind === 'program'
      ? model.tokensPerStep === undefined
        ? undefined
        : model.tokensPerStep / model.samplesPerStep
      : workload.run.sequence;
  const { device } = machine;
  const watts = (device.kind === 'gpu' ? device.limitedTo : undefined) ?? device.watts;
  return {
    machine,
    nodes,
    layout,
    model: model.name,
    stepSeconds,
    byPhase,
    byBound: boundRecord(step),
    samplesPerStep,
    tokensPerStep: tokensPerSample === undefined ? undefined : samplesPerStep * tokensPerSample,
    samplesPerSecond: samplesPerStep / stepSeconds,
    modelFlops: pieces.modelFlops,
    hardwareFlops: pieces.hardwareFlops,
    mfu: pieces.modelFlops / (stepSeconds * used * pieces.peakFlops),
    dataLoading,
    memory: memoryOf(question),
    joules: watts === undefined ? undefined : watts * used * stepSeconds,
    assumptions:
      dataLoading === undefined
        ? pieces.assumptions
        : [...pieces.assumptions, ...dataAssumptions(question, dataLoading)],
    timeline: () => stepTimeline(pieces, layout, waitSeconds),
  };
}

const noPhase = Object.fromEntries(phases.map(phase => [phase, 0])) as Record<Phase, number>;
