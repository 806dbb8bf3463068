// A step of training, cut into what each rank of a pipeline computes:
//
//   before      once for each micro-batch: what depends on the batch only, such as the number of all labels
//   F0 … B0     the tasks of a stage, once for each micro-batch, in the order of a schedule
//   rounds      once for each step, after the micro-batches have met: the update
//
// A value that a task computes and another rank needs is sent. A parameter lives on one rank; other ranks that compute with it
// receive it before the first micro-batch (the embedding that the head of a model uses again).
import { invariant } from '../../base/errors.ts';
import { type PipelineSettings, stageBorderOf } from '../../hlo/ops/stage-border.ts';
import { type Module, mainOf, type Op, tensorTypeOf, type Value } from '../../hlo/program.ts';
import type { TensorType } from '../../hlo/types.ts';
import { byteSize } from '../../hlo/types.ts';
import { type Combiner, type Meeting, type OneMicroBatch, ofOneMicroBatch } from './micro-batches.ts';
import { type Input, type PartRequest, readsOf, type StageProgram, stageProgram } from './stage-program.ts';
import { needsWholeBatch, orderOf, type Task, Tasks, taskKey } from './tasks.ts';
import { type Place, planUpdate, type Update } from './update.ts';

/** A program to be cut. */
export interface CutRequest {
  /** The program of a device, partitioned along micro-batches, too, if it has stages. */
  readonly module: Module;
  /** The number of devices, micro-batches apart. */
  readonly devices: number;
  /** The number of ranks along the pipeline. */
  readonly ranks: number;
  /** The rank along the pipeline that has each argument; undefined if all have it. */
  readonly homes: readonly (number | undefined)[];
  /** The ranks that need each result; undefined if it may stay where it is computed. */
  readonly results: readonly (Place | undefined)[];
  /** Whether gradients of weights are actions of their own. */
  readonly splitsBackward: boolean;
}
/** Values that go from one rank along the pipeline to another, together. */
export interface Transfer {
  readonly channel: number;
  readonly from: number;
  readonly to: number;
  /** `argument`: the index of those that are arguments of the whole program. */
  readonly values: readonly { readonly id: number; readonly type: TensorType; readonly argument: number | undefined }[];
}
/** A program, with what arrives before it and leaves after it. */
export interface Part {
  readonly program: StageProgram | undefined;
  readonly receives: readonly Transfer[];
  readonly sends: readonly Transfer[];
}
/** The work of one rank along the pipeline. */
export interface RankPart {
  readonly settings: PipelineSettings | undefined;
  /** Arguments that arrive and leave before the first task. */
  readonly before: Part;
  /** By name: F0, B0. */
  readonly tasks: ReadonlyMap<string, Part>;
  /** Values that are combined over micro-batches. */
  readonly accumulators: readonly { readonly id: number; readonly type: TensorType; readonly by: Combiner }[];
  /** The end of the last task: sends only. */
  readonly beforeRounds: Part;
  readonly rounds: readonly Part[];
  /** Where each result is. */
  readonly results: readonly Place[];
}

interface Accumulator {
  readonly id: number;
  readonly from: Value;
  readonly to: Value;
  readonly by: Combiner;
}

/** Each rank gets a copy of results up to this size in the step. */
const copiedBytes = 4096;

/** The settings of the pipeline whose borders a program has; undefined if it has none. */
export function settingsOf(module: Module): PipelineSettings | undefined {
  for (const op of mainOf(module).body.ops) {
    const border = stageBorderOf(op);
    if (border !== undefined) return border;
  }
  return undefined;
}

export class Cut {
  readonly #request: CutRequest;
  readonly #one: OneMicroBatch;
  readonly #settings: PipelineSettings | undefined;
  readonly #tasks: Tasks | undefined;
  readonly #arguments: ReadonlyMap<Value, number>;
  readonly #definition = new Map<Value, Op>();
  #ops: readonly Op[];
  /** Sums of what several stages have summed, and what is joined. */
  readonly #sums: Op[] = [];
  readonly #updateOps: readonly Op[];
  readonly #accumulators: Accumulator[] = [];
  /** By the value that stands for all parts. */
  readonly #collected = new Map<Value, Extract<Meeting, { kind: 'collected' }>>();
  /** The ops of tasks. */
  readonly #perMicroBatch = new Set<Op>();
  readonly #update: Update;
  readonly #transfers: { readonly transfer: Transfer; readonly after: string; readonly before: string }[] = [];
  /** By id, the tasks whose values another task or a collection needs. */
  readonly #kept = new Map<Value, Task>();
  /** Arguments that ranks other than their home compute with. */
  readonly #lent = new Map<number, Set<number>>();
  /** For each rank, the values whose arguments were lent to it. */
  readonly #lentTo: readonly Set<Value>[];
  #channels = 0;

