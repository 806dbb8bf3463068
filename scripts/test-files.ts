// What is there for tests alone, by its name: tests, their helpers, their snapshots and the scripts that they start. None of it is
// published, and nothing that is published imports it.

/** A path with `/` between its parts. */
export const isForTests = (path: string): boolean =>
  /\.(test|testing)\.[\w.]+$/.test(path) || /(^|\/)(fixtures|__snapshots__)(\/|$)/.test(path);
