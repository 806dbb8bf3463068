// Scaling of variants, as configured by Application Auto Scaling: a registered target with its limits, policies that keep a
// metric per instance at a value, and the past changes.
import type { TableRow } from '../../jobs/store/resource-table.ts';

/** A variant that is scaled automatically. Its name is its resource id. */
export interface ScalableTarget extends TableRow {
  readonly endpoint: string;
  readonly variant: string;
  readonly min: number;
  readonly max: number;
  readonly suspended: { readonly in: boolean; readonly out: boolean; readonly scheduled: boolean };
}

/** The load that a policy divides among instances: invocations per minute, or concurrent requests. */
export type ScalingMetric = 'invocations' | 'concurrency';

/** A target tracking policy. Its name is `policyKey`. */
export interface ScalingPolicy extends TableRow {
  readonly target: string;
  readonly policyName: string;
  readonly id: string;
  readonly metric: ScalingMetric;
  /** The load of one instance. */
  readonly value: number;
  /** How long instances must be unnecessary before their number is reduced. */
  readonly scaleInAfterMs: number;
  readonly canScaleIn: boolean;
  /** The configuration from the request. */
  readonly configuration: Readonly<Record<string, unknown>>;
}

/** A change of a variant's number of instances. Its name is its id. */
export interface ScalingActivity extends TableRow {
  readonly target: string;
  readonly description: string;
  readonly cause: string;
}