  /** @throws {UNSUPPORTED} for a program whose micro-batches depend on each other before its backward pass */
  constructor(request: CutRequest) {
    this.#request = request;
    this.#settings = settingsOf(request.module);
    this.#one = ofOneMicroBatch(request.module, request.devices);
    const { func } = this.#one;
    this.#lentTo = Array.from({ length: request.ranks }, () => new Set());
    this.#ops = [...func.body.ops];
    for (const op of this.#ops) for (const result of op.results) this.#definition.set(result, op);
    this.#arguments = new Map(func.body.args.map((arg, i) => [arg, i]));
    this.#tasks = this.#settings && new Tasks(this.#one, request.homes, this.#settings);
    const { updateOps, meetings } = this.#afterMeetings();
    for (const to of meetings) this.#meet(to);
    this.#updateOps = [...this.#sums, ...this.#ops.filter(op => updateOps.has(op))];
    this.#findTaskOps();
    this.#ops = [...this.#sums, ...this.#ops];
    this.#tasks?.delayRepeated(this.#ops.filter(op => this.#perMicroBatch.has(op)));
    if (request.splitsBackward) this.#tasks?.splitBackward(this.#perMicroBatch);
    this.#transferTaskValues();
    this.#update = planUpdate({
      ops: this.#updateOps,
      ranks: request.ranks,
      placeOf: value => this.#placeOf(value),
      results: func.body.results.map((value, i) => ({ value, on: this.#goalOf(value, i) })),
    });
    this.#transferUpdateValues();
  }

  #goalOf(value: Value, i: number): Place | undefined {
    const { results } = this.#request;
    return results[i] ?? (byteSize(tensorTypeOf(value)) <= copiedBytes ? 'all' : undefined);
  }
  #rankOf({ stage }: Task): number {
    return this.#settings!.rankOfStage[stage]!;
  }

