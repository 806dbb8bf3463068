// The kernel interpreter: runs a module as it was scheduled, in the memory that was planned for it, kernel by kernel from their
// data. It is the second reader of kernel data, besides the C printer, and slow. Collectives run among processes
// that take turns. Other kernels of single ops, whose loops exist as C only, are evaluated as their op by the reference
// interpreter.

import { assertNever, invariant } from '../../../base/errors.ts';
import { evaluateOp, type InterpreterOptions } from '../../../hlo/interpreter.ts';
import { bytesOf, type Literal, literalOfBytes } from '../../../hlo/literal.ts';
import { checkSteps } from '../../../hlo/loop-limit.ts';
import { type Module, type Op, tensorTypeOf, type Value } from '../../../hlo/program.ts';
import { byteSize } from '../../../hlo/types.ts';
import { capturesOf } from '../../../hlo/walk.ts';
import type { Place } from '../../ir/collective.ts';
import { numberOf } from '../../ir/extent.ts';
import { type KernelOperand, operandAt } from '../../ir/operands.ts';
import type { Block, Step } from '../../ir/schedule.ts';
import { literalOf } from '../../lowering/constants.ts';
import { isFree } from '../../lowering/lowering-kinds.ts';
import type { Copy, Location } from '../../memory/memory-plan.ts';
import { planProgram } from '../../program/plan-program.ts';
import type { CpuProgram, Kernel, PlannedKernel } from '../ir/kernel.ts';
import type { OpKernelOf } from '../ir/op-kernel.ts';
import { cpuMachine } from '../kernels/cpu-machine.ts';
import type { CpuTarget } from '../target/target.ts';
import { Meetings, runCollective, type Waiting } from './collectives.ts';
import { runFused } from './fused.ts';
import { type ElementMemory, memoryOf } from './memory.ts';
import { runEpilogue, runMultiply } from './multiply.ts';
import { runWinograd } from './winograd.ts';

export interface KernelOptions extends Pick<InterpreterOptions, 'customCalls' | 'maxLoopSteps'> {
  /** Called before each kernel, with the way it is interpreted. */
  readonly onKernel?: (kind: Kernel['kind']) => void;
}

/** The module's results for these arguments, which are not changed. */
export function interpretKernels(
  module: Module,
  target: CpuTarget,
  args: readonly Literal[],
  options: KernelOptions = {},
): Literal[] {
  return interpretProcesses(module, target, [args], options)[0]!;
}

/** The same for every process of a module: one list of arguments and of results each. */
export function interpretProcesses(
  module: Module,
  target: CpuTarget,
  args: readonly (readonly Literal[])[],
  options: KernelOptions = {},
): Literal[][] {
  return interpretPlanned(planProgram(module, cpuMachine(target), new Map()), target, args, options);
}

/** The same for a program that is planned already. */
export function interpretPlanned(
  plan: CpuProgram,
  target: CpuTarget,
  args: readonly (readonly Literal[])[],
  options: KernelOptions,
): Literal[][] {
  const meetings = new Meetings(args.length);
  return meetings.run(
    args.map((mine, process) => new KernelInterpreter(plan, target, mine, options, process, meetings).run()),
  );
}

class KernelInterpreter {
  readonly #plan: CpuProgram;
  readonly #target: CpuTarget;
  readonly #options: KernelOptions;
  readonly #process: number;
  readonly #meetings: Meetings;
  readonly #arguments: readonly Uint8Array[];
  readonly #results: readonly Uint8Array[];
  readonly #arena: Uint8Array;
  readonly #constants = new Map<Value, Uint8Array>();

