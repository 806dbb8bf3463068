// Chooses the register tile, the blocking and the operands to pack: all decisions of the generator, without printing.
//
//        ┌ n ───────────────┐     The idea is Goto's: a panel of B as wide as a register tile, `kc` deep, streams from
//      m │ ┌ chunk ──┐      │     the L2 cache while a strip of A as tall as the tile stays in the L1 cache, and the
//        │ │ ▓▓▓ tile│      │     tile of C stays in registers. A chunk of C belongs to one task, which packs its own
//        │ └─────────┘      │     columns of B: nothing is shared, so tasks never wait, and the order in which k is added
//        └──────────────────┘     (the passes of kc) is the same for every element, whichever task computes it.
//
// The choices depend only on the CpuTarget; the constants in `blocking` were measured, see README.md.

import { assertNever } from '../../../base/errors.ts';
import {
  fewRows,
  type GemmElementType,
  type GemmSpec,
  interleavedBlock,
  type QuantizedFormat,
} from '../../ir/multiply.ts';
import {
  type AAccess,
  type BAccess,
  bytesOfBlock,
  type GemmPlan,
  type GemmProblem,
  type InterleavedDotPlan,
  type KernelType,
  type Load,
  type QuantizedDotPlan,
  type RowDotPlan,
  type Tile,
  type TiledPlan,
} from '../ir/multiply-tiling.ts';
import type { CpuTarget } from '../target/target.ts';
import { elementBytes, resultTypeOf, simplify, sumTypeOf, transposed } from './problem.ts';
import { tileDepth, tileRows } from './tile.ts';
import { planTiledMemory } from './tiled-memory.ts';
import { vectorWidths } from './vector-widths.ts';

/** Overrides for measurements; the generator chooses absent values. */
export interface Tuning {
  readonly tile?: Tile;
  readonly depth?: number;
  readonly maxColumns?: number;
  readonly packedRows?: number;
  readonly a?: AAccess;
  readonly b?: BAccess;
}

/**
 * Columns that a row of bf16 pairs is multiplied by at a time, and how far ahead each is prefetched. Zen 4 and 5 read one column
 * after another fastest (52 GB/s of two threads, of 57; four columns 30), Sapphire Rapids four (31 GB/s; one column 26).
 */
const pairStreams = {
  one: { columns: 1, bytes: 4096 },
  four: { columns: 4, bytes: 8192 },
} as const;
/** With a shorter distance, data arrives too late: on Sapphire Rapids, 4 KiB reaches 90 % of the memory rate of 8 KiB. */
const prefetchBytes = 8192;

/** The requirements of an epilogue for the plan. */
export interface EpilogueDemand {
  /** Each call gets whole rows of C. */
  readonly wholeRows?: boolean;
}

/** Elements of a sum's type in a vector of the target. */
function lanesOf(elementType: GemmElementType, target: CpuTarget): number {
  return target.vectorBytes / elementBytes(sumTypeOf(elementType));
}

/** Chooses how to compute `spec` on `target`. Deterministic: equal inputs give equal code. */
export function planGemm(spec: GemmSpec, target: CpuTarget, tuning: Tuning = {}, epilogue?: EpilogueDemand): GemmPlan {
  const lanes = lanesOf(spec.elementType, target);
  if (spec.quantized !== undefined) {
    const problem = { ...spec, resultType: resultTypeOf(spec), swapped: false };
    return (spec.quantized.layout === 'rows' ? planQuantized : planInterleaved)(problem, spec.quantized, lanes, target);
  }
  if (spec.panel !== undefined)
    return planTiled({ ...spec, resultType: resultTypeOf(spec), swapped: false }, lanes, target, tuning, epilogue);
  const problem = simplify(spec, lanes, epilogue !== undefined);
  if (problem.m * problem.n * problem.k === 0 || problem.batch.some(d => d.size === 0)) {
    return { kind: 'empty', problem };
  }
  const dot = epilogue === undefined ? planDot(problem, lanes, target) : undefined;
  return dot ?? planTiled(problem, lanes, target, tuning, epilogue);
}

/** The memory that a worker needs from the runtime. */
export function scratchBytesOf(plan: GemmPlan): number {
  switch (plan.kind) {
    case 'tiled':
      return plan.memory.scratchBytes;
    case 'dot':
    case 'quantized':
      return plan.scratchBytes;
    case 'interleaved':
    case 'empty':
      return 0;
    default:
      return assertNever(plan);
  }
}

