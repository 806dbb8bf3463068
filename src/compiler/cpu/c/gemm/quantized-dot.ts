// Prints a QuantizedDotPlan: few rows of A times the rows of a matrix that is quantized in memory. It is the loop of
// row-dot.ts in f32; only a vector of B is computed, not loaded, with the bits of the widened matrix:
//
//   8 bits   16 bytes ─ to f32 ─ · scale
//   4 bits   table · scale once a block; 16 bytes ─ permute the table by their low halves, then by their high halves

import { packedGroup } from '../../../ir/multiply.ts';
import type { GemmProblem, QuantizedDotPlan } from '../../ir/multiply-tiling.ts';
import { loadText, shareLoad } from './formats.ts';
import { type GemmParts, PartsBuilder } from './gemm-functions.ts';
import { vectorType } from './gemm-types.ts';
import { emitProductLoop } from './multiply-entry.ts';
import { pairwiseSum } from './pairwise-sum.ts';
import { scaleType } from './quantized-words.ts';

/**
 * Reading and widening an element takes as long as so many multiply-adds: the more, the shorter are tasks. Long tasks start
 * the prefetchers less often; a matrix that would be one task is cut in two, unless it is very small.
 */
const streamCost = ({ n, k }: GemmProblem): number => Math.min(3, Math.max(1.5, (2 * smallestTask) / (n * k)));
/** Multiply-adds, see task-split.ts. */
const smallestTask = 131072;
/** Scales that are converted to f32 at a time. */
const scaleGroup = 16;
/** How far ahead of its use a column is fetched from memory, by the bits of its codes: the best of 1 to 16 KiB, measured. */
const aheadBytes = { 8: 8192, 4: 1024 } as const;

export function emitQuantizedDot(name: string, plan: QuantizedDotPlan): GemmParts {
  const out = new PartsBuilder();
  const { problem: p, columns, format } = plan;
  const S = scaleType(format);
  if (format.scaleType === 'f16') shareLoad(out.helpers, 'f16', plan.lanes, plan.f16);
  if (format.bits === 8) out.share(bytesName(plan.lanes), () => bytesFunction(plan));
  else if (isWide(plan)) {
    out.share('gemm_codes', () => codesFunction);
    out.share('gemm_permute', () => permuteFunction);
  }
  const rest = p.n % columns;
  const widths = [...(p.n >= columns ? [columns] : []), ...(rest > 0 ? [1] : [])];
  for (const width of widths) out.share(blockName(plan, width), () => emitBlock(plan, width));

  out.line('typedef struct {', 'gemm_call gemm;', `const ${S} *scales;`, `} ${name}_call;`);
  out.line(`static void ${name}_task(void *argument, int64_t task, int worker) {`);
  emitProductLoop(out, p, { rows: false }, () => {
    out.line(`const ${S} *const scales = ((const ${name}_call *)argument)->scales;`);
    if (plan.packA) out.line(`float *const packed_a = call->rt->scratch(call->rt, worker, ${plan.scratchBytes});`);
  });
  out.line('const int8_t *const codes = (const int8_t *)b;');
  if (plan.packA) {
    out.line(`for (int64_t i = 0; i < ${p.m}; i++) {`);
    out.line(`for (int64_t k = 0; k < ${p.k}; k++) packed_a[i * ${p.k} + k] = a[i * ${p.a.m} + k * ${p.a.k}];`);
    out.line('}');
  }
  const a = plan.packA ? `packed_a, ${p.k}` : `a, ${p.a.m}`;
  const row = (p.k * format.bits) / 8;
  const call = (width: number): string =>
    `${blockName(plan, width)}(${p.k}, ${a}, codes + j * ${row}, scales + j * ${p.k / format.block}, c + j * ${p.c.n}, ${p.c.m}, ${p.c.n});`;
  out.line('int64_t j = column0;');
  if (p.n >= columns) out.line(`for (; j + ${columns} <= column1; j += ${columns}) ${call(columns)}`);
  if (rest > 0) out.line(`for (; j < column1; j++) ${call(1)}`);
  out.line('}', '}', '');

  out.line(`static void ${name}(const trenio_rt *rt, const float *a, const void *b, const ${S} *scales, float *c) {`);
  out.line(`${name}_call call = {.gemm = {.rt = rt, .a = a, .b = b, .c = c}, .scales = scales};`);
  out.line(
    `gemm_split(&call.gemm, 1, ${p.m}, ${p.n}, ${Math.ceil(p.k * streamCost(p))}, ${p.m}, ${columns}, ${p.m}, ${p.n}, 0, 0);`,
    `rt->parallel(rt, ${name}_task, &call, call.gemm.tasks);`,
    '}',
  );
  return out.build();
}

const bytesName = (lanes: number): string => `gemm_from_i8x${lanes}`;

