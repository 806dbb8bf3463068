// The file that `bin/trenio` starts. Older versions of Node cannot load the other modules, so the version is checked first.
import { keepSaveRequests, keepStopRequests } from '../base/interrupted.ts';
import { nodeProblem } from '../base/node-version.ts';

// Before the other modules are loaded, because a SIGUSR1 for the ranks, or a SIGTERM by Slurm, may arrive at any time.
if (process.argv.includes('run')) {
  keepSaveRequests();
  keepStopRequests();
}
if (nodeProblem === undefined) await import('./command-process.ts');
else {
  process.stderr.write(`trenio: ${nodeProblem}\n`);
  process.exitCode = 1;
}
