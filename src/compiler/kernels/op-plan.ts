// Plans the kernel of a single op: which algorithm it gets, and how its work is cut into tasks. Work is counted in additions.
import { invariant } from '../../base/errors.ts';
import { zip } from '../../base/zip.ts';
import { numberAt } from '../../hlo/literal.ts';
import { reductionOperands, scatterOperands } from '../../hlo/operand-groups.ts';
import {
  type FactorizationName,
  factorizationFlops,
  factorizationOf,
  matrixOf,
} from '../../hlo/ops/factorizations/factorization.ts';
import { type Module, type Op, shapeOf, tensorTypeOf } from '../../hlo/program.ts';
import { reducerOf } from '../../hlo/reducer.ts';
import { byteSize, elementCount } from '../../hlo/types.ts';
import { constantLiteral } from '../../hlo/walk.ts';
import type { PlannedKernel } from '../ir/kernel.ts';
import { type CollectiveName, directFftLength, type OpKernel } from '../ir/op-kernel.ts';
import { type KernelOperand, Operands } from '../ir/operands.ts';
import { isFree, type LoweredAs } from '../lowering/lowering-kinds.ts';
import { storageRootOf } from '../lowering/storage-root.ts';
import type { Operators } from '../target/operators.ts';
import type { Target } from '../target/target.ts';
import { planCollective } from './collective-plan.ts';
import { planImplicitGemm } from './implicit-gemm-plan.ts';
import { operandsOf, withInPlace } from './op-operands.ts';
import { cutTasks } from './tasks.ts';
import { planWinogradOf, winogradSlots } from './winograd-op-plan.ts';

export interface OpContext {
  readonly module: Module;
  readonly operators: Operators;
  readonly target: Target;
}

/** Ops with kernels of their own. The type checker asks for a plan for each. */
type OwnKernel =
  | LoweredAs<'kernel' | 'multiply' | 'inlined' | 'operator' | 'collective'>
  | Op<'concatenate' | 'dynamic_update_slice'>;
type Plan<N extends OwnKernel['name']> = (op: Op<N>, context: OpContext) => PlannedKernel;

const collective = (op: Op<CollectiveName>, { module }: OpContext): PlannedKernel => planCollective(op, module);
const processId = (
  op: Op<'replica_id' | 'partition_id'>,
  { module }: OpContext,
  among: 'replicas' | 'partitions',
): PlannedKernel => {
  const { slots, operands } = operandsOf(op);
  const { numPartitions } = module;
  return planned({ kind: 'op', form: 'process-id', op, among, slots, numPartitions }, operands);
};

const plans: { readonly [N in OwnKernel['name']]: Plan<N> } = {
  custom_call: (op, { operators }) => {
    const name = factorizationOf(op);
    if (name !== undefined) return planFactorization(op, name);
    const symbol = operators.get(op.attributes.callTargetName);
    invariant(symbol !== undefined, 'a custom operator that nothing defines should have been refused');
    const { slots, operands } = operandsOf(op);
    return planned({ kind: 'op', form: 'operator', op, slots, symbol }, operands);
  },
  concatenate: planJoin,
  dynamic_update_slice: planSliceUpdate,
  dot_general: planDot,
  convolution: (op, { target }) => {
    const { slots, operands } = operandsOf(op);
    const winograd = planWinogradOf(op, target);
    if (winograd !== undefined) {
      const { workspaceBytes, scratchBytes } = winograd.memory;
      const kernel: OpKernel = {
        kind: 'op',
        form: 'winograd',
        op,
        slots,
        plan: winograd,
        at: winogradSlots(winograd, slots),
      };
      return { kernel, operands, workspaceBytes, scratchBytes };
    }
    const implicit = planImplicitGemm(op, target);
    if (implicit === undefined) return planDirectConvolution(op);
    const kernel: OpKernel = { kind: 'op', form: 'implicit-gemm', op, slots, ...implicit };
    const { workspaceBytes, scratchBytes } = implicit.plan.memory;
    return { kernel, operands, workspaceBytes, scratchBytes };
  },
  scatter: planScatter,
  map: op => {
    const { slots, operands } = operandsOf(op);
    const cut = cutTasks(elementCount(shapeOf(op.results[0])), 10 * op.regions[0].ops.length + 2);
    return planned({ kind: 'op', form: 'map', op, slots, cut }, operands);
  },
  fft: planFft,
  sort: planSort,
  reduce_window: planReduceWindow,
  select_and_scatter: planSelectAndScatter,
  all_reduce: collective,
  all_gather: collective,
  reduce_scatter: collective,
  all_to_all: collective,
  collective_permute: collective,
  collective_broadcast: collective,
  send: collective,
  recv: collective,
  replica_id: (op, context) => processId(op, context, 'replicas'),
  partition_id: (op, context) => processId(op, context, 'partitions'),
};

