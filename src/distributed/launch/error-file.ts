// The error file of a rank, as torch writes it (torch.distributed.elastic.multiprocessing.errors): JSON at
// TORCHELASTIC_ERROR_FILE, so that schedulers and tools that know torchrun find the first error of a run.
//
//     { "message": { "message": "Error: …", "extraInfo": { "py_callstack": "…", "timestamp": "1732310400" } } }
import { dirname } from 'node:path';
import { isTrenioError } from '../../base/errors.ts';
import { makeOutputFolder, writeOutputFile } from '../../base/output-files.ts';

/** @param seconds since 1970 */
export function errorFileText(message: string, stack: string, seconds: number): string {
  const extraInfo = { py_callstack: stack, timestamp: `${Math.floor(seconds)}` };
  return `${JSON.stringify({ message: { message, extraInfo } })}\n`;
}

/** From now on, an uncaught error of this process is written to the file, too. */
export function keepUncaughtErrors(file: string): void {
  process.on('uncaughtExceptionMonitor', error => {
    const message = `${error.name}: ${error.message}`;
    writeErrorFile(file, errorFileText(message, error.stack ?? message, Date.now() / 1000));
  });
}

/** False if it cannot be written: the error itself must not be hidden by that. */
export function writeErrorFile(file: string, text: string): boolean {
  try {
    makeOutputFolder(dirname(file));
    writeOutputFile(file, text);
    return true;
  } catch (error) {
    if (!isTrenioError(error)) throw error;
    return false;
  }
}
