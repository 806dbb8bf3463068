// Is this Node too old? To be asked before anything else is imported: otherwise the answer is a syntax error somewhere in the
// package. This file imports nothing and uses nothing that an old Node lacks.

const oldest = 24;

/** What to tell the user, where Node is too old. */
export const nodeProblem: string | undefined =
  Number.parseInt(process.versions.node, 10) < oldest
    ? `Trenio needs Node.js ${oldest} or newer, and this is Node.js ${process.versions.node}. Install it from https://nodejs.org, or in your project with: npm install node@${oldest}`
    : undefined;
