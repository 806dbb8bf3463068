// Prints a RowDotPlan: few rows of A times the rows of Bᵀ, all contiguous along k. Vectors run along k, every
// element of C is one sum of a vector's lanes, and B is read once, in place. Hardware prefetchers follow several columns at a
// time only in part: each load prefetches the same element of a column further on.

import { sumTypeOf } from '../../gemm/problem.ts';
import type { RowDotPlan } from '../../ir/multiply-tiling.ts';
import { loadText, shareLoad, storeFunction, storeName } from './formats.ts';
import { type GemmParts, PartsBuilder } from './gemm-functions.ts';
import { scalarType, vectorType } from './gemm-types.ts';
import { emitEntry, emitProductLoop } from './multiply-entry.ts';
import { pairwiseSum } from './pairwise-sum.ts';

/**
 * Reading an element of B from memory takes as long as this many multiply-adds. Larger numbers give shorter tasks; in tasks of
 * less than 80 KiB of bf16 pairs, the prefetchers of Zen 4 start too often.
 */
const streamCost = { pairs: 3, other: 8 } as const;
/** Sums of a row of pairs, over columns or along k: enough to hide the latency of a multiply-add. */
const pairSums = 4;

export function emitDot(name: string, plan: RowDotPlan): GemmParts {
  const out = new PartsBuilder();
  const { problem: p, columns } = plan;
  const T = scalarType(p.elementType);
  shareConversions(out, plan);
  if (plan.pairs) for (const width of new Set([columns, 1])) out.share(rowName(width), () => emitRow(width));
  const rest = p.n % columns;
  const blocks = plan.pairs ? [] : [...(p.n >= columns ? [columns] : []), ...(rest > 0 ? [rest] : [])];
  for (const width of blocks) out.share(blockName(plan, width), () => emitBlock(plan, width));

  out.line(`static void ${name}_task(void *argument, int64_t task, int worker) {`);
  emitProductLoop(out, p, { rows: false }, () => {
    if (plan.packA) {
      out.line(`${T} *const packed_a = call->rt->scratch(call->rt, worker, ${plan.scratchBytes});`);
    }
  });
  if (plan.packA) {
    out.line(`for (int64_t i = 0; i < ${p.m}; i++) {`);
    out.line(`for (int64_t k = 0; k < ${p.k}; k++) packed_a[i * ${p.k} + k] = a[i * ${p.a.m} + k * ${p.a.k}];`);
    out.line('}');
  }
  const a = plan.packA ? `packed_a, ${p.k}` : `a, ${p.a.m}`;
  // Columns past the end belong to other tasks.
  const ahead = `j + ${plan.prefetchColumns} < column1 ? ${plan.prefetchColumns * p.b.n} : 0`;
  const b = `b + j * ${p.b.n}, ${p.b.n}, ${ahead}`;
  const call = (width: number): string =>
    plan.pairs
      ? `${rowName(width)}(${p.k}, ${plan.packA ? 'packed_a' : 'a'}, ${b}, c + j * ${p.c.n}, ${p.c.n});`
      : `${blockName(plan, width)}(${p.k}, ${a}, ${b}, c + j * ${p.c.n}, ${p.c.m}, ${p.c.n});`;
  out.line('int64_t j = column0;');
  if (p.n >= columns) out.line(`for (; j + ${columns} <= column1; j += ${columns}) ${call(columns)}`);
  if (rest > 0) out.line(plan.pairs ? `for (; j < column1; j++) ${call(1)}` : `if (j < column1) ${call(rest)}`);
  out.line('}', '}', '');
  emitEntry(
    out,
    name,
    p,
    `gemm_split(&call, BATCH, ${p.m}, ${p.n}, ${p.k * Math.ceil(streamCost[plan.pairs ? 'pairs' : 'other'] / p.m)}, ${p.m}, ${columns}, ${p.m}, ${p.n}, 0, 0);`,
  );
  return out.build();
}

const rowName = (columns: number): string => `gemm_bf16_row_${columns}`;

