// Explains why ops form a kernel and why a value is stored in memory. Derived from the schedule: the rules are those of
// schedule/fusion.ts, whose opening comment lists them.
import { assertNever } from '../../../base/errors.ts';
import { factorizationOf } from '../../../hlo/ops/factorizations/factorization.ts';
import { isPagedAttention } from '../../../hlo/ops/paged-attention.ts';
import type { Value } from '../../../hlo/program.ts';
import { type GemmSpec, interleavedRows } from '../../ir/multiply.ts';
import type { KernelStep } from '../../ir/schedule.ts';
import { isCollective, isLoweredAs } from '../../lowering/lowering-kinds.ts';
import { storageRootOf } from '../../lowering/storage-root.ts';
import type { Rematerialization } from '../../schedule/rematerialization.ts';
import { dotOf, opsOf } from '../counting/step-description.ts';
import { planGemm } from '../gemm/gemm-plan.ts';
import type { CpuTarget } from '../target/target.ts';

export function whyKernel(step: KernelStep, calls: number, target: CpuTarget): readonly string[] {
  const shared = calls > 1 ? [`called ${calls} times: equal steps share one kernel`] : [];
  const dot = dotOf(step);
  if (dot !== undefined) {
    const hasEpilogue = step.kind === 'fused';
    const rest = opsOf(step).length - 1;
    const epilogue = `the multiply's result never goes to memory: ${plural(rest, 'op uses', 'ops use')} it while it is in the cache`;
    return [whyMultiply(dot.spec, target, hasEpilogue), ...(hasEpilogue ? [epilogue] : []), ...shared];
  }
  if (step.kind === 'fused') return [...whyFused(step), ...shared];
  const { op } = step;
  if (step.part?.does === 'start')
    return ['started as soon as its operands are computed: it overlaps with the following kernels', ...shared];
  if (step.part?.does === 'await') return ['awaits the started collective right before its first use', ...shared];
  if (isCollective(op)) return ['all ranks meet here, so it is a statement of the step itself', ...shared];
  if (isLoweredAs(op, 'operator')) {
    const name = factorizationOf(op);
    if (name !== undefined) return [`@${name} is one kernel: matrix by matrix, in f64`, ...shared];
    if (isPagedAttention(op)) return ['attention reads keys and values in their blocks', ...shared];
    return ['a custom operator: its own code decides how', ...shared];
  }
  if (isLoweredAs(op, 'multiply'))
    return ['a kernel of plain loops: there are no tiled multiplies for these types or strides', ...shared];
  return [`${op.name} reads its operands in a different order, so they are materialized`, ...shared];
}

function whyFused(step: Extract<KernelStep, { kind: 'fused' }>): readonly string[] {
  const { shape, reduced } = step.group.space;
  const sizes = shape.join('×') || 'one element';
  const count = opsOf(step).length;
  const one =
    step.writes.length === 1 ? '' : `; it writes ${step.writes.length} values, as all are made on the same way`;
  const why = `${plural(count, 'op', 'ops')} in one pass over ${sizes}${count > 1 ? ': nothing between them goes to memory' : ''}${one}`;
  if (!reduced.includes(true)) return [why];
  if (!reduced.includes(false)) return [why, 'all of it is reduced: in parts, and the parts in order'];
  const length = shape.filter((_, d) => reduced[d]).reduce((n, size) => n * size, 1);
  const how = reduced.at(-1)
    ? `row by row: each row of ${length} is reduced, and used again, while it is in the cache`
    : `by columns: ${length} rows are added up in parts, and the parts in order`;
  const { columns } = step.group;
  const beside =
    columns === undefined
      ? []
      : [
          `${plural(columns.outputs.length, 'sum', 'sums')} of columns along with the rows, while they are in the cache: in parts, and the parts in order`,
        ];
  return [why, how, ...beside];
}

