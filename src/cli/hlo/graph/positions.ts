// Horizontal positions in a layered drawing: each stop as near as possible to the middle of its neighbors, without changing
// the order within a layer or letting boxes touch.
import type { Layering } from './layers.ts';

const rounds = 10;

/** The center of each stop, in pixels from the left of the drawing. */
export function centersOf({ stops, layers }: Layering, widths: readonly number[], gap: number): readonly number[] {
  const centers = new Array<number>(stops.length).fill(0);
  for (const layer of layers) {
    let x = 0;
    for (const stop of layer) {
      centers[stop] = x + widths[stop]! / 2;
      x += widths[stop]! + gap;
    }
  }
  const mean = (of: readonly number[]): number => of.reduce((sum, n) => sum + centers[n]!, 0) / of.length;
  for (let round = 0; round < rounds; round++) {
    const down = round % 2 === 0;
    for (const layer of down ? layers : layers.toReversed()) {
      const wanted = layer.map(stop => {
        const { above, below } = stops[stop]!;
        const neighbors = round === rounds - 1 ? [...above, ...below] : down ? above : below;
        return neighbors.length === 0 ? centers[stop]! : mean(neighbors);
      });
      spread(
        wanted,
        layer.map(stop => widths[stop]!),
        gap,
      ).forEach((x, i) => {
        centers[layer[i]!] = x;
      });
    }
  }
  const left = stops.reduce((least, _, i) => Math.min(least, centers[i]! - widths[i]! / 2), Infinity);
  return centers.map(x => x - left);
}

/** The positions nearest to the desired ones (least squares) that keep the order and the distances: pool adjacent violators. */
export function spread(wanted: readonly number[], widths: readonly number[], gap: number): readonly number[] {
  // With the minimum distances subtracted, positions must not decrease; where they would, neighbors share their mean.
  const offsets: number[] = [];
  wanted.forEach((_, i) => {
    offsets.push(i === 0 ? 0 : offsets[i - 1]! + (widths[i - 1]! + widths[i]!) / 2 + gap);
  });
  const pools: { sum: number; count: number }[] = [];
  const meanOf = (pool: { sum: number; count: number }): number => pool.sum / pool.count;
  wanted.forEach((x, i) => {
    pools.push({ sum: x - offsets[i]!, count: 1 });
    while (pools.length > 1 && meanOf(pools.at(-2)!) > meanOf(pools.at(-1)!)) {
      const last = pools.pop()!;
      pools.at(-1)!.sum += last.sum;
      pools.at(-1)!.count += last.count;
    }
  });
  return pools.flatMap(pool => new Array<number>(pool.count).fill(meanOf(pool))).map((x, i) => x + offsets[i]!);
}
