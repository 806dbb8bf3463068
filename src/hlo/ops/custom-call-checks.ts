// Constraints of custom_call: the types of the calls that are known here; and attributes that are kept as MLIR text,
// layouts of operands and results, and aliases that put a result into the memory of an operand.
import type { OpOf } from '../program.ts';
import { formatType, sameType, type Type } from '../types.ts';
import { verifyFactorization } from './factorizations/factorization.ts';
import { verifyPagedAttention } from './paged-attention.ts';
import { verifyRandomBits } from './random-bits-call.ts';
import { type Checker, checkerOf, list } from './shape-checks.ts';

const require: Checker = checkerOf('custom_call');

export function verifyCustomCall(op: OpOf<'custom_call'>): void {
  verifyFactorization(op);
  verifyRandomBits(op);
  verifyPagedAttention(op);
  const { more } = op.attributes;
  if (more === undefined) return;
  const [operands, results] = [op.operands, op.results].map(values => values.map(v => v.type)) as [Type[], Type[]];
  const whole: Type = results.length === 1 ? results[0]! : { kind: 'tuple', elements: results };
  const [ofOperands, ofResults] = [more.operand_layouts, more.result_layouts];
  require((ofOperands === undefined) === (ofResults === undefined), 'layouts', () =>
    'layouts must be given for both operands and results, or for neither');
  if (ofOperands !== undefined) checkLayouts('operand', operands, ofOperands);
  if (ofResults !== undefined) checkLayouts('result', whole.kind === 'tuple' ? whole.elements : results, ofResults);
  if (more.output_operand_aliases !== undefined) checkAliases(operands, whole, more.output_operand_aliases);
}

/** A layout is the order of a tensor's dims; other values have an empty layout. */
function checkLayouts(what: string, types: readonly Type[], text: string): void {
  const layouts = [...text.matchAll(/dense<([^>]*)>\s*:\s*tensor<(\d+)xindex>/g)].map(([, values, count]) => {
    const given = numbersOf(values!);
    return given.length === 1 ? new Array<number>(Number(count)).fill(given[0]!) : given;
  });
  require(layouts.length === types.length, 'layouts', () => `${types.length} ${what}s have ${layouts.length} layouts`);
  types.forEach((type, i) => {
    const layout = layouts[i]!;
    const rank = type.kind === 'tensor' ? type.shape.length : 0;
    require(type.kind !== 'tuple' &&
      layout.toSorted((a, b) => a - b).every((d, at) => d === at) &&
      layout.length === rank, 'layouts', () =>
      `${what} ${i}, ${formatType(type)}, cannot have the layout ${list(layout)}`);
  });
}

function checkAliases(operands: readonly Type[], whole: Type, text: string): void {
  const alias =
    /output_tuple_indices\s*=\s*\[([^\]]*)\]\s*,\s*operand_index\s*=\s*(-?\d+)\s*,\s*operand_tuple_indices\s*=\s*\[([^\]]*)\]/g;
  for (const [, output, index, within] of text.matchAll(alias)) {
    const operand = operands[Number(index)];
    require(operand !== undefined, 'aliases', () => `there is no operand ${index} to be aliased`);
    const [from, to] = [partOf(operand, numbersOf(within!)), partOf(whole, numbersOf(output!))];
    require(from !== undefined && to !== undefined, 'aliases', () =>
      `there is no ${from === undefined ? `part [${within}] of operand ${index}` : `part [${output}] of the results`}`);
    require(sameType(from, to), 'aliases', () => `${formatType(to)} is aliased to ${formatType(from)}`);
  }
}
function partOf(type: Type, indices: readonly number[]): Type | undefined {
  let part: Type | undefined = type;
  for (const index of indices) part = part?.kind === 'tuple' ? part.elements[index] : undefined;
  return part;
}
const numbersOf = (text: string): number[] => (text.match(/-?\d+/g) ?? []).map(Number);
