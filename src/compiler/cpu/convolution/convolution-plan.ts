// Decides how a convolution is computed: which operand is in vectors, the register tile, how the work is split. All choices
// are made here; nothing is printed. They depend on shapes and the CpuTarget, never on the number of threads.
//
//   pixels along vectors (`across`)              features along vectors (`along`)
//          patches: columns →                           weights: output features →
//      m ┌──────────────┐ chunk                     j ┌──────────────┐ block
//      ↓ │ weights·patch│                           ↓ │ patch·weights│
//
// `across` if neighbors in x are columns (images [N, C, H, W], the forward pass and the gradient of the input), `along` if they
// are summed over (the gradient of the weights for such images; images [N, H, W, C]). In both cases, copying patches means
// copying contiguous runs.

import { chooseTile } from '../gemm/gemm-plan.ts';
import type {
  ConvolutionDim,
  ConvolutionPhase,
  ConvolutionPlan,
  ConvolutionProblem,
  Extent,
  PatchCopies,
  PhasePlan,
} from '../ir/convolution.ts';
import type { CpuTarget } from '../target/target.ts';
import { type ConvolutionTiling, piecesOf, planConvolutionMemory } from './convolution-memory.ts';

/** Below this number of multiply-adds a plain loop is as fast. */
const smallest = 16_384;
/** Enough tasks that workers finish at about the same time. */
const wantedTasks = 24;
/** Runs of columns cut by the padding are described in a table with at most this number of entries. */
const maxPieces = 16_384;

/** Undefined if plain loops are better: small convolutions, and few features in a group. */
export function planConvolution(
  p: ConvolutionProblem,
  bytes: number,
  copiesWeights: boolean,
  target: CpuTarget,
): ConvolutionPlan | undefined {
  const columns = Math.max(...p.phases.map(x => x.columns));
  const depth = Math.max(...p.phases.map(x => x.depth));
  if (p.outputs * columns * depth * p.groups < smallest || !p.phases.every(x => x.columns > 0)) return undefined;
  const inner = p.phases[0]!.dims.at(-1)!;
  const featureInMemory = p.xIn === 1 && p.inputs > 1;
  const along = featureInMemory || inner.taps > inner.q;
  // With few features, vectors of pixels are summed directly; sums over whole images are worth the copies.
  if (p.outputs < 4 && !(along && depth >= 64)) return undefined;
  const lanes = target.vectorBytes / bytes;
  const tiling = along
    ? planAlong(p, columns, depth, featureInMemory, bytes, lanes, target)
    : planAcross(p, columns, depth, bytes, lanes, copiesWeights, target);
  return { ...tiling, copies: planCopies(tiling), memory: planConvolutionMemory(tiling, bytes) };
}

function planCopies({ phases, orientation, featureInner, problem: p }: ConvolutionTiling): PatchCopies {
  const steps = phases.map(({ phase }) => {
    const d = phase.dims.at(-1)!;
    if (orientation === 'across') return d.step * d.xStride;
    return featureInner ? p.xIn : d.dilation * d.xStride;
  });
  const first = steps[0]!;
  const step = steps.every(s => s === first) && (first === 1 || first === 2) ? first : 'any';
  const isFlat =
    orientation === 'along' &&
    !featureInner &&
    step === 1 &&
    phases.every(({ phase }) => {
      const [rows, d] = [phase.dims.at(-2)!, phase.dims.at(-1)!];
      return rows.dilation * rows.xStride === d.taps * d.dilation * d.xStride;
    });
  return { step, isFlat };
}

function planAcross(
  p: ConvolutionProblem,
  columns: number,
  depth: number,
  bytes: number,
  lanes: number,
  copiesWeights: boolean,
  target: CpuTarget,
): ConvolutionTiling {
  const tile = chooseTile(p.outputs, columns, depth, lanes, target.registers);
  const width = tile.vectors * lanes;
  const pass = passDepth(depth, tile.rows, bytes, target);
  let block = share(p.outputs, 512, tile.rows);
  const fit = Math.min((target.l2Bytes * 0.4) / (pass * bytes), (target.l2Bytes * 0.3) / (block * bytes));
  const perBlock = wantedTasks / (p.groups * p.phases.length * Math.ceil(p.outputs / block));
  const chunk = Math.max(1, Math.floor(Math.min(fit, columns / Math.max(1, perBlock)) / width)) * width;
  const chunks = p.phases.reduce((n, x) => n + Math.ceil(x.columns / chunk), 0);
  while (chunks * p.groups * Math.ceil(p.outputs / block) < wantedTasks / 2 && block >= 64 + tile.rows)
    block = share(p.outputs, Math.ceil(block / 2), tile.rows);
  const taps = Math.max(...p.phases.map(x => x.depth / p.inputs));
  const featureInner = p.phases.some(x => taps * piecesOf(x, chunk, width) > maxPieces);
  const phases = phasePlans(p, featureInner, chunk, x => p.outputs * x.depth);
  const inPlace = !copiesWeights && phases.every(x => x.wExtents.length === 1 && x.wExtents[0]!.stride === 1);
  return {
    ...cut(p, phases, block, 1),
    orientation: 'across',
    featureInner,
    lanes,
    tile,
    depth: pass,
    chunk,
    sliceDepth: depth,
    f16: target.f16,
    weights: inPlace ? 'inPlace' : 'once',
  };
}

