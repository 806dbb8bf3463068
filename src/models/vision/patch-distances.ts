// Numbers that are added to the scores of attention by the distance of two patches, in rows and columns (BEiT, arXiv:2106.08254).
// S the token of the image and the patches, D distances.
import { functional as F, Module, Parameter } from '../../nn/index.ts';
import { cat, type Tensor, tensor, zeros } from '../../tensor/index.ts';

/** The distances of a grid of rows and columns: differences of rows and of columns. */
const distancesOf = ([rows, columns]: readonly [number, number]): readonly [number, number] => [
  2 * rows - 1,
  2 * columns - 1,
];

/** Pairs with the token of the image have numbers of their own: from it, to it, and its own. */
const ownPairs = 3;

/**
 * The numbers of each head by distance.
 * @example
 * new PatchDistances([2, 3], 4)([2, 3]).shape // [1, 4, 7, 7]
 */
export class PatchDistances extends Module {
  readonly #grid: readonly [number, number];
  readonly #indices = new Map<string, Tensor>();
  /** [D + 3, heads] */
  relative_position_bias_table: Parameter;
  /** @param grid the rows and columns of patches that the table is made for */
  constructor(grid: readonly [number, number], heads: number) {
    super();
    this.#grid = grid;
    const [height, width] = distancesOf(grid);
    this.relative_position_bias_table = new Parameter(zeros([height * width + ownPairs, heads]), { fresh: true });
  }
  /** The bias of scores, [1, heads, S, S]; distances are interpolated for another grid than the table's. */
  override forward(grid: readonly [number, number]): Tensor {
    const length = grid[0] * grid[1] + 1;
    const heads = this.relative_position_bias_table.shape[1]!;
    return F.embedding(this.#indexOf(grid), this.#tableFor(grid))
      .reshape(length, length, heads)
      .permute(2, 0, 1)
      .unsqueeze(0);
  }
  #tableFor(grid: readonly [number, number]): Tensor {
    const table = this.relative_position_bias_table;
    if (grid.every((n, i) => n === this.#grid[i])) return table;
    const [height, width] = distancesOf(this.#grid);
    const heads = table.shape[1]!;
    const image = table
      .narrow(0, 0, height * width)
      .reshape(1, height, width, heads)
      .permute(0, 3, 1, 2);
    const size = distancesOf(grid) as [number, number];
    const resized = F.interpolate(image.to('f32'), { size, mode: 'bilinear' }).to(table.dtype);
    return cat([resized.permute(0, 2, 3, 1).reshape(-1, heads), table.narrow(0, height * width, ownPairs)], 0);
  }
  /** The row of the table for each pair, [S · S]. */
  #indexOf(grid: readonly [number, number]): Tensor {
    const known = this.#indices.get(String(grid));
    if (known !== undefined) return known;
    const [rows, columns] = grid;
    const [height, width] = distancesOf(grid);
    const length = rows * columns + 1;
    const indices = Int32Array.from({ length: length * length }, (_, i) => {
      const [query, key] = [Math.trunc(i / length) - 1, (i % length) - 1];
      if (query < 0) return height * width + (key < 0 ? 2 : 0);
      if (key < 0) return height * width + 1;
      const row = Math.trunc(query / columns) - Math.trunc(key / columns) + rows - 1;
      const column = (query % columns) - (key % columns) + columns - 1;
      return row * width + column;
    });
    const index = tensor(indices, { shape: [indices.length] });
    this.#indices.set(String(grid), index);
    return index;
  }
}
