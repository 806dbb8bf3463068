// Prints an InterleavedDotPlan: few rows of A times 16 interleaved rows of a quantized matrix at a time. A lane is a row of B, so
// its sum needs no other lane, and B is one stream in memory:
//
//   with digits   bytes of B as they are · four digits of A, added in i32; once a block to f32, · its scales
//   else          a code of each lane to f32 · an element of A; once a block · its scales
//
// The second form also takes over when an element of A is infinite or NaN.

import { interleavedBlock, interleavedRows, type QuantizedFormat, quantizedRuns } from '../../../ir/multiply.ts';
import { bytesOfBlock, type GemmProblem, type InterleavedDotPlan } from '../../ir/multiply-tiling.ts';
import { addDigitProducts, digitsFunction, scaleOfBlock } from './digits.ts';
import { shareLoad } from './formats.ts';
import { type GemmParts, PartsBuilder } from './gemm-functions.ts';
import { vectorType } from './gemm-types.ts';
import { emitProductLoop } from './multiply-entry.ts';
import { codesOfWords, scalesText, scaleType } from './pack-quantized.ts';

/** A task reads at least this many bytes of codes, about 2 microseconds of one core; and there are at most this many for each. */
const smallestTask = 49_152;
const tasksPerWorker = 8;
/** How far ahead of its use a line is fetched from memory. */
const aheadBytes = 4096;
const lineBytes = 64;

export function emitInterleavedDot(name: string, plan: InterleavedDotPlan): GemmParts {
  const out = new PartsBuilder();
  const { problem: p, format, lanes, digitBytes } = plan;
  const S = scaleType(format);
  const hasDigits = digitBytes > 0;
  if (format.scaleType === 'f16') shareLoad(out.helpers, 'f16', lanes, plan.f16);
  out.share(widenedName(plan), () => emitWidened(plan));
  if (hasDigits) {
    out.share('gemm_digits', () => digitsFunction);
    out.share(digitsName(plan), () => emitDigits(plan));
  }

  out.line('typedef struct {', 'gemm_call gemm;', `const ${S} *scales;`);
  if (hasDigits) out.line('const char *digits;');
  out.line(`} ${name}_call;`, `static void ${name}_task(void *argument, int64_t task, int worker) {`);
  emitProductLoop(out, p, { rows: false }, () => {
    out.line(`const ${S} *const scales = ((const ${name}_call *)argument)->scales;`);
    if (hasDigits) out.line(`const char *const digits = ((const ${name}_call *)argument)->digits;`);
  });
  const rest = [
    `(const char *)b + j * ${(p.k * format.bits) / 8}`,
    `scales + j * ${p.k / format.block}`,
    `c + j * ${p.c.n}, ${p.c.m}, ${p.c.n}`,
  ].join(', ');
  out.line(`for (int64_t j = column0; j < column1; j += ${interleavedRows}) {`);
  const widened = `${widenedName(plan)}(${p.k}, a, ${p.a.m}, ${p.a.k}, ${rest});`;
  if (hasDigits) out.line(`if (digits != 0) ${digitsName(plan)}(${p.k}, digits, ${rest});`, `else ${widened}`);
  else out.line(widened);
  out.line('}', '}', '}', '');

  const workspace = hasDigits ? ', char *digits' : '';
  out.line(
    `static void ${name}(const trenio_rt *rt, const float *a, const void *b, const ${S} *scales, float *c${workspace}) {`,
  );
  out.line(`${name}_call call = {.gemm = {.rt = rt, .a = a, .b = b, .c = c}, .scales = scales};`);
  if (hasDigits) {
    const offset = format.bits === 8 ? 128 : 8;
    out.line('int finite = 1;');
    out.line(`for (int64_t i = 0; i < ${p.m} && finite; i++)`);
    out.line(
      `finite = gemm_digits(${p.k}, a + i * ${p.a.m}, ${p.a.k}, ${offset}, digits + i * ${bytesOfRow(p)}, ${factsText(p)} + i * ${factsOfRow(p)});`,
      'call.digits = finite ? digits : 0;',
    );
  }
  const groups = p.n / interleavedRows;
  const most = Math.max(1, Math.min(groups, Math.floor((p.n * p.k * format.bits) / 8 / smallestTask)));
  out.line(
    `int64_t tasks = ${tasksPerWorker} * rt->workers < ${most} ? ${tasksPerWorker} * rt->workers : ${most};`,
    'if (tasks > rt->workers) tasks -= tasks % rt->workers;',
    `call.gemm.columns = (${groups} + tasks - 1) / tasks * ${interleavedRows};`,
    `call.gemm.row_chunks = 1, call.gemm.column_chunks = (${p.n} + call.gemm.columns - 1) / call.gemm.columns;`,
    `rt->parallel(rt, ${name}_task, &call, call.gemm.column_chunks);`,
    '}',
  );
  return out.build();
}

