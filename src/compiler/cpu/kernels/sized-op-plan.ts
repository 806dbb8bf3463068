// Plans the kernels of single ops whose sizes may be known only when they run: the same plan, with the same printer, for
// numbers and for quantities. Values that must be constants in the C (the block that is summed at once) are then the same for
// all sizes.
import { elementAt } from '../../../base/element-at.ts';
import { zip } from '../../../base/zip.ts';
import { numberAt } from '../../../hlo/literal.ts';
import { reductionOperands, scatterOperands } from '../../../hlo/operand-groups.ts';
import type { Op } from '../../../hlo/program.ts';
import { reducerOf } from '../../../hlo/reducer.ts';
import { constantLiteral } from '../../../hlo/walk.ts';
import { ceilDiv, countOf, type Extent, greatest, plus, select, times } from '../../ir/extent.ts';
import type { OpKernelOf, OpSizes, OpSlots, TaskCut } from '../ir/op-kernel.ts';
import { cutTasks } from './tasks.ts';

type Shape = readonly Extent[];

const without = (shape: Shape, dims: readonly number[]): Shape => shape.filter((_, d) => !dims.includes(d));
/** The number of elements of a row that are processed at once, at most `most`. */
const blockOf = (width: Extent, most: number): number =>
  typeof width === 'number' ? Math.max(1, Math.min(width, most)) : most;
/** Comparisons per element of a sort; if its length is unknown, those of a long one. */
const mergeSteps = (length: Extent): number => (typeof length === 'number' ? Math.ceil(Math.log2(length + 2)) : 16);

export function planSort(op: Op<'sort'>, slots: OpSlots, sizes: OpSizes): OpKernelOf<'sort'> {
  const shape = elementAt(sizes.operands, 0);
  const { dimension } = op.attributes;
  const dim = dimension < 0 ? dimension + shape.length : dimension;
  const length = elementAt(shape, dim);
  const cut = cutTasks(countOf(without(shape, [dim])), times(length, 10 * mergeSteps(length)));
  // Two permutations, whose positions have 4 bytes.
  const scratchBytes = plus(times(length, 8), 64);
  return { kind: 'op', form: 'sort', op, slots, sizes, dim, cut, scratchBytes };
}

export function planScatter(op: Op<'scatter'>, slots: OpSlots, sizes: OpSizes): OpKernelOf<'scatter'> {
  const { updateWindowDims } = op.attributes.dimensionNumbers;
  const { updates } = elementAt(scatterOperands(sizes.operands).pairs, 0);
  const inner = updateWindowDims.at(-1);
  const units = inner === undefined ? 1 : elementAt(updates, inner);
  const isLarge = select(units, 64, select(countOf(updates), 16_385, 1, 0), 0);
  const perTask = select(isLarge, 1, 64, units);
  const cut: TaskCut<Extent> = { units, perTask, tasks: greatest(1, ceilDiv(units, greatest(1, perTask))) };
  return { kind: 'op', form: 'scatter', op, slots, sizes, cut };
}

/** Results that are accumulated at once. */
const rowBlock = 1024;

export function planReduceWindow(op: Op<'reduce_window'>, slots: OpSlots, sizes: OpSizes): OpKernelOf<'reduce-window'> {
  const to = elementAt(sizes.results, 0);
  const width = to.at(-1) ?? 1;
  const block = blockOf(width, rowBlock);
  const units = times(countOf(to.slice(0, -1)), ceilDiv(width, block));
  const window = op.attributes.windowDimensions.reduce((n, size) => n * size, 1);
  const cut = cutTasks(units, block * window * 2 + 20);
  return { kind: 'op', form: 'reduce-window', op, slots, sizes, block, cut, countsPadding: countsPadding(op) };
}

/**
 * Each padding position contributes the initial value. This has no effect if the initial value is neutral, or if repeating it
 * makes no difference; then padding is skipped.
 */
function countsPadding(op: Op<'reduce_window'>): boolean {
  const { padding, baseDilations } = op.attributes;
  if (padding.every(([low, high]) => low <= 0 && high <= 0) && baseDilations.every(d => d === 1)) return false;
  const name = op.operands.length === 2 ? reducerOf(op.regions[0]) : undefined;
  if (name === undefined) return true;
  if (isIdempotent.has(name)) return false;
  const inits = reductionOperands(op.operands).map(({ init }) => constantLiteral(init));
  return inits.some(init => init === undefined || numberAt(init, 0) !== neutral.get(name));
}
const isIdempotent: ReadonlySet<string> = new Set(['maximum', 'minimum', 'and', 'or']);
const neutral: ReadonlyMap<string, number> = new Map([
  ['add', 0],
  ['multiply', 1],
]);

export function planSelectAndScatter(
  op: Op<'select_and_scatter'>,
  slots: OpSlots,
  sizes: OpSizes,
): OpKernelOf<'select-and-scatter'> {
  const { windowDimensions, windowStrides, padding } = op.attributes;
  const [x, source] = [elementAt(sizes.operands, 0), elementAt(sizes.operands, 1)];
  const windows = zip(zip(windowDimensions, windowStrides), padding);
  const moving = windows.findIndex(
    ([[size, stride], [low, high]]) => size !== 1 || stride !== 1 || low !== 0 || high !== 0,
  );
  const leading = moving < 0 ? x.length : moving;
  const units = countOf(x.slice(0, leading));
  const window = windowDimensions.reduce((n, size) => n * size, 1);
  const perUnit = plus(countOf(x.slice(leading)), times(countOf(source.slice(leading)), window + 4));
  const cut = cutTasks(units, perUnit);
  const block = blockOf(leading < x.length ? elementAt(source, source.length - 1) : 1, rowBlock);
  return { kind: 'op', form: 'select-and-scatter', op, slots, sizes, leading, block, cut };
}

export function planDot(op: Op<'dot_general'>, slots: OpSlots, sizes: OpSizes): OpKernelOf<'dot'> {
  const lhs = elementAt(sizes.operands, 0);
  const terms = countOf(op.attributes.lhsContractingDimensions.map(d => elementAt(lhs, d)));
  const cut = cutTasks(countOf(elementAt(sizes.results, 0)), plus(times(terms, 4), 10));
  return { kind: 'op', form: 'dot', op, slots, sizes, cut };
}

/** Results of a block of the direct convolution. */
const convolutionBlock = 256;

export function planDirectConvolution(
  op: Op<'convolution' | 'dynamic_conv'>,
  slots: OpSlots,
  sizes: OpSizes,
  padding: OpKernelOf<'convolution'>['padding'],
): OpKernelOf<'convolution'> {
  const { dimensionNumbers: n, featureGroupCount, batchGroupCount } = op.attributes;
  const [w, y] = [elementAt(sizes.operands, 1), elementAt(sizes.results, 0)];
  const last = y.length - 1;
  const width = elementAt(y, last);
  const groups = Math.max(featureGroupCount, batchGroupCount);
  // a block along the output features stays within a group, so that the input's offset is the same for all of it
  const isAlongFeatures = n.outputFeatureDimension === last;
  const run = isAlongFeatures ? greatest(1, ceilDiv(width, groups)) : width;
  const block = blockOf(run, convolutionBlock);
  const blocks = times(ceilDiv(run, block), isAlongFeatures ? groups : 1);
  const units = times(countOf(y.slice(0, -1)), blocks);
  const products = countOf([n.kernelInputFeatureDimension, ...n.kernelSpatialDimensions].map(d => elementAt(w, d)));
  const cut = cutTasks(units, plus(times(products, block), 40));
  return { kind: 'op', form: 'convolution', op, slots, sizes, padding, run, block, cut };
}
