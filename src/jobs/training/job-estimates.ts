// Estimates of a job's training steps: measured here, and predicted for its instance type.
import type { MicroUsd } from '../../base/money.ts';
import type { StepCommunication } from '../../runtime/profiling/step-meter.ts';

/** Training steps of all attempts of a job. */
export interface JobMeasurement {
  readonly steps: number;
  /** The median of the last attempt. */
  readonly stepSeconds: number;
  /** Undefined if ranks send nothing, or did not report it. */
  readonly communication?: StepCommunication | undefined;
}

export type JobPrediction =
  | {
      readonly kind: 'predicted';
      readonly stepSeconds: number;
      readonly samplesPerSecond: number;
      /** The duration of the training run, without start-up. */
      readonly seconds: number;
      /** Undefined if the catalog has no price. */
      readonly usd: MicroUsd | undefined;
      readonly fits: boolean;
      readonly assumptions: readonly string[];
    }
  | { readonly kind: 'none'; readonly reason: string };
