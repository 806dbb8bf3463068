// The namespace linalg: the rows of the table, and replacements for missing functions.
export * from './generated/absent-linalg.ts';
export * from './generated/linalg.ts';