const bytesOfRow = ({ k }: GemmProblem): number => (k / interleavedBlock) * bytesOfBlock.digits;
const factsOfRow = ({ k }: GemmProblem): number => (k / interleavedBlock) * bytesOfBlock.facts;
/** The facts of all rows, after their digits. */
const factsText = (p: GemmProblem): string => `digits + ${p.m * bytesOfRow(p)}`;

const functionName = (form: string, { format, problem }: InterleavedDotPlan): string =>
  `gemm_${form}_q${format.bits}_${format.scaleType}_${problem.m}`;
const widenedName = (plan: InterleavedDotPlan): string => functionName('interleaved', plan);
const digitsName = (plan: InterleavedDotPlan): string => functionName('digits', plan);

/** The parameters after those of A. */
const parameters = (format: QuantizedFormat): string =>
  `const char *restrict b, const ${scaleType(format)} *restrict scales, float *restrict c, int64_t c_row, int64_t c_column`;

/** Stores the lanes of each row's sums, as rows `at`… of B. */
function storeLines({ problem: { m }, lanes }: InterleavedDotPlan, at: string): readonly string[] {
  const V = vectorType('f32', lanes);
  const rows = [...Array(m).keys()];
  return [
    `const ${V} sums[${m}] = {${rows.map(i => `c${i}`).join(', ')}};`,
    `for (int64_t i = 0; i < ${m}; i++) {`,
    `  float *const to = c + i * c_row + (${at}) * c_column;`,
    `  if (c_column == 1) GEMM_STORE(${V}, to, sums[i]);`,
    `  else for (int64_t lane = 0; lane < ${lanes}; lane++) to[lane * c_column] = sums[i][lane];`,
    '}',
  ];
}

/** Codes are widened to f32; on any target. */
function emitWidened(plan: InterleavedDotPlan): string {
  const { problem: p, format, lanes } = plan;
  const V = vectorType('f32', lanes);
  const I = `${V}_mask`;
  const rows = [...Array(p.m).keys()];
  const { bytes, halves } = quantizedRuns(format);
  const run = bytes * halves;
  const element = (code: string, at: number): string =>
    [
      `        { const ${V} w = __builtin_convertvector(${code}, ${V});`,
      ...rows.map(i => `part${i} += GEMM_SPLAT(${V}, a[${i} * a_row + (k + ${at}) * a_column]) * w;`),
      '}',
    ].join(' ');
  const each = (text: (i: number) => string): string => rows.map(text).join(', ');
  return [
    `GEMM_CONTRACTED static __attribute__((noinline)) void ${widenedName(plan)}(int64_t depth, const float *restrict a, int64_t a_row, int64_t a_column,`,
    `    ${parameters(format)}) { GEMM_CONTRACT`,
    `  for (int64_t row = 0; row < ${interleavedRows}; row += ${lanes}) {`,
    `    ${V} ${each(i => `c${i} = {0}`)};`,
    `    for (int64_t block = 0; block < depth / ${interleavedBlock}; block++) {`,
    `      ${V} ${each(i => `part${i} = {0}`)};`,
    `      for (int64_t k = block * ${interleavedBlock}; k < (block + 1) * ${interleavedBlock}; k += ${run}) {`,
    `        const ${I} words = (${I})GEMM_LOAD(gemm_u32x${lanes}, b + k / ${run} * ${lineBytes} + row * ${bytes});`,
    ...codesOfWords(format, 'words').map(element),
    '      }',
    `      const ${V} scale = ${scalesText(format, lanes, `scales + block * ${interleavedRows} + row`)};`,
    `      ${rows.map(i => `c${i} += part${i} * scale;`).join(' ')}`,
    '    }',
    ...storeLines(plan, 'row').map(line => `    ${line}`),
    '  }',
    '}',
  ].join('\n');
}

