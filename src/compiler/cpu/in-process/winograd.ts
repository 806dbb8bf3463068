// Runs convolutions by Winograd from their plan: its matrices, blocks of features, chunks of tiles and slices, summed in f32 in
// the order of the C. It ignores the tiling of a block of sums, and the order in which a small matrix adds the elements of a
// tile, so results are close to those of the C but not bit-identical.
import type { Matrix, WinogradImages, WinogradPlan } from '../ir/winograd.ts';
import type { ElementMemory } from './memory.ts';

export interface WinogradMemories {
  readonly x: ElementMemory;
  readonly w: ElementMemory;
  readonly y: ElementMemory;
}

const { fround } = Math;
const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
const transposed = (m: Matrix): Matrix => m[0]!.map((_, j) => m.map(row => row[j]!));

/** matrix · tile · matrixᵀ */
function transformed(matrix: Matrix, tile: Matrix): Matrix {
  const times = (columns: Matrix): Matrix =>
    matrix.map(row => columns.map(column => row.reduce((sum, c, i) => fround(sum + c * column[i]!), 0)));
  return transposed(times(times(transposed(tile))));
}

export function runWinograd(plan: WinogradPlan, memory: WinogradMemories): void {
  if (plan.problem.role === 'images') runImages(plan, memory);
  else runWeights(plan, memory);
}

/** The elements of a tile of images: rows and columns from the first, zeros outside. */
function tileOf(
  memory: ElementMemory,
  images: WinogradImages,
  at: { readonly image: number; readonly feature: number; readonly row: number; readonly column: number },
  size: number,
): Matrix {
  const base = at.image * images.imageStride + at.feature * images.featureStride;
  return range(at.row, at.row + size).map(h =>
    range(at.column, at.column + size).map(w =>
      h < 0 || h >= images.height || w < 0 || w >= images.width
        ? 0
        : (memory.get(base + h * images.width + w) as number),
    ),
  );
}

interface TileRow {
  readonly image: number;
  /** The first row of results. */
  readonly row: number;
  /** The first column of results of each tile. */
  readonly columns: readonly number[];
}
/** The rows of tiles of a chunk. */
function rowsOf({ problem, transforms, rows, across, down }: WinogradPlan, chunk: number): TileRow[] {
  const results = transforms.y.length;
  const last = Math.min((chunk + 1) * rows, problem.images * down);
  return range(chunk * rows, last).map(row => ({
    image: Math.floor(row / down),
    row: (row % down) * results,
    columns: range(0, across).map(i => i * results),
  }));
}
const tilesOf = (rows: readonly TileRow[]) =>
  rows.flatMap(({ image, row, columns }) => columns.map(column => ({ image, row, column })));

/** For each tile and feature from `first` up to `end`, the transformed tile of x as a list. */
function transformX(plan: WinogradPlan, x: ElementMemory, rows: readonly TileRow[], first: number, end: number) {
  const { problem: p, transforms } = plan;
  const [above, left] = p.low;
  return tilesOf(rows).map(({ image, row, column }) =>
    range(first, end).map(feature =>
      transformed(
        transforms.x,
        tileOf(x, p.x, { image, feature, row: row - above, column: column - left }, transforms.x.length),
      ).flat(),
    ),
  );
}

/** Adds up products in order, separately for each element of the tiles. */
function addProducts(sums: Float32Array, terms: readonly (readonly [readonly number[], readonly number[]])[]): void {
  for (let e = 0; e < sums.length; e++) {
    let sum = 0;
    for (const [a, b] of terms) sum = fround(sum + a[e]! * b[e]!);
    sums[e] = sums[e]! + sum;
  }
}
const square = (list: Float32Array): Matrix => {
  const size = Math.sqrt(list.length);
  return range(0, size).map(i => Array.from(list.subarray(i * size, (i + 1) * size)));
};

