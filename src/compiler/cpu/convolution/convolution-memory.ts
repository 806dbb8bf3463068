// The memory layout of sums, packed weights and patches of a planned convolution: the workspace shared by all tasks, and the
// scratch of each worker.
import type { ConvolutionMemory, ConvolutionPhase, ConvolutionPlan, ScratchPart } from '../ir/convolution.ts';

/** A convolution whose work has been split. */
export type ConvolutionTiling = Omit<ConvolutionPlan, 'memory' | 'copies'>;

/** Size of the records of runs and pieces that the patch copies use (c/convolution/patch-copies.ts). */
const runBytes = 48;
const pieceBytes = 32;

/** `bytes`: the size of an element of the sums. */
export function planConvolutionMemory(plan: ConvolutionTiling, bytes: number): ConvolutionMemory {
  const { problem: p, slices, lanes } = plan;
  const isAcross = plan.orientation === 'across';
  // One additional vector, so that rows do not map to the same cache sets.
  const sumRow = (isAcross ? plan.chunk : Math.ceil(plan.block / lanes) * lanes) + lanes;
  const sums = (isAcross ? plan.block : plan.chunk) * sumRow;
  const packed = plan.weights === 'once' ? wholeLines(p.groups * plan.packedCount) : 0;
  const partial = wholeLines(sums);
  const partials = slices > 1 ? plan.tasks * slices * partial : 0;
  const width = plan.tile.vectors * lanes;
  const patchStride = isAcross ? width * plan.depth + lanes : oddVectors(plan.depth + lanes, lanes);
  const scratch = [
    ...(isAcross ? acrossScratch(plan, width, patchStride, bytes) : alongScratch(plan, width, patchStride, bytes)),
    ...(slices === 1 ? [part('sums', sums, bytes)] : []),
  ];
  return {
    sumRow,
    sums,
    packed,
    partial,
    workspaceBytes: (packed + partials) * bytes,
    patchStride,
    scratch,
    scratchBytes: scratch.reduce((n, x) => n + x.bytes, 0),
  };
}

function acrossScratch(plan: ConvolutionTiling, width: number, panelStride: number, bytes: number): ScratchPart[] {
  const taps = Math.max(...plan.phases.map(x => x.phase.depth)) / plan.problem.inputs;
  const runs = Math.max(...plan.phases.map(x => runsOf(x.phase, plan.chunk, width)));
  const pieces = Math.max(...plan.phases.map(x => piecesOf(x.phase, plan.chunk, width)));
  return [
    part('panels', (plan.chunk / width) * panelStride + plan.lanes, bytes),
    part('runs', runs, runBytes),
    part('pieces', plan.featureInner ? pieces : pieces * taps, pieceBytes),
    ...(plan.featureInner ? [] : [part('starts', taps + 1, 8)]),
  ];
}

function alongScratch(plan: ConvolutionTiling, width: number, rowStride: number, bytes: number): ScratchPart[] {
  return [
    part('strip', plan.tile.rows * rowStride + plan.lanes, bytes),
    ...(plan.weights === 'inTask' ? [part('panels', Math.ceil(plan.block / width) * width * plan.depth, bytes)] : []),
  ];
}

const part = (name: ScratchPart['name'], count: number, bytes: number): ScratchPart => ({
  name,
  bytes: Math.ceil((count * bytes) / 64) * 64,
});

/**
 * The maximum number of pieces of a chunk's columns under one tap: a run ends at the end of a row or a panel, and padding may
 * split it into three.
 */
export function piecesOf(phase: ConvolutionPhase, chunk: number, width: number): number {
  return 3 * runsOf(phase, chunk, width);
}
function runsOf(phase: ConvolutionPhase, chunk: number, width: number): number {
  const row = phase.dims.at(-1)!.q;
  return Math.min(chunk, Math.ceil(chunk / row) + 1 + Math.ceil(chunk / width));
}

/** Elements rounded up to whole cache lines, whatever their type. */
function wholeLines(count: number): number {
  return Math.ceil(count / 64) * 64;
}

/** Rounds a row's length in elements up to an odd number of vectors, so that rows map to different sets of the L1 cache. */
function oddVectors(count: number, lanes: number): number {
  const vectors = Math.ceil(count / lanes);
  return (vectors % 2 === 1 ? vectors : vectors + 1) * lanes;
}
