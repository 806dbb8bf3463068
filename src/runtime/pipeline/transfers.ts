// Sends values from the ranks with one coordinate along a pipeline to those with another, as separate programs: a send does not
// wait for its receiver.
import { Builder } from '../../hlo/builder.ts';
import { type Func, moduleOf } from '../../hlo/program.ts';
import { type TensorType, tokenType } from '../../hlo/types.ts';
import type { Transfer } from '../../transforms/pipeline/cut.ts';
import type { Backend } from '../backends/backend.ts';
import type { DeviceBuffer, Executable } from '../execution/executable.ts';

export interface TransferPlace {
  readonly backend: Backend;
  /** The number of ranks of the run. */
  readonly ranks: number;
  /** For each rank along the pipeline, the ranks of the run that have this coordinate, in one order. */
  readonly ranksAt: readonly (readonly number[])[];
}

export class Transfers {
  readonly #place: TransferPlace;
  readonly #programs = new Map<string, Executable>();

  constructor(place: TransferPlace) {
    this.#place = place;
  }
  send(transfer: Transfer, values: readonly DeviceBuffer[]): void {
    this.#program('send', transfer).run(values);
  }
  receive(transfer: Transfer): readonly DeviceBuffer[] {
    return this.#program('recv', transfer).run([]);
  }
  #program(kind: 'send' | 'recv', transfer: Transfer): Executable {
    const key = `${kind} ${transfer.channel}`;
    const known = this.#programs.get(key);
    if (known !== undefined) return known;
    const { executable } = this.#place.backend.compile(this.#module(kind, transfer), 'now');
    this.#programs.set(key, executable);
    return executable;
  }
  #module(kind: 'send' | 'recv', { channel, from, to, values }: Transfer) {
    const { ranks, ranksAt } = this.#place;
    const sourceTargetPairs = ranksAt[from]!.map((source, i) => [source, ranksAt[to]![i]!] as const);
    const attributes = { channelId: channel, channelType: 1, isHostTransfer: false, sourceTargetPairs };
    const types: readonly TensorType[] = values.map(({ type }) => type);
    const b = new Builder();
    const args = kind === 'send' ? types.map((type, i) => b.argument(type, i)) : [];
    const token = b.emit('create_token', [], {})[0];
    const results =
      kind === 'send'
        ? []
        : b.emit('recv', [token], { ...attributes, resultTypes: [...types, tokenType] }).slice(0, -1);
    if (kind === 'send') b.emit('send', [...args, token], attributes);
    const func: Func = { name: 'main', body: { args, ops: b.ops, results }, aliases: args.map(() => undefined) };
    return moduleOf(func, { name: kind, numPartitions: ranks });
  }
}
