// Predictions compared with published results, row by row. The constants of the engine models were fitted to these rows and to no
// others; `bench/simulator.ts` prints them.
import { machineOf } from '../../hardware/index.ts';
import { type EngineConstants, engineConstants } from '../engines/engine.ts';
import { globalBatchOf } from '../layout.ts';
import { modelOf } from '../models/presets.ts';
import { predict } from '../predict.ts';
import type { Prediction } from '../prediction.ts';
import type { Workload } from '../workload.ts';
import { predictedArticleRuns } from './article-example.ts';
import { earlyReleaseSlowdown, megatronWorkload } from './evidence.ts';
import { gpuRuns, type TimedGpuRun } from './gpu-runs.ts';
import { type MegatronPoint, megatronPoints, selene } from './megatron-a100.ts';
import { constantsOfRelease, isEarly, type PublishedTraining, publishedTraining } from './published-training.ts';

export interface ValidationRow {
  readonly what: string;
  readonly published: number;
  readonly predicted: number;
  /** predicted ÷ published − 1. */
  readonly error: number;
  readonly prediction: Prediction;
}
export interface Validation {
  readonly rows: readonly ValidationRow[];
  /** Mean of the absolute errors, mean of the errors, and the largest. */
  readonly meanError: number;
  readonly bias: number;
  readonly worst: ValidationRow;
}

export const summed = (rows: readonly ValidationRow[]): Validation => ({
  rows,
  meanError: rows.reduce((sum, row) => sum + Math.abs(row.error), 0) / rows.length,
  bias: rows.reduce((sum, row) => sum + row.error, 0) / rows.length,
  worst: rows.reduce((worst, row) => (Math.abs(row.error) > Math.abs(worst.error) ? row : worst)),
});
const compare = (what: string, published: number, predicted: number, prediction: Prediction): ValidationRow => ({
  what,
  published,
  predicted,
  error: predicted / published - 1,
  prediction,
});

const workloadOfTraining = ({ model, sequence, precision, optimizer, attention }: PublishedTraining): Workload => ({
  model: modelOf(model),
  run: { kind: 'training', sequence, optimizer },
  precision,
  attention,
});

/** AWS Neuron's training tables of trn1: samples per second. */
export function validateTrn1(constants: EngineConstants = engineConstants): Validation {
  const machine = machineOf('trn1.32xlarge');
  return summed(
    publishedTraining.flatMap(published => {
      const { nodes, layout, model, sequence, precision, optimizer } = published;
      const workload = workloadOfTraining(published);
      const batch = globalBatchOf(layout);
      const what = `${model}, ${sequence} tokens, ${precision}, ${optimizer}, ${nodes} × trn1.32xlarge, TP ${layout.tensor}, PP ${layout.pipeline}, batch ${batch} by ${layout.microBatch}`;
      return published.runs.map(([release, samples]) => {
        const of = constantsOfRelease(release, constants);
        const prediction = predict({ workload, machine, nodes, layout, constants: of });
        return compare(
          `${what}, SDK ${release}`,
          samples,
          prediction.samplesPerSecond / (isEarly(release) ? earlyReleaseSlowdown : 1),
          prediction,
        );
      });
    }),
  );
}

/** Megatron-LM on A100s: seconds per step. */
export function validateMegatron(constants: EngineConstants = engineConstants): Validation {
  const machine = selene();
  return summed(
    megatronPoints.map(({ model, nodes, layout, seconds }: MegatronPoint) => {
      const workload = megatronWorkload(model);
      const prediction = predict({ workload, machine, nodes, layout, software: 'megatron', constants });
      return compare(`${model}, ${layout.recompute} recomputation`, seconds, prediction.stepSeconds, prediction);
    }),
  );
}

/** Training on GPUs, seconds per step, and where a row belongs. */
export function validateGpu(
  constants: EngineConstants = engineConstants,
): readonly (ValidationRow & Pick<TimedGpuRun, 'fit' | 'recent' | 'machine'>)[] {
  return gpuRuns.map(({ what, workload, machine, nodes, layout, software, seconds, fit, recent }) => {
    const prediction = predict({ workload, machine, nodes, layout, software, constants });
    return { ...compare(`${what}, ${software}`, seconds, prediction.stepSeconds, prediction), fit, recent, machine };
  });
}

/** AWS's BERT-base example on both machines: iterations per second. */
export function validateArticle(constants: EngineConstants = engineConstants): Validation {
  return summed(
    predictedArticleRuns(constants).map(({ published, prediction, iterationsPerSecond }) =>
      compare(
        `${published.model}, ${published.machine}`,
        published.iterationsPerSecond,
        iterationsPerSecond,
        prediction,
      ),
    ),
  );
}
