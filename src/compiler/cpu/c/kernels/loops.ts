// The C around a kernel's elements: its pointers, the indices of its loops, the clauses of its reductions.
import { invariant } from '../../../../base/errors.ts';
import type { Loop } from '../../../ir/index-expr.ts';
import { sizeOf } from '../../../ir/nest.ts';
import type { Reduction } from '../../../ir/node.ts';
import type { KernelOperand } from '../../../ir/operands.ts';
import { memoryType } from '../scalar/c-types.ts';
import { type Combiner, combinerOf } from '../scalar/combiners.ts';
import type { Writer } from '../writer.ts';
import { loopName } from './node-text.ts';
import { sizeText } from './size-text.ts';

/** Declares the operands' pointers at the head of a function that has `char *const *p`. */
export function declareOperands(out: Writer, operands: readonly KernelOperand[]): void {
  operands.forEach(({ value, access }, i) => {
    invariant(value.type.kind === 'tensor', 'an operand that is not a tensor');
    const c = memoryType(value.type.elementType);
    out.line(
      access === 'read' ? `const ${c} *const p${i} = (const ${c} *)p[${i}];` : `${c} *const p${i} = (${c} *)p[${i}];`,
    );
  });
}
/** i0, i1 … from a flat position over some loops. */
export function decodeLoops(out: Writer, loops: readonly Loop[], position: string): void {
  const real = loops.filter(l => l.size !== 1);
  real.forEach((loop, d) => {
    const below = sizeOf(real.slice(d + 1));
    const text = below === 1 ? position : `${position} / ${sizeText(below)}`;
    out.line(
      `const int64_t ${loopName(loop)} = ${d === 0 ? text : `${below === 1 ? text : `(${text})`} % ${sizeText(loop.size)}`};`,
    );
  });
}

/** Simple reductions: those with a single binary op. */
export function simpleCombiner(r: Reduction): Combiner | undefined {
  return r.accumulator && combinerOf(r.accumulator);
}

/** `reduction(+:a0_0, a1_0)` for each combining op. */
export function clausesOf(
  reductions: readonly Reduction[],
  combiners: ReadonlyMap<Reduction, Combiner | undefined>,
): string {
  const groups = new Map<string, string[]>();
  for (const r of reductions) {
    const { clause } = combiners.get(r)!;
    const names = groups.get(clause);
    if (names) names.push(`a${r.id}_0`);
    else groups.set(clause, [`a${r.id}_0`]);
  }
  return [...groups].map(([clause, names]) => ` reduction(${clause}:${names.join(', ')})`).join('');
}
