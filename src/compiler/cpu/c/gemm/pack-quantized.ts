// Packing of B whose rows are quantized and interleaved in memory: a vector of words holds codes of as many columns of B, so each
// of its codes becomes a vector of a panel, widened to f32, and nothing is transposed.

import { interleavedBlock, interleavedRows, type QuantizedFormat, quantizedRuns } from '../../../ir/multiply.ts';
import type { TiledPlan } from '../../ir/multiply-tiling.ts';
import { loadText, shareLoad } from './formats.ts';
import type { PartsBuilder } from './gemm-functions.ts';
import { vectorType } from './gemm-types.ts';

/** The C type of scales in memory. */
export const scaleType = ({ scaleType: type }: QuantizedFormat): string => (type === 'f16' ? 'uint16_t' : 'float');

/** The C of the scales of `lanes` rows in f32. */
export const scalesText = ({ scaleType: type }: QuantizedFormat, lanes: number, pointer: string): string =>
  loadText(type === 'f16' ? 'f16' : 'copy', 'f32', lanes, pointer);

/**
 * The C of each code of a vector of words, as vectors of i32, in the order of k. `words`: its name, a vector of i32.
 */
export function codesOfWords(format: QuantizedFormat, words: string): readonly string[] {
  const { bytes, halves } = quantizedRuns(format);
  return [...Array(halves).keys()].flatMap(half =>
    [...Array(bytes).keys()].map(
      byte => `${words} << ${32 - 8 * byte - (half + 1) * format.bits} >> ${32 - format.bits}`,
    ),
  );
}

/** Terms of k that are packed at a time: the depth of a pass is a multiple of this. */
const step = interleavedBlock / 2;

/** A call that packs `columns` columns of B from `column` on, in panels of `width` columns. */
export function packQuantized(
  out: PartsBuilder,
  { problem: p, lanes, f16 }: TiledPlan,
  width: number,
  to: {
    readonly column: string;
    readonly k: string;
    readonly columns: string;
    readonly panelStride: string;
    readonly target: string;
  },
): string {
  const format = p.quantized!;
  const name = `gemm_pack_q${format.bits}_${format.scaleType}_${width}x${lanes}`;
  if (format.scaleType === 'f16') shareLoad(out.helpers, 'f16', lanes, f16);
  out.share(name, () => packFunction(name, format, width, lanes));
  return `${name}(weights->codes, weights->scales, ${p.k}, ${to.column}, ${to.k}, depth, ${to.columns}, ${to.panelStride}, ${to.target});`;
}

function packFunction(name: string, format: QuantizedFormat, width: number, lanes: number): string {
  const V = vectorType('f32', lanes);
  const { bytes, halves } = quantizedRuns(format);
  const run = bytes * halves;
  const lineBytes = interleavedRows * bytes;
  return [
    `static __attribute__((noinline)) void ${name}(const char *restrict codes, const ${scaleType(format)} *restrict scales, int64_t terms,`,
    '    int64_t column, int64_t first, int64_t depth, int64_t columns, int64_t panel_stride, float *restrict target) {',
    `  for (int64_t j = 0; j < columns; j += ${lanes}) {`,
    `    const int64_t group = (column + j) / ${interleavedRows}, member = (column + j) % ${interleavedRows};`,
    `    const char *const from = codes + group * (terms / ${run} * ${lineBytes}) + member * ${bytes};`,
    `    const ${scaleType(format)} *const factors = scales + group * (terms / ${format.block} * ${interleavedRows}) + member;`,
    `    float *to = target + j / ${width} * panel_stride + j % ${width};`,
    `    for (int64_t k = first; k < first + depth; k += ${step}) {`,
    `      const ${V} scale = ${scalesText(format, lanes, `factors + k / ${format.block} * ${interleavedRows}`)};`,
    `      for (int64_t u = k / ${run}; u < (k + ${step}) / ${run}; u++) {`,
    `        const ${V}_mask words = (${V}_mask)GEMM_LOAD(gemm_u32x${lanes}, from + u * ${lineBytes});`,
    ...codesOfWords(format, 'words').map(
      (code, i) => `        GEMM_STORE(${V}, to + ${i * width}, __builtin_convertvector(${code}, ${V}) * scale);`,
    ),
    `        to += ${run * width};`,
    '      }',
    '    }',
    '  }',
    '}',
  ].join('\n');
}
