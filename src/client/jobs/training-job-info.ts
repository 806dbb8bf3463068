// A training job, as clients see it.
import type { TrainingCost } from './training-cost.ts';

/** The states of a job, as clients wait for them. */
export type TrainingJobStatus = 'InProgress' | 'Completed' | 'Failed' | 'Stopping' | 'Stopped' | 'Deleting';

/** A training job, as the job server describes it. */
export interface TrainingJobInfo {
  /** The name of the job. */
  readonly name: string;
  /** The Amazon resource name: for tags. */
  readonly arn: string;
  /** The primary status, which clients wait for. */
  readonly status: TrainingJobStatus;
  /** The current activity: `Starting`, `Downloading`, `Training`, `Interrupted`, `Uploading` … */
  readonly secondaryStatus: string;
  /** Why it failed. */
  readonly failureReason: string | undefined;
  /** The type of its instances. */
  readonly instanceType: string;
  /** The number of its instances. */
  readonly instanceCount: number;
  /** The training image. */
  readonly image: string;
  /** Hyperparameters of the script, decoded; those of the SDK itself are left out. */
  readonly hyperparameters: Readonly<Record<string, unknown>>;
  /** The last value of each metric. */
  readonly metrics: Readonly<Record<string, number>>;
  /** The address of the trained model, `s3://…/model.tar.gz`. It exists when the job has ended. */
  readonly modelData: string;
  /** Whether it runs on spot instances. */
  readonly usesSpotInstances: boolean;
  /** When the job was created. */
  readonly createdAt: Date;
  /** When it got its instances. */
  readonly startedAt: Date | undefined;
  /** When it ended. */
  readonly endedAt: Date | undefined;
  /** Seconds from start to end, interruptions included. */
  readonly trainingSeconds: number | undefined;
  /** Seconds that are billed, for each instance. */
  readonly billableSeconds: number | undefined;
  /** The states that it went through. */
  readonly transitions: readonly {
    /** The name of the state. */
    readonly status: string;
    /** When it was entered. */
    readonly at: Date;
    /** A sentence about it. */
    readonly message: string;
  }[];
  /** Its cost. */
  readonly cost: TrainingCost;
}

export const isEnded = (status: TrainingJobStatus): boolean =>
  status === 'Completed' || status === 'Failed' || status === 'Stopped';
