// Checks the version of Node. Must be called before anything else is imported: otherwise an old Node reports a syntax error in
// the package. This file imports nothing and uses only features of old Node versions.

export const oldestNode = 24;

/** The message to a user whose Node is too old. */
export const tooOldText = (version: string): string =>
  `Trenio needs Node.js ${oldestNode} or newer, and this is Node.js ${version}. Install it from https://nodejs.org, or in your project with: npm install node@${oldestNode}`;

/** The message if the running Node is too old. */
export const nodeProblem: string | undefined =
  Number.parseInt(process.versions.node, 10) < oldestNode ? tooOldText(process.versions.node) : undefined;