  /** The ops that results depend on after the last meeting, and these meetings. */
  #afterMeetings(): { readonly updateOps: ReadonlySet<Op>; readonly meetings: ReadonlySet<Value> } {
    const updateOps = new Set<Op>();
    const meetings = new Set<Value>();
    const pending = [...this.#one.func.body.results];
    for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
      if (this.#one.meetings.has(value)) meetings.add(value);
      const op = this.#definition.get(value);
      if (op === undefined || updateOps.has(op)) continue;
      if (stageBorderOf(op) !== undefined && this.#tasks?.isOfStage(op.operands[0]!) === true)
        throw needsWholeBatch(op.location);
      updateOps.add(op);
      pending.push(...readsOf(op));
    }
    return { updateOps, meetings };
  }
  /** Notes how a value is made of those of all micro-batches. */
  #meet(to: Value): void {
    const meeting = this.#one.meetings.get(to)!;
    const tasks = this.#tasks;
    invariant(tasks !== undefined, 'micro-batches without stages');
    if (meeting.kind === 'collected') {
      // An op of the update gives what is joined, so that it can be sent.
      const joined: Value = { id: this.nextId(), type: to.type, op: undefined, index: 0 };
      this.#collected.set(joined, meeting);
      const copy = { name: 'reshape', operands: [joined], regions: [], results: [to], location: undefined };
      this.#add({ ...copy, attributes: { shape: tensorTypeOf(to).shape } } as unknown as Op);
      return;
    }
    const { by } = meeting;
    const { nextId } = this;
    const leaf = (from: Value, sum: Value): void => {
      this.#accumulators.push({ id: sum.id, from, to: sum, by });
    };
    // Gradients of a parameter that several stages use are summed on each of them, and added once.
    const sum = (from: Value, result: Value): void => {
      const op = this.#definition.get(from);
      const isSplit =
        by === 'add' &&
        op?.name === 'add' &&
        op.operands.every(value => !tasks.isCopied(value)) &&
        taskKey(tasks.of(op.operands[0])) !== taskKey(tasks.of(op.operands[1]));
      if (!isSplit) {
        leaf(from, result);
        return;
      }
      const parts = op.operands.map((value): Value => ({ id: nextId(), type: value.type, op: undefined, index: 0 }));
      const added = { ...op, operands: parts, results: [result] } as unknown as Op;
      op.operands.forEach((value, i) => {
        sum(value, parts[i]!);
      });
      this.#add(added);
    };
    sum(meeting.from, to);
  }
  #add(op: Op): void {
    this.#sums.push(op);
    this.#definition.set(op.results[0]!, op);
  }
  /** The task that computes a value; undefined if every rank does, before the tasks or where it is needed. */
  #taskOf(value: Value): Task | undefined {
    return this.#tasks?.isAnywhere(value) === false ? this.#tasks.of(value) : undefined;
  }
  #fresh = 1e9;
  readonly nextId = (): number => this.#fresh++;

  /** The ops of tasks, and meetings that come before them. */
  #findTaskOps(): void {
    const tasks = this.#tasks;
    if (tasks === undefined) return;
    const pending = [
      ...this.#accumulators.map(({ from }) => from),
      ...[...this.#collected.values()].map(({ from }) => from),
    ];
    const seen = new Set<Value>();
    for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
      if (seen.has(value)) continue;
      seen.add(value);
      const meeting = this.#one.meetings.get(value);
      if (meeting !== undefined) {
        if (!tasks.isAnywhere(value)) throw needsWholeBatch(meeting.location);
        if (!this.#accumulators.some(({ to }) => to === value) && !this.#definition.has(value)) {
          this.#meet(value);
          pending.push(meeting.from);
        }
        continue;
      }
      const op = this.#definition.get(value);
      if (op === undefined) continue;
      if (!tasks.isCopied(value)) {
        tasks.of(value);
        this.#perMicroBatch.add(op);
      }
      pending.push(...readsOf(op));
    }
  }

  /** The values that tasks need of other tasks: kept on the same rank, or sent to the rank of the first task that needs it. */
  #transferTaskValues(): void {
    const tasks = this.#tasks;
    if (tasks === undefined) return;
    const { stages } = tasks.settings;
    /** By value and rank, the first task there that needs it. */
    const first = new Map<Value, Map<number, Task>>();
    for (const op of this.#ops) {
      if (!this.#perMicroBatch.has(op)) continue;
      const to = tasks.of(op.results[0]!);
      for (const value of readsOf(op)) {
        const rank = this.#rankOf(to);
        if (tasks.isCopied(value)) this.#lend(value, rank);
        if (tasks.isCopied(value) || this.#arguments.has(value)) continue;
        const from = tasks.of(value);
        if (taskKey(from) === taskKey(to)) continue;
        this.#kept.set(value, from);
        if (this.#rankOf(from) === rank) continue;
        const known = first.get(value) ?? new Map<number, Task>();
        first.set(value, known);
        const before = known.get(rank);
        if (before === undefined || orderOf(to, stages) < orderOf(before, stages)) known.set(rank, to);
      }
    }
    for (const { from } of this.#collected.values()) if (!tasks.isAnywhere(from)) this.#kept.set(from, tasks.of(from));
    const groups = new Map<string, { from: Task; to: Task; values: Value[] }>();
    for (const [value, ranks] of first)
      for (const to of ranks.values()) {
        const from = tasks.of(value);
        const key = `${taskKey(from)} ${taskKey(to)}`;
        const group = groups.get(key) ?? { from, to, values: [] };
        groups.set(key, group);
        group.values.push(value);
      }
    for (const [argument, ranks] of this.#lent)
      for (const rank of ranks)
        this.#send([this.#one.func.body.args[argument]!], this.#request.homes[argument]!, rank, 'before', 'before');
    for (const { from, to, values } of groups.values())
      this.#send(values, this.#rankOf(from), this.#rankOf(to), taskKey(from), taskKey(to));
  }
  /** A rank computes with the arguments that a value depends on. */
  #lend(value: Value, rank: number): void {
    const seen = this.#lentTo[rank]!;
    const pending = [value];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      const argument = this.#arguments.get(next);
      const home = argument === undefined ? undefined : this.#request.homes[argument];
      if (argument !== undefined && home !== undefined && home !== rank)
        this.#lent.set(argument, (this.#lent.get(argument) ?? new Set()).add(rank));
      const op = this.#definition.get(next);
      if (op !== undefined) pending.push(...readsOf(op));
    }
  }
  #send(values: readonly Value[], from: number, to: number, after: string, before: string): void {
    const listed = values.map(value => ({
      id: value.id,
      type: tensorTypeOf(value),
      argument: this.#arguments.get(value),
    }));
    this.#transfers.push({
      transfer: { channel: firstChannel + this.#channels++, from, to, values: listed },
      after,
      before,
    });
  }
  #transferUpdateValues(): void {
    const groups = new Map<string, { from: number; to: number; after: number; before: number; values: Value[] }>();
    for (const { value, from, to, after, before } of this.#update.sendings) {
      const key = `${from} ${to} ${after} ${before}`;
      const group = groups.get(key) ?? { from, to, after, before, values: [] };
      groups.set(key, group);
      group.values.push(value);
    }
    for (const { from, to, after, before, values } of groups.values()) {
      this.#send(values, from, to, `round ${after}`, `round ${before}`);
    }
  }

  /** Where a value is that no op of the update computes. */
  #placeOf(value: Value): Place {
    const argument = this.#arguments.get(value);
    if (argument !== undefined) return this.#request.homes[argument] ?? 'all';
    const accumulator = this.#accumulators.find(({ to }) => to === value);
    const from = accumulator?.from ?? this.#collected.get(value)?.from;
    const task = from && this.#taskOf(from);
    return task === undefined ? 'all' : this.#rankOf(task);
  }

  /** The work of a rank along the pipeline. */
  of(rank: number): RankPart {
    const settings = this.#settings;
    const isMine = (task: Task | undefined): boolean => task === undefined || this.#rankOf(task) === rank;
    const tasks = new Map<string, Part>();
    const part = (name: string, program: StageProgram | undefined): Part => ({
      program,
      sends: this.#transfers
        .filter(({ transfer, after }) => transfer.from === rank && after === name)
        .map(t => t.transfer),
      receives: this.#transfers
        .filter(({ transfer, before }) => transfer.to === rank && before === name)
        .map(t => t.transfer),
    });
    if (this.#tasks !== undefined) {
      const kinds = this.#request.splitsBackward ? (['F', 'I', 'W'] as const) : (['F', 'B'] as const);
      for (let stage = 0; stage < settings!.stages; stage++)
        for (const kind of kinds)
          if (this.#rankOf({ kind, stage }) === rank)
            tasks.set(`${kind}${stage}`, part(`${kind}${stage}`, this.#taskProgram({ kind, stage }, rank)));
    }
    return {
      settings,
      before: part('before', this.#taskProgram(undefined, rank)),
      tasks,
      accumulators: this.#accumulators
        .filter(({ from }) => isMine(this.#taskOf(from)))
        .map(({ id, from, by }) => ({ id, type: tensorTypeOf(from), by })),
      beforeRounds: part('round -1', undefined),
      rounds: Array.from({ length: this.#update.rounds }, (_, round) =>
        part(`round ${round}`, this.#round(round, rank)),
      ),
      results: this.#update.results,
    };
  }
  #base(name: string, isPerMicroBatch: boolean): Omit<PartRequest, 'input' | 'outputs' | 'accumulated'> {
    const { func, device, others } = this.#one;
    return {
      name,
      ops: this.#ops,
      definition: this.#definition,
      arguments: this.#arguments,
      device,
      others,
      ranks: this.#request.devices,
      isPerMicroBatch,
      collected: value => {
        const found = this.#collected.get(value);
        return found && { ...found, count: this.#settings!.microBatches };
      },
      donatedTo: argument => (isPerMicroBatch ? undefined : func.aliases[argument]),
    };
  }
  /** The program of a task; without one, of what every rank computes of each micro-batch before the tasks. */
  #taskProgram(task: Task | undefined, rank: number): StageProgram | undefined {
    const tasks = this.#tasks;
    if (tasks === undefined) return undefined;
    const isOwn = (other: Task | undefined): boolean =>
      other === undefined || task === undefined ? other === task : taskKey(other) === taskKey(task);
    const outputs = [...this.#kept]
      .filter(([, from]) => isOwn(from))
      .map(([value]) => ({ value, output: { kind: 'value', of: 'micro-batch', id: value.id } as const }));
    const free = task !== undefined ? [] : [...this.#collected.values()].filter(({ from }) => tasks.isAnywhere(from));
    return stageProgram({
      ...this.#base(task === undefined ? 'before' : taskKey(task), true),
      input: value => {
        if (this.#accumulators.some(({ to }) => to === value)) return { kind: 'value', of: 'step', id: value.id };
        if (this.#arguments.has(value)) return this.#foreign(value, rank);
        const from = this.#definition.has(value) && !tasks.isCopied(value) ? tasks.of(value) : undefined;
        return from === undefined || isOwn(from) ? undefined : { kind: 'value', of: 'micro-batch', id: value.id };
      },
      outputs: [
        ...outputs,
        ...free.map(({ from }) => ({
          value: from,
          output: { kind: 'value', of: 'micro-batch', id: from.id } as const,
        })),
      ],
      accumulated: this.#accumulators
        .filter(({ from }) => isOwn(this.#taskOf(from)))
        .map(({ from: value, id, by }) => ({ value, id, by })),
    });
  }
  /** An argument that another rank has, and sends. */
  #foreign(value: Value, rank: number): Input | undefined {
    const home = this.#request.homes[this.#arguments.get(value)!];
    return home === undefined || home === rank ? undefined : { kind: 'value', of: 'step', id: value.id };
  }
  #round(round: number, rank: number): StageProgram | undefined {
    const { func } = this.#one;
    const isMine = (value: Value): boolean => {
      const op = this.#definition.get(value);
      return op !== undefined && this.#update.roundOf(op, rank) === round;
    };
    const last = this.#update.rounds - 1;
    const sent = new Map<Value, number>();
    for (const { value, from, after } of this.#update.sendings)
      if (from === rank && after === round) sent.set(value, after);
    const outputs: { value: Value; output: StageProgram['outputs'][number] }[] = [];
    const kept = new Set<Value>(sent.keys());
    for (const op of this.#updateOps) {
      const at = this.#update.roundOf(op, rank);
      if (at === undefined || at <= round) continue;
      for (const value of readsOf(op)) if (isMine(value)) kept.add(value);
    }
    const isHere = (i: number): boolean => this.#update.results[i] === 'all' || this.#update.results[i] === rank;
    func.body.results.forEach((value, i) => {
      if (!isHere(i)) return;
      const op = this.#definition.get(value);
      const at = (op && this.#update.roundOf(op, rank)) ?? last;
      if (at === round) outputs.push({ value, output: { kind: 'result', index: i } });
    });
    for (const value of kept)
      if (this.#definition.has(value)) outputs.push({ value, output: { kind: 'value', of: 'step', id: value.id } });
    const usedLater = new Set<Value>();
    for (const op of this.#updateOps) {
      const at = this.#update.roundOf(op, rank);
      if (at !== undefined && at > round) for (const value of readsOf(op)) usedLater.add(value);
    }
    const base = this.#base(`round ${round}`, false);
    return stageProgram({
      ...base,
      input: value => {
        if (this.#arguments.has(value)) return this.#foreign(value, rank);
        if (this.#accumulators.some(({ to }) => to === value)) return { kind: 'value', of: 'step', id: value.id };
        const op = this.#definition.get(value);
        if (op === undefined) return undefined;
        const at = this.#update.roundOf(op, rank);
        const isReceived = this.#update.sendings.some(s => s.value === value && s.to === rank);
        return isReceived || (at !== undefined && at < round) ? { kind: 'value', of: 'step', id: value.id } : undefined;
      },
      donatedTo: argument => {
        const value = func.body.args[argument]!;
        return usedLater.has(value) ? undefined : base.donatedTo(argument);
      },
      outputs,
      accumulated: [],
    });
  }
}

/** Channels below are those of collectives. */
const firstChannel = 1000;