/** The memory that all workers share while the multiply runs. */
export const workspaceBytesOf = (plan: GemmPlan): number => (plan.kind === 'interleaved' ? plan.digitBytes : 0);

/**
 * Whether a multiply can pass its sums to an epilogue: C's rows or columns are contiguous, there are sums, and with
 * `wholeRows`, all columns fit into one chunk.
 */
export function canHaveEpilogue(spec: GemmSpec, target: CpuTarget, demand: EpilogueDemand = {}): boolean {
  const plan = planGemm(spec, target, {}, demand);
  if (plan.kind !== 'tiled' || plan.problem.c.n !== 1) return false;
  if (demand.wholeRows !== true) return true;
  // Sums over a row would have another order than in a kernel of their own.
  if (plan.b === 'stored') return false;
  const { n, k } = plan.problem;
  return n === (spec.c.n === 1 ? spec.n : spec.m) && n * Math.min(k, plan.depth) * 4 <= target.l2Bytes / 2;
}

function loadOf(p: GemmProblem, kernelType: KernelType): Load {
  if (p.compute === 'tf32') return 'tf32';
  return kernelType === 'f32' && (p.elementType === 'bf16' || p.elementType === 'f16') ? p.elementType : 'copy';
}

function planDot(p: GemmProblem, lanes: number, target: CpuTarget): RowDotPlan | undefined {
  if (p.k < 2 * lanes || p.compute !== undefined) return undefined;
  const oriented = p.m <= fewRows && p.b.k === 1 ? p : p.n <= fewRows && p.a.k === 1 ? transposed(p) : undefined;
  if (oriented === undefined) return undefined;
  const accumulators = target.registers >= 32 ? 16 : 8;
  const load = loadOf(oriented, 'f32');
  const packA = oriented.a.k !== 1;
  const scratchBytes = packA ? oriented.m * oriented.k * elementBytes(oriented.elementType) : 0;
  const { elementType, resultType, m, k } = oriented;
  const pairs = elementType === 'bf16' && resultType === 'f32' && target.bf16 !== 'none' && m === 1;
  const stream = pairs
    ? pairStreams[target.bf16 === 'tiles' ? 'four' : 'one']
    : { columns: Math.max(2, Math.min(8, Math.floor(accumulators / m))), bytes: prefetchBytes };
  const { columns } = stream;
  const prefetchColumns = columns * Math.ceil(stream.bytes / (columns * k * elementBytes(elementType)));
  const common = { problem: oriented, lanes, columns, pairs, prefetchColumns, load, f16: target.f16 };
  return { kind: 'dot', ...common, packA, scratchBytes };
}

/** Four columns share the loads of A, and their sums are enough to hide the latency of a multiply-add. */
const quantizedColumns = 4;

function planQuantized(
  problem: GemmProblem,
  format: QuantizedFormat,
  lanes: number,
  target: CpuTarget,
): QuantizedDotPlan {
  const packA = problem.a.k !== 1;
  return {
    kind: 'quantized',
    problem,
    format,
    lanes,
    columns: quantizedColumns,
    f16: target.f16,
    isAvx512: target.isa === 'avx512' || target.isa === 'amx',
    packA,
    scratchBytes: packA ? problem.m * problem.k * 4 : 0,
  };
}

function planInterleaved(
  problem: GemmProblem,
  format: QuantizedFormat,
  lanes: number,
  target: CpuTarget,
): InterleavedDotPlan {
  const { m, k } = problem;
  const rows = Math.min(m, target.registers >= 32 ? 8 : 4);
  const nearRows = Math.max(1, Math.floor(target.l2Bytes / 2 / (4 * k * rows))) * rows;
  // After the digits, a byte for each row says whether it has any.
  const digitBytes = target.vnni ? m * (k / interleavedBlock) * bytesOfBlock + m : 0;
  return { kind: 'interleaved', problem, format, lanes, rows, nearRows, f16: target.f16, digitBytes };
}

