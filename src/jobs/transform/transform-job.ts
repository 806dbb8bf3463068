// A batch transform job as it is stored: the request and its state.
import type { OneAttemptJob } from '../one-attempt.ts';
import type { Container, Folder } from '../store/resources.ts';

export interface TransformSpec {
  readonly modelName: string;
  readonly container: Container;
  readonly input: {
    readonly bucket: string;
    /** The prefix of the keys; the output has the same path after its last folder. */
    readonly prefix: string;
    readonly contentType: string | undefined;
    readonly gzip: boolean;
    /** `line`: a record is a line; `none`: a record is an object. */
    readonly split: 'line' | 'none';
  };
  readonly output: Folder & { readonly accept: string | undefined; readonly withLines: boolean };
  /** Whether a request contains as many records as fit. */
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
