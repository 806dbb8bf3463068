// The reference interpreter as a backend: the oracle, eager debugging, and machines without a C compiler. It runs a
// program at once, so its buffers are always ready. Single rank.
import { interpret } from '../../../hlo/interpreter.ts';
import { bytesOf, type Literal, literalOfBytes } from '../../../hlo/literal.ts';
import { type Module, mainOf, tensorTypeOf } from '../../../hlo/program.ts';
import { dynamicDim, type TensorType } from '../../../hlo/types.ts';
import { checkedInputs, type Signature } from '../../execution/arguments.ts';
import { HostBuffer } from '../../execution/buffer.ts';
import { operatorCalls, operatorsOf } from '../../execution/custom-operators.ts';
import {
  type CompileReport,
  type Content,
  type DeviceBuffer,
  type DeviceEvent,
  doneEvent,
  type Executable,
} from '../../execution/executable.ts';
import { allocate } from '../../execution/memory.ts';
import { sampledBytes } from '../../execution/samples.ts';
import type { Backend } from '../backend.ts';

export class InterpreterBackend implements Backend {
  readonly name = 'interpreter';
  readonly #maxLoopSteps: number | undefined;

  /** `maxLoopSteps`: the maximum number of iterations of a loop. */
  constructor(maxLoopSteps?: number) {
    this.#maxLoopSteps = maxLoopSteps;
  }

  compile(module: Module): { readonly executable: Executable; readonly report: CompileReport } {
    operatorsOf(module);
    const executable = new InterpretedExecutable(module, this.#maxLoopSteps);
    return { executable, report: { fromCache: false, compileMs: 0, arenaBytes: 0, kernels: 0 } };
  }
  upload(type: TensorType, content: Content): DeviceBuffer {
    if (content instanceof Uint8Array) return HostBuffer.copyOf(type, content);
    return content.kind === 'zeros' ? HostBuffer.zeros(type) : HostBuffer.copyOf(type, sampledBytes(type, content));
  }
  record(): DeviceEvent {
    return doneEvent; // executes synchronously
  }
  synchronize(): void {
    // There is no queue.
  }
}

class InterpretedExecutable implements Executable {
  readonly inputTypes: readonly TensorType[];
  readonly outputTypes: readonly TensorType[];
  readonly donated: readonly (number | undefined)[];
  readonly #module: Module;
  readonly #maxLoopSteps: number | undefined;
  readonly #signature: Signature;

  constructor(module: Module, maxLoopSteps: number | undefined) {
    const { body, aliases } = mainOf(module);
    this.#module = module;
    this.#maxLoopSteps = maxLoopSteps;
    this.inputTypes = body.args.map(tensorTypeOf);
    this.outputTypes = body.results.map(tensorTypeOf);
    this.donated = body.results.map((_, result) => {
      const input = aliases.indexOf(result);
      // a result of dynamic size may not fit into the memory of its argument
      return input === -1 || this.outputTypes[result]!.shape.includes(dynamicDim) ? undefined : input;
    });
    const { inputTypes, outputTypes, donated } = this;
    this.#signature = { name: module.name, inputTypes, outputTypes, donated };
  }

  run(inputs: readonly DeviceBuffer[]): readonly DeviceBuffer[] {
    const buffers = checkedInputs(this.#signature, inputs);
    const args = buffers.map(({ type, bytes }) => literalOfBytes(type, bytes));
    const literals = interpret(this.#module, args, {
      customCalls: operatorCalls(),
      ...(this.#maxLoopSteps === undefined ? {} : { maxLoopSteps: this.#maxLoopSteps }),
    });
    const results = literals.map(copyOf);
    return results.map((result, i) => {
      const input = this.donated[i];
      const block =
        input === undefined ? allocate(result.byteLength, 'a result') : buffers[input]!.consume(this.#module.name);
      block.bytes.set(result);
      return new HostBuffer(literals[i]!.type, block);
    });
  }
}

// A result may be an argument itself, whose memory another result takes over.
const copyOf = (literal: Literal): Uint8Array => bytesOf(literal).slice();
