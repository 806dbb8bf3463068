// Plans the kernel of a single op: which algorithm it gets, and how its work is cut into tasks. Work is counted in additions.
import { elementAt } from '../../../base/element-at.ts';
import { invariant } from '../../../base/errors.ts';
import { zip } from '../../../base/zip.ts';
import { scatterOperands } from '../../../hlo/operand-groups.ts';
import {
  type FactorizationName,
  factorizationFlops,
  factorizationOf,
  matrixOf,
} from '../../../hlo/ops/factorizations/factorization.ts';
import { isPagedAttention } from '../../../hlo/ops/paged-attention.ts';
import { type Module, type Op, shapeOf, tensorTypeOf } from '../../../hlo/program.ts';
import { byteSize, elementCount } from '../../../hlo/types.ts';
import { numberOf } from '../../ir/extent.ts';
import { type KernelOperand, Operands } from '../../ir/operands.ts';
import type { Operators } from '../../ir/operators.ts';
import { isFree, type LoweredAs } from '../../lowering/lowering-kinds.ts';
import { storageRootOf } from '../../lowering/storage-root.ts';
import type { PlannedKernel } from '../ir/kernel.ts';
import { type CollectiveName, directFftLength, type OpKernel, type OpSizes, type OpSlots } from '../ir/op-kernel.ts';
import type { CpuTarget } from '../target/target.ts';
import { planCollective } from './collective-plan.ts';
import { planImplicitGemm } from './implicit-gemm-plan.ts';
import { operandsOf, withInPlace } from './op-operands.ts';
import { planPagedAttention } from './paged-attention-plan.ts';
import {
  planDirectConvolution,
  planDot,
  planReduceWindow,
  planScatter,
  planSelectAndScatter,
  planSort,
} from './sized-op-plan.ts';
import { cutTasks } from './tasks.ts';
import { planWinogradOf, winogradSlots } from './winograd-op-plan.ts';

export interface OpContext {
  readonly module: Module;
  readonly operators: Operators;
  readonly target: CpuTarget;
}

/** Ops with separate kernels. The type checker requires a plan for each. */
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

/** The kernel of an op of known sizes whose plan is the same for sizes known only at run time. */
const ofKnownSizes =
  <O extends Op>(plan: (op: O, slots: OpSlots, sizes: OpSizes) => OpKernel) =>
  (op: O): PlannedKernel => {
    const { slots, operands } = operandsOf(op);
    return planned(plan(op, slots, sizesOf(op)), operands);
  };
const sizesOf = (op: Op): OpSizes => ({ operands: op.operands.map(shapeOf), results: op.results.map(shapeOf) });

const plans: { readonly [N in OwnKernel['name']]: Plan<N> } = {
  custom_call: (op, { operators }) => {
    const name = factorizationOf(op);
    if (name !== undefined) return planFactorization(op, name);
    if (isPagedAttention(op)) return planPagedAttention(op);
    const symbol = operators.get(op.attributes.callTargetName);
    invariant(symbol !== undefined, 'a custom operator that nothing defines should have been refused');
    const { slots, operands } = operandsOf(op);
    return planned({ kind: 'op', form: 'operator', op, slots, symbol }, operands);
  },
  concatenate: planJoin,
  dynamic_update_slice: planSliceUpdate,
  dot_general: ofKnownSizes(planDot),
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
    if (implicit === undefined)
      return planned(planDirectConvolution(op, slots, sizesOf(op), op.attributes.padding), operands);
    const kernel: OpKernel = { kind: 'op', form: 'implicit-gemm', op, slots, ...implicit };
    const { workspaceBytes, scratchBytes } = implicit.plan.memory;
    return { kernel, operands, workspaceBytes, scratchBytes };
  },
  scatter: planScatterInPlace,
  map: op => {
    const { slots, operands } = operandsOf(op);
    const cut = cutTasks(elementCount(shapeOf(op.results[0])), 10 * op.regions[0].ops.length + 2);
    return planned({ kind: 'op', form: 'map', op, slots, cut }, operands);
  },
  fft: planFft,
  sort: op => {
    const { slots, operands } = operandsOf(op);
    const kernel = planSort(op, slots, sizesOf(op));
    return planned(kernel, operands, numberOf(kernel.scratchBytes));
  },
  reduce_window: ofKnownSizes(planReduceWindow),
  select_and_scatter: ofKnownSizes(planSelectAndScatter),
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

/** Tasks have whole parts. Planned as if all of them were copied; which ones are is known only at run time. */
function planJoin(op: Op<'concatenate'>): PlannedKernel {
  // A loop over the parts that are not empty: each has an entry of p[], even if two of them are the same value.
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

/** The results are written over the inputs, if no other operand of the op reads that memory. */
function planScatterInPlace(op: Op<'scatter'>): PlannedKernel {
  const memory = operandsOf(op);
  const { slots } = memory;
  const { pairs } = scatterOperands(op.operands);
  const mayOverwrite = zip(pairs, op.results).map(([{ input }, result], i) => {
    const isAlone = slots.operands.filter(slot => slot === slots.operands[i]).length === 1;
    return isAlone && tensorTypeOf(input).elementType === tensorTypeOf(result).elementType;
  });
  return planned(
    planScatter(op, slots, sizesOf(op)),
    withInPlace(memory, i => mayOverwrite[i] === true),
  );
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
  const [count, m, n] = [elementAt(type.shape, 0), elementAt(type.shape, 1), elementAt(type.shape, 2)];
  const cut = cutTasks(count, factorizationFlops(name, type) / Math.max(count, 1));
  const { slots, operands } = operandsOf(op);
  // the matrix, its results and the temporaries of the algorithm: see c/ops/factorizations
  const numbers = {
    'trenio.eigh': 3 * n * n + 4 * n,
    'trenio.svd': 2 * m * n + n * n + 2 * n + m,
    'trenio.eig': 8 * n * n + 7 * n,
  };
  const scratchBytes = 8 * numbers[name] + 64;
  return planned({ kind: 'op', form: 'factorization', op, name, slots, cut, scratchBytes }, operands, scratchBytes);
}

/** The number of complex temporaries that the transform of a vector needs. */
function fftWork(n: number): number {
  if (Number.isInteger(Math.log2(n))) return n;
  const chirp = 2 ** Math.ceil(Math.log2(2 * n - 1));
  return n <= directFftLength ? 2 * n : 2 * n + 3 * chirp;
}
