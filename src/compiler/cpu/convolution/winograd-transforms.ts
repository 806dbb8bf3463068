// The matrices of Winograd's F(4×4, 3×3), from the points at which its polynomials are evaluated (Toom–Cook).
//
// The points decide the rounding error. 0, ±3/4, ±3/2 and infinity have half the error of the usual 0, ±1, ±2, and Aᵀ and Bᵀ are
// exact in f32. Each point is next to its negative, so that both share their even and odd parts.
import type { Matrix, WinogradTransforms } from '../ir/winograd.ts';

/** Results and weights along a dim of a tile, and elements of x that they need. */
export const [tileResults, tileTaps, tileSize] = [4, 3, 6] as const;
const points: readonly number[] = [0, 3 / 4, -3 / 4, 3 / 2, -3 / 2];

export const winogradTransforms: WinogradTransforms = {
  x: [...points.map(p => [...polynomial(points.filter(q => q !== p)), 0]), polynomial(points)],
  w: [
    ...points.map(p => {
      const scale = points.filter(q => q !== p).reduce((product, q) => product * (p - q), 1);
      return powers(p, tileTaps).map(x => x / scale);
    }),
    [0, 0, 1],
  ],
  y: transposed([...points.map(p => powers(p, tileResults)), [0, 0, 0, 1]]),
};

export function transposed(m: Matrix): Matrix {
  return m[0]!.map((_, j) => m.map(row => row[j]!));
}

function powers(p: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => p ** i);
}

/** Coefficients of Π (t - root), that of the lowest power first. */
function polynomial(roots: readonly number[]): number[] {
  return roots.reduce<number[]>(
    (c, root) => Array.from({ length: c.length + 1 }, (_, i) => (c[i - 1] ?? 0) - root * (c[i] ?? 0)),
    [1],
  );
}