function runImages(plan: WinogradPlan, { x, w, y }: WinogradMemories): void {
  const { problem: p, transforms, inputBlock, outputBlock, outputBlocks } = plan;
  const elements = transforms.x.length ** 2;
  const taps = range(0, transforms.w[0]!.length);
  const weight = (input: number, output: number): number[] => {
    const at = p.w.base + input * p.w.input + output * p.w.output;
    const tile = taps.map(r => taps.map(c => w.get(at + r * p.w.row + c * p.w.column) as number));
    return transformed(transforms.w, tile).flat();
  };
  const weights = range(0, p.inputs).map(i => range(0, p.outputs).map(o => weight(i, o)));
  for (let task = 0; task < plan.tasks; task++) {
    const output = (task % outputBlocks) * outputBlock;
    const outputs = range(output, Math.min(p.outputs, output + outputBlock));
    const rows = rowsOf(plan, Math.floor(task / outputBlocks));
    const tiles = tilesOf(rows);
    const sums = tiles.map(() => outputs.map(() => new Float32Array(elements)));
    for (let input = 0; input < p.inputs; input += inputBlock) {
      const end = Math.min(p.inputs, input + inputBlock);
      const ofX = transformX(plan, x, rows, input, end);
      tiles.forEach((_, t) => {
        outputs.forEach((o, k) => {
          addProducts(
            sums[t]![k]!,
            ofX[t]!.map((tile, i) => [tile, weights[input + i]![o]!] as const),
          );
        });
      });
    }
    tiles.forEach(({ image, row, column }, t) => {
      outputs.forEach((o, k) => {
        const base = image * p.y.imageStride + o * p.y.featureStride;
        transformed(transforms.y, square(sums[t]![k]!)).forEach((line, i) => {
          line.forEach((value, j) => {
            if (row + i < p.y.height && column + j < p.y.width) y.set(base + (row + i) * p.y.width + column + j, value);
          });
        });
      });
    });
  }
}

function runWeights(plan: WinogradPlan, { x, w, y }: WinogradMemories): void {
  const { problem: p, transforms, slices, chunks, inputBlock, outputBlock, inputBlocks, outputBlocks } = plan;
  const results = transforms.y.length;
  const [intoY, back] = [transposed(transforms.y), transposed(transforms.w)];
  for (let block = 0; block < inputBlocks * outputBlocks; block++) {
    const input = (block % inputBlocks) * inputBlock;
    const output = Math.floor(block / inputBlocks) * outputBlock;
    const inputs = range(input, Math.min(p.inputs, input + inputBlock));
    const outputs = range(output, Math.min(p.outputs, output + outputBlock));
    const slice = (number: number): Float32Array[][] => {
      const sums = outputs.map(() => inputs.map(() => new Float32Array(transforms.x.length ** 2)));
      const firstOf = (n: number): number => Math.floor((n * chunks) / slices);
      const [begin, end] = [firstOf(number), firstOf(number + 1)];
      for (let chunk = begin; chunk < end; chunk++) {
        const rows = rowsOf(plan, chunk);
        const ofX = transformX(plan, x, rows, input, input + inputs.length);
        const ofY = tilesOf(rows).map(({ image, row, column }) =>
          outputs.map(feature => transformed(intoY, tileOf(y, p.y, { image, feature, row, column }, results)).flat()),
        );
        outputs.forEach((_, o) => {
          inputs.forEach((_, i) => {
            addProducts(
              sums[o]![i]!,
              ofX.map((tile, t) => [ofY[t]![o]!, tile[i]!] as const),
            );
          });
        });
      }
      return sums;
    };
    const parts = range(0, slices).map(slice);
    outputs.forEach((o, k) => {
      inputs.forEach((i, l) => {
        const tiles = parts.map(sums => transformed(back, square(sums[k]![l]!)));
        const at = p.w.base + o * p.w.output + i * p.w.input;
        tiles[0]!.forEach((line, r) => {
          line.forEach((_, c) => {
            const value = tiles.reduce((sum, tile) => fround(sum + tile[r]![c]!), 0);
            w.set(at + r * p.w.row + c * p.w.column, value);
          });
        });
      });
    });
  }
}
