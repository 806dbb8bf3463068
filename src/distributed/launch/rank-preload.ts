// Imported by every rank before its script (node --import): ties the rank's life to its launcher's, and lets it die of our
// errors with their text alone.
import { isMainThread } from 'node:worker_threads';
import { forgetVariable, readVariable } from '../../base/environment.ts';
import { tellUncaughtErrors } from '../../base/uncaught.ts';
import { dieWithParent } from './die-with-parent.ts';

tellUncaughtErrors();
if (isMainThread) {
  const launcher = readVariable('TRENIO_LAUNCHER_PID');
  // What the script forks inherits --import and the environment; it is tied to the rank, not to the launcher.
  forgetVariable('TRENIO_LAUNCHER_PID');
  if (launcher !== undefined) dieWithParent(launcher);
}
