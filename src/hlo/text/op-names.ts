// The names of ops in MLIR text, with the dialect, and in programs.
import type { OpName } from '../attributes.ts';
import { opTexts } from './op-texts.ts';

/** Names that are spelled differently in MLIR text. */
const otherNames: Readonly<Record<string, OpName>> = {
  call: 'func.call',
  'arith.constant': 'constant',
  'sdy.constant': 'constant',
};
/** Dialects whose ops are all known. */
const closed = new Set(['stablehlo', 'chlo', 'check', 'interpreter', 'func', 'builtin']);
const returns = new Set(['return', 'func.return', 'stablehlo.return', 'chlo.return', 'sdy.return']);

export const isTerminator = (name: string): boolean => returns.has(name);

const known: ReadonlyMap<string, OpName> = new Map([
  ...(Object.keys(opTexts) as OpName[])
    .filter(name => name !== 'unregistered')
    .map(name => [textOfName(name), name] as const),
  ...Object.entries(otherNames),
]);

/** The op that text calls `name`; 'unregistered' for ops of other dialects, undefined for an unknown op of a known dialect. */
export function nameOfOp(name: string): OpName | undefined {
  return known.get(name) ?? (closed.has(name.slice(0, Math.max(0, name.indexOf('.')))) ? undefined : 'unregistered');
}
/** The name of an op in MLIR text. */
export function textOfName(name: OpName): string {
  return name.includes('.') ? name : `stablehlo.${name}`;
}
