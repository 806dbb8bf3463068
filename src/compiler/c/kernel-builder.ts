// From a step of the schedule to its kernel.
import { invariant, TrenioError } from '../../base/errors.ts';
import type { Module, Op, Value } from '../../hlo/program.ts';
import { elementCount } from '../../hlo/types.ts';
import type { Storage } from '../ir/group.ts';
import type { KernelStep } from '../ir/schedule.ts';
import { planEpilogue } from '../kernels/epilogue-plan.ts';
import { planFused } from '../kernels/fused-plan.ts';
import { planMultiply } from '../kernels/multiply-plan.ts';
import { signatureOf } from '../kernels/signature.ts';
import { isOfAll } from '../lowering/collective-groups.ts';
import { isExchange, isFree } from '../lowering/lowering-kinds.ts';
import { storageRootOf } from '../lowering/storage-root.ts';
import type { Operators } from '../target/operators.ts';
import type { Target } from '../target/target.ts';
import type { KernelCode, KernelText } from './kernel-text.ts';
import { printEpilogue } from './kernels/epilogue-printer.ts';
import { printKernel } from './kernels/kernel-printer.ts';
import { buildAllGather, buildAllReduce, buildProcessId } from './ops/collective-calls.ts';
import { buildConvolution } from './ops/convolution-kernel.ts';
import { buildPlainDot, printMultiply } from './ops/dot-kernels.ts';
import { buildExchange } from './ops/exchange-calls.ts';
import { buildFft } from './ops/fft-kernel.ts';
import { buildImplicitGemm } from './ops/implicit-gemm.ts';
import { buildMap } from './ops/map-kernel.ts';
import { buildOperatorCall } from './ops/operator-call.ts';
import { buildScatter } from './ops/scatter-kernel.ts';
import { buildSort } from './ops/sort-kernel.ts';
import { buildReduceWindow, buildSelectAndScatter } from './ops/window-kernels.ts';

const isEmpty = ({ type }: Value): boolean => type.kind === 'tensor' && elementCount(type.shape) === 0;

/** Builds kernels; equal ones are built once. */
export class KernelBuilder {
  readonly #storage: Storage;
  readonly #target: Target;
  readonly #module: Module;
  readonly #operators: Operators;
  readonly #built = new Map<string, { readonly code: KernelCode; readonly values: readonly Value[] }>();

  constructor(stored: ReadonlySet<Value>, target: Target, module: Module, operators: Operators) {
    this.#storage = { isStored: v => stored.has(v) && !isFree(v) };
    this.#target = target;
    this.#module = module;
    this.#operators = operators;
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
      const places = [dot.value, lhs.value, rhs.value].map(v => values.indexOf(v));
      const key = `epilogue ${lhs.offset} ${rhs.offset} ${places.join()} ${JSON.stringify(spec)} ${signature?.text}`;
      return this.#once(signature && key, values, () => {
        const { kernel, operands } = planEpilogue(group, dot, this.#storage, this.#target);
        return { ...printEpilogue(kernel, operands, this.#target), kernel };
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
        return { ...printMultiply(kernel, operands, this.#target), kernel };
      });
    }
    const text = buildOp(step.op, this.#module, this.#operators, this.#target);
    return { ...text, kernel: { kind: 'op', op: step.op } };
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

function buildOp(op: Op, module: Module, operators: Operators, target: Target): KernelText {
  switch (op.name) {
    case 'custom_call':
      return buildOperatorCall(op, operators.get(op.attributes.callTargetName)!);
    case 'dot_general':
      return buildPlainDot(op);
    case 'convolution':
      return buildImplicitGemm(op, target) ?? buildConvolution(op);
    case 'scatter':
      return buildScatter(op);
    case 'map':
      return buildMap(op);
    case 'fft':
      return buildFft(op);
    case 'sort':
      return buildSort(op);
    case 'reduce_window':
      return buildReduceWindow(op);
    case 'select_and_scatter':
      return buildSelectAndScatter(op);
    case 'all_reduce':
      return isOfAll(op, module) ? buildAllReduce(op) : buildExchange(op, module);
    case 'all_gather':
      return isOfAll(op, module) ? buildAllGather(op) : buildExchange(op, module);
    case 'reduce_scatter':
    case 'all_to_all':
    case 'collective_permute':
    case 'collective_broadcast':
    case 'send':
    case 'recv':
      return buildExchange(op, module);
    case 'replica_id':
    case 'partition_id':
      return buildProcessId(op, module.numPartitions);
    default:
      throw new TrenioError(
        'UNSUPPORTED',
        {
          what: op.name,
          where: 'the C compiler backend',
          instead: 'run this program on the interpreter (TRENIO_BACKEND=interpreter)',
        },
        { location: op.location },
      );
  }
}
