// Imported first by the library for its side effect: throws if Node is too old. See node-version.ts.
import { nodeProblem } from './node-version.ts';

// The stack would only show lines of this package.
if (nodeProblem !== undefined) throw Object.assign(new Error(nodeProblem), { stack: `Error: ${nodeProblem}` });
