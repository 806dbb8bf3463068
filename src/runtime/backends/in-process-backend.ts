// A device whose programs run in this process, in JavaScript: a step runs at once, so buffers are always ready. Single rank.
import { bytesOf, type Literal, literalOfBytes } from '../../hlo/literal.ts';
import { type Module, mainOf, tensorTypeOf } from '../../hlo/program.ts';
import { dynamicDim, type TensorType } from '../../hlo/types.ts';
import { checkedInputs, type Signature } from '../execution/arguments.ts';
import { HostBuffer } from '../execution/buffer.ts';
import {
  type Content,
  type DeviceBuffer,
  type DeviceEvent,
  doneEvent,
  type Executable,
  type LoadedProgram,
} from '../execution/executable.ts';
import { allocate } from '../execution/memory.ts';
import { sampledBytes } from '../execution/samples.ts';
import type { Backend } from './backend.ts';

/** Runs a module with these arguments, which it does not change. */
export type RunModule = (args: readonly Literal[]) => readonly Literal[];

export abstract class InProcessBackend implements Backend {
  abstract readonly name: string;
  readonly copiesState = true;

  /** Everything that can be done before there are arguments. */
  protected abstract prepare(module: Module): RunModule;

  compile(module: Module): LoadedProgram {
    const start = performance.now();
    const executable = new InProcessExecutable(module, this.prepare(module));
    const compileMs = performance.now() - start;
    return { executable, report: { fromCache: false, compileMs, arenaBytes: 0, kernels: 0 } };
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

/** Runs at once, in this process. */
export class InProcessExecutable implements Executable {
  readonly inputTypes: readonly TensorType[];
  readonly outputTypes: readonly TensorType[];
  readonly donated: readonly (number | undefined)[];
  readonly #name: string;
  readonly #run: RunModule;
  readonly #signature: Signature;

  constructor(module: Module, run: RunModule) {
    const { body, aliases } = mainOf(module);
    this.#name = module.name;
    this.#run = run;
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
    const literals = this.#run(args);
    const results = literals.map(copyOf);
    return results.map((result, i) => {
      const input = this.donated[i];
      const block = input === undefined ? allocate(result.byteLength, 'a result') : buffers[input]!.consume(this.#name);
      block.bytes.set(result);
      return new HostBuffer(literals[i]!.type, block);
    });
  }
}

// A result may be an argument itself, whose memory another result takes over.
const copyOf = (literal: Literal): Uint8Array => bytesOf(literal).slice();
