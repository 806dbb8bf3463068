// Transposes a small square in registers, for packing an operand that is contiguous along k.
//
// Log₂(size) rounds of shuffles of two registers. The first rounds transpose 2×2 or 4×4 squares inside 128 bits, with the
// unpack patterns that every vector instruction set has; the others swap whole blocks off the diagonal:
//
//    A B          A C
//    C D    →     B D      for blocks of 4, then 8 elements (f32)
//
// Pairs of bf16 are moved like f32.

import type { KernelType, Load } from '../../ir/multiply-tiling.ts';
import { loadText, loadType } from './formats.ts';
import { scalarType, vectorType } from './gemm-types.ts';

/** The smallest square that `emitTranspose` handles: 128 bits wide. */
export function smallestTranspose(type: KernelType): number {
  return type === 'f64' ? 2 : 4;
}

export function transposeName(type: KernelType, load: Load, size: number): string {
  return `gemm_${type}_transpose${load === 'copy' ? '' : `_${load}`}_${size}`;
}

/**
 * A C function: target[j][i] = source[i][j] for i, j < size, a power of two; rows are `…_row` elements apart. The elements
 * of bf16 are pairs; strides count single values.
 */
export function emitTranspose(type: KernelType, load: Load, size: number): string {
  const moved = type === 'bf16' ? 'f32' : type;
  const from = type === 'bf16' ? 'uint16_t' : loadType(load, moved);
  const V = vectorType(moved, size);
  const lane = [...Array(size).keys()];
  const lines = [
    `static inline __attribute__((always_inline)) void ${transposeName(type, load, size)}(`,
    `    const ${from} *restrict source, int64_t source_row, ${scalarType(type)} *restrict target, int64_t target_row) {`,
    ...lane.map(i => `  const ${V} r0_${i} = ${loadText(load, moved, size, `source + ${i} * source_row`)};`),
  ];
  let round = 0;
  const shuffles = (first: (i: number) => { a: number; b: number; mask: readonly number[] }): void => {
    for (const i of lane) {
      const { a, b, mask } = first(i);
      lines.push(
        `  const ${V} r${round + 1}_${i} = GEMM_SHUFFLE(${V}, r${round}_${a}, r${round}_${b}, ${mask.join(', ')});`,
      );
    }
    round++;
  };
  // Lanes of a register pair (a, b) are numbered 0..size-1, size..2·size-1.
  const inSmallSquares = (pattern: readonly number[], small: number): number[] =>
    lane.map(l => {
      const source = pattern[l % small]!;
      return Math.floor(l / small) * small + (source % small) + (source >= small ? size : 0);
    });
  if (smallestTranspose(type) === 2) {
    shuffles(i => ({ a: i & ~1, b: i | 1, mask: inSmallSquares(i & 1 ? [1, 3] : [0, 2], 2) }));
  } else {
    shuffles(i => ({ a: i & ~1, b: i | 1, mask: inSmallSquares(i & 1 ? [2, 6, 3, 7] : [0, 4, 1, 5], 4) }));
    // Registers 4g and 4g+2 hold columns 0 and 1 of their four rows, 4g+1 and 4g+3 columns 2 and 3.
    shuffles(i => {
      const a = (i & ~3) + ((i & 2) >> 1);
      return { a, b: a + 2, mask: inSmallSquares(i & 1 ? [2, 3, 6, 7] : [0, 1, 4, 5], 4) };
    });
  }
  for (let block = smallestTranspose(type); block < size; block *= 2) {
    shuffles(i => ({
      a: i & ~block,
      b: i | block,
      mask: lane.map(l => (i & block ? (l & block ? size + l : l + block) : l & block ? size + l - block : l)),
    }));
  }
  lines.push(...lane.map(i => `  GEMM_STORE(${V}, target + ${i} * target_row, r${round}_${i});`), '}');
  return lines.join('\n');
}
