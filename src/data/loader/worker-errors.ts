// Errors passed from a loader worker to the loop: with the item, the worker and the line in the user's code.
import { fileURLToPath } from 'node:url';
import type { ErrorCode } from '../../base/error-catalog.ts';
import { isTrenioError, type SourceLocation, TrenioError } from '../../base/errors.ts';
import { userFrames } from '../../base/uncaught.ts';

/** An error as it is posted. */
export interface SentError {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  /** The code and data of a Trenio error, to create it again. */
  readonly ours:
    | { readonly code: ErrorCode; readonly data: never; readonly location: SourceLocation | undefined }
    | undefined;
  /** The item of the dataset, if any. */
  readonly item: number | undefined;
}

export function encodeError(error: unknown, item: number | undefined): SentError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), stack: '', ours: undefined, item };
  const { name, message, stack = '' } = error;
  const ours = isTrenioError(error)
    ? { code: error.code, data: error.data as never, location: error.location }
    : undefined;
  return { name, message, stack, ours, item };
}

/** The error to throw in the loop. Trenio's errors keep their code; others become the cause of DATASET_FAILED. */
export function decodeError(sent: SentError, worker: number): Error {
  const where = `${sent.item === undefined ? '' : `item ${sent.item}, `}loader worker ${worker}`;
  if (sent.ours !== undefined) {
    const { code, data, location } = sent.ours;
    const error = new TrenioError(code, data, { location });
    error.message = error.message.replace('\n  fix: ', `\n  in ${where}\n  fix: `);
    error.stack = sent.stack.replace(sent.message, error.message);
    return error;
  }
  const cause = new Error(sent.message);
  cause.name = sent.name;
  cause.stack = sent.stack;
  const location = firstUserLine(sent.stack);
  const reason = /^Cannot (read|write) private member|^Receiver must be (an instance of )?class/.test(sent.message)
    ? `${sent.message}: private fields are not copied to workers`
    : sent.message;
  return new TrenioError('DATASET_FAILED', { where, name: sent.name, reason }, { location, cause });
}

function firstUserLine(stack: string): SourceLocation | undefined {
  const [frame] = userFrames(stack);
  const found = /(?<file>(?:file:\/\/)?\/[^()]+):(?<line>\d+):(?<column>\d+)/.exec(frame ?? '');
  const { file, line, column } = found?.groups ?? {};
  if (file === undefined) return undefined;
  return { file: file.startsWith('file:') ? fileURLToPath(file) : file, line: Number(line), column: Number(column) };
}
