// Which register tile, which blocking and which operands are copied: every choice of the generator, and nothing printed.
//
//        ┌ n ───────────────┐     The idea is Goto's: a panel of B as wide as a register tile, `kc` deep, streams from
//      m │ ┌ chunk ──┐      │     the L2 cache while a strip of A as tall as the tile stays in the L1 cache, and the
//        │ │ ▓▓▓ tile│      │     tile of C stays in registers. A chunk of C belongs to one task, which packs its own
//        │ └─────────┘      │     columns of B: nothing is shared, so nothing waits, and the order in which k is added
//        └──────────────────┘     (the passes of kc) is the same for every element whoever computes it.
//
// The choices are a function of the Target; the constants in `blocking` were measured, see README.md.
import type { Target } from '../target.ts';
import { elementBytes, type GemmProblem, type GemmSpec, simplify, transposed } from './spec.ts';

/** How the kernel finds an operand: in place along rows (k contiguous), in place along columns, or packed in panels. */
export type AAccess = 'rows' | 'columns' | 'packed';
export type BAccess = 'inPlace' | 'packed';

export interface Tile {
  /** Rows of C in registers. */
  readonly rows: number;
  /** Vectors in a row of C in registers. */
  readonly vectors: number;
}

/** Register-tiled: the general plan. */
export interface TiledPlan {
  readonly kind: 'tiled';
  readonly problem: GemmProblem;
  readonly lanes: number;
  readonly tile: Tile;
  /** Depth of one pass over k. */
  readonly depth: number;
  readonly a: AAccess;
  readonly b: BAccess;
  /** Rows of A packed at a time. */
  readonly packedRows: number;
  /** Columns in a task's chunk, at most. */
  readonly maxColumns: number;
}

/** Few rows, everything contiguous along k: vectors run along k. Bound by reading B once. */
export interface DotPlan {
  readonly kind: 'dot';
  readonly problem: GemmProblem;
  readonly lanes: number;
  /** Columns of C computed together. */
  readonly columns: number;
  /** The rows of A are first copied so that k is contiguous. */
  readonly packA: boolean;
}

/** No products at all: C is empty, or filled with zeros (k = 0). */
export interface EmptyPlan {
  readonly kind: 'empty';
  readonly problem: GemmProblem;
}

export type GemmPlan = TiledPlan | DotPlan | EmptyPlan;

/** Overrides for measuring; the generator chooses what is absent. */
export interface Tuning {
  readonly tile?: Tile;
  readonly depth?: number;
  readonly maxColumns?: number;
  readonly a?: AAccess;
  readonly b?: BAccess;
}

const dotRows = 4;

/** Elements of a type in a vector of the target. */
export function lanesOf(elementType: GemmSpec['elementType'], target: Target): number {
  return target.vectorBytes / elementBytes(elementType);
}

/** Chooses how to compute `spec` on `target`. The same choice every time: equal inputs give equal code. */
export function planGemm(spec: GemmSpec, target: Target, tuning: Tuning = {}): GemmPlan {
  const lanes = lanesOf(spec.elementType, target);
  const problem = simplify(spec, lanes);
  if (problem.m * problem.n * problem.k === 0 || problem.batch.some(d => d.size === 0)) {
    return { kind: 'empty', problem };
  }
  return planDot(problem, lanes, target) ?? planTiled(problem, lanes, target, tuning);
}

function planDot(p: GemmProblem, lanes: number, target: Target): DotPlan | undefined {
  if (p.k < 2 * lanes) return undefined;
  const oriented = p.m <= dotRows && p.b.k === 1 ? p : p.n <= dotRows && p.a.k === 1 ? transposed(p) : undefined;
  if (oriented === undefined) return undefined;
  const accumulators = target.registers >= 32 ? 16 : 8;
  const columns = Math.max(2, Math.min(8, Math.floor(accumulators / oriented.m)));
  return { kind: 'dot', problem: oriented, lanes, columns, packA: oriented.a.k !== 1 };
}

