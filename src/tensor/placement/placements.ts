// The parts of tensors that the programs of a device read and write.
import { Builder } from '../../hlo/builder.ts';
import { type Func, moduleOf, tensorTypeOf } from '../../hlo/index.ts';
import type { DeviceMesh } from '../../hlo/sharding/device-mesh.ts';
import type { Sharding } from '../../hlo/sharding/sharding.ts';
import { printSharding } from '../../hlo/sharding/shardy-printer.ts';
import { formatType } from '../../hlo/types.ts';
import type { Backend } from '../../runtime/backends/backend.ts';
import type { DeviceBuffer } from '../../runtime/execution/executable.ts';
import { cut } from './cut.ts';
import { type Partitioned, partitioned, undivided } from './partitioned.ts';
import { type Divider, partOfBuffer, ShardedBuffer, shardingOfBuffer } from './sharded-buffer.ts';

interface Owner {
  readonly backend: Backend;
  readonly mesh: DeviceMesh;
}
interface Move {
  readonly run: (inputs: readonly DeviceBuffer[]) => readonly DeviceBuffer[];
  readonly results: Partitioned['results'];
}

export class Placements implements Divider {
  readonly #owner: Owner;
  /** Programs that move a tensor, by its type and how it is divided before and after. */
  readonly #moves = new Map<string, Move>();

  constructor(owner: Owner) {
    this.#owner = owner;
  }

  /** The parts of inputs, divided as a program expects. */
  parts(inputs: readonly DeviceBuffer[], expected: readonly (Sharding | undefined)[]): readonly DeviceBuffer[] {
    return inputs.map((input, i) => partOfBuffer(this.moved(input, expected[i])));
  }
  /** The results of a program of a rank as the memory of whole tensors. */
  wrapped(
    { body }: Func,
    results: readonly DeviceBuffer[],
    divided: readonly (Sharding | undefined)[],
  ): readonly DeviceBuffer[] {
    return results.map((part, i) => {
      const sharding = divided[i];
      return sharding === undefined
        ? part
        : new ShardedBuffer(tensorTypeOf(body.results[i]!), sharding, this, { part });
    });
  }
  whole(buffer: DeviceBuffer): DeviceBuffer {
    return this.moved(buffer, undefined);
  }
  cut(whole: DeviceBuffer, sharding: Sharding): DeviceBuffer {
    const { backend, mesh } = this.#owner;
    return cut(whole, sharding, mesh, backend);
  }
  /** The elements of a buffer divided in this way. Every rank must call it. */
  divided(buffer: DeviceBuffer, sharding: Sharding): DeviceBuffer {
    const source = buffer instanceof ShardedBuffer ? buffer.whole() : buffer;
    return new ShardedBuffer(buffer.type, sharding, this, { source });
  }

  /** Memory divided in this way. Every rank must call it. */
  moved(buffer: DeviceBuffer, to: Sharding | undefined): DeviceBuffer {
    const from = shardingOfBuffer(buffer);
    const textOf = (sharding: Sharding | undefined): string => (sharding === undefined ? '' : printSharding(sharding));
    if (from === to || textOf(from) === textOf(to)) return buffer;
    const key = `${formatType(buffer.type)} ${textOf(from)} -> ${textOf(to)}`;
    const move = this.#moves.get(key) ?? this.#compileMove(buffer, from, to);
    this.#moves.set(key, move);
    const [part] = move.run([partOfBuffer(buffer)]);
    const [sharding] = move.results;
    return sharding === undefined ? part! : new ShardedBuffer(buffer.type, sharding, this, { part: part! });
  }
  #compileMove({ type }: DeviceBuffer, from: Sharding | undefined, to: Sharding | undefined): Move {
    const { backend, mesh } = this.#owner;
    const b = new Builder();
    const arg = b.argument(type, 0);
    const sharding = to ?? undivided(type.shape.length);
    const moved = b.emit1('sdy.reshard', [arg], { sharding });
    const func: Func = {
      name: 'redistribute',
      body: { args: [arg], ops: b.ops, results: [moved] },
      aliases: [undefined],
    };
    const module = moduleOf(func, { name: 'redistribute', numReplicas: mesh.size() });
    const { module: local, results } = partitioned(module, mesh, { inputs: [from], results: [to ?? sharding] });
    const { executable } = backend.compile(local, 'soon');
    return { run: inputs => executable.run(inputs), results };
  }
}
