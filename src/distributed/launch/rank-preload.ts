// Imported by every rank before its script (node --import): ties the rank's life to its launcher's, answers the launcher's
// questions, writes the error file, and makes uncaught TrenioErrors print only their text.
import { isMainThread, Worker } from 'node:worker_threads';
import { forgetVariable, readVariable } from '../../base/environment.ts';
import { keepSaveRequests } from '../../base/interrupted.ts';
import { neighbor } from '../../base/neighbor.ts';
import { tellUncaughtErrors } from '../../base/uncaught.ts';
import { learnRankAddresses } from '../rendezvous/rank-addresses.ts';
import { dieWithParent } from './die-with-parent.ts';
import { keepUncaughtErrors } from './error-file.ts';
import { noteLastLine } from './last-line.ts';
import type { WatcherData } from './rank-watcher.ts';

if (isMainThread) {
  const launcher = readVariable('TRENIO_LAUNCHER_PID');
  // Processes that the script forks inherit --import and the environment; they are tied to the rank, not to the launcher.
  forgetVariable('TRENIO_LAUNCHER_PID');
  if (launcher !== undefined) {
    keepSaveRequests();
    dieWithParent(launcher);
    const channel = readVariable('TRENIO_LAUNCHER_CHANNEL');
    forgetVariable('TRENIO_LAUNCHER_CHANNEL');
    const timeoutMs = readVariable('TRENIO_LAUNCHER_TIMEOUT_MS');
    const errorFile = readVariable('TORCHELASTIC_ERROR_FILE');
    if (channel !== undefined || timeoutMs !== undefined)
      watch({ launcher, channel, timeoutMs, errorFile, lastLine: noteLastLine() });
    // Before the handler below, which ends the process.
    if (errorFile !== undefined) keepUncaughtErrors(errorFile);
  }
}
tellUncaughtErrors();

function watch(workerData: WatcherData): void {
  // Next to this file, with the same extension: TypeScript in a checkout, JavaScript in the published package.
  const file = neighbor(import.meta.url, './rank-watcher.ts');
  new Worker(file, { execArgv: [], stdin: false, workerData }).unref();
}

if (isMainThread) await learnRankAddresses();