export function planOp(op: Op, context: OpContext): PlannedKernel {
  invariant(op.name in plans, `${op.name} has no kernel`);
  return (plans[op.name as OwnKernel['name']] as Plan<never>)(op as never, context);
}

const planned = (kernel: OpKernel, operands: readonly KernelOperand[], scratchBytes = 0): PlannedKernel => ({
  kernel,
  operands,
  workspaceBytes: 0,
  scratchBytes,
});
const product = (sizes: readonly number[]): number => sizes.reduce((n, size) => n * size, 1);

function planDot(op: Op<'dot_general'>): PlannedKernel {
  const l = shapeOf(op.operands[0]);
  const terms = elementCount(op.attributes.lhsContractingDimensions.map(d => l[d]!));
  const { slots, operands } = operandsOf(op);
  const cut = cutTasks(elementCount(shapeOf(op.results[0])), 4 * terms + 10);
  return planned({ kind: 'op', form: 'dot', op, slots, cut }, operands);
}

/** Tasks have whole parts. As if they were all copied, which is seen when it runs. */
function planJoin(op: Op<'concatenate'>): PlannedKernel {
  // A loop goes over the parts that are not empty: each has an entry of p[], also where two of them are one value.
  const parts = op.operands.filter(v => elementCount(shapeOf(v)) > 0);
  const operands: KernelOperand[] = [
    ...parts.map((v): KernelOperand => ({ value: storageRootOf(v), access: 'read' })),
    { value: op.results[0], access: 'write' },
  ];
  let next = 0;
  const slots = {
    operands: op.operands.map(v => (elementCount(shapeOf(v)) > 0 ? next++ : -1)),
    results: [parts.length],
    captured: new Map(),
  };
  const cut = cutTasks(parts.length, elementCount(shapeOf(op.results[0])) / parts.length);
  const bytes = parts.map(v => byteSize(tensorTypeOf(v)));
  return planned({ kind: 'op', form: 'join', op, slots, bytes, cut }, operands);
}

function planSliceUpdate(op: Op<'dynamic_update_slice'>): PlannedKernel {
  const list = new Operands();
  // Starts that are constants are in the kernel's text.
  const reads = op.operands.map(v => (isFree(v) ? -1 : list.slot(storageRootOf(v), 'read')));
  const slots = { operands: reads, results: [list.slot(op.results[0], 'write')], captured: new Map() };
  const operands = withInPlace({ slots, operands: list.list }, () => reads.indexOf(reads[0]!, 1) < 0);
  const [whole, part] = [shapeOf(op.operands[0]), shapeOf(op.operands[1])];
  let inner = part.length;
  while (inner > 0 && (inner === part.length || part[inner] === whole[inner])) inner--;
  const [runs, runElements] = [part.slice(0, inner), elementCount(part.slice(inner))];
  return planned({ kind: 'op', form: 'slice-update', op, slots, runs, runElements }, operands);
}

/** Results of a block of the direct convolution. */
const convolutionBlock = 256;

function planDirectConvolution(op: Op<'convolution'>): PlannedKernel {
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
  const { slots, operands } = operandsOf(op);
  return planned({ kind: 'op', form: 'convolution', op, slots, run, block, cut }, operands);
}

function planScatter(op: Op<'scatter'>): PlannedKernel {
  const { updateWindowDims } = op.attributes.dimensionNumbers;
  const { pairs } = scatterOperands(op.operands);
  const update = shapeOf(pairs.at(-1)!.updates);
  const inner = updateWindowDims.at(-1);
  const units = inner === undefined ? 1 : update[inner]!;
  const perTask = units >= 64 && elementCount(update) > 16_384 ? 64 : units;
  const cut = { units, perTask, tasks: Math.max(1, Math.ceil(units / Math.max(1, perTask))) };
  const memory = operandsOf(op);
  const { slots } = memory;
  // In place where nothing else of the op reads that memory.
  const mayOverwrite = zip(pairs, op.results).map(([{ input }, result], i) => {
    const isAlone = slots.operands.filter(slot => slot === slots.operands[i]).length === 1;
    return isAlone && tensorTypeOf(input).elementType === tensorTypeOf(result).elementType;
  });
  const operands = withInPlace(memory, i => mayOverwrite[i] === true);
  return planned({ kind: 'op', form: 'scatter', op, slots, cut }, operands);
}

