// The simulator's prediction for a job on its instance type: the training step that was recorded here, on each of the devices of
// those instances, for the number of samples trained here.
import { isTrenioError } from '../../base/errors.ts';
import { costOf } from '../../base/money.ts';
import { machineOf } from '../../hardware/machine-of.ts';
import { priceOf } from '../../hardware/price-of.ts';
import { chooseLayout } from '../../simulator/plan/index.ts';
import { predict } from '../../simulator/predict.ts';
import type { JobPrediction } from './job-estimates.ts';
import { layoutOfJob } from './job-layout.ts';
import type { StepRecord } from './job-measurement.ts';
import { workOf } from './recorded-step.ts';
import type { TrainingJob } from './training-job.ts';

/** @param ranks processes that trained here, each with the recorded batch */
export function predictJob(job: TrainingJob, record: StepRecord, ranks: number): JobPrediction {
  const { instanceType, instanceCount } = job.spec;
  if (record.program === undefined) return { kind: 'none', reason: 'The training step was not recorded.' };
  try {
    const layout = layoutOfJob(job.spec.hyperparameters);
    const model = workOf({ ...record, program: record.program }, job.name, ranks, layout);
    const machine = machineOf(instanceType);
    const workload = {
      model,
      // A program contains its own optimizer and attention; these values have no effect.
      run: { kind: 'training', sequence: 1, optimizer: 'adamw' },
      precision: 'f32',
      attention: 'unfused',
    } as const;
    const { prediction } = chooseLayout(
      { workload, machine, nodes: instanceCount, space: { microBatches: 1 } },
      predict,
    );
    const here = model.samplesPerStep * (model.division?.copies ?? ranks);
    const samples = record.steps * here;
    const steps = Math.ceil(samples / prediction.samplesPerStep);
    const seconds = steps * prediction.stepSeconds;
    const price = priceOf(instanceType)?.value;
    return {
      kind: 'predicted',
      stepSeconds: prediction.stepSeconds,
      samplesPerSecond: prediction.samplesPerSecond,
      seconds,
      usd: price && costOf(price, seconds * instanceCount * job.priceShare),
      fits: prediction.memory.fits,
      assumptions: [
        `${record.steps} steps of ${model.samplesPerStep} samples on ${ranks} ${ranks === 1 ? 'process' : 'processes'} here are ${steps} steps of ${prediction.samplesPerStep} samples on ${instanceCount} × ${instanceType}.`,
        'Start-up, data loading and evaluation are not counted.',
        ...model.assumptions,
        ...prediction.assumptions,
      ],
    };
  } catch (error) {
    // A program that cannot be read, an instance type that the catalog does not have, a layout that does not exist.
    if (!isTrenioError(error)) throw error;
    return { kind: 'none', reason: error.message.split('\n')[0]! };
  }
}
