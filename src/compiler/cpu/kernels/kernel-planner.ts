// From a step of the schedule to its kernel and the memory that it takes.
import { invariant } from '../../../base/errors.ts';
import type { Module, Value } from '../../../hlo/program.ts';
import { elementCount } from '../../../hlo/types.ts';
import type { Storage } from '../../ir/group.ts';
import type { PlannedKernel } from '../../ir/kernel.ts';
import { operandsOfDot } from '../../ir/multiply.ts';
import type { KernelStep } from '../../ir/schedule.ts';
import { isCollective, isFree } from '../../lowering/lowering-kinds.ts';
import { storageRootOf } from '../../lowering/storage-root.ts';
import type { Operators } from '../target/operators.ts';
import type { Target } from '../target/target.ts';
import { planCollectivePart } from './collective-plan.ts';
import { planEpilogue } from './epilogue-plan.ts';
import { planFused } from './fused-plan.ts';
import { planMultiply } from './multiply-plan.ts';
import { type OpContext, planOp } from './op-plan.ts';
import { signatureOf } from './signature.ts';

const isEmpty = ({ type }: Value): boolean => type.kind === 'tensor' && elementCount(type.shape) === 0;

/** Plans kernels; equal ones are planned once. */
export class KernelPlanner {
  readonly #storage: Storage;
  readonly #context: OpContext;
  readonly #known = new Map<string, { readonly planned: PlannedKernel; readonly values: readonly Value[] }>();

  constructor(stored: ReadonlySet<Value>, target: Target, module: Module, operators: Operators) {
    this.#storage = { isStored: v => stored.has(v) && !isFree(v) };
    this.#context = { module, operators, target };
  }

  /** The kernel of a step; undefined if everything it writes is empty. */
  plan(step: KernelStep): PlannedKernel | undefined {
    // A collective may write nothing here; whether it runs must be the same for all processes.
    const isEnd = step.kind === 'kernel' && isCollective(step.op);
    if ([...step.writes, ...(isEnd ? step.reads : [])].every(isEmpty)) return undefined;
    const planned = this.#planOf(step);
    // Order and lifetimes follow from what steps say that they read and write.
    const known = new Set([...step.reads, ...step.writes]);
    const other = planned.operands.find(o => !known.has(storageRootOf(o.value)))?.value;
    invariant(other === undefined, `a kernel reads %${other?.id} of ${other?.op?.name}, which its step does not name`);
    return planned;
  }

  #planOf(step: KernelStep): PlannedKernel {
    const { target } = this.#context;
    if (step.kind === 'fused' && step.dot) {
      const { group, dot } = step;
      const { lhs, rhs, spec } = dot.plan;
      const storage: Storage = { isStored: v => v === dot.value || this.#storage.isStored(v) };
      const signature = signatureOf(group, storage);
      const values = [...(signature?.values ?? []), ...operandsOfDot(dot.plan)];
      const slots = [dot.value, ...operandsOfDot(dot.plan)].map(v => values.indexOf(v));
      const key = `epilogue ${lhs.offset} ${rhs.offset} ${slots.join()} ${JSON.stringify(spec)} ${signature?.text}`;
      return this.#once(signature && key, values, () => planEpilogue(group, dot, this.#storage, target));
    }
    if (step.kind === 'fused') {
      const signature = signatureOf(step.group, this.#storage);
      return this.#once(signature?.text, signature?.values ?? [], () => planFused(step.group, this.#storage));
    }
    if (step.dot) {
      const { lhs, rhs, spec } = step.dot;
      const values = [...operandsOfDot(step.dot), step.writes[0]!];
      const key = `dot ${lhs.offset} ${rhs.offset} ${lhs.value === rhs.value} ${JSON.stringify(spec)}`;
      return this.#once(key, values, () => planMultiply(step.dot!, step.writes[0]!, target));
    }
    const planned = planOp(step.op, this.#context);
    return step.part === undefined ? planned : planCollectivePart(planned, step.part);
  }

  #once(key: string | undefined, values: readonly Value[], plan: () => PlannedKernel): PlannedKernel {
    if (key === undefined) return plan();
    const known = this.#known.get(key);
    if (known === undefined) {
      const planned = plan();
      this.#known.set(key, { planned, values });
      return planned;
    }
    const other = new Map(known.values.map((v, i) => [v, values[i]!]));
    return { ...known.planned, operands: known.planned.operands.map(o => ({ ...o, value: other.get(o.value)! })) };
  }
}