  constructor(
    plan: CpuProgram,
    target: CpuTarget,
    args: readonly Literal[],
    options: KernelOptions,
    process: number,
    meetings: Meetings,
  ) {
    this.#process = process;
    this.#meetings = meetings;
    this.#plan = plan;
    this.#target = target;
    this.#options = options;
    const { main, memory } = plan;
    this.#arguments = args.map(a => bytesOf(a).slice());
    // a result shares memory with the argument that is donated to it
    this.#results = main.body.results.map((v, i) => {
      const donated = main.aliases.indexOf(i);
      return donated < 0 ? new Uint8Array(byteSize(tensorTypeOf(v))) : this.#arguments[donated]!;
    });
    this.#arena = new Uint8Array(memory.arenaBytes).fill(0xff);
  }

  *run(): Waiting<Literal[]> {
    const { main, schedule, memory } = this.#plan;
    yield* this.#block(schedule.main);
    for (const c of memory.finalCopies) this.#copy(c);
    return main.body.results.map((v, i) => literalOfBytes(tensorTypeOf(v), this.#results[i]!.slice()));
  }

  *#block(block: Block): Waiting<void> {
    for (const step of block.steps) {
      if (step.kind === 'control') yield* this.#control(step);
      else {
        const kernel = this.#plan.kernelOf(step);
        if (kernel !== undefined) yield* this.#kernel(kernel, step);
      }
    }
  }
  *#branch(block: Block): Waiting<void> {
    yield* this.#block(block);
    for (const c of this.#plan.memory.blockCopies(block)) this.#copy(c);
  }
  *#control(step: Extract<Step, { kind: 'control' }>): Waiting<void> {
    const { name } = step.op;
    switch (name) {
      case 'while': {
        for (const c of this.#plan.memory.entryCopies(step)) this.#copy(c);
        const [cond, body] = step.blocks as readonly [Block, Block];
        for (let steps = 0; ; steps++) {
          yield* this.#block(cond);
          if (!this.#scalar(cond.results[0]!)) return;
          checkSteps(steps + 1, step.op, this.#options.maxLoopSteps);
          yield* this.#branch(body);
        }
      }
      case 'if':
        yield* this.#branch(step.blocks[this.#scalar(step.op.operands[0]) ? 0 : 1]!);
        return;
      case 'case': {
        // an index out of range selects the last branch
        const at = this.#scalar(step.op.operands[0]);
        yield* this.#branch(step.blocks[at] ?? step.blocks.at(-1)!);
        return;
      }
      default:
        assertNever(name);
    }
  }

  *#kernel({ kernel, operands }: PlannedKernel, step: Step): Waiting<void> {
    this.#options.onKernel?.(kernel.kind);
    const target = this.#target;
    const memoryAt = ({ value }: KernelOperand): ElementMemory => memoryOf(tensorTypeOf(value), this.#bytes(value));
    const memory = (): ElementMemory[] => operands.map(memoryAt);
    switch (kernel.kind) {
      case 'rows':
      case 'columns':
      case 'split':
      case 'parts':
      case 'sequence':
        runFused(kernel, memory(), target, numberOf);
        break;
      case 'multiply':
        runMultiply(kernel.multiply, kernel.result, memory());
        break;
      case 'epilogue':
        runEpilogue(kernel.multiply, kernel.row, memory(), target);
        break;
      case 'op':
        if (kernel.form === 'collective') {
          const bytesAt = (place: Place, bytes: number): Uint8Array => this.#place(place, bytes, operands, step);
          yield* runCollective(kernel, this.#process, bytesAt, this.#meetings);
        } else if (kernel.form === 'process-id') this.#processId(kernel);
        else if (kernel.form === 'winograd') {
          const at = (slot: number): ElementMemory => memoryAt(operandAt(operands, slot));
          runWinograd(kernel.plan, { x: at(kernel.at.x), w: at(kernel.at.w), y: at(kernel.at.y) });
        } else this.#op(kernel.op);
        break;
      default:
        assertNever(kernel);
    }
  }

  /** Size of an operand, or of the workspace after the operands, in bytes. */
  #place(place: Place, bytes: number, operands: PlannedKernel['operands'], step: Step): Uint8Array {
    const operand = operands[place.slot];
    const location =
      operand === undefined ? this.#plan.memory.workspaceOf(step) : this.#plan.memory.locationOf(operand.value);
    invariant(location !== undefined, 'a workspace that has not been planned');
    return this.#at(location, place.offset + bytes).subarray(place.offset);
  }
  #processId({ op, among, numPartitions }: OpKernelOf<'process-id'>): void {
    const id = among === 'replicas' ? Math.floor(this.#process / numPartitions) : this.#process % numPartitions;
    this.#bytes(op.results[0]).set(new Uint8Array(Uint32Array.of(id).buffer));
  }

  #op(op: Op): void {
    const captured = new Map([...capturesOf(op)].map(v => [v, this.#read(v)]));
    const results = evaluateOp(
      op,
      op.operands.map(v => this.#read(v)),
      captured,
      this.#options,
    );
    op.results.forEach((v, i) => {
      if (byteSize(tensorTypeOf(v)) > 0) this.#bytes(v).set(bytesOf(results[i]!));
    });
  }

  #scalar(value: Value): number {
    return Number(this.#read(value).data[0]);
  }
  /** Computes values that are not in memory from those that are. */
  #read(value: Value): Literal {
    const { op } = value;
    if (byteSize(tensorTypeOf(value)) === 0) return literalOfBytes(tensorTypeOf(value), new Uint8Array(0));
    if (op !== undefined && isFree(value))
      return evaluateOp(
        op,
        op.operands.map(v => this.#read(v)),
      )[value.index]!;
    return literalOfBytes(tensorTypeOf(value), this.#bytes(value).slice());
  }
  /** The memory of a stored value. */
  #bytes(value: Value): Uint8Array {
    const size = byteSize(tensorTypeOf(value));
    return this.#at(this.#plan.memory.locationOf(value), size);
  }
  #at(location: Location, size: number): Uint8Array {
    switch (location.kind) {
      case 'argument':
        return this.#arguments[location.index]!.subarray(0, size);
      case 'result':
        return this.#results[location.index]!.subarray(0, size);
      case 'arena':
        return this.#arena.subarray(location.offset, location.offset + size);
      case 'constant': {
        let bytes = this.#constants.get(location.value);
        if (bytes === undefined) {
          bytes = bytesOf(literalOf(location.value)).slice();
          this.#constants.set(location.value, bytes);
        }
        return bytes.subarray(0, size);
      }
      default:
        return assertNever(location);
    }
  }
  #copy({ from, to, bytes }: Copy): void {
    if (bytes > 0) this.#at(to, bytes).set(this.#at(from, bytes));
  }
}
