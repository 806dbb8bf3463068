// For tests: a command that takes longer than two seconds, as on a busy machine, shows its progress on standard error.

/** The text without lines of progress: `checking: 0/1 files  2.0 s  a.mlir`. */
export const withoutProgress = (text: string): string => text.replaceAll(/^[a-z ]+: \d+\/\d+ [a-z]+ {2}.*\n/gm, '');
