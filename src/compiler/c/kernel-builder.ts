// From a step of the schedule to its kernel.
import { assertNever, invariant } from '../../base/errors.ts';
import type { Module, Value } from '../../hlo/program.ts';
import { elementCount } from '../../hlo/types.ts';
import type { Storage } from '../ir/group.ts';
import type { OpKernel } from '../ir/op-kernel.ts';
import type { KernelStep } from '../ir/schedule.ts';
import { planEpilogue } from '../kernels/epilogue-plan.ts';
import { planFused } from '../kernels/fused-plan.ts';
import { planMultiply } from '../kernels/multiply-plan.ts';
import { type OpContext, planOp } from '../kernels/op-plan.ts';
import { signatureOf } from '../kernels/signature.ts';
import { isExchange, isFree } from '../lowering/lowering-kinds.ts';
import { storageRootOf } from '../lowering/storage-root.ts';
import type { Operators } from '../target/operators.ts';
import type { Target } from '../target/target.ts';
import type { KernelCode, KernelText } from './kernel-text.ts';
import { printEpilogue } from './kernels/epilogue-printer.ts';
import { printKernel } from './kernels/kernel-printer.ts';
import { buildAllGather, buildAllReduce, printProcessId } from './ops/collective-calls.ts';
import { printConvolution } from './ops/convolution-kernel.ts';
import { printMultiply, printPlainDot } from './ops/dot-kernels.ts';
import { buildExchange } from './ops/exchange-calls.ts';
import { printFft } from './ops/fft-kernel.ts';
import { printImplicitGemm } from './ops/implicit-gemm.ts';
import { printJoin } from './ops/join-kernel.ts';
import { printMap } from './ops/map-kernel.ts';
import { printOperatorCall } from './ops/operator-call.ts';
import { printScatter } from './ops/scatter-kernel.ts';
import { printSort } from './ops/sort-kernel.ts';
import { printReduceWindow, printSelectAndScatter } from './ops/window-kernels.ts';

const isEmpty = ({ type }: Value): boolean => type.kind === 'tensor' && elementCount(type.shape) === 0;

/** Builds kernels; equal ones are built once. */
export class KernelBuilder {
  readonly #storage: Storage;
  readonly #context: OpContext;
  readonly #built = new Map<string, { readonly code: KernelCode; readonly values: readonly Value[] }>();

  constructor(stored: ReadonlySet<Value>, target: Target, module: Module, operators: Operators) {
    this.#storage = { isStored: v => stored.has(v) && !isFree(v) };
    this.#context = { module, operators, target };
  }

  /** The kernel of a step; undefined when all it writes is empty. */
  build(step: KernelStep): KernelCode | undefined {
    // of an exchange, which may write nothing here, all ends decide alike
    const isEnd = step.kind === 'kernel' && isExchange(step.op);
    if ([...step.writes, ...(isEnd ? step.reads : [])].every(isEmpty)) return undefined;
    const code = this.#codeOf(step);
    // Order and lifetimes follow from what steps say that they read and write.
    const known = new Set([...step.reads, ...step.writes]);
    const other = code.operands.find(o => !known.has(storageRootOf(o.value)))?.value;
    invariant(other === undefined, `a kernel reads %${other?.id} of ${other?.op?.name}, which its step does not name`);
    return code;
  }
  #codeOf(step: KernelStep): KernelCode {
    if (step.kind === 'fused' && step.dot) {
      const { group, dot } = step;
      const { lhs, rhs, spec } = dot.plan;
      const storage: Storage = { isStored: v => v === dot.value || this.#storage.isStored(v) };
      const signature = signatureOf(group, storage);
      const values = [...(signature?.values ?? []), lhs.value, rhs.value];
      const slots = [dot.value, lhs.value, rhs.value].map(v => values.indexOf(v));
      const key = `epilogue ${lhs.offset} ${rhs.offset} ${slots.join()} ${JSON.stringify(spec)} ${signature?.text}`;
      return this.#once(signature && key, values, () => {
        const { kernel, operands } = planEpilogue(group, dot, this.#storage, this.#context.target);
        return { ...printEpilogue(kernel, operands, this.#context.target), kernel };
      });
    }
    if (step.kind === 'fused') {
      const signature = signatureOf(step.group, this.#storage);
      return this.#once(signature?.text, signature?.values ?? [], () => {
        const { kernel, operands } = planFused(step.group, this.#storage);
        return { ...printKernel(kernel), operands, kernel };
      });
    }
    if (step.dot) {
      const { lhs, rhs, spec } = step.dot;
      const values = [lhs.value, rhs.value, step.writes[0]!];
      const key = `dot ${lhs.offset} ${rhs.offset} ${lhs.value === rhs.value} ${JSON.stringify(spec)}`;
      return this.#once(key, values, () => {
        const { kernel, operands } = planMultiply(step.dot!, step.writes[0]!);
        return { ...printMultiply(kernel, operands, this.#context.target), kernel };
      });
    }
    const kernel = planOp(step.op, this.#context);
    return { ...printOp(kernel, this.#context), kernel };
  }

  #once(key: string | undefined, values: readonly Value[], build: () => KernelCode): KernelCode {
    if (key === undefined) return build();
    const known = this.#built.get(key);
    if (known === undefined) {
      const code = build();
      this.#built.set(key, { code, values });
      return code;
    }
    const other = new Map(known.values.map((v, i) => [v, values[i]!]));
    return { ...known.code, operands: known.code.operands.map(o => ({ ...o, value: other.get(o.value)! })) };
  }
}

function printOp(kernel: OpKernel, { module, target }: OpContext): KernelText {
  switch (kernel.form) {
    case 'sort':
      return printSort(kernel);
    case 'scatter':
      return printScatter(kernel);
    case 'join':
      return printJoin(kernel);
    case 'map':
      return printMap(kernel);
    case 'fft':
      return printFft(kernel);
    case 'reduce-window':
      return printReduceWindow(kernel);
    case 'select-and-scatter':
      return printSelectAndScatter(kernel);
    case 'dot':
      return printPlainDot(kernel);
    case 'implicit-gemm':
      return printImplicitGemm(kernel, target);
    case 'convolution':
      return printConvolution(kernel);
    case 'operator':
      return printOperatorCall(kernel);
    case 'process-id':
      return printProcessId(kernel);
    case 'all-reduce':
      return buildAllReduce(kernel.op);
    case 'all-gather':
      return buildAllGather(kernel.op);
    case 'exchange':
      return buildExchange(kernel.op, module);
    default:
      return assertNever(kernel);
  }
}