function planTiled(p: GemmProblem, lanes: number, target: Target, tuning: Tuning): TiledPlan {
  const bytes = elementBytes(p.elementType);
  const tile = tuning.tile ?? chooseTile(p.m, p.n, p.k, lanes, target.registers);
  const b = tuning.b ?? chooseB(p, tile, bytes, target);
  const a = tuning.a ?? chooseA(p, bytes, target);
  const { depth, maxColumns } = blocking(p, tile, lanes, bytes, a, b, target);
  return {
    kind: 'tiled',
    problem: p,
    lanes,
    tile,
    depth: tuning.depth === undefined ? depth : Math.min(tuning.depth, p.k),
    a,
    b,
    packedRows: Math.max(1, Math.floor(64 / tile.rows)) * tile.rows,
    maxColumns: tuning.maxColumns ?? maxColumns,
  };
}

/**
 * The tile with the least estimated time for this shape, edges included. A step of k on a tile of r × v costs, in cycles
 * of a core with two multiply-add and two load ports: r·v/2 for the products, or (r+v)/2 for the loads, or the latency of
 * the chain; and a little for each load, twice as much for B's, which come from the L2 cache.
 */
export function chooseTile(m: number, n: number, k: number, lanes: number, registers: number): Tile {
  const latency = 4;
  const perTile = 20;
  const stepCycles = (rows: number, vectors: number): number =>
    Math.max((rows * vectors) / 2, (rows + vectors) / 2, latency) + 0.1 * rows + 0.2 * vectors;
  const tileCycles = (rows: number, vectors: number): number =>
    rows * vectors === 0 ? 0 : k * stepCycles(rows, vectors) + perTile + rows * vectors;
  let best: Tile = { rows: 1, vectors: 1 };
  let bestCycles = Number.POSITIVE_INFINITY;
  for (let vectors = 1; vectors <= 8; vectors++) {
    for (let rows = 1; rows <= 14; rows++) {
      // A register for each sum, each vector of B, and two elements of A; C compilers spill when all 32 are asked for.
      if (rows * vectors + vectors + 2 > Math.min(registers, 30)) continue;
      const width = vectors * lanes;
      const strips = Math.floor(m / rows);
      const panels = Math.floor(n / width);
      const restRows = m % rows;
      const restVectors = Math.ceil((n % width) / lanes);
      const restPanels = restVectors === 0 ? 0 : 1;
      const cycles =
        strips * panels * tileCycles(rows, vectors) +
        strips * restPanels * tileCycles(rows, restVectors) +
        panels * tileCycles(restRows, vectors) +
        restPanels * tileCycles(restRows, restVectors);
      if (cycles < bestCycles) {
        best = { rows, vectors };
        bestCycles = cycles;
      }
    }
  }
  return best;
}

/** Rows of B are read where they are if they are used too seldom to repay a copy. */
function chooseB(p: GemmProblem, tile: Tile, bytes: number, target: Target): BAccess {
  if (p.b.n !== 1) return 'packed';
  if (p.m <= tile.rows) return 'inPlace';
  // Rows far apart share a few cache sets: a panel of them would evict itself. Close together, they do not.
  const compact = p.b.k * bytes <= 512 && p.k * p.b.k * bytes <= target.l1Bytes;
  return compact ? 'inPlace' : 'packed';
}

function chooseA(p: GemmProblem, bytes: number, target: Target): AAccess {
  if (p.a.k === 1) return 'rows';
  if (p.a.m !== 1) return 'packed';
  // Columns in place are read again for every panel of B: only while all of A stays near.
  return p.k * p.a.k * bytes <= target.l2Bytes / 4 || p.m === 1 ? 'columns' : 'packed';
}

function blocking(
  p: GemmProblem,
  tile: Tile,
  lanes: number,
  bytes: number,
  a: AAccess,
  b: BAccess,
  target: Target,
): { depth: number; maxColumns: number } {
  const width = tile.vectors * lanes;
  // A strip of A stays in the L1 cache while panels of B stream past it. Nothing is kept if both are read in place, once.
  const streaming = b === 'inPlace' && p.m <= tile.rows && a !== 'packed';
  const stripBytes = target.l1Bytes * (a === 'packed' ? 1 / 4 : 3 / 8);
  const deepest = streaming ? p.k : Math.max(64, Math.floor(stripBytes / (tile.rows * bytes)));
  const passes = Math.ceil(p.k / deepest);
  const depth = passes === 1 ? p.k : Math.ceil(p.k / passes / 16) * 16;
  const panels = Math.max(1, Math.floor((target.l2Bytes * 0.5) / (depth * width * bytes)));
  return { depth, maxColumns: panels * width };
}
