// Packing for AMX. B is packed in pairs as for vdpbf16ps, padded with zeros to a multiple of 32 k. A is packed by rows: a strip
// becomes blocks of 16 pairs of k, each with the rows of the strip (16 or 32):
//
//    target[k / 32][row % 16][row / 16][pair of k]       both halves of a strip side by side, as B's columns are
//
// Rows that are contiguous along k are copied. Others are packed in pairs (pack.ts), which leaves [pair of k][row]; then each
// square of 16 × 16 pairs is transposed.

import { tileDepth, tileRows } from '../../gemm/tile.ts';
import { packName } from './pack.ts';
import type { PackSpec } from './pack-spec.ts';
import { emitTranspose, transposeName } from './transpose.ts';

export const zeroTailName = 'gemm_bf16_zero_tail';

/** Zeros in panels with `2 · width` elements per pair, starting at the first pair that was not packed. */
export const zeroTailFunction = `static __attribute__((noinline)) void ${zeroTailName}(
    uint16_t *target, int64_t panels, int64_t panel_stride, int64_t width, int64_t depth, int64_t packed_depth) {
  const int64_t from = (depth + 1) / 2 * 2 * width, to = packed_depth * width;
  for (int64_t panel = 0; panel < panels && from < to; panel++)
    __builtin_memset(target + panel * panel_stride + from, 0, (to - from) * 2);
}`;

/** Strips of `width` rows, including zeros; `columns` of them are in the source. */
export type TileRows = Pick<PackSpec, 'width' | 'columns'>;

export function turnName(width: number): string {
  return `gemm_bf16_turn_${width}`;
}

/** Converts packed pairs to rows, in place: `(uint16_t *target, panels, panel_stride, packed_depth)`. Name → C. */
export function emitTurn(width: number): Map<string, string> {
  const code = [
    `static __attribute__((noinline)) void ${turnName(width)}(uint16_t *target, int64_t panels, int64_t panel_stride, int64_t packed_depth) {`,
    '  for (int64_t panel = 0; panel < panels; panel++, target += panel_stride) {',
    `    for (int64_t at = 0; at < packed_depth * ${width}; at += ${width * tileDepth}) {`,
    `      for (int64_t half = 0; half < ${2 * width}; half += ${tileDepth}) {`,
    `        uint16_t square[${tileRows * tileDepth}] __attribute__((aligned(64)));`,
    `        for (int64_t i = 0; i < ${tileRows}; i++)`,
    `          __builtin_memcpy(square + i * ${tileDepth}, target + at + half + i * ${2 * width}, 64);`,
    `        ${transposeName('bf16', 'copy', tileRows)}(square, ${tileDepth}, target + at + half, ${2 * width});`,
    '      }',
    '    }',
    '  }',
    '}',
  ].join('\n');
  const transpose = transposeName('bf16', 'copy', tileRows);
  return new Map([
    [transpose, emitTranspose('bf16', 'copy', tileRows)],
    [turnName(width), code],
  ]);
}

export function copyRowsName(s: TileRows): string {
  return packName({ elementType: 'bf16', ...s, source: 'along', lanes: tileRows }).replace('_along', '_rows');
}

/** Copies rows that are contiguous along k: `(source, across, depth, panels, panel_stride, target)`. */
export function emitCopyRows(s: TileRows): string {
  const { width, columns } = s;
  return [
    `static __attribute__((noinline)) void ${copyRowsName(s)}(`,
    '    const uint16_t *restrict source, int64_t across, int64_t depth, int64_t panels, int64_t panel_stride, uint16_t *restrict target) {',
    `  for (int64_t panel = 0; panel < panels; panel++, source += ${columns} * across, target += panel_stride) {`,
    `    for (int64_t w = 0; w < ${columns}; w++) {`,
    `      const uint16_t *from = source + w * across;`,
    `      uint16_t *to = target + w % ${tileRows} * ${2 * width} + w / ${tileRows} * ${tileDepth};`,
    '      int64_t k = 0;',
    `      for (; k + ${tileDepth} <= depth; k += ${tileDepth}, to += ${tileDepth * width}) __builtin_memcpy(to, from + k, 64);`,
    '      if (k < depth) {',
    '        __builtin_memset(to, 0, 64);',
    '        __builtin_memcpy(to, from + k, (depth - k) * 2);',
    '      }',
    '    }',
    '  }',
    '}',
  ].join('\n');
}
