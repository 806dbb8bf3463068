// Prints an InterleavedDotPlan: rows of A times 16 interleaved rows of a quantized matrix at a time. A lane is a row of B, so its
// sum needs no other lane, and B is one stream in memory:
//
//   with digits   bytes of B as they are · three digits of A, added in i32; once a block to f32, · its scales
//   else          a code of each lane to f32 · an element of A; once a block · its scales
//
// The second form also computes rows of A with an element that is infinite or NaN. Sums have the same bits for any number of
// rows.

import { interleavedBlock, interleavedRows, type QuantizedFormat, quantizedRuns } from '../../../ir/multiply.ts';
import { bytesOfBlock, type InterleavedDotPlan } from '../../ir/multiply-tiling.ts';
import { addDigitProducts, digitCount, digitsFunction, digitWord, factWord, scaleFact } from './digits.ts';
import { shareLoad } from './formats.ts';
import { type GemmParts, PartsBuilder } from './gemm-functions.ts';
import { vectorType } from './gemm-types.ts';
import { emitProductLoop } from './multiply-entry.ts';
import { codesOfWords, scalesText, scaleType } from './quantized-words.ts';

/**
 * A task of few rows reads at least this many bytes of codes, about 2 microseconds of one core; and there are at most this many
 * for each.
 */
const smallestTask = 49_152;
const rowsOfSmallestTask = 4;
const tasksPerWorker = 8;
/** Rows of A whose digits a task computes. */
const digitRows = 8;
/** How far ahead of its use a line is fetched from memory. */
const aheadBytes = 4096;
const lineBytes = 64;

export function emitInterleavedDot(name: string, plan: InterleavedDotPlan): GemmParts {
  const out = new PartsBuilder();
  const { problem: p, format, lanes, rows } = plan;
  const S = scaleType(format);
  const hasDigits = plan.digitBytes > 0;
  const row = (p.k / interleavedBlock) * bytesOfBlock;
  const widths = [...new Set([rows, p.m % rows])].filter(width => width > 0);
  if (format.scaleType === 'f16') shareLoad(out.helpers, 'f16', lanes, plan.f16);
  for (const width of hasDigits ? [1] : widths)
    out.share(functionName('interleaved', format, width), () => emitWidened(plan, width));
  if (hasDigits) {
    out.share('gemm_digits', () => digitsFunction);
    for (const width of new Set([...widths, 1]))
      out.share(functionName('digits', format, width), () => emitDigits(plan, width));
  }

  out.line('typedef struct {', 'gemm_call gemm;', `const ${S} *scales;`);
  if (hasDigits) out.line('char *digits, *has_digits;', 'int all_have;');
  out.line(`} ${name}_call;`);
  if (hasDigits) emitDigitsTask(out, name, plan, row);

  out.line(`static void ${name}_task(void *argument, int64_t task, int worker) {`);
  emitProductLoop(out, p, { rows: false }, () => {
    out.line(`const ${name}_call *const own = argument;`, `const ${S} *const scales = own->scales;`);
  });
  const b = [
    `(const char *)b + j * ${(p.k * format.bits) / 8}`,
    `scales + j * ${p.k / format.block}`,
    `c + i * ${p.c.m} + j * ${p.c.n}, ${p.c.m}, ${p.c.n}`,
  ].join(', ');
  const widened = (width: number): string =>
    `${functionName('interleaved', format, width)}(${p.k}, a + i * ${p.a.m}, ${p.a.m}, ${p.a.k}, ${b});`;
  const digits = (width: number): string =>
    `${functionName('digits', format, width)}(${p.k}, own->digits + i * ${row}, ${b});`;
  const multiply = hasDigits ? digits : widened;
  const rest = p.m % rows;
  out.line(`for (int64_t row0 = 0; row0 < ${p.m}; row0 += ${plan.nearRows}) {`);
  out.line(`const int64_t row1 = ${p.m} - row0 < ${plan.nearRows} ? ${p.m} : row0 + ${plan.nearRows};`);
  out.line(`for (int64_t j = column0; j < column1; j += ${interleavedRows}) {`, 'int64_t i = row0;');
  if (hasDigits) {
    out.line('if (!own->all_have) {');
    out.line(`for (; i < row1; i++) if (own->has_digits[i]) ${digits(1)} else ${widened(1)}`, 'continue;', '}');
  }
  out.line(`for (; i + ${rows} <= row1; i += ${rows}) ${multiply(rows)}`);
  if (rest > 0) out.line(`if (i < row1) ${multiply(rest)}`);
  out.line('}', '}', '}', '}', '');

  const workspace = hasDigits ? ', char *digits' : '';
  out.line(
    `static void ${name}(const trenio_rt *rt, const float *a, const void *b, const ${S} *scales, float *c${workspace}) {`,
  );
  out.line(`${name}_call call = {.gemm = {.rt = rt, .a = a, .b = b, .c = c}, .scales = scales};`);
  if (hasDigits)
    out.line(
      `call.digits = digits, call.has_digits = digits + ${p.m * row}, call.all_have = 1;`,
      `rt->parallel(rt, ${name}_digits, &call, ${Math.ceil(p.m / digitRows)});`,
      `for (int64_t i = 0; i < ${p.m}; i++) call.all_have &= call.has_digits[i];`,
    );
  const groups = p.n / interleavedRows;
  const work = ((p.n * p.k * format.bits) / 8) * Math.max(1, p.m / rowsOfSmallestTask);
  const most = Math.max(1, Math.min(groups, Math.floor(work / smallestTask)));
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

/** The task that writes the digits of a few rows. */
function emitDigitsTask(
  out: PartsBuilder,
  name: string,
  { problem: p, format }: InterleavedDotPlan,
  row: number,
): void {
  const offset = format.bits === 8 ? 128 : 8;
  out.line(
    `static void ${name}_digits(void *argument, int64_t task, int worker) {`,
    `const ${name}_call *const call = argument;`,
    `for (int64_t i = task * ${digitRows}; i < ${p.m} && i < (task + 1) * ${digitRows}; i++)`,
    `call->has_digits[i] = (char)gemm_digits(${p.k}, (const float *)call->gemm.a + i * ${p.a.m}, ${p.a.k}, ${offset}, call->digits + i * ${row});`,
    '}',
  );
}

const functionName = (form: string, { bits, scaleType: type }: QuantizedFormat, rows: number): string =>
  `gemm_${form}_q${bits}_${type}_${rows}`;

/** The parameters after those of A. */
const parameters = (format: QuantizedFormat): string =>
  `const char *restrict b, const ${scaleType(format)} *restrict scales, float *restrict c, int64_t c_row, int64_t c_column`;

/** Stores the lanes of each row's sums, as rows `at`… of B. */
function storeLines(rows: readonly number[], lanes: number, at: string): readonly string[] {
  const V = vectorType('f32', lanes);
  return [
    `const ${V} sums[${rows.length}] = {${rows.map(i => `c${i}`).join(', ')}};`,
    `for (int64_t i = 0; i < ${rows.length}; i++) {`,
    `  float *const to = c + i * c_row + (${at}) * c_column;`,
    `  if (c_column == 1) GEMM_STORE(${V}, to, sums[i]);`,
    `  else for (int64_t lane = 0; lane < ${lanes}; lane++) to[lane * c_column] = sums[i][lane];`,
    '}',
  ];
}

/** Codes are widened to f32; on any target. */
function emitWidened({ format, lanes }: InterleavedDotPlan, width: number): string {
  const V = vectorType('f32', lanes);
  const I = `${V}_mask`;
  const rows = [...Array(width).keys()];
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
    `GEMM_CONTRACTED static __attribute__((noinline)) void ${functionName('interleaved', format, width)}(int64_t depth, const float *restrict a, int64_t a_row, int64_t a_column,`,
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
    ...storeLines(rows, lanes, 'row').map(line => `    ${line}`),
    '  }',
    '}',
  ].join('\n');
}