/** Bytes times digits, in vectors of 16 lanes. */
function emitDigits(plan: InterleavedDotPlan): string {
  const { problem: p, format } = plan;
  const V = vectorType('f32', interleavedRows);
  const U = `gemm_u32x${interleavedRows}`;
  const rows = [...Array(p.m).keys()];
  const words = [...Array(interleavedBlock / 4).keys()];
  const lines = [...Array((words.length * format.bits) / 8).keys()];
  const codes = lines.flatMap(line => {
    const at = `at + ${line * lineBytes}`;
    const fetch = `__builtin_prefetch(${at} + ${aheadBytes}, 0, 2);`;
    if (format.bits === 8) return [fetch, `const ${U} w${line} = GEMM_LOAD(${U}, ${at}) ^ 0x80808080;`];
    return [
      fetch,
      `const ${U} line${line} = GEMM_LOAD(${U}, ${at}) ^ 0x88888888;`,
      `const ${U} w${2 * line} = line${line} & 0x0f0f0f0f, w${2 * line + 1} = line${line} >> 4 & 0x0f0f0f0f;`,
    ];
  });
  const row = (i: number): readonly string[] => [
    '{',
    `  const int32_t *const d = (const int32_t *)(digits + (${i} * count + block) * ${bytesOfBlock.digits});`,
    `  const int32_t *const x = (const int32_t *)(facts + (${i} * count + block) * ${bytesOfBlock.facts});`,
    `  ${U} ${[3, 2, 1, 0].map(digit => `d${digit} = (${U}){0} + (uint32_t)x[${digit}]`).join(', ')};`,
    ...words.flatMap(w =>
      [3, 2, 1, 0].map(digit => `  ${addDigitProducts(`d${digit}`, `w${w}`, `d + ${4 * w + digit}`)}`),
    ),
    `  const ${V} high = __builtin_convertvector((${V}_mask)((d3 << 8) + d2), ${V});`,
    `  const ${V} low = __builtin_convertvector((${V}_mask)((d1 << 8) + d0), ${V});`,
    `  c${i} += (high * 65536.0f + low) * scale * GEMM_SPLAT(${V}, gemm_float_of((uint32_t)x[${scaleOfBlock}]));`,
    '}',
  ];
  return [
    `GEMM_CONTRACTED static __attribute__((noinline)) void ${digitsName(plan)}(int64_t depth, const char *restrict digits,`,
    `    ${parameters(format)}) { GEMM_CONTRACT`,
    `  const int64_t count = depth / ${interleavedBlock};`,
    `  const char *const facts = digits + ${p.m} * count * ${bytesOfBlock.digits};`,
    `  ${V} ${rows.map(i => `c${i} = {0}`).join(', ')};`,
    '  for (int64_t block = 0; block < count; block++) {',
    `    const char *const at = b + block * ${lines.length * lineBytes};`,
    ...codes.map(line => `    ${line}`),
    `    const ${V} scale = ${scalesText(format, interleavedRows, `scales + block * ${interleavedRows}`)};`,
    ...rows.flatMap(row).map(line => `    ${line}`),
    '  }',
    ...storeLines(plan, '0').map(line => `  ${line}`),
    '}',
  ].join('\n');
}
