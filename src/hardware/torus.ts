// The links of a torus. Chips are numbered row by row: in a torus of shape [rows, columns], chip c is in row
// ⌊c ÷ columns⌋ and column c mod columns.
//
//    0 ─ 1 ─ 2 ─ 3 ┐        chip 0 has the neighbors 12 (up), 3 (left), 4 (down) and 1 (right):
//    4 ─ 5 ─ 6 ─ 7          the ends of every row and column are joined
//    8 ─ 9 ─10 ─11
//   12 ─13 ─14 ─15

/**
 * The neighbors of a chip: one step back in each dimension, the first dimension first, then one step forth in each. In two
 * dimensions that is up, left, down, right, the order in which Neuron's tools list them. A chip that is its own neighbor
 * (a dimension of 1) or a neighbor twice (a dimension of 2) is listed once or not at all.
 * @example
 * hardware.torusNeighbors([4, 4], 0) // [12, 3, 4, 1]
 */
export function torusNeighbors(shape: readonly number[], chip: number): readonly number[] {
  const strides = shape.map((_, d) => shape.slice(d + 1).reduce((a, b) => a * b, 1));
  const step = (d: number, by: -1 | 1): number => {
    const size = shape[d]!;
    const at = Math.floor(chip / strides[d]!) % size;
    return chip + (((at + by + size) % size) - at) * strides[d]!;
  };
  const all = ([-1, 1] as const).flatMap(by => shape.map((_, d) => step(d, by)));
  return [...new Set(all)].filter(neighbor => neighbor !== chip);
}
