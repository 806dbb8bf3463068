// The body of a loop or branch: recorded once, then moved into a region. Ops that do not depend on the iteration stay
// outside and are computed once.
import type { Builder } from '../../hlo/builder.ts';
import { inline } from '../../hlo/inline.ts';
import { literal } from '../../hlo/literal.ts';
import type { Op, Value } from '../../hlo/program.ts';
import { recordedOps } from '../func/example.ts';
import { operandsOf } from '../step/program.ts';
import type { Trace } from '../step/trace.ts';

export interface Body {
  /** The ops of each iteration, in order. */
  readonly ops: readonly Op[];
  /** The values that they use from outside, other than the placeholders. */
  readonly captured: readonly Value[];
  /** True for values that differ between iterations. */
  readonly varies: (value: Value) => boolean;
}

/** The ops recorded since `start` that depend on the placeholders or sample random numbers. */
export function loopBody(trace: Trace, start: number, results: readonly Value[], placeholders: readonly Value[]): Body {
  const varying = new Set<Value>(placeholders);
  const ops: Op[] = [];
  for (const op of recordedOps(trace, start, results, value => varying.has(value), true)) {
    if (op.name !== 'rng_bit_generator' && !operandsOf(op).some(value => varying.has(value))) continue;
    ops.push(op);
    for (const value of op.results) varying.add(value);
  }
  return bodyOf(trace, ops, results, varying);
}

/** All ops recorded since `start`, back to the values at which it ends. */
export function branchBody(
  trace: Trace,
  start: number,
  results: readonly Value[],
  isEnd: (value: Value) => boolean,
): Body {
  const ops = recordedOps(trace, start, results, isEnd, true);
  return bodyOf(trace, ops, results, new Set(ops.flatMap(op => op.results)));
}

function bodyOf(trace: Trace, ops: readonly Op[], results: readonly Value[], varying: ReadonlySet<Value>): Body {
  const captured = new Set<Value>();
  const see = (value: Value): void => {
    if (!varying.has(value)) captured.add(value);
  };
  for (const op of ops) {
    for (const value of operandsOf(op)) see(value);
    for (const value of op.results) for (const input of trace.nodes.get(value)?.inputs ?? []) see(input);
  }
  results.forEach(see);
  return { ops, captured: [...captured], varies: value => varying.has(value) };
}

/** An odd number: its multiples are distinct keys for the iterations. */
const keyStep = 0x9e3779b97f4a7c15n;

/** Copies the ops of an iteration; random numbers differ at each position. */
export function inlineTurn(inner: Builder, { ops }: Body, map: Map<Value, Value>, position?: Value): void {
  for (const op of ops) {
    if (op.name === 'rng_bit_generator' && position !== undefined) {
      const state = map.get(op.operands[0]) ?? op.operands[0];
      const turn = inner.broadcastInDim(inner.convert(position, 'ui64'), [], [2]);
      const shift = inner.multiply(turn, inner.constant(literal('ui64', [2], [keyStep, 0n])));
      const results = inner.emit('rng_bit_generator', [inner.add(state, shift)], op.attributes);
      op.results.forEach((result, i) => {
        map.set(result, results[i]!);
      });
    } else inline(inner, [op], map);
  }
}
