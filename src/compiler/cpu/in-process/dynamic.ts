// The kernel interpreter for programs of sizes known only at run time: their fused kernels run from their data, for the sizes of
// the arguments; all other ops, whose loops exist as C only, are evaluated by the reference interpreter.
import { invariant } from '../../../base/errors.ts';
import { zip } from '../../../base/zip.ts';
import { evaluateOp } from '../../../hlo/interpreter.ts';
import { bytesOf, type Literal, literalOfBytes } from '../../../hlo/literal.ts';
import { checkSteps } from '../../../hlo/loop-limit.ts';
import { dispatch, isIn, type PerOp } from '../../../hlo/per-op.ts';
import type { Module, Op, Region, Value } from '../../../hlo/program.ts';
import { byteSize, type TensorType } from '../../../hlo/types.ts';
import { capturesOf } from '../../../hlo/walk.ts';
import { quantityValues } from '../../ir/extent.ts';
import { caseFor } from '../../ir/size-cases.ts';
import { type FusedCall, type FusedCalls, fusedCallsOf, type RunValues } from '../dynamic/index.ts';
import type { CpuTarget } from '../target/target.ts';
import { fusedFunction } from '../wasm/kernels.ts';
import { machineMemory } from '../wasm/machine-memory.ts';
import type { KernelOptions } from './program.ts';

/** The module's results for these arguments, which are not changed. */
export function interpretDynamicKernels(
  module: Module,
  target: CpuTarget,
  args: readonly Literal[],
  options: KernelOptions = {},
): readonly Literal[] {
  return interpretCalls(fusedCallsOf(module), target, args, options);
}

/** The same for a program whose calls of kernels are planned already. */
export function interpretCalls(
  { func, calls }: FusedCalls,
  target: CpuTarget,
  args: readonly Literal[],
  options: KernelOptions,
): readonly Literal[] {
  return new DynamicInterpreter(calls, target, options).region(func.body, args);
}

class DynamicInterpreter {
  readonly #calls = new Map<Op, FusedCall[]>();
  readonly #target: CpuTarget;
  readonly #options: KernelOptions;
  readonly #values = new Map<Value, Literal>();
  readonly #run: RunValues;

  constructor(calls: readonly FusedCall[], target: CpuTarget, options: KernelOptions) {
    for (const call of calls) {
      const known = this.#calls.get(call.op);
      if (known === undefined) this.#calls.set(call.op, [call]);
      else known.push(call);
    }
    this.#target = target;
    this.#options = options;
    this.#run = {
      size: (value, dim) => this.#value(value).type.shape[dim]!,
      element: (value, position) => Number(this.#value(value).data[position]),
    };
  }

  region(region: Region, args: readonly Literal[]): readonly Literal[] {
    for (const [v, literal] of zip(region.args, args)) this.#values.set(v, literal);
    for (const op of region.ops) this.#op(op);
    return region.results.map(v => this.#value(v));
  }
  #value(value: Value): Literal {
    const found = this.#values.get(value);
    invariant(found !== undefined, `%${value.id} is used before it is computed`);
    return found;
  }

  #op(op: Op): void {
    const operands = op.operands.map(v => this.#value(v));
    const results = isIn(this.#control, op)
      ? dispatch(this.#control, op, operands)
      : evaluateOp(op, operands, new Map([...capturesOf(op)].map(v => [v, this.#value(v)])), this.#options);
    for (const [v, literal] of zip(op.results, results)) this.#values.set(v, literal);
    const written = new Map<Value, { readonly type: TensorType; readonly bytes: Uint8Array }>();
    for (const call of this.#calls.get(op) ?? []) this.#call(call, written);
    for (const [v, { type, bytes }] of written) this.#values.set(v, literalOfBytes(type, bytes));
  }

  /** The interpreter determines the types of the results; their elements come from the kernel. */
  #call(
    { kernel, sizes, count, outputs }: FusedCall,
    written: Map<Value, { type: TensorType; bytes: Uint8Array }>,
  ): void {
    for (const { value, over } of outputs) {
      if (written.has(value)) continue;
      const { type } = this.#value(value);
      const before = over && bytesOf(this.#value(over)).slice();
      written.set(value, { type, bytes: before ?? new Uint8Array(byteSize(type)).fill(0xff) });
    }
    if (count(this.#run) === 0) return;
    const values = sizes.map(origin => origin(this.#run));
    const numbers = quantityValues(values);
    const planned = caseFor(kernel.cases, ({ quantity }) => numbers(quantity)).kernel;
    this.#options.onKernel?.(planned.kind);
    const f = fusedFunction(planned, kernel.operands, values, numbers, this.#target);
    if (f === undefined) return; // the values of the interpreter stay
    const memory = machineMemory();
    memory.scoped(() => {
      const places = kernel.operands.map(({ value, access }) => {
        const bytes = access === 'write' ? written.get(value)!.bytes : bytesOf(this.#value(value));
        const place = memory.allocate(bytes.byteLength);
        place.set(bytes);
        return place;
      });
      f.call(...places.map(place => place.byteOffset), memory.allocate(f.scratchBytes).byteOffset);
      kernel.operands.forEach(({ value, access }, i) => {
        if (access === 'write') written.get(value)!.bytes.set(places[i]!);
      });
    });
  }

  readonly #control: PerOp<'while' | 'if' | 'case', readonly Literal[], [operands: readonly Literal[]]> = {
    while: (op, operands) => {
      const [cond, body] = op.regions;
      let carried = operands;
      for (let steps = 1; this.region(cond, carried)[0]!.data[0]; steps++) {
        checkSteps(steps, op, this.#options.maxLoopSteps);
        carried = this.region(body, carried);
      }
      return carried;
    },
    if: (op, [predicate]) => this.region(op.regions[predicate!.data[0] ? 0 : 1], []),
    case: (op, [index]) => this.region(op.regions[Number(index!.data[0])] ?? op.regions.at(-1)!, []),
  };
}