function planTiled(
  p: GemmProblem,
  lanes: number,
  target: CpuTarget,
  tuning: Tuning,
  epilogue: EpilogueDemand | undefined,
): TiledPlan {
  const kernelType =
    p.elementType === 'bf16' && target.bf16 !== 'none' ? 'bf16' : p.elementType === 'f64' ? 'f64' : 'f32';
  const bytes = elementBytes(kernelType);
  const load = loadOf(p, kernelType);
  const tiles = kernelType === 'bf16' && target.bf16 === 'tiles' && p.panel === undefined && fillsTiles(p);
  const a =
    tuning.a ??
    (load !== 'copy'
      ? 'packed'
      : kernelType === 'bf16'
        ? p.a.k === 1 && !(tiles && p.k % tileDepth !== 0)
          ? 'rows'
          : 'packed'
        : chooseA(p, bytes, target));
  const pairs = kernelType === 'bf16';
  // Rows of pairs are assembled in registers, piece by piece, every time A is packed.
  const packStep = pairs && a === 'packed' ? (rows: number) => 4 * vectorWidths(rows, lanes).length : undefined;
  const tile = tiles
    ? { rows: p.m > tileRows ? 2 * tileRows : tileRows, vectors: p.n > lanes ? 2 : 1 }
    : (tuning.tile ??
      chooseTile(p.m, p.n, pairs ? p.k / 2 : p.k, lanes, target.registers, packStep, p.panel && p.panel / lanes));
  const b =
    p.panel !== undefined
      ? 'stored'
      : (tuning.b ?? (load !== 'copy' || pairs ? 'packed' : chooseB(p, tile, bytes, target)));
  const step = tiles ? tileDepth : 16;
  const { depth: chosen, maxColumns } = blocking(p, tile, lanes, bytes, a, b, target, step);
  const depth = tuning.depth === undefined ? chosen : Math.min(tuning.depth, p.k);
  const width = tile.vectors * lanes;
  const wholeRows = epilogue?.wholeRows === true;
  const passes = depth < p.k ? 2 : 1;
  const rounds = kernelType === 'bf16' && p.resultType === 'bf16' && passes === 1 && p.n % lanes === 0 && p.c.n === 1;
  const wide = epilogue === undefined && p.resultType === sumTypeOf(p.elementType);
  const sums = wide ? 'c' : rounds && epilogue === undefined ? 'rounded' : 'scratch';
  const plan: Omit<TiledPlan, 'memory'> = {
    kind: 'tiled',
    problem: p,
    registers: tiles ? 'tiles' : 'vectors',
    lanes,
    tile,
    kernelType,
    load,
    f16: target.f16,
    sums,
    depth,
    a,
    b,
    // Pieces of rows far apart are packed, which should be a few cache lines long.
    packedRows: tuning.packedRows ?? Math.max(1, Math.floor((pairs && !tiles ? 192 : 64) / tile.rows)) * tile.rows,
    // Between passes the sums of a chunk are stored in scratch, where they should not evict the operands.
    maxRows: sums === 'scratch' && passes > 1 ? Math.max(1, Math.floor(512 / tile.rows)) * tile.rows : p.m,
    maxColumns: wholeRows ? Math.ceil(p.n / width) * width : (tuning.maxColumns ?? maxColumns),
    wholeRows,
    near: { a: nearCost(kernelType, a === 'packed'), b: b === 'packed' ? nearCost(kernelType, true) : 0 },
  };
  return { ...plan, memory: planTiledMemory(plan) };
}

/**
 * The cost of loading an element of an operand, in multiply-adds, as measured on two threads: packed (with
 * the latency of distant rows), or read in place.
 */
function nearCost(type: KernelType, packed: boolean): number {
  const perVector = { f64: 1, f32: 2, bf16: 4 }[type];
  return (packed ? 8 : 1) * perVector;
}

/**
 * The tile with the least estimated time for this shape, edges included. A step of k on a tile of r × v costs, in cycles
 * of a core with two multiply-add and two load ports: r·v/2 for the products, or (r+v)/2 for the loads, or the latency of
 * the chain; plus a little for each load, twice as much for loads of B, which come from the L2 cache. `packStep` adds the
 * cycles that packing these rows of A takes per step of k. `width`: the vectors of a row, if they are given.
 */