function planFft(op: Op<'fft'>): PlannedKernel {
  const rank = op.attributes.fftLength.length;
  const [x, y] = [shapeOf(op.operands[0]), shapeOf(op.results[0])];
  const whole = Math.max(elementCount(x.slice(-rank)), elementCount(y.slice(-rank)));
  const lengths = [...x.slice(-rank), ...y.slice(-rank)];
  const line = Math.max(1, ...lengths);
  const work = Math.max(1, ...lengths.map(fftWork));
  const cut = cutTasks(elementCount(x.slice(0, -rank)), 10 * whole * Math.log2(whole + 2));
  const { slots, operands } = operandsOf(op);
  const scratchBytes = 16 * (2 * whole + line + work) + 64;
  return planned(
    { kind: 'op', form: 'fft', op, slots, cut, scratch: { whole, line, work }, scratchBytes },
    operands,
    scratchBytes,
  );
}
/** Tasks have whole matrices: the steps of a factorization follow one another. */
function planFactorization(op: Op<'custom_call'>, name: FactorizationName): PlannedKernel {
  const type = tensorTypeOf(matrixOf(op.operands));
  const [count, m, n] = type.shape as [number, number, number];
  const cut = cutTasks(count, factorizationFlops(name, type) / Math.max(count, 1));
  const { slots, operands } = operandsOf(op);
  // the matrix, its results and what the algorithm needs besides: see the texts in c/ops/factorizations
  const numbers = {
    'trenio.eigh': 3 * n * n + 4 * n,
    'trenio.svd': 2 * m * n + n * n + 2 * n + m,
    'trenio.eig': 8 * n * n + 7 * n,
  };
  const scratchBytes = 8 * numbers[name] + 64;
  return planned({ kind: 'op', form: 'factorization', op, name, slots, cut, scratchBytes }, operands, scratchBytes);
}

/** Complex numbers that the transform of a vector needs besides it. */
function fftWork(n: number): number {
  if (Number.isInteger(Math.log2(n))) return n;
  const chirp = 2 ** Math.ceil(Math.log2(2 * n - 1));
  return n <= directFftLength ? 2 * n : 2 * n + 3 * chirp;
}

function planSort(op: Op<'sort'>): PlannedKernel {
  const shape = shapeOf(op.operands[0]);
  const { dimension } = op.attributes;
  const dim = dimension < 0 ? dimension + shape.length : dimension;
  const length = shape[dim]!;
  const slices = product(shape.filter((_, d) => d !== dim));
  const cut = cutTasks(slices, 10 * length * Math.ceil(Math.log2(length + 2)));
  const { slots, operands } = operandsOf(op);
  // Two permutations, whose positions have 4 bytes.
  const scratchBytes = 8 * length + 64;
  return planned({ kind: 'op', form: 'sort', op, slots, dim, cut, scratchBytes }, operands, scratchBytes);
}

/** Results that are accumulated at once. */
const rowBlock = 1024;

function planReduceWindow(op: Op<'reduce_window'>): PlannedKernel {
  const to = shapeOf(op.results[0]!);
  const width = to.at(-1) ?? 1;
  const block = Math.min(width, rowBlock);
  const units = (elementCount(to) / Math.max(1, width)) * Math.ceil(width / block);
  const cut = cutTasks(units, block * product(op.attributes.windowDimensions) * 2 + 20);
  const { slots, operands } = operandsOf(op);
  const kernel: OpKernel = {
    kind: 'op',
    form: 'reduce-window',
    op,
    slots,
    block,
    cut,
    countsPadding: countsPadding(op),
  };
  return planned(kernel, operands);
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
  const inits = reductionOperands(op.operands).map(({ init }) => constantLiteral(init));
  return inits.some(init => init === undefined || numberAt(init, 0) !== neutral.get(name));
}
const isIdempotent: ReadonlySet<string> = new Set(['maximum', 'minimum', 'and', 'or']);
const neutral: ReadonlyMap<string, number> = new Map([
  ['add', 0],
  ['multiply', 1],
]);

function planSelectAndScatter(op: Op<'select_and_scatter'>): PlannedKernel {
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
  const width = leading < x.length ? source.at(-1)! : 1;
  const block = Math.max(1, Math.min(width, rowBlock));
  const { slots, operands } = operandsOf(op);
  return planned({ kind: 'op', form: 'select-and-scatter', op, slots, leading, block, cut }, operands);
}
