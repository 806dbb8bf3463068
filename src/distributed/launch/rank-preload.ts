// Imported by every rank before its script (node --import): ties the rank's life to its launcher's, writes the error file,
// and lets it die of our errors with their text alone.
import { isMainThread } from 'node:worker_threads';
import { forgetVariable, readVariable } from '../../base/environment.ts';
import { tellUncaughtErrors } from '../../base/uncaught.ts';
import { learnRankAddresses } from '../rendezvous/rank-addresses.ts';
import { dieWithParent, dieWithStoppedParent } from './die-with-parent.ts';
import { keepUncaughtErrors } from './error-file.ts';

if (isMainThread) {
  const launcher = readVariable('TRENIO_LAUNCHER_PID');
  // What the script forks inherits --import and the environment; it is tied to the rank, not to the launcher.
  forgetVariable('TRENIO_LAUNCHER_PID');
  if (launcher !== undefined) {
    dieWithParent(launcher);
    const timeoutMs = readVariable('TRENIO_LAUNCHER_TIMEOUT_MS');
    if (timeoutMs !== undefined) dieWithStoppedParent(launcher, timeoutMs);
    const errorFile = readVariable('TORCHELASTIC_ERROR_FILE');
    // Before the handler below, which ends the process.
    if (errorFile !== undefined) keepUncaughtErrors(errorFile);
  }
}
tellUncaughtErrors();
if (isMainThread) await learnRankAddresses();
