// The file that `bin/trenio` starts. An older Node fails while it links the rest, so the version is checked first.
import { keepSaveRequests } from '../base/interrupted.ts';
import { nodeProblem } from '../base/node-version.ts';

// Before the rest is loaded: a SIGUSR1 for the ranks may come at any time.
if (process.argv.includes('run')) keepSaveRequests();
if (nodeProblem === undefined) await import('./command-process.ts');
else {
  process.stderr.write(`trenio: ${nodeProblem}\n`);
  process.exitCode = 1;
}