/** Bytes times digits, in vectors of 16 lanes. */
function emitDigits({ format }: InterleavedDotPlan, width: number): string {
  const V = vectorType('f32', interleavedRows);
  const U = `gemm_u32x${interleavedRows}`;
  const rows = [...Array(width).keys()];
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
  const digits = [...Array(digitCount).keys()];
  const row = (i: number): readonly string[] => [
    '{',
    `  const int32_t *const x = (const int32_t *)(digits + (${i} * count + block) * ${bytesOfBlock});`,
    `  ${U} ${digits.map(digit => `d${digit} = (${U}){0} + (uint32_t)x[${factWord(digit)}]`).join(', ')};`,
    ...words.flatMap(w =>
      digits.map(digit => `  ${addDigitProducts(`d${digit}`, `w${w}`, `x + ${digitWord(w, digit)}`)}`),
    ),
    `  const ${V} high = __builtin_convertvector((${V}_mask)d2, ${V});`,
    `  const ${V} low = __builtin_convertvector((${V}_mask)((d1 << 8) + d0), ${V});`,
    `  c${i} += (high * 65536.0f + low) * scale * GEMM_SPLAT(${V}, gemm_float_of((uint32_t)x[${factWord(scaleFact)}]));`,
    '}',
  ];
  return [
    `GEMM_CONTRACTED static __attribute__((noinline)) void ${functionName('digits', format, width)}(int64_t depth, const char *restrict digits,`,
    `    ${parameters(format)}) { GEMM_CONTRACT`,
    `  const int64_t count = depth / ${interleavedBlock};`,
    `  ${V} ${rows.map(i => `c${i} = {0}`).join(', ')};`,
    '  for (int64_t block = 0; block < count; block++) {',
    `    const char *const at = b + block * ${lines.length * lineBytes};`,
    ...codes.map(line => `    ${line}`),
    `    const ${V} scale = ${scalesText(format, interleavedRows, `scales + block * ${interleavedRows}`)};`,
    ...rows.flatMap(row).map(line => `    ${line}`),
    '  }',
    ...storeLines(rows, interleavedRows, '0').map(line => `  ${line}`),
    '}',
  ].join('\n');
}
