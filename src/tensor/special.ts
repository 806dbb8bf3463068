// The namespace special: the rows of the table, and the names that are in contrib/.
export * from './generated/absent-special.ts';
export * from './generated/special.ts';
