// The micro-kernel: one tile of C in registers, over a whole pass of k. It is the innermost loop of every multiply; the loops
// around it only move its operands into the caches.
//
//               b: vectors · lanes wide
//              ┌──────┬──────┬──────┐       for each k:    load the vectors of one row of B
//    a: rows   │ c0_0 │ c0_1 │ c0_2 │         for each row:  c[row] += a[row][k] · b
//              │ c1_0 │ c1_1 │ …
//
// Sums are variables, not arrays: compilers keep variables in registers at any optimization level. Operands of other types are
// converted while they are packed; tiled-multiply.ts decides what happens to the sums.
//
// bf16 is multiplied in pairs along k by one instruction, vdpbf16ps: two multiply-adds in f32, each rounded to nearest even,
// the odd k first. It treats subnormal operands, products and sums as zero. C is f32 then. An odd last k is paired with zero.
//
// Also used by the convolution: its packed operands are A[k][row] of the tile's rows and B[k][column] of the tile's columns.

import type { AAccess, BAccess, KernelType, Tile } from '../../ir/multiply-tiling.ts';
import { scalarType, vectorType } from './gemm-types.ts';

export interface KernelSpec {
  readonly elementType: KernelType;
  readonly lanes: number;
  readonly tile: Tile;
  readonly a: AAccess;
  /** `pairs`: panels of bf16 in pairs along k, widened to f32 as they are loaded. */
  readonly b: Exclude<BAccess, 'stored'> | 'pairs';
  /** Stores whole vectors to rows of C, or `columns` of the tile one by one, `c_column` apart. */
  readonly store: 'vectors' | 'elements';
  /** C is not in the caches: its lines are prefetched while the products are added. With 'vectors' only. */
  readonly fetchC?: boolean;
  /** C is bf16, rounded by the instruction that comes with vdpbf16ps; for a single pass over k, 'vectors' only. */
  readonly roundC?: boolean;
}

/** C expressions of a kernel's arguments. */
export interface KernelArguments {
  readonly depth: string;
  readonly a: string;
  /** The stride from row to row or, if A is read along columns, from k to k. */
  readonly aStride: string;
  readonly b: string;
  readonly bStride: string;
  readonly c: string;
  readonly cRow: string;
  readonly cColumn: string;
  readonly columns: string;
  /** Whether the tile is added to C, or stored. */
  readonly add: string;
}

/** Steps of k per iteration of the loop. */
const unroll = 2;

export function kernelName(s: KernelSpec): string {
  const b = { inPlace: 'in_place', packed: 'packed', pairs: 'pairs' }[s.b];
  const store = `${s.store === 'vectors' ? '' : '_elements'}${s.fetchC ? '_far' : ''}${s.roundC ? '_rounded' : ''}`;
  return `gemm_${s.elementType}_tile_${s.tile.rows}x${s.tile.vectors * s.lanes}_a_${s.a}_b_${b}${store}`;
}

export function kernelCall(s: KernelSpec, x: KernelArguments): string {
  return `${kernelName(s)}(${argumentsOf(s, x)});`;
}

/** The arguments that a kernel of this kind takes, in C. */
export function argumentsOf(s: Pick<KernelSpec, 'a' | 'b' | 'store'>, x: KernelArguments): string {
  const a = s.a === 'packed' ? [x.a] : [x.a, x.aStride];
  const b = s.b === 'inPlace' ? [x.b, x.bStride] : [x.b];
  const c = s.store === 'vectors' ? [x.c, x.cRow] : [x.c, x.cRow, x.cColumn, x.columns];
  return [x.depth, ...a, ...b, ...c, x.add].join(', ');
}

/**
 * The kernel's C code. Products are added in the order of k, one multiply-add each, whatever the tile: an element at an edge,
 * computed by another kernel, has the same rounding.
 */
export function emitKernel(s: KernelSpec): string {
  const T = scalarType(s.elementType);
  const C = s.roundC ? 'uint16_t' : scalarType(sumType(s));
  const V = vectorType(sumType(s), s.lanes);
  const pair = s.elementType === 'bf16' ? 2 : 1;
  const row = indices(s.tile.rows);
  const vector = indices(s.tile.vectors);
  const a = s.a === 'packed' ? '' : 'int64_t a_stride, ';
  const b = s.b === 'inPlace' ? 'int64_t b_stride, ' : '';
  const B = s.b === 'pairs' ? 'uint16_t' : T;
  const c = s.store === 'vectors' ? '' : 'int64_t c_column, int64_t columns, ';
  const rowPointers = row.slice(1).map(i => `*a${i} = a${i - 1} + a_stride`);
  return [
    `GEMM_CONTRACTED static __attribute__((noinline)) void ${kernelName(s)}(`,
    `    int64_t depth, const ${T} *restrict a, ${a}const ${B} *restrict b, ${b}${C} *restrict c, int64_t c_row, ${c}int add) { GEMM_CONTRACT`,
    ...(s.a === 'rows' ? [`  const ${T} ${['*a0 = a', ...rowPointers].join(', ')};`] : []),
    ...row.map(i => `  ${V} ${vector.map(j => `c${i}_${j} = {0}`).join(', ')};`),
    ...(s.fetchC ? fetches(s) : []),
    '  int64_t k = 0;',
    `  for (; k + ${unroll * pair} <= depth; k += ${unroll * pair}) {`,
    ...indices(unroll).flatMap(u => stepOfK(s, u)),
    advance(s, unroll),
    '  }',
    ...(s.b === 'pairs'
      ? []
      : [
          pair === 1 ? '  for (; k < depth; k++) {' : '  for (; k + 2 <= depth; k += 2) {',
          ...stepOfK(s, 0),
          advance(s, 1),
          '  }',
        ]),
    ...(pair === 1 ? [] : ['  if (k < depth) {', ...stepOfK(s, 0, true), '  }']),
    ...(s.store === 'vectors' ? stores(s) : storeElements(s)),
    '}',
  ].join('\n');
}

