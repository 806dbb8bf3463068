// C that transposes rows of pixels so that the features of a pixel are a vector, and back.
import type { WinogradImages } from '../../ir/winograd.ts';
import { emitTranspose, transposeName } from '../gemm/transpose.ts';

/** Adds a function that other kernels of the unit may share. */
export type Share = (name: string, text: string) => void;

export interface StripSpec {
  readonly images: WinogradImages;
  readonly lanes: number;
  /** Rows of a strip, its used columns, and the stride of rows. */
  readonly rows: number;
  readonly used: number;
  readonly columns: number;
  /** Columns of zeros before the images; negative if columns are skipped. */
  readonly low: number;
}

/**
 * `static void NAME(const float *x, const float *x_end, int64_t features, int64_t first, float *strip)`: rows from
 * the `first`, which may be outside, of an image from its first feature on; zeros where there are no pixels or no
 * features.
 */
export function emitGather(name: string, s: StripSpec, share: Share): string {
  const { images: x, lanes, used } = s;
  const left = Math.max(0, Math.min(used, s.low));
  const skipped = Math.max(0, -s.low);
  const count = Math.max(0, Math.min(x.width - skipped, used - left));
  let size = 4;
  while (size < lanes && size < count) size *= 2;
  share(transposeName('f32', 'copy', size), emitTranspose('f32', 'copy', size));
  return [
    `static void ${name}(const float *x, const float *x_end, int64_t features, int64_t first, float *restrict strip) {`,
    `  for (int64_t row = 0; row < ${s.rows}; row++, strip += ${s.columns * lanes}) {`,
    '    const int64_t h = first + row;',
    `    if (h < 0 || h >= ${x.height}) { __builtin_memset(strip, 0, ${used * lanes * 4}); continue; }`,
    `    const float *const from = x + h * ${x.width} + ${skipped};`,
    `    float *const to = strip + ${left * lanes};`,
    '    // Squares may read beyond a row, but not beyond x.',
    `    if (features == ${lanes} && from + ${(lanes - 1) * x.featureStride + Math.ceil(count / size) * size} <= x_end) {`,
    `      for (int64_t w = 0; w < ${count}; w += ${size})`,
    `        for (int64_t f = 0; f < ${lanes}; f += ${size})`,
    `          ${transposeName('f32', 'copy', size)}(from + w + f * ${x.featureStride}, ${x.featureStride}, to + w * ${lanes} + f, ${lanes});`,
    '    } else {',
    `      for (int64_t w = 0; w < ${count}; w++)`,
    `        for (int64_t f = 0; f < ${lanes}; f++) to[w * ${lanes} + f] = f < features ? from[w + f * ${x.featureStride}] : 0;`,
    '    }',
    ...(left > 0 ? [`    __builtin_memset(strip, 0, ${left * lanes * 4});`] : []),
    ...(left + count < used
      ? [`    __builtin_memset(to + ${count * lanes}, 0, ${(used - left - count) * lanes * 4});`]
      : []),
    '  }',
    '}',
  ].join('\n');
}

/**
 * `static void NAME(const float *strip, int64_t features, int64_t count, float *y)`: `count` consecutive pixels
 * of y.
 */
export function emitScatter(name: string, y: WinogradImages, lanes: number, share: Share): string {
  const lines = [
    `static void ${name}(const float *restrict strip, int64_t features, int64_t count, float *restrict y) {`,
    '  int64_t i = 0;',
    `  if (features == ${lanes}) {`,
  ];
  for (const size of new Set([lanes, 4])) {
    share(transposeName('f32', 'copy', size), emitTranspose('f32', 'copy', size));
    lines.push(
      `    for (; i + ${size} <= count; i += ${size})`,
      `      for (int64_t f = 0; f < ${lanes}; f += ${size})`,
      `        ${transposeName('f32', 'copy', size)}(strip + i * ${lanes} + f, ${lanes}, y + i + f * ${y.featureStride}, ${y.featureStride});`,
    );
  }
  return [
    ...lines,
    '  }',
    `  for (; i < count; i++)`,
    `    for (int64_t f = 0; f < features; f++) y[i + f * ${y.featureStride}] = strip[i * ${lanes} + f];`,
    '}',
  ].join('\n');
}
