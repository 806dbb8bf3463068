// The worked example of AWS's article, BERT-base classifying Amazon reviews on a trn1.32xlarge and a p4d.24xlarge, predicted
// from one description of the workload. The article names neither batch, sequence nor formats. Conclusions from its two rows:
//
// - One epoch of the 3.6 million reviews in batches of 256 is 14,062 iterations. At the printed rates they take 2,118 s and
//   2,585 s, which leaves 3,915 s and 3,968 s of the billable time: nearly the same on both machines, as downloading and
//   tokenizing should be. No other power of two leaves equal remainders.
// - 256 reviews of 128 tokens (8 per NeuronCore, 32 per GPU), bf16 on Trainium and PyTorch's default f32 on the A100 give both
//   printed rates; in tf32 the A100 would be three times as fast, in bf16 more than four.
import { machineOf } from '../../hardware/index.ts';
import { type PublishedRun, publishedBertRuns } from '../../hardware/published.ts';
import { type EngineConstants, engineConstants } from '../engines/engine.ts';
import type { Layout } from '../layout.ts';
import { modelOf } from '../models/presets.ts';
import { predict } from '../predict.ts';
import type { Prediction } from '../prediction.ts';
import type { Workload } from '../workload.ts';
import { constantsOfRelease } from './published-training.ts';

const reviews = 3_600_000;
const batch = 256;
const iterations = Math.floor(reviews / batch);

export interface PredictedRun {
  readonly published: PublishedRun;
  readonly prediction: Prediction;
  readonly iterationsPerSecond: number;
  /** Predicted iterations, and the measured rest of the time on each machine. */
  readonly billableSeconds: number;
}

/** The average time of the published runs outside their iterations. */
const restSeconds: number =
  publishedBertRuns.reduce((sum, run) => sum + run.billableSeconds - iterations / run.iterationsPerSecond, 0) /
  publishedBertRuns.length;

export function predictedArticleRuns(constants: EngineConstants = engineConstants): readonly PredictedRun[] {
  return publishedBertRuns.map(published => {
    const machine = machineOf(published.machine);
    const workload: Workload = {
      model: modelOf('bert-base-classifier'),
      run: { kind: 'training', sequence: 128, optimizer: 'adamw' },
      precision: machine.device.kind === 'neuron-core' ? 'bf16' : 'f32',
      attention: 'unfused',
    };
    const layout: Layout = {
      data: machine.devices,
      tensor: 1,
      pipeline: 1,
      interleave: 1,
      expert: 1,
      sequenceParallel: false,
      zero1: false,
      microBatch: batch / machine.devices,
      microBatches: 1,
      recompute: 'none',
    };
    // The article is of 2022.
    const prediction = predict({
      workload,
      machine,
      nodes: 1,
      layout,
      constants: constantsOfRelease('2.4', constants),
    });
    const iterationsPerSecond = 1 / prediction.stepSeconds;
    return {
      published,
      prediction,
      iterationsPerSecond,
      billableSeconds: iterations / iterationsPerSecond + restSeconds,
    };
  });
}
