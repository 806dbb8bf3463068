// A batch transform job as it is stored: the request and its state.
import type { OneAttemptJob } from '../runner-scheduler.ts';
import type { Container, Folder } from '../serving/resources.ts';

export interface TransformSpec {
  readonly modelName: string;
  readonly container: Container;
  readonly input: {
    readonly bucket: string;
    /** The prefix of the keys; the path after its last folder is also that of the output. */
    readonly prefix: string;
    readonly contentType: string | undefined;
    readonly gzip: boolean;
    /** `line`: a record is a line; `none`: an object. */
    readonly split: 'line' | 'none';
  };
  readonly output: Folder & { readonly accept: string | undefined; readonly withLines: boolean };
  /** As many records as fit into one request. */
  readonly isMultiRecord: boolean;
  /** The maximum size of a request; Infinity is stored as null. */
  readonly maxPayloadBytes: number | null;
  readonly maxConcurrent: number;
  readonly instanceType: string;
  readonly instanceCount: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly maxRetries: number;
}

export interface TransformJob extends OneAttemptJob {
  readonly spec: TransformSpec;
}
