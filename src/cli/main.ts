// The file that `bin/trenio` starts. Older versions of Node cannot load the other modules, so the version is checked first.
import { keepSaveRequests } from '../base/interrupted.ts';
import { nodeProblem } from '../base/node-version.ts';

// Before the other modules are loaded, because a SIGUSR1 for the ranks may arrive at any time.
if (process.argv.includes('run')) keepSaveRequests();
if (nodeProblem === undefined) await import('./command-process.ts');
else {
  process.stderr.write(`trenio: ${nodeProblem}\n`);
  process.exitCode = 1;
}
