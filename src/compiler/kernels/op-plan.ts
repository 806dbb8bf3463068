// Plans the kernel of a single op: which algorithm it gets, and how its work is cut into tasks. Work is counted in additions.
import { invariant } from '../../base/errors.ts';
import { numberAt } from '../../hlo/literal.ts';
import { type Module, type Op, shapeOf } from '../../hlo/program.ts';
import { reducerOf } from '../../hlo/reducer.ts';
import { elementCount } from '../../hlo/types.ts';
import { constantLiteral } from '../../hlo/walk.ts';
import type { OpKernel, OpKernelOf } from '../ir/op-kernel.ts';
import { isOfAll } from '../lowering/collective-groups.ts';
import type { LoweredAs } from '../lowering/lowering-kinds.ts';
import type { Operators } from '../target/operators.ts';
import type { Target } from '../target/target.ts';
import { isImplicitGemm } from './implicit-gemm-plan.ts';
import { cutTasks } from './tasks.ts';

export interface OpContext {
  readonly module: Module;
  readonly operators: Operators;
  readonly target: Target;
}

/** Ops with kernels of their own. The type checker asks for a plan for each. */
type OwnKernel = LoweredAs<'kernel' | 'multiply' | 'inlined' | 'operator' | 'exchange'> | Op<'concatenate'>;
type Plan<N extends OwnKernel['name']> = (op: Op<N>, context: OpContext) => OpKernel;

const exchange: Plan<OpKernelOf<'exchange'>['op']['name']> = op => ({ kind: 'op', form: 'exchange', op });
const processId: Plan<'replica_id' | 'partition_id'> = (op, { module }) => ({
  kind: 'op',
  form: 'process-id',
  op,
  numPartitions: module.numPartitions,
});

const plans: { readonly [N in OwnKernel['name']]: Plan<N> } = {
  custom_call: (op, { operators }) => {
    const symbol = operators.get(op.attributes.callTargetName);
    invariant(symbol !== undefined, 'a custom operator that nothing defines should have been refused');
    return { kind: 'op', form: 'operator', op, symbol };
  },
  concatenate: planJoin,
  dot_general: planDot,
  convolution: (op, { target }) =>
    isImplicitGemm(op, target) ? { kind: 'op', form: 'implicit-gemm', op } : planConvolution(op),
  scatter: planScatter,
  map: op => {
    const cut = cutTasks(elementCount(shapeOf(op.results[0])), 10 * op.regions[0].ops.length + 2);
    return { kind: 'op', form: 'map', op, cut };
  },
  fft: planFft,
  sort: planSort,
  reduce_window: planReduceWindow,
  select_and_scatter: planSelectAndScatter,
  all_reduce: (op, context) =>
    isOfAll(op, context.module) ? { kind: 'op', form: 'all-reduce', op } : exchange(op, context),
  all_gather: (op, context) =>
    isOfAll(op, context.module) ? { kind: 'op', form: 'all-gather', op } : exchange(op, context),
  reduce_scatter: exchange,
  all_to_all: exchange,
  collective_permute: exchange,
  collective_broadcast: exchange,
  send: exchange,
  recv: exchange,
  replica_id: processId,
  partition_id: processId,
};

export function planOp(op: Op, context: OpContext): OpKernel {
  invariant(op.name in plans, `${op.name} has no kernel of its own`);
  return (plans[op.name as OwnKernel['name']] as Plan<never>)(op as never, context);
}

const product = (sizes: readonly number[]): number => sizes.reduce((n, size) => n * size, 1);

function planDot(op: Op<'dot_general'>): OpKernelOf<'dot'> {
  const l = shapeOf(op.operands[0]);
  const terms = elementCount(op.attributes.lhsContractingDimensions.map(d => l[d]!));
  return { kind: 'op', form: 'dot', op, cut: cutTasks(elementCount(shapeOf(op.results[0])), 4 * terms + 10) };
}

/** Tasks have whole parts. As if they were all copied, which is seen when it runs. */
function planJoin(op: Op<'concatenate'>): OpKernelOf<'join'> {
  const parts = op.operands.filter(v => elementCount(shapeOf(v)) > 0).length;
  return { kind: 'op', form: 'join', op, cut: cutTasks(parts, elementCount(shapeOf(op.results[0])) / parts) };
}

/** Results of a block of the direct convolution. */
const convolutionBlock = 256;

