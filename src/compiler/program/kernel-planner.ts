// From a step of the schedule to its kernel, which the machine plans, and the memory that it takes.
import { invariant } from '../../base/errors.ts';
import type { Module, Value } from '../../hlo/program.ts';
import { elementCount } from '../../hlo/types.ts';
import type { KernelContext, Machine, Planned } from '../ir/machine.ts';
import { operandsOfDot } from '../ir/multiply.ts';
import type { Operators } from '../ir/operators.ts';
import type { KernelStep } from '../ir/schedule.ts';
import { isCollective, isFree } from '../lowering/lowering-kinds.ts';
import { storageRootOf } from '../lowering/storage-root.ts';
import { type Signature, signatureOf } from './signature.ts';

const isEmpty = ({ type }: Value): boolean => type.kind === 'tensor' && elementCount(type.shape) === 0;

/** Plans kernels; equal ones are planned once. */
export class KernelPlanner<Kernel> {
  readonly #machine: Machine<Kernel>;
  readonly #context: KernelContext;
  readonly #known = new Map<string, { readonly planned: Planned<Kernel>; readonly values: readonly Value[] }>();

  constructor(stored: ReadonlySet<Value>, machine: Machine<Kernel>, module: Module, operators: Operators) {
    this.#machine = machine;
    this.#context = { module, operators, storage: { isStored: v => stored.has(v) && !isFree(v) } };
  }

  /** The kernel of a step; undefined if everything it writes is empty. */
  plan(step: KernelStep): Planned<Kernel> | undefined {
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

  #planOf(step: KernelStep): Planned<Kernel> {
    const signature = this.#signatureOf(step);
    if (signature === undefined) return this.#machine.planKernel(step, this.#context);
    const { text, values } = signature;
    const known = this.#known.get(text);
    if (known === undefined) {
      const planned = this.#machine.planKernel(step, this.#context);
      this.#known.set(text, { planned, values });
      return planned;
    }
    const other = new Map(known.values.map((v, i) => [v, values[i]!]));
    return { ...known.planned, operands: known.planned.operands.map(o => ({ ...o, value: other.get(o.value)! })) };
  }

  /** Undefined for steps whose kernels are not shared. */
  #signatureOf(step: KernelStep): Signature | undefined {
    const { storage } = this.#context;
    if (step.kind === 'fused') {
      const { group, dot } = step;
      if (dot === undefined) return signatureOf(group, storage);
      const signature = signatureOf(group, { isStored: v => v === dot.value || storage.isStored(v) });
      if (signature === undefined) return undefined;
      const { lhs, rhs, spec } = dot.plan;
      const values = [...signature.values, ...operandsOfDot(dot.plan)];
      const slots = [dot.value, ...operandsOfDot(dot.plan)].map(v => values.indexOf(v));
      const multiply = `epilogue ${lhs.offset} ${rhs.offset} ${slots.join()} ${JSON.stringify(spec)}`;
      return { text: `${multiply} ${signature.text}`, values };
    }
    if (step.dot === undefined) return undefined;
    const { lhs, rhs, spec } = step.dot;
    return {
      text: `dot ${lhs.offset} ${rhs.offset} ${lhs.value === rhs.value} ${JSON.stringify(spec)}`,
      values: [...operandsOfDot(step.dot), step.writes[0]!],
    };
  }
}