/** One row of A by adjacent columns: sums of vectors of pairs, then the rest of k. */
function emitRow(columns: number): string {
  const column = [...Array(columns).keys()];
  const chain = [...Array(Math.max(1, pairSums / columns)).keys()];
  const load = (pointer: string): string => `GEMM_LOAD(gemm_u32x16, ${pointer})`;
  const step = (u: number): readonly string[] => [
    `    const gemm_u32x16 x${u} = ${load(`a + k + ${32 * u}`)};`,
    ...column.map(
      j =>
        `    { const uint16_t *const at = b + ${j} * b_column + k + ${32 * u}; ${prefetch} const gemm_u32x16 y = ${load('at')}; GEMM_DOT_BF16(s${j}_${u}, x${u}, y); }`,
    ),
  ];
  const whole = 32 * chain.length;
  return [
    `GEMM_CONTRACTED static __attribute__((noinline)) void ${rowName(columns)}(int64_t depth, const uint16_t *restrict a,`,
    '    const uint16_t *restrict b, int64_t b_column, int64_t ahead, float *restrict c, int64_t c_column) { GEMM_CONTRACT',
    `  gemm_f32x16 ${column.flatMap(j => chain.map(u => `s${j}_${u} = {0}`)).join(', ')};`,
    '  int64_t k = 0;',
    `  for (; k + ${whole} <= depth; k += ${whole}) {`,
    ...chain.flatMap(step),
    '  }',
    ...(chain.length > 1 ? ['  for (; k + 32 <= depth; k += 32) {', ...step(0), '  }'] : []),
    `  gemm_f32x16 sums[${columns}] = {${column.map(j => sumOf(chain.map(u => `s${j}_${u}`))).join(', ')}};`,
    `  for (int64_t j = 0; j < ${columns}; j++) {`,
    ...pairwiseSum('sum', 'sums[j]', 16).map(line => `    ${line}`),
    '    for (int64_t i = k; i < depth; i++) sum += gemm_from_bf16(a + i) * gemm_from_bf16(b + j * b_column + i);',
    '    c[j * c_column] = sum;',
    '  }',
    '}',
  ].join('\n');
}

/** (a + b) + (c + d) */
function sumOf(terms: readonly string[]): string {
  if (terms.length === 1) return terms[0]!;
  const half = terms.length / 2;
  return `(${sumOf(terms.slice(0, half))}) + (${sumOf(terms.slice(half))})`;
}

/** Into the L2 cache; a prefetch past the end of B is harmless. */
const prefetch = '__builtin_prefetch(at + ahead, 0, 2);';

function blockName(plan: RowDotPlan, columns: number): string {
  const { elementType, resultType, m } = plan.problem;
  return `gemm_${elementType}_dot${resultType === elementType ? '' : `_${resultType}`}_${m}x${columns}`;
}

function shareConversions(out: PartsBuilder, { load, lanes, f16, problem }: RowDotPlan): void {
  for (const size of [1, lanes]) shareLoad(out.helpers, load, size, f16);
  const { resultType, elementType } = problem;
  if (resultType !== sumTypeOf(elementType)) out.share(storeName(resultType), () => storeFunction(resultType, lanes));
}

/** All rows of A by `columns` columns: C[i][j] = Σ lanes of Σ_k a_i[k…] · b_j[k…], then the rest of k in order. */
function emitBlock(plan: RowDotPlan, columns: number): string {
  const { elementType, resultType, m } = plan.problem;
  const T = scalarType(elementType);
  const sumType = sumTypeOf(elementType);
  const S = scalarType(sumType);
  const V = vectorType(sumType, plan.lanes);
  const load = (lanes: number, pointer: string): string => loadText(plan.load, sumType, lanes, pointer);
  const row = [...Array(m).keys()];
  const column = [...Array(columns).keys()];
  const lines = [
    `GEMM_CONTRACTED static __attribute__((noinline)) void ${blockName(plan, columns)}(int64_t depth, const ${T} *restrict a, int64_t a_row,`,
    `    const ${T} *restrict b, int64_t b_column, int64_t ahead, ${scalarType(resultType)} *restrict c, int64_t c_row, int64_t c_column) { GEMM_CONTRACT`,
    ...row.map(i => `  ${V} ${column.map(j => `c${i}_${j} = {0}`).join(', ')};`),
    `  const int64_t whole = depth / ${plan.lanes} * ${plan.lanes};`,
    `  for (int64_t k = 0; k < whole; k += ${plan.lanes}) {`,
    ...row.map(i => `    const ${V} a${i} = ${load(plan.lanes, `a + ${i} * a_row + k`)};`),
    ...column.map(
      j =>
        `    { const ${T} *const at = b + ${j} * b_column + k; ${prefetch} const ${V} x = ${load(plan.lanes, 'at')}; ${row.map(i => `c${i}_${j} += a${i} * x;`).join(' ')} }`,
    ),
    '  }',
    `  const ${V} sums[${m}][${columns}] = {${row.map(i => `{${column.map(j => `c${i}_${j}`).join(', ')}}`).join(', ')}};`,
    `  for (int64_t i = 0; i < ${m}; i++) {`,
    `    for (int64_t j = 0; j < ${columns}; j++) {`,
    `      ${S} sum = 0;`,
    `      for (int64_t lane = 0; lane < ${plan.lanes}; lane++) sum += sums[i][j][lane];`,
    `      for (int64_t k = whole; k < depth; k++) sum = GEMM_FUSED_${sumType}(${load(1, 'a + i * a_row + k')}, ${load(1, 'b + j * b_column + k')}, sum);`,
    resultType === sumType
      ? '      c[i * c_row + j * c_column] = sum;'
      : `      ${storeName(resultType)}(&sum, 1, c + i * c_row + j * c_column, 1);`,
    '    }',
    '  }',
    '}',
  ];
  return lines.join('\n');
}
