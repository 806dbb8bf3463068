// Scaling of variants as Application Auto Scaling configures it: a registered target with its limits, policies that keep a
// metric per instance at a value, and the changes that were made.
import type { TableRow } from './resource-table.ts';

/** A variant whose number of instances may be changed. Its name is its resource id. */
export interface ScalableTarget extends TableRow {
  readonly endpoint: string;
  readonly variant: string;
  readonly min: number;
  readonly max: number;
  readonly suspended: { readonly in: boolean; readonly out: boolean; readonly scheduled: boolean };
}

/** The load that a policy divides among instances: invocations per minute, or requests at a time. */
export type ScalingMetric = 'invocations' | 'concurrency';

/** A target tracking policy. Its name is `policyKey`. */
export interface ScalingPolicy extends TableRow {
  readonly target: string;
  readonly policyName: string;
  readonly id: string;
  readonly metric: ScalingMetric;
  /** The load of one instance. */
  readonly value: number;
  /** Fewer instances only after they were not needed for this long. */
  readonly scaleInAfterMs: number;
  readonly canScaleIn: boolean;
  /** The configuration as it came. */
  readonly configuration: Readonly<Record<string, unknown>>;
}

/** A change of a variant's number of instances. Its name is its id. */
export interface ScalingActivity extends TableRow {
  readonly target: string;
  readonly description: string;
  readonly cause: string;
}
