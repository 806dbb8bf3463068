// Checks the version of Node. Must be called before anything else is imported: otherwise an old Node reports a syntax error in
// the package. This file imports nothing and uses only features of old Node versions.

const oldest = 24;

/** The message to the user if Node is too old. */
export const nodeProblem: string | undefined =
  Number.parseInt(process.versions.node, 10) < oldest
    ? `Trenio needs Node.js ${oldest} or newer, and this is Node.js ${process.versions.node}. Install it from https://nodejs.org, or in your project with: npm install node@${oldest}`
    : undefined;
