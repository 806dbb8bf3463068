// Runs a program as it was scheduled, in the memory that was planned for it, with the functions of its kernels. Collectives run
// among processes that take turns. Other kernels of single ops, whose loops exist as C only, are evaluated as their op by the
// reference interpreter.

import { assertNever, invariant } from '../../../base/errors.ts';
import { evaluateOp, type InterpreterOptions } from '../../../hlo/interpreter.ts';
import { bytesOf, type Literal, literalOfBytes } from '../../../hlo/literal.ts';
import { checkSteps } from '../../../hlo/loop-limit.ts';
import { type Op, tensorTypeOf, type Value } from '../../../hlo/program.ts';
import { byteSize } from '../../../hlo/types.ts';
import { capturesOf } from '../../../hlo/walk.ts';
import type { Place } from '../../ir/collective.ts';
import { operandAt } from '../../ir/operands.ts';
import type { Block, Step } from '../../ir/schedule.ts';
import { literalOf } from '../../lowering/constants.ts';
import { isFree } from '../../lowering/lowering-kinds.ts';
import type { Copy, Location } from '../../memory/memory-plan.ts';
import type { CpuProgram, Kernel, PlannedKernel } from '../ir/kernel.ts';
import type { OpKernelOf } from '../ir/op-kernel.ts';
import type { KernelFunction } from '../wasm/kernels.ts';
import { machineMemory } from '../wasm/machine-memory.ts';
import { Meetings, runCollective, type Waiting } from './collectives.ts';
import { type ElementMemory, memoryOf } from './memory.ts';
import { runWinograd } from './winograd.ts';

export interface KernelOptions extends Pick<InterpreterOptions, 'customCalls' | 'maxLoopSteps'> {
  /** Called before each kernel, with the way it is interpreted. */
  readonly onKernel?: (kind: Kernel['kind']) => void;
}

/** A program and the functions of its kernels; those of single ops have none. */
export interface RunnableProgram {
  readonly plan: CpuProgram;
  readonly functions: ReadonlyMap<Kernel, KernelFunction>;
}

/** The results of every process of a program: one list of arguments each, which are not changed. */
export function runProgram(
  program: RunnableProgram,
  args: readonly (readonly Literal[])[],
  options: KernelOptions,
): Literal[][] {
  const meetings = new Meetings(args.length);
  return machineMemory().scoped(() =>
    meetings.run(args.map((mine, process) => new ProgramRun(program, mine, options, process, meetings).run())),
  );
}

class ProgramRun {
  readonly #plan: CpuProgram;
  readonly #functions: RunnableProgram['functions'];
  readonly #options: KernelOptions;
  readonly #process: number;
  readonly #meetings: Meetings;
  readonly #arguments: readonly Uint8Array[];
  readonly #results: readonly Uint8Array[];
  readonly #arena: Uint8Array;
  /** The address of memory that kernels have for themselves. */
  readonly #scratch: number;
  readonly #constants = new Map<Value, Uint8Array>();

  constructor(
    { plan, functions }: RunnableProgram,
    args: readonly Literal[],
    options: KernelOptions,
    process: number,
    meetings: Meetings,
  ) {
    this.#functions = functions;
    this.#process = process;
    this.#meetings = meetings;
    this.#plan = plan;
    this.#options = options;
    const { main, memory } = plan;
    this.#arguments = args.map(a => copied(bytesOf(a)));
    // a result shares memory with the argument that is donated to it
    this.#results = main.body.results.map((v, i) => {
      const donated = main.aliases.indexOf(i);
      return donated < 0 ? allocate(byteSize(tensorTypeOf(v))) : this.#arguments[donated]!;
    });
    this.#arena = allocate(memory.arenaBytes).fill(0xff);
    const scratchBytes = [...functions.values()].map(f => f.scratchBytes);
    this.#scratch = allocate(Math.max(0, ...scratchBytes)).byteOffset;
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
    if (kernel.kind !== 'op') {
      const f = this.#functions.get(kernel);
      invariant(f !== undefined, `a kernel of ${kernel.kind} has no function`);
      f.call(...operands.map(({ value }) => this.#bytes(value).byteOffset), this.#scratch);
    } else if (kernel.form === 'collective') {
      const bytesAt = (place: Place, bytes: number): Uint8Array => this.#place(place, bytes, operands, step);
      yield* runCollective(kernel, this.#process, bytesAt, this.#meetings);
    } else if (kernel.form === 'process-id') this.#processId(kernel);
    else if (kernel.form === 'winograd') {
      const at = (slot: number): ElementMemory => {
        const { value } = operandAt(operands, slot);
        return memoryOf(tensorTypeOf(value), this.#bytes(value));
      };
      runWinograd(kernel.plan, { x: at(kernel.at.x), w: at(kernel.at.w), y: at(kernel.at.y) });
    } else this.#op(kernel.op);
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
          bytes = copied(bytesOf(literalOf(location.value)));
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

const allocate = (bytes: number): Uint8Array => machineMemory().allocate(bytes);
function copied(bytes: Uint8Array): Uint8Array {
  const copy = allocate(bytes.byteLength);
  copy.set(bytes);
  return copy;
}