function planAlong(
  p: ConvolutionProblem,
  columns: number,
  depth: number,
  featureInner: boolean,
  bytes: number,
  lanes: number,
  target: CpuTarget,
): ConvolutionTiling {
  const tile = chooseTile(columns, p.outputs, depth, lanes, target.registers);
  const width = tile.vectors * lanes;
  let pass = passDepth(depth, tile.rows, bytes, target);
  const block = share(p.outputs, Math.max(width, Math.floor((target.l2Bytes * 0.6) / (pass * bytes))), width);
  const fit = Math.floor((target.l2Bytes * 0.3) / (block * bytes));
  let chunk = share(columns, Math.max(tile.rows, fit), tile.rows);
  const tasksOf = (size: number): number =>
    p.phases.reduce((n, x) => n + Math.ceil(x.columns / size), 0) * Math.ceil(p.outputs / block) * p.groups;
  // Slices of k if there are too few results to distribute. Each has at least two passes; otherwise adding them up would take
  // too long.
  const slices =
    p.phases.length > 1
      ? 1
      : Math.max(1, Math.min(Math.floor(depth / (2 * pass)), Math.ceil(wantedTasks / tasksOf(chunk))));
  while (slices * tasksOf(chunk) < wantedTasks / 2 && chunk >= 2 * tile.rows)
    chunk = share(columns, Math.ceil(chunk / 2), tile.rows);
  const passes = Math.ceil(depth / slices / pass);
  pass = Math.min(depth, Math.ceil(depth / slices / passes / 8) * 8);
  const sliceDepth = pass * passes;
  const padded = Math.floor(p.outputs / width) * width + Math.ceil((p.outputs % width) / lanes) * lanes;
  const phases = phasePlans(p, featureInner, chunk, x => padded * x.depth);
  return {
    ...cut(p, phases, block, Math.ceil(depth / sliceDepth)),
    orientation: 'along',
    featureInner,
    lanes,
    tile,
    depth: pass,
    chunk,
    sliceDepth,
    f16: target.f16,
    weights: slices > 1 ? 'inTask' : 'once',
  };
}

function cut(p: ConvolutionProblem, phases: readonly PhasePlan[], block: number, slices: number) {
  const blocks = Math.ceil(p.outputs / block);
  const last = phases.at(-1)!;
  return {
    problem: p,
    phases,
    block,
    blocks,
    slices,
    packedCount: last.packedAt + last.packedCount,
    tasks: phases.reduce((n, x) => n + x.chunks, 0) * blocks * p.groups,
  };
}

function phasePlans(
  p: ConvolutionProblem,
  featureInner: boolean,
  chunk: number,
  packedOf: (phase: ConvolutionPhase) => number,
): PhasePlan[] {
  let packedAt = 0;
  return p.phases.map(phase => {
    const feature: Extent = { size: p.inputs, stride: p.wIn };
    const taps = phase.dims.map((d: ConvolutionDim): Extent => ({ size: d.taps, stride: d.wStride }));
    const packedCount = packedOf(phase);
    const plan = {
      phase,
      wExtents: collapsed(featureInner ? [...taps, feature] : [feature, ...taps]),
      yExtents: collapsed(phase.dims.map(d => ({ size: d.q, stride: d.yStride }))),
      chunks: Math.ceil(phase.columns / chunk),
      packedAt,
      packedCount,
    };
    packedAt += packedCount;
    return plan;
  });
}

/** Merges adjacent loops that continue each other; returns at least one. */
function collapsed(extents: readonly Extent[]): Extent[] {
  const result: Extent[] = [];
  for (const e of extents) {
    if (e.size === 1) continue;
    const outer = result.at(-1);
    if (outer !== undefined && outer.stride === e.size * e.stride)
      result[result.length - 1] = { size: outer.size * e.size, stride: e.stride };
    else result.push(e);
  }
  return result.length === 0 ? [{ size: 1, stride: 1 }] : result;
}

/** The largest depth at which a strip of the tile's rows stays in the L1 cache; passes of equal depth. */
function passDepth(depth: number, rows: number, bytes: number, target: CpuTarget): number {
  const deepest = Math.max(64, Math.floor((target.l1Bytes * 3) / 8 / (rows * bytes)));
  const passes = Math.max(1, Math.ceil(depth / deepest));
  return passes === 1 ? Math.max(1, depth) : Math.ceil(depth / passes / 8) * 8;
}

/** The largest equal share of `total` that is at most `limit`, in multiples of `multiple`. */
function share(total: number, limit: number, multiple: number): number {
  const parts = Math.ceil(total / Math.max(multiple, limit));
  return Math.ceil(total / parts / multiple) * multiple;
}
