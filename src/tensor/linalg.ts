// The namespace linalg: the rows of the table, and what to use instead of what is missing.
export * from './generated/absent-linalg.ts';
export * from './generated/linalg.ts';