function planConvolution(op: Op<'convolution'>): OpKernelOf<'convolution'> {
  const { dimensionNumbers: n, featureGroupCount, batchGroupCount } = op.attributes;
  const [w, y] = [shapeOf(op.operands[1]), shapeOf(op.results[0])];
  const width = y.at(-1)!;
  const perGroup = y[n.outputFeatureDimension]! / Math.max(featureGroupCount, batchGroupCount);
  // a block along the output features stays within a group, so that the input's offset is the same for all of it
  const run = n.outputFeatureDimension === y.length - 1 ? Math.max(1, perGroup) : width;
  const block = Math.max(1, Math.min(run, convolutionBlock));
  const blocks = Math.ceil(run / block) * (width / Math.max(1, run));
  const units = (elementCount(y) / Math.max(1, width)) * blocks;
  const kernelSize = product(n.kernelSpatialDimensions.map(d => w[d]!));
  const cut = cutTasks(units, block * kernelSize * w[n.kernelInputFeatureDimension]! + 40);
  return { kind: 'op', form: 'convolution', op, run, block, cut };
}

function planScatter(op: Op<'scatter'>): OpKernelOf<'scatter'> {
  const { updateWindowDims } = op.attributes.dimensionNumbers;
  const update = shapeOf(op.operands.at(-1)!);
  const inner = updateWindowDims.at(-1);
  const units = inner === undefined ? 1 : update[inner]!;
  const perTask = units >= 64 && elementCount(update) > 16_384 ? 64 : units;
  return {
    kind: 'op',
    form: 'scatter',
    op,
    cut: { units, perTask, tasks: Math.max(1, Math.ceil(units / Math.max(1, perTask))) },
  };
}

function planFft(op: Op<'fft'>): OpKernelOf<'fft'> {
  const rank = op.attributes.fftLength.length;
  const [x, y] = [shapeOf(op.operands[0]), shapeOf(op.results[0])];
  const whole = Math.max(elementCount(x.slice(-rank)), elementCount(y.slice(-rank)));
  return {
    kind: 'op',
    form: 'fft',
    op,
    cut: cutTasks(elementCount(x.slice(0, -rank)), 10 * whole * Math.log2(whole + 2)),
  };
}

function planSort(op: Op<'sort'>): OpKernelOf<'sort'> {
  const shape = shapeOf(op.operands[0]);
  const { dimension } = op.attributes;
  const dim = dimension < 0 ? dimension + shape.length : dimension;
  const length = shape[dim]!;
  const slices = product(shape.filter((_, d) => d !== dim));
  return { kind: 'op', form: 'sort', op, dim, cut: cutTasks(slices, 10 * length * Math.ceil(Math.log2(length + 2))) };
}

/** Results that are accumulated at once. */
const rowBlock = 1024;

function planReduceWindow(op: Op<'reduce_window'>): OpKernelOf<'reduce-window'> {
  const to = shapeOf(op.results[0]!);
  const width = to.at(-1) ?? 1;
  const block = Math.min(width, rowBlock);
  const units = (elementCount(to) / Math.max(1, width)) * Math.ceil(width / block);
  const cut = cutTasks(units, block * product(op.attributes.windowDimensions) * 2 + 20);
  return { kind: 'op', form: 'reduce-window', op, block, cut, countsPadding: countsPadding(op) };
}

/**
 * Padding counts as the initial value, once for each position. That changes nothing where the initial value is neutral or
 * where taking it in again makes no difference; then padding is skipped.
 */
function countsPadding(op: Op<'reduce_window'>): boolean {
  const { padding, baseDilations } = op.attributes;
  if (padding.every(([low, high]) => low <= 0 && high <= 0) && baseDilations.every(d => d === 1)) return false;
  const name = op.operands.length === 2 ? reducerOf(op.regions[0]) : undefined;
  if (name === undefined) return true;
  if (isIdempotent.has(name)) return false;
  const init = constantLiteral(op.operands[1]!);
  const value = init === undefined ? undefined : numberAt(init, 0);
  return value === undefined || value !== neutral.get(name);
}
const isIdempotent: ReadonlySet<string> = new Set(['maximum', 'minimum', 'and', 'or']);
const neutral: ReadonlyMap<string, number> = new Map([
  ['add', 0],
  ['multiply', 1],
]);

function planSelectAndScatter(op: Op<'select_and_scatter'>): OpKernelOf<'select-and-scatter'> {
  const { windowDimensions, windowStrides, padding } = op.attributes;
  const [x, source] = [shapeOf(op.operands[0]), shapeOf(op.operands[1])];
  const trivial = (d: number): boolean =>
    windowDimensions[d] === 1 && windowStrides[d] === 1 && padding[d]![0] === 0 && padding[d]![1] === 0;
  let leading = 0;
  while (leading < x.length && trivial(leading)) leading++;
  const units = product(x.slice(0, leading));
  const perUnit = elementCount(x) / Math.max(1, units);
  const sources = product(source.slice(leading));
  const cut = cutTasks(units, perUnit + sources * (product(windowDimensions) + 4));
  return { kind: 'op', form: 'select-and-scatter', op, leading, cut };
}
