// A processing job as it is stored: the request and its state.
import type { OneAttemptJob } from '../one-attempt.ts';
import type { Folder } from '../store/resources.ts';

/** The folder of the inputs and outputs in a processing container; LocalPaths are below it. */
export const PROCESSING_ROOT = '/opt/ml/processing';

export interface ProcessingInput {
  readonly name: string;
  readonly bucket: string;
  /** A prefix of keys, or the key of a manifest. */
  readonly key: string;
  readonly isManifest: boolean;
  /** Below /opt/ml/processing. */
  readonly path: string;
  /** Each host gets all objects, or its share of them. */
  readonly distribution: 'FullyReplicated' | 'ShardedByS3Key';
  readonly gzip: boolean;
}

export interface ProcessingOutput extends Folder {
  readonly name: string;
  /** Below /opt/ml/processing. */
  readonly path: string;
  /** Files are uploaded while the job runs; otherwise when it has succeeded or was stopped. */
  readonly isContinuous: boolean;
}

export interface ProcessingSpec {
  readonly image: string;
  readonly entrypoint: readonly string[] | undefined;
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly inputs: readonly ProcessingInput[];
  readonly outputs: readonly ProcessingOutput[];
  readonly instanceType: string;
  readonly instanceCount: number;
  /** The disk of each host. */
  readonly volumeGb: number;
  readonly maxRuntimeSeconds: number;
  readonly hasNetwork: boolean;
}

export interface ProcessingJob extends OneAttemptJob {
  readonly spec: ProcessingSpec;
  /** The text that its programs wrote to /opt/ml/output/message. */
  readonly exitMessage: string | undefined;
}
