// The program language: what other folders use of it.
export * from './attributes.ts';
export * from './builder.ts';
export { isBytecode, readBytecode } from './bytecode/read.ts';
export * from './cost.ts';
export * from './func-key.ts';
export * from './interpreter.ts';
export * from './literal.ts';
export * from './op-row.ts';
export * from './op-table.ts';
export { applyBinary, applyUnary } from './ops/apply.ts';
export { convertLiteral } from './ops/convert.ts';
export { bitWidth } from './ops/element-data.ts';
export * from './program.ts';
export * from './text/parser.ts';
export * from './text/printer.ts';
export * from './types.ts';
export * from './verifier.ts';
export * from './walk.ts';
