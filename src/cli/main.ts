// The file that `bin/trenio` starts. An older Node fails while it links the rest, so the version is checked first.
import { nodeProblem } from '../base/node-version.ts';

if (nodeProblem === undefined) await import('./command-process.ts');
else {
  process.stderr.write(`trenio: ${nodeProblem}\n`);
  process.exitCode = 1;
}
