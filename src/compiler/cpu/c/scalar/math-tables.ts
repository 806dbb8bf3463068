// Functions that look up their polynomial (ir/math/segments.ts) as C. A permutation of the lanes of a vector looks
// up sixteen elements at once. Scalar C cannot express this, so these functions take and return sixteen elements in arrays that
// the C compiler keeps in registers (c/kernels/block-loop.ts makes such blocks). If vectors are shorter, each element is
// computed by the function without a table: a kernel uses only one of these forms, which have the same bits; reductions with
// arbitrary regions, and programs of unknown sizes, use the form for one element.
//
//   loop: inputs of the look-ups  │  a permutation for each look-up  │  loop: their uses
import { elementAt } from '../../../../base/element-at.ts';
import { invariant } from '../../../../base/errors.ts';
import type { ElementType } from '../../../../hlo/types.ts';
import { type BlockFunction, blockFunctionOf, blockFunctions } from '../../../ir/math/index.ts';
import type { MathOperation, MathValue } from '../../../ir/math/math-function.ts';
import type { ScalarOp } from '../../../ir/scalar-op.ts';
import { blockElements } from '../../target/registers.ts';
import { registerType, valueText } from './c-types.ts';
import { bodyOf, MathText } from './math-text.ts';
import { inlinePiece, type PreludePiece } from './prelude-piece.ts';

const tableOf = (v: MathValue): readonly number[] | undefined =>
  v.kind === 'operation' && 'table' in v.op ? v.op.table : undefined;
const isLookUp = (v: MathValue): boolean => tableOf(v) !== undefined;

/** `t_NAME_16(x, r)` and the same of one element, `t_NAME_one_f32`, of equal bits. */
function piecesOf({ plain, table }: BlockFunction): PreludePiece[] {
  const { name } = plain;
  const tableName = `t_${name}_table`;
  const { operations } = table;
  const lookUps = operations.filter(isLookUp);
  const tables = lookUps.map(o => tableOf(o) ?? []);
  const segments = elementAt(tables, 0).length;
  const row = (o: MathOperation): string => `${tableName}[${lookUps.indexOf(o)}]`;
  return [
    {
      name: tableName,
      text: `#ifdef __AVX512F__
_Alignas(64) static const float ${tableName}[${tables.length}][${segments}] = {
${tables.map(t => `  {${t.map(c => valueText('f32', c)).join(', ')}},`).join('\n')}
};
#endif`,
    },
    inlinePiece(
      `t_${name}_one_f32`,
      `float t_${name}_one_f32(float x) {
#ifdef __AVX512F__
${bodyOf(table, o => (isLookUp(o) ? row(o) : undefined))}
#else
  return t_${name}_f32(x);
#endif
}`,
    ),
    inlinePiece(`t_${name}_16`, blockText(table, name, row, lookUps, segments)),
  ];
}

function blockText(
  table: BlockFunction['table'],
  name: string,
  row: (o: MathOperation) => string,
  lookUps: readonly MathOperation[],
  segments: number,
): string {
  const { operations } = table;
  const before = new Set<MathValue>();
  const need = (v: MathValue): void => {
    if (v.kind !== 'operation' || before.has(v)) return;
    invariant(!isLookUp(v), `${table.name}: a look-up that depends on another`);
    v.args.forEach(need);
    before.add(v);
  };
  for (const o of lookUps) o.args.forEach(need);
  // and other values that can be computed from the same inputs
  for (const o of operations.filter(o => !isLookUp(o))) {
    const operands = o.args.filter(a => a.kind === 'operation');
    if (operands.some(a => before.has(a)) && operands.every(a => before.has(a))) before.add(o);
  }
  const after = operations.filter(o => !before.has(o) && !isLookUp(o));
  const kept = operations.filter(
    o => before.has(o) && (lookUps.some(l => l.args.includes(o)) || after.some(a => a.args.includes(o))),
  );
  const array = (o: MathOperation): string => `${o.name}_16`;
  const arrays = [...kept, ...lookUps].map(o => `${registerType(o.type)} ${array(o)}[${blockElements}]`);
  const first = new MathText(table);
  const overrides = new Map<MathValue, string>(lookUps.map(o => [o, `${array(o)}[lane]`]));
  for (const o of kept) overrides.set(o, `${array(o)}[lane]`);
  const second = new MathText(table, overrides);
  const result = operations.at(-1)!;
  return `void t_${name}_16(const float *restrict values, float *restrict results) {
#ifdef __AVX512F__
${arrays.map(a => `  _Alignas(64) ${a};`).join('\n')}
#pragma omp simd
  for (int lane = 0; lane < ${blockElements}; lane++) {
    const float x = values[lane];
${first.declarations(
  operations.filter(o => before.has(o)),
  '    ',
)}
${kept.map(o => `    ${array(o)}[lane] = ${first.name(o)};`).join('\n')}
  }
${lookUps.map(o => `  t_look_up_${segments}(${row(o)}, ${array(o.args[0] as MathOperation)}, ${array(o)});`).join('\n')}
#pragma omp simd
  for (int lane = 0; lane < ${blockElements}; lane++) {
    const float x = values[lane];
${second.declarations(after.slice(0, -1), '    ')}
    results[lane] = ${second.expression(result)};
  }
#else
#pragma omp simd
  for (int lane = 0; lane < ${blockElements}; lane++) results[lane] = t_${name}_f32(values[lane]);
#endif
}`;
}

/** The lowest bits of each of sixteen integers select an entry of a table. */
const lookUps: readonly PreludePiece[] = [
  {
    name: 't_look_up_16',
    text: `#ifdef __AVX512F__
static inline __attribute__((always_inline)) void t_look_up_16(const float *table, const uint32_t *at, float *results) {
  typedef float t_vector __attribute__((vector_size(64), may_alias));
  const t_vector entries = *(const t_vector *)table, index = *(const t_vector *)at;
  t_vector found;
  __asm__("vpermps %1, %2, %0" : "=v"(found) : "v"(entries), "v"(index));
  *(t_vector *)results = found;
}
#endif`,
  },
  {
    name: 't_look_up_32',
    text: `#ifdef __AVX512F__
static inline __attribute__((always_inline)) void t_look_up_32(const float *table, const uint32_t *at, float *results) {
  typedef float t_vector __attribute__((vector_size(64), may_alias));
  const t_vector low = *(const t_vector *)table, high = *(const t_vector *)(table + 16);
  t_vector found = *(const t_vector *)at;
  __asm__("vpermi2ps %2, %1, %0" : "+v"(found) : "v"(low), "v"(high));
  *(t_vector *)results = found;
}
#endif`,
  },
];

export const mathTables: readonly PreludePiece[] = [...lookUps, ...blockFunctions.flatMap(piecesOf)];

/** The functions of this file for a scalar op, for one element and for a block; undefined if there are none. */
export function lookUpOf(
  op: ScalarOp,
  type: ElementType,
): { readonly one: string; readonly block: string } | undefined {
  const name = blockFunctionOf(op, type)?.plain.name;
  return name === undefined ? undefined : { one: `t_${name}_one_f32`, block: `t_${name}_16` };
}
