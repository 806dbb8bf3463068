// The scratch of a worker of a tiled multiply: which operands are packed there, and the distance of rows and strips.
import type { TiledMemory, TiledPlan } from '../ir/multiply-tiling.ts';
import { elementBytes, sumTypeOf } from './problem.ts';
import { tileDepth } from './tile.ts';

export function planTiledMemory(plan: Omit<TiledPlan, 'memory'>): TiledMemory {
  const { problem: p, tile, lanes, depth } = plan;
  const width = tile.vectors * lanes;
  const columns = p.n % width;
  const edge =
    columns === 0 ? undefined : { columns, vectors: Math.ceil(columns / lanes), exact: columns % lanes === 0 };
  const chunkColumns = Math.min(plan.maxColumns, Math.ceil(p.n / width) * width);
  const packsPanels = plan.b === 'packed' && p.n >= width;
  const packsEdge = edge !== undefined && (plan.b === 'packed' || !edge.exact);
  // Panels are whole vectors wide, so each starts on a cache line. If the others stay in place, only the edge panel is packed.
  const packedColumns = plan.b === 'packed' ? chunkColumns : packsEdge ? edge.vectors * lanes : 0;
  const strips = Math.ceil(Math.min(plan.packedRows, p.m) / tile.rows);
  const bytes = elementBytes(plan.kernelType);
  const depthUnit = plan.registers === 'tiles' ? tileDepth : plan.kernelType === 'bf16' ? 2 : 1;
  const packedDepth = Math.ceil(depth / depthUnit) * depthUnit;
  // Plus a cache line, because strips about 16 KB apart would share the same sets of the L1 cache.
  const stripGap = 64 / bytes;
  const sumBytes = elementBytes(sumTypeOf(p.elementType));
  // Plus a cache line, because rows 4 KB apart would share the same sets of the L1 cache.
  const sumsRow = wholeLines(chunkColumns * sumBytes + 64) / sumBytes;
  const sumsRows = depth < p.k ? Math.min(plan.maxRows, Math.ceil(p.m / tile.rows) * tile.rows) : tile.rows;
  const bytesA = plan.a === 'packed' ? wholeLines(strips * (tile.rows * packedDepth + stripGap) * bytes) : 0;
  const bytesB = wholeLines(packedColumns * packedDepth * bytes);
  const bytesOfSums = plan.sums === 'scratch' ? wholeLines(sumsRows * sumsRow * sumBytes) : 0;
  return {
    width,
    edge,
    packsPanels,
    packsEdge,
    chunkColumns,
    depthUnit,
    stripGap,
    bytesA,
    bytesB,
    bytesOfSums,
    sumsRow,
    scratchBytes: bytesA + bytesB + bytesOfSums,
    keepsB: p.batch.length === 0 && depth >= p.k && (packsPanels || packsEdge),
  };
}

/** Bytes rounded up to cache lines. */
function wholeLines(bytes: number): number {
  return Math.ceil(bytes / 64) * 64;
}