/** All products of the `u`-th k, or pair of k, from the current one. `last`: of an odd last k without a partner. */
function stepOfK(s: KernelSpec, u: number, last = false): string[] {
  const pairs = s.elementType === 'bf16';
  const V = pairs ? `gemm_u32x${s.lanes}` : vectorType(sumType(s), s.lanes);
  const vector = indices(s.tile.vectors);
  const elementOfA = (i: number): string => {
    if (s.a === 'rows') {
      if (last) return `(uint32_t)a${i}[k]`;
      return pairs ? `*(const gemm_pair *)(a${i} + k${plus(2 * u)})` : `a${i}[k${plus(u)}]`;
    }
    if (pairs) return `((const gemm_pair *)a)[${u * s.tile.rows + i}]`;
    return s.a === 'packed' ? `a[${u * s.tile.rows + i}]` : `a[${u === 0 ? '' : `${u} * a_stride + `}${i}]`;
  };
  const width = pairs ? 2 : 1;
  const U = `gemm_u32x${s.lanes}`;
  /** The elements of one k, of two in each word. */
  const ofPair = (j: number): string =>
    `(${V})(GEMM_LOAD(${U}, b${plus(2 * j * s.lanes)}) ${u === 0 ? '<< 16' : '& 0xffff0000u'})`;
  const vectorOfB = (j: number): string =>
    s.b === 'packed'
      ? plus((u * s.tile.vectors + j) * s.lanes * width)
      : `${u === 0 ? '' : ` + ${u} * b_stride`}${plus(j * s.lanes)}`;
  return [
    '    {',
    ...vector.map(
      j => `      const ${V} b${j} = ${s.b === 'pairs' ? ofPair(j) : `GEMM_LOAD(${V}, b${vectorOfB(j)})`};`,
    ),
    ...indices(s.tile.rows).map(i => {
      const products = vector.map(j => (pairs ? `GEMM_DOT_BF16(c${i}_${j}, x, b${j});` : `c${i}_${j} += x * b${j};`));
      const splat = pairs ? `${elementOfA(i)} + (${V}){0}` : `GEMM_SPLAT(${V}, ${elementOfA(i)})`;
      return `      { const ${V} x = ${splat}; ${products.join(' ')} }`;
    }),
    '    }',
  ];
}

/** Advances the operands by the given number of k, or pairs of k. Rows of A are indexed by k instead. */
function advance(s: KernelSpec, count: number): string {
  const width = s.elementType === 'bf16' ? 2 * count : count;
  const a = { rows: '', columns: `a += ${count} * a_stride; `, packed: `a += ${width * s.tile.rows}; ` }[s.a];
  return `    ${a}b += ${s.b === 'inPlace' ? `${count} * b_stride` : width * s.tile.vectors * s.lanes};`;
}

function sumType(s: KernelSpec): 'f32' | 'f64' {
  return s.elementType === 'f64' ? 'f64' : 'f32';
}

function fetches(s: KernelSpec): string[] {
  const bytes = s.roundC ? 2 : s.elementType === 'f64' ? 8 : 4;
  const width = s.tile.vectors * s.lanes;
  const starts = indices(Math.ceil((width * bytes) / 64)).map(line => (line * 64) / bytes);
  return indices(s.tile.rows).map(
    i => `  ${starts.map(j => `__builtin_prefetch(c + ${i} * c_row${plus(j)}, 1);`).join(' ')}`,
  );
}

function stores(s: KernelSpec): string[] {
  if (s.roundC) {
    return [
      '  (void)add;',
      ...indices(s.tile.rows).map(i => {
        const row = indices(s.tile.vectors).map(
          j => `GEMM_STORE_BF16(c + ${i} * c_row${plus(j * s.lanes)}, c${i}_${j});`,
        );
        return `  ${row.join(' ')}`;
      }),
    ];
  }
  const V = vectorType(sumType(s), s.lanes);
  const each = (value: (sum: string, at: string) => string): string[] =>
    indices(s.tile.rows).map(i => {
      const row = indices(s.tile.vectors).map(j => {
        const at = `c + ${i} * c_row${plus(j * s.lanes)}`;
        return `GEMM_STORE(${V}, ${at}, ${value(`c${i}_${j}`, at)});`;
      });
      return `    ${row.join(' ')}`;
    });
  return [
    '  if (add) {',
    ...each((sum, at) => `GEMM_LOAD(${V}, ${at}) + ${sum}`),
    '  } else {',
    ...each(sum => sum),
    '  }',
  ];
}

function storeElements(s: KernelSpec): string[] {
  const V = vectorType(sumType(s), s.lanes);
  const { rows, vectors } = s.tile;
  return [
    `  ${scalarType(sumType(s))} tile[${rows}][${vectors * s.lanes}];`,
    ...indices(rows).map(i => {
      const row = indices(vectors).map(j => `GEMM_STORE(${V}, &tile[${i}][${j * s.lanes}], c${i}_${j});`);
      return `  ${row.join(' ')}`;
    }),
    `  for (int64_t i = 0; i < ${rows}; i++) {`,
    '    for (int64_t j = 0; j < columns; j++) {',
    `      ${scalarType(sumType(s))} *at = c + i * c_row + j * c_column;`,
    '      *at = add ? *at + tile[i][j] : tile[i][j];',
    '    }',
    '  }',
  ];
}

function indices(count: number): number[] {
  return [...Array(count).keys()];
}

function plus(offset: number): string {
  return offset === 0 ? '' : ` + ${offset}`;
}