/** Signed bytes as f32. Wider by steps of two: compilers make other conversions of vectors element by element. */
function bytesFunction(plan: QuantizedDotPlan): string {
  const { lanes } = plan;
  const F = vectorType('f32', lanes);
  const vector = (bits: number): string =>
    `  typedef int${bits}_t i${bits} __attribute__((vector_size(${(lanes * bits) / 8})${bits === 8 ? ', aligned(1), may_alias' : ''}));`;
  return [
    `static inline __attribute__((always_inline)) ${F} ${bytesName(lanes)}(const int8_t *p) {`,
    ...[8, 16, 32].map(vector),
    ...(isWide(plan)
      ? ['  i32 words;', `  __asm__("vpmovsxbd %1, %0" : "=v"(words) : "m"(*(const i8 *)p));`]
      : ['  const i32 words = __builtin_convertvector(__builtin_convertvector(*(const i8 *)p, i16), i32);']),
    `  return __builtin_convertvector(words, ${F});`,
    '}',
  ].join('\n');
}

/** 16 bytes, one in each lane. */
const codesFunction = `static inline __attribute__((always_inline)) gemm_u32x16 gemm_codes(const int8_t *p) {
  typedef uint8_t bytes __attribute__((vector_size(16), aligned(1), may_alias));
  gemm_u32x16 words;
  __asm__("vpmovzxbd %1, %0" : "=v"(words) : "m"(*(const bytes *)p));
  return words;
}`;

/** Entries of a table, chosen by the low four bits of each lane. */
const permuteFunction = `static inline __attribute__((always_inline)) gemm_f32x16 gemm_permute(gemm_f32x16 table, gemm_u32x16 codes) {
  gemm_f32x16 result;
  __asm__("vpermps %1, %2, %0" : "=v"(result) : "v"(table), "v"(codes));
  return result;
}`;

function blockName(plan: QuantizedDotPlan, columns: number): string {
  const { bits, block, scaleType: type, table } = plan.format;
  const values = table === undefined ? '' : `_t${tableName(table)}`;
  return `gemm_q${bits}_${type}_${block}${values}_${plan.problem.m}x${columns}`;
}
/** Different tables have different names. */
const tableName = (table: readonly number[]): string =>
  [...new Uint8Array(Float32Array.from(table).buffer)].reduce((hash, byte) => (hash * 31 + byte) >>> 0, 7).toString(16);

/** A float literal that is read back exactly. */
const floatText = (value: number): string => (Number.isInteger(value) ? `${value}.0f` : `${Math.fround(value)}f`);

/** All rows of A by adjacent columns: C[i][j] = Σ lanes of Σ_k a_i[k…] · b_j[k…]. */
function emitBlock(plan: QuantizedDotPlan, columns: number): string {
  const { problem: p, format, lanes } = plan;
  const V = vectorType('f32', lanes);
  const row = [...Array(p.m).keys()];
  const column = [...Array(columns).keys()];
  const step = format.block % packedGroup === 0 ? packedGroup : packedGroup / 2;
  const vectors = [...Array(step / lanes).keys()];
  const widen = widening(plan);
  const oneColumn = (j: number): readonly string[] => [
    `        const int8_t *const at = b + ${j} * (depth / ${8 / format.bits}) + k / ${8 / format.bits};`,
    `        __builtin_prefetch(at + ${aheadBytes[format.bits]}, 0, 2);`,
    ...widen.prepare(j).map(line => `        ${line}`),
    ...vectors.flatMap(v => [
      `        const ${V} w${v} = ${widen.vector(j, v)};`,
      `        ${row.map(i => `c${i}_${j} += a${i}_${v} * w${v};`).join(' ')}`,
    ]),
  ];
  return [
    // At the start of a cache line: elsewhere the loop takes up to 15 % longer.
    `GEMM_CONTRACTED static __attribute__((noinline, aligned(64))) void ${blockName(plan, columns)}(int64_t depth, const float *restrict a, int64_t a_row,`,
    `    const int8_t *restrict b, const ${scaleType(format)} *restrict scales, float *restrict c, int64_t c_row, int64_t c_column) { GEMM_CONTRACT`,
    ...(format.table === undefined
      ? []
      : [`  _Alignas(64) static const float table[16] = {${format.table.map(floatText).join(', ')}};`]),
    ...row.map(i => `  ${V} ${column.map(j => `c${i}_${j} = {0}`).join(', ')};`),
    `  const int64_t blocks = depth / ${format.block};`,
    `  for (int64_t block = 0; block < blocks; block += ${scaleGroup}) {`,
    `    const int64_t count = blocks - block < ${scaleGroup} ? blocks - block : ${scaleGroup};`,
    // The last group of many begins before `block`, so that it is whole.
    `    const int64_t start = count < ${scaleGroup} && blocks >= ${scaleGroup} ? blocks - ${scaleGroup} : block;`,
    `    float scales_f32[${columns}][${scaleGroup}];`,
    `    for (int64_t j = 0; j < ${columns}; j++) {`,
    ...scaleLines(plan).map(line => `      ${line}`),
    '    }',
    `    const float (*const scale)[${scaleGroup}] = (const float (*)[${scaleGroup}])(&scales_f32[0][0] + (block - start));`,
    '    for (int64_t s = 0; s < count; s++) {',
    ...column.flatMap(j => widen.forBlock(j).map(line => `      ${line}`)),
    `      const int64_t first = (block + s) * ${format.block};`,
    `      for (int64_t k = first; k < first + ${format.block}; k += ${step}) {`,
    ...vectors.flatMap(v =>
      row.map(i => `        ${V} a${i}_${v} = GEMM_LOAD(${V}, a + ${i} * a_row + k + ${v * lanes});`),
    ),
    // Otherwise compilers load them again for each column.
    ...(isWide(plan) ? vectors.flatMap(v => row.map(i => `        __asm__("" : "+v"(a${i}_${v}));`)) : []),
    ...column.flatMap(j => ['        {', ...oneColumn(j).map(line => `  ${line}`), '        }']),
    '      }',
    '    }',
    '  }',
    `  const ${V} sums[${p.m}][${columns}] = {${row.map(i => `{${column.map(j => `c${i}_${j}`).join(', ')}}`).join(', ')}};`,
    `  for (int64_t i = 0; i < ${p.m}; i++) {`,
    `    for (int64_t j = 0; j < ${columns}; j++) {`,
    ...pairwiseSum('sum', 'sums[i][j]', lanes).map(line => `      ${line}`),
    '      c[i * c_row + j * c_column] = sum;',
    '    }',
    '  }',
    '}',
  ].join('\n');
}