export function chooseTile(
  m: number,
  n: number,
  k: number,
  lanes: number,
  registers: number,
  packStep: (rows: number) => number = () => 0,
  width?: number,
): Tile {
  const latency = 4;
  const perTile = 20;
  const stepCycles = (rows: number, vectors: number): number =>
    Math.max((rows * vectors) / 2, (rows + vectors) / 2, latency) + 0.1 * rows + 0.2 * vectors;
  const tileCycles = (rows: number, vectors: number): number =>
    rows * vectors === 0 ? 0 : k * stepCycles(rows, vectors) + perTile + rows * vectors;
  let best: Tile = { rows: 1, vectors: 1 };
  let bestCycles = Number.POSITIVE_INFINITY;
  for (let vectors = width ?? 1; vectors <= (width ?? 8); vectors++) {
    for (let rows = 1; rows <= 14; rows++) {
      // A register for each sum, each vector of B, and two elements of A; C compilers spill if all 32 are used.
      // A given width has one row at least.
      const narrowest = width !== undefined && rows === 1;
      if (!narrowest && rows * vectors + vectors + 2 > Math.min(registers, 30)) continue;
      const strips = Math.floor(m / rows);
      const panels = Math.floor(n / (vectors * lanes));
      const restRows = m % rows;
      const restVectors = Math.ceil((n % (vectors * lanes)) / lanes);
      const restPanels = restVectors === 0 ? 0 : 1;
      const cycles =
        strips * panels * tileCycles(rows, vectors) +
        strips * restPanels * tileCycles(rows, restVectors) +
        panels * tileCycles(restRows, vectors) +
        k * (strips * packStep(rows) + packStep(restRows)) +
        restPanels * tileCycles(restRows, restVectors);
      if (cycles < bestCycles) {
        best = { rows, vectors };
        bestCycles = cycles;
      }
    }
  }
  return best;
}

/**
 * Whether AMX tiles are worth their padding: vectors are better for less than half of a step of k, or for very few rows or
 * columns.
 */
function fillsTiles(p: GemmProblem): boolean {
  return 2 * p.k >= tileDepth && p.m >= 4 && 2 * p.n >= tileRows;
}

/** Rows of B are read in place if they are used too rarely to pay for a copy. */
function chooseB(p: GemmProblem, tile: Tile, bytes: number, target: CpuTarget): BAccess {
  if (p.b.n !== 1) return 'packed';
  if (p.m <= tile.rows) return 'inPlace';
  // Distant rows share a few cache sets: a panel of them would evict itself. Adjacent rows do not.
  const compact = p.b.k * bytes <= 512 && p.k * p.b.k * bytes <= target.l1Bytes;
  return compact ? 'inPlace' : 'packed';
}

function chooseA(p: GemmProblem, bytes: number, target: CpuTarget): AAccess {
  if (p.a.k === 1) return 'rows';
  if (p.a.m !== 1) return 'packed';
  // Columns in place are read again for every panel of B, so only do this while all of A stays in cache.
  return p.k * p.a.k * bytes <= target.l2Bytes / 4 || p.m === 1 ? 'columns' : 'packed';
}

/** Terms of a pass by stored panels: in pairs, loads from the L2 cache are fast enough. */
const storedDepth = { pairs: 16_384, other: 2048 } as const;

function blocking(
  p: GemmProblem,
  tile: Tile,
  lanes: number,
  bytes: number,
  a: AAccess,
  b: BAccess,
  target: CpuTarget,
  step: number,
): { depth: number; maxColumns: number } {
  const width = tile.vectors * lanes;
  // A strip of A stays in the L1 cache while panels of B are streamed. Nothing is kept if both are read in place, once.
  const streaming = b === 'inPlace' && p.m <= tile.rows && a !== 'packed';
  // With two bytes per element, loads from the L2 cache are fast enough, and a single pass avoids storing and reloading the sums.
  const deep = bytes === 2 && a === 'rows' && step !== tileDepth;
  if (b === 'stored') {
    // The order of sums depends on the depth alone: not on the rows of the tile.
    const passes = Math.ceil(p.k / storedDepth[bytes === 2 ? 'pairs' : 'other']);
    const depth = passes === 1 ? p.k : Math.ceil(p.k / passes / 16) * 16;
    return { depth, maxColumns: Math.max(1, Math.floor(target.l2Bytes / 2 / (depth * width * bytes))) * width };
  }
  const stripBytes = target.l1Bytes * (a === 'packed' ? 1 / 2 : deep ? 2 : 1);
  const deepest = streaming ? p.k : Math.max(64, Math.floor(stripBytes / (tile.rows * bytes)));
  const passes = Math.ceil(p.k / deepest);
  const depth = passes === 1 ? p.k : Math.ceil(p.k / passes / step) * step;
  // Packed rows are packed again for every chunk of columns: there it pays to let the columns spill from L2 into L3.
  const panelBytes = target.l2Bytes * (a === 'packed' ? 2 : 0.5);
  const panels = Math.max(deep ? 2 : 1, Math.floor(panelBytes / (depth * width * bytes)));
  return { depth, maxColumns: panels * width };
}
