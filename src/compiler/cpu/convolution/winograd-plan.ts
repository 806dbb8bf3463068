// Decides how a convolution is computed by Winograd's F(4×4, 3×3), and whether that is faster: chunks of tiles, blocks of
// features, memory. Depends only on shapes and the CpuTarget.
//
// A task has a block of results: `images`, a chunk of tiles by a block of output features, over all blocks of input features;
// `weights`, a block of output by a block of input features, over the chunks of its slice. It transforms its own operands:
// this costs a tenth of the multiplies, and the results stay in the L2 cache.

import { chooseTile } from '../gemm/gemm-plan.ts';
import type { WinogradMemory, WinogradPlan, WinogradProblem } from '../ir/winograd.ts';
import type { CpuTarget } from '../target/target.ts';
import { tileResults, tileSize, tileTaps, winogradTransforms } from './winograd-transforms.ts';

/** The approximate number of tiles of a chunk. */
const wantedTiles = 32;
/** The maximum number of features of a block. */
const featureBlock = 64;
/** With fewer features than this, transforms cost more than they save. */
const fewestFeatures = 32;
/** Wider images than this would not stay in the L2 cache. */
const mostAcross = 2 * wantedTiles;
const wantedTasks = 16;
/** Bytes of transformed weights that are stored. */
const mostStored = 4 * 2 ** 20;
const elements = tileSize * tileSize;
const bytes = 4;

/** Undefined if a direct convolution is as fast. */
export function planWinograd(p: WinogradProblem, target: CpuTarget): WinogradPlan | undefined {
  const across = Math.ceil(p.y.width / tileResults);
  const down = Math.ceil(p.y.height / tileResults);
  const tiles = across * down * p.images;
  // Tiles that extend beyond the results are computed in full.
  const used = (p.images * p.y.width * p.y.height) / (tiles * tileResults ** 2);
  const pays =
    target.winograd &&
    target.registers >= 16 &&
    target.fma &&
    Math.min(p.inputs, p.outputs) >= fewestFeatures &&
    across <= mostAcross &&
    tiles >= wantedTiles / 2 &&
    used >= 0.5;
  if (!pays) return undefined;
  const lanes = target.vectorBytes / bytes;
  const whole = (features: number): number => Math.ceil(features / lanes) * lanes;
  // Storing many transformed weights is not worthwhile: they are transformed again for each of the few chunks.
  const isImages = p.role === 'images';
  const weights = isImages && elements * p.inputs * p.outputs * bytes > mostStored ? 'inTask' : 'once';
  const rows = Math.min(p.images * down, Math.max(1, Math.floor(wantedTiles / across)));
  const chunks = Math.ceil((p.images * down) / rows);
  const inputBlock = Math.min(whole(p.inputs), isImages && weights === 'once' ? featureBlock : featureBlock / 2);
  const outputBlock = Math.min(whole(p.outputs), featureBlock);
  const inputBlocks = Math.ceil(p.inputs / inputBlock);
  const outputBlocks = Math.ceil(p.outputs / outputBlock);
  const slices = isImages ? 1 : Math.min(chunks, Math.ceil(wantedTasks / (inputBlocks * outputBlocks)));
  const chunkTiles = rows * across;
  const tile = isImages
    ? chooseTile(chunkTiles, outputBlock, inputBlock, lanes, target.registers)
    : chooseTile(outputBlock, inputBlock, chunkTiles, lanes, target.registers);
  // One additional vector, so that rows do not share the same cache sets.
  const weightStride = weights === 'once' ? whole(p.outputs) + lanes : outputBlock;
  const lastTiles = (p.images * down - (chunks - 1) * rows) * across;
  const lastInputs = whole(p.inputs - (inputBlocks - 1) * inputBlock);
  const lastOutputs = whole(p.outputs - (outputBlocks - 1) * outputBlock);
  const plan: Omit<WinogradPlan, 'memory'> = {
    problem: p,
    transforms: winogradTransforms,
    lanes,
    tile,
    tileRows: piecesOf(isImages ? [chunkTiles, lastTiles] : [outputBlock, lastOutputs], tile.rows),
    tileColumns: piecesOf(isImages ? [outputBlock, lastOutputs] : [inputBlock, lastInputs], tile.vectors * lanes),
    across,
    down,
    rows,
    chunks,
    inputBlock,
    outputBlock,
    inputBlocks,
    outputBlocks,
    slices,
    tasks: isImages ? chunks * outputBlocks : inputBlocks * outputBlocks * slices,
    weights,
    weightStride,
    weightStep: (weights === 'once' ? p.inputs : inputBlock) * weightStride,
  };
  return { ...plan, memory: planMemory(plan) };
}

/** The parts of each size: whole units, and the remainder. */
const piecesOf = (sizes: readonly number[], unit: number): number[] => [
  ...new Set(sizes.flatMap(s => [...(s >= unit ? [unit] : []), s % unit]).filter(s => s > 0)),
];

function planMemory(plan: Omit<WinogradPlan, 'memory'>): WinogradMemory {
  const { problem: p, lanes, across, rows, inputBlock, outputBlock } = plan;
  const tiles = rows * across;
  const isImages = p.role === 'images';
  // Pixels are transposed in squares; the last one may extend beyond the zeros.
  const stripColumns = across * tileResults + tileSize - tileResults + Math.max(0, p.low[1]) + 2 * lanes;
  const strip = tileSize * stripColumns * lanes;
  const transformedX = elements * tiles * inputBlock;
  const transformedY = isImages ? 0 : elements * tiles * outputBlock;
  const transformedW = isImages && plan.weights === 'inTask' ? elements * plan.weightStep : 0;
  const sums = elements * outputBlock * (isImages ? tiles : inputBlock);
  const partials = plan.slices > 1 ? plan.tasks * tileTaps ** 2 * outputBlock * inputBlock : 0;
  return {
    strip,
    stripColumns,
    transformedX,
    transformedY,
    transformedW,
    sums,
    scratchBytes: (strip + transformedX + transformedY + transformedW + sums) * bytes,
    workspaceBytes: (isImages ? (plan.weights === 'once' ? elements * plan.weightStep : 0) : partials) * bytes,
  };
}
