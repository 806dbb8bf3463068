// A batch transform job as it is stored: what was asked for, and what became of it.
//
//   InProgress ──► Completed │ Failed      a client asks: Stopping ──► Stopped
import type { ProcessIdentity } from '../../base/process-identity.ts';
import type { Container, Folder, Resource } from '../serving/resources.ts';

export const transformStatuses = ['InProgress', 'Completed', 'Failed', 'Stopping', 'Stopped'] as const;
export type TransformStatus = (typeof transformStatuses)[number];

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

export interface TransformJob extends Resource {
  readonly spec: TransformSpec;
  readonly status: TransformStatus;
  readonly startMs: number | undefined;
  readonly endMs: number | undefined;
  readonly failureReason: string | undefined;
  /** Who runs it, from the time at which it was started. */
  readonly runner: { readonly sinceMs: number; readonly process: ProcessIdentity | undefined } | undefined;
}