/** Fills scales_f32[j] for the blocks from `start` on. */
function scaleLines({ format, lanes }: QuantizedDotPlan): readonly string[] {
  const from = 'scales + j * blocks + start';
  const copy = (target: string, bytes: number): readonly string[] => [
    `if (blocks >= ${scaleGroup}) __builtin_memcpy(${target}, ${from}, ${bytes * scaleGroup});`,
    `else for (int64_t s = 0; s < count; s++) ${target}[s] = (${from})[s];`,
  ];
  if (format.scaleType === 'f32') return copy('scales_f32[j]', 4);
  return [
    `uint16_t halves[${scaleGroup}] = {0};`,
    ...copy('halves', 2),
    `for (int64_t s = 0; s < ${scaleGroup}; s += ${lanes}) GEMM_STORE(${vectorType('f32', lanes)}, scales_f32[j] + s, ${loadText('f16', 'f32', lanes, 'halves + s')});`,
  ];
}

/** The C of a vector of a column's elements. */
interface Widening {
  /** Once for each block of column j. */
  forBlock(j: number): readonly string[];
  /** Before the vectors of a step. */
  prepare(j: number): readonly string[];
  /** Vector v of the step, rounded to f32. */
  vector(j: number, v: number): string;
}

/** Whether AVX-512 widens 16 bytes, and looks up 16 elements of a table, by an instruction each. */
const isWide = (plan: QuantizedDotPlan): boolean => plan.isAvx512 && plan.lanes === 16;

function widening(plan: QuantizedDotPlan): Widening {
  const { format, lanes } = plan;
  const V = vectorType('f32', lanes);
  if (format.bits === 8)
    return {
      forBlock: j => [`const ${V} scale${j} = GEMM_SPLAT(${V}, scale[${j}][s]);`],
      prepare: () => [],
      vector: (j, v) => `${bytesName(lanes)}(at + ${v * lanes}) * scale${j}`,
    };
  if (isWide(plan))
    return {
      forBlock: j => [`const ${V} values${j} = GEMM_LOAD(${V}, table) * GEMM_SPLAT(${V}, scale[${j}][s]);`],
      prepare: () => ['const gemm_u32x16 codes = gemm_codes(at);'],
      vector: (j, v) => `gemm_permute(values${j}, ${v === 0 ? 'codes' : 'codes >> 4'})`,
    };
  return {
    forBlock: j => [
      `float values${j}[16];`,
      `for (int64_t i = 0; i < 16; i++) values${j}[i] = table[i] * scale[${j}][s];`,
    ],
    prepare: j => [
      `float wide[${packedGroup}];`,
      `for (int64_t i = 0; i < ${packedGroup / 2}; i++)`,
      `  wide[i] = values${j}[at[i] & 15], wide[i + ${packedGroup / 2}] = values${j}[at[i] >> 4 & 15];`,
    ],
    vector: (_, v) => `GEMM_LOAD(${V}, wide + ${v * lanes})`,
  };
}
