// Recognizes test-only files by name: tests, their helpers, their snapshots and the scripts that they start. None of them is
// published or imported by published files.

/** A path with `/` as the separator. */
export const isForTests = (path: string): boolean =>
  /\.(test|testing)\.[\w.]+$/.test(path) || /(^|\/)(fixtures|__snapshots__)(\/|$)/.test(path);