function whyMultiply(spec: GemmSpec, target: CpuTarget, hasEpilogue: boolean): string {
  const plan = planGemm(spec, target, {}, hasEpilogue ? {} : undefined);
  const what = `matrix multiply of ${spec.elementType}`;
  switch (plan.kind) {
    case 'empty':
      return `${what} without products`;
    case 'quantized':
      return `${what} with few rows: the large operand, of ${plan.format.bits} bits an element, is read once and widened in registers`;
    case 'interleaved':
      return `${what} with few rows: the large operand, of ${plan.format.bits} bits an element with ${interleavedRows} rows interleaved, is read once and ${plan.digitBytes > 0 ? 'multiplied by the bytes of the small one' : 'widened in registers'}`;
    case 'dot':
      return `${what} with few rows: vectors run along k, so that the large operand is read once`;
    case 'tiled': {
      const { tile, lanes, depth, problem } = plan;
      const passes = Math.ceil(problem.k / depth);
      const k = passes === 1 ? `all of k (${problem.k}) at once` : `k in ${passes} passes of ${depth}`;
      const a = plan.a === 'packed' ? 'A packed' : `A read in place by ${plan.a}`;
      const b = { packed: 'B packed', inPlace: 'B read in place', stored: 'B stored in panels' }[plan.b];
      return `${what}: tiles of ${tile.rows}×${tile.vectors * lanes} ${plan.registers === 'tiles' ? 'of AMX' : 'in registers'}, ${k}, ${a}, ${b}`;
    }
    default:
      return assertNever(plan);
  }
}

/** The known facts about a written value. */
export interface StoredFacts {
  readonly writer: KernelStep;
  readonly isResult: boolean;
  /** The steps that read it, with the names of their kernels. */
  readonly readers: readonly { readonly step: KernelStep; readonly kernel: string }[];
  /** A loop or branch uses it. */
  readonly inControl: boolean;
}

export function whyStored(value: Value, facts: StoredFacts, rematerialization: Rematerialization): readonly string[] {
  const { writer, isResult, readers, inControl } = facts;
  const why: string[] = [];
  if (isResult) why.push('a result of the program');
  if (inControl) why.push('a loop or branch works on it');
  const whole = readers.filter(({ step }) => step.kind !== 'fused' || multiplies(step, value));
  const elementwise = readers.filter(reader => !whole.includes(reader));
  if (whole.length > 0)
    why.push(`${names(whole)} needs it in memory: its elements are used many times or in any order`);
  if (elementwise.length > 1)
    why.push(
      `${names(elementwise)} read it, which is cheaper than making it in each${costText(value, rematerialization)}`,
    );
  const [only] = elementwise;
  if (elementwise.length === 1 && why.length === 0) why.push(whyApart(value, writer, only!));
  else if (elementwise.length === 1) why.push(`${only!.kernel} reads it too`);
  return why.length === 0 ? ['the step writes it for its effect'] : why;
}

/** Why the only kernel that reads a value does not also compute it. */
function whyApart(value: Value, writer: KernelStep, { step, kernel }: StoredFacts['readers'][number]): string {
  if (step.kind !== 'fused') return `${kernel} reads it`;
  if (dotOf(writer) !== undefined)
    return `${kernel} goes through it in another order than the multiply makes it, or reduces more than it makes at once`;
  if (writer.kind === 'kernel') return `${writer.op.name} makes it, and ${kernel} reads it`;
  if (value.op !== undefined && isLoweredAs(value.op, 'reduce'))
    return `${kernel} can only begin when it has been reduced, over other rows than its own`;
  const [made, read] = [writer, step].map(s => s.group.space.shape.join('×'));
  if (made !== read) return `${kernel} goes through ${read || 'one element'} and would make it several times over`;
  return `${kernel} uses its elements several times, or would grow too large with what makes it`;
}

function multiplies(step: KernelStep, value: Value): boolean {
  const dot = dotOf(step);
  return dot !== undefined && [dot.lhs, dot.rhs].some(operand => storageRootOf(operand.value) === value);
}
function costText(value: Value, rematerialization: Rematerialization): string {
  const cost = rematerialization.costOf(value);
  return cost > 1 ? ` (${Math.round(cost)} units of work an element)` : '';
}
const plural = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;

/** `k3, k4 and 2 more`, each once. */
function names(readers: readonly { readonly kernel: string }[]): string {
  const all = [...new Set(readers.map(({ kernel }) => kernel))];
  return all.length <= 4 ? all.join(', ') : `${all.slice(0, 3).join(', ')} and ${all.length - 3} more`;
}
