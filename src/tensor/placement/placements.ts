// The parts of tensors that the programs of a device read and write.
import { Builder } from '../../hlo/builder.ts';
import { type Func, type Module, moduleOf, tensorTypeOf } from '../../hlo/index.ts';
import type { DeviceMesh } from '../../hlo/sharding/device-mesh.ts';
import type { Sharding } from '../../hlo/sharding/sharding.ts';
import { printSharding } from '../../hlo/sharding/shardy-printer.ts';
import { formatType, type TensorType } from '../../hlo/types.ts';
import type { Backend } from '../../runtime/backends/backend.ts';
import type { DeviceBuffer, Executable } from '../../runtime/execution/executable.ts';
import { AbsentBuffer } from './absent-buffer.ts';
import { cut } from './cut.ts';
import { type Division, type Partitioned, partitioned, undivided } from './partitioned.ts';
import { partType } from './parts.ts';
import { type Divider, homeOfBuffer, partOfBuffer, ShardedBuffer, shardingOfBuffer } from './sharded-buffer.ts';
import { stageAxisOf, stageRank } from './stage-axis.ts';

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
  /** Programs that copy a part from one rank along the pipeline to all, by its type and that rank. */
  readonly #copies = new Map<string, Executable>();

  constructor(owner: Owner) {
    this.#owner = owner;
  }

  /** The parts of inputs, divided as a program expects. A program of a pipeline takes what is on one of its ranks as it is. */
  parts(inputs: readonly DeviceBuffer[], division: Division | undefined): readonly DeviceBuffer[] {
    return inputs.map((input, i) => {
      const isInPlace = division?.stages !== undefined && homeOfBuffer(input) !== undefined;
      return partOfBuffer(isInPlace ? input : this.moved(input, division?.inputs[i]));
    });
  }
  /** The results of a program of a rank as the memory of whole tensors. */
  wrapped(
    { body }: Func,
    results: readonly DeviceBuffer[],
    divided: readonly (Sharding | undefined)[],
    places: readonly (number | 'all')[] | undefined,
  ): readonly DeviceBuffer[] {
    return results.map((part, i) => {
      const place = places?.[i] ?? 'all';
      const home = place === 'all' ? undefined : place;
      const type = tensorTypeOf(body.results[i]!);
      const sharding = divided[i] ?? (home === undefined ? undefined : undivided(type.shape.length));
      return sharding === undefined ? part : new ShardedBuffer(type, sharding, this, { part }, home);
    });
  }
  isHere(home: number | undefined): boolean {
    return home === undefined || home === stageRank(this.#owner.mesh);
  }
  whole(buffer: DeviceBuffer): DeviceBuffer {
    return this.moved(buffer, undefined);
  }
  cut(whole: DeviceBuffer, sharding: Sharding, home: number | undefined): DeviceBuffer {
    const { backend, mesh } = this.#owner;
    if (!this.isHere(home)) return new AbsentBuffer(partType({ type: whole.type, sharding, mesh }));
    return cut(whole, sharding, mesh, backend);
  }
  /**
   * The elements of a buffer divided in this way, and, if `home` is given, on this rank along the pipeline only. Every rank must
   * call it.
   */
  divided(buffer: DeviceBuffer, sharding: Sharding, home: number | undefined = homeOfBuffer(buffer)): DeviceBuffer {
    const source = buffer instanceof ShardedBuffer ? buffer.whole() : buffer;
    return new ShardedBuffer(buffer.type, sharding, this, { source }, home);
  }

  /** Memory divided in this way. Every rank must call it. */
  moved(given: DeviceBuffer, to: Sharding | undefined): DeviceBuffer {
    const buffer = homeOfBuffer(given) === undefined ? given : this.#everywhere(given as ShardedBuffer);
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
  /** A buffer that one rank along the pipeline has, on all of them. */
  #everywhere({ type, sharding, home, part }: ShardedBuffer): DeviceBuffer {
    const { backend, mesh } = this.#owner;
    const key = `${formatType(part.type)} from ${home}`;
    const known = this.#copies.get(key) ?? backend.compile(copyFrom(home!, part.type, mesh), 'soon').executable;
    this.#copies.set(key, known);
    const input = part instanceof AbsentBuffer ? backend.upload(part.type, { kind: 'zeros' }) : part;
    const [copy] = known.run([input]);
    return new ShardedBuffer(type, sharding, this, { part: copy! });
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

function copyFrom(home: number, type: TensorType, mesh: DeviceMesh): Module {
  const b = new Builder();
  const arg = b.argument(type, 0);
  // The first of a group is the one that sends.
  const replicaGroups = mesh
    .groups(stageAxisOf(mesh))
    .map(group => [group[home]!, ...group.filter((_, i) => i !== home)]);
  const [copy] = b.emit('collective_broadcast', [arg], { replicaGroups, channelId: 1, channelType: 1 });
  const func: Func = { name: 'copy', body: { args: [arg], ops: b.ops, results: [copy!] }, aliases: [undefined] };
  return moduleOf(func, { name: 'copy', numPartitions: mesh.size() });
}
