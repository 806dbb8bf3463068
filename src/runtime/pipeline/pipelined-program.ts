// A program in stages: runs the actions of a rank, each a compiled program of its stage, and sends values between ranks.
//
//   before ─▶ F0 F0 … B0 B0 (by the schedule) ─▶ rounds
//
// Everything is queued at once; the stream of the device waits for what other ranks send. Each step is one event, with what ran.
import { assertNever } from '../../base/errors.ts';
import { Builder } from '../../hlo/builder.ts';
import { bytesOf, literal } from '../../hlo/literal.ts';
import { integerRange } from '../../hlo/ops/quantized-data.ts';
import { type Module, moduleOf } from '../../hlo/program.ts';
import { byteSize, isFloat, type TensorType, tensorType } from '../../hlo/types.ts';
import { emit, isObserved, type StageRun } from '../../observe/events.ts';
import { type Communication, communicationOf } from '../../transforms/partition/communication.ts';
import type { Part, RankPart, Transfer } from '../../transforms/pipeline/cut.ts';
import type { Combiner } from '../../transforms/pipeline/micro-batches.ts';
import { type PartRun, runsOf } from '../../transforms/pipeline/rank-runs.ts';
import type { Action } from '../../transforms/pipeline/schedules.ts';
import type { StageProgram } from '../../transforms/pipeline/stage-program.ts';
import type { Backend } from '../backends/backend.ts';
import type { CompileReport, DeviceBuffer, Executable } from '../execution/executable.ts';
import { type TransferPlace, Transfers } from './transfers.ts';

export interface PipelineRequest extends TransferPlace {
  /** This rank along the pipeline. */
  readonly rank: number;
  readonly part: RankPart;
  readonly actions: readonly Action[];
  readonly inputTypes: readonly TensorType[];
  readonly outputTypes: readonly TensorType[];
  readonly onRun?: (() => void) | undefined;
  /** Stands for a result that another rank has. */
  absent(type: TensorType): DeviceBuffer;
}
/**
 * Released by the last pipelined step of each backend, whichever program it was: this keeps their memory for the next step, for
 * which the system would have to clear new pages.
 */
const releasedLast = new WeakMap<Backend, readonly DeviceBuffer[]>();
let programs = 0;

export class PipelinedProgram implements Executable {
  readonly inputTypes: readonly TensorType[];
  readonly outputTypes: readonly TensorType[];
  readonly donated: readonly (number | undefined)[];
  readonly report: CompileReport;
  readonly #request: PipelineRequest;
  readonly #transfers: Transfers;
  readonly #runs: readonly PartRun[];
  readonly #compiled = new Map<StageProgram, Executable>();
  /** In events. */
  readonly #id = ++programs;
  readonly #firstDevices: readonly DeviceBuffer[];
  /** Gives what sums over micro-batches start from. */
  readonly #start: Executable | undefined;
  #released: DeviceBuffer[] = [];
  /** How often each value of a micro-batch is read on this rank; those of the whole step are kept. */
  readonly #reads = new Map<number, number>();

  constructor(request: PipelineRequest) {
    this.#request = request;
    this.#transfers = new Transfers(request);
    this.inputTypes = request.inputTypes;
    this.outputTypes = request.outputTypes;
    const { backend, part, actions, ranks } = request;
    this.#runs = runsOf(part, actions);
    const reports: CompileReport[] = [];
    for (const { program } of allParts(part)) {
      if (program === undefined) continue;
      const { executable, report } = backend.compile(program.module, 'now');
      reports.push(report);
      this.#compiled.set(program, executable);
    }
    const start = startOf(part.accumulators, ranks);
    this.#start = start && backend.compile(start, 'now').executable;
    this.report = combined(reports);
    const donated: (number | undefined)[] = this.outputTypes.map(() => undefined);
    for (const [program, executable] of this.#compiled)
      program.outputs.forEach((output, i) => {
        const at = executable.donated[i];
        const input = at === undefined ? undefined : program.inputs[at];
        if (output.kind === 'result' && input?.kind === 'argument') donated[output.index] = input.index;
      });
    this.donated = donated;
    this.#firstDevices = Array.from({ length: part.settings?.microBatches ?? 0 }, (_, m) =>
      backend.upload(tensorType('ui32', []), bytesOf(literal('ui32', [], [m * ranks])), true),
    );
    this.#countReads();
  }

  /** The collectives of a step, and what is sent along the pipeline. */
  get communication(): readonly Communication[] {
    const { before, tasks, beforeRounds, rounds } = this.#request.part;
    const forAll = (list: readonly Communication[]): readonly Communication[] => this.#firstDevices.flatMap(() => list);
    const ofProgram = ({ program }: Part): readonly Communication[] =>
      program === undefined ? [] : communicationOf(program.module);
    return [
      ...forAll(ofProgram(before)),
      ...before.sends.map(sending),
      ...[...tasks.values()].flatMap(task => forAll([...ofProgram(task), ...task.sends.map(sending)])),
      ...[beforeRounds, ...rounds].flatMap(part => [...ofProgram(part), ...part.sends.map(sending)]),
    ];
  }

  run(inputs: readonly DeviceBuffer[]): readonly DeviceBuffer[] {
    const { backend, onRun } = this.#request;
    onRun?.();
    const state: RunState = {
      inputs,
      step: new Map(),
      micro: this.#firstDevices.map(() => new Map()),
      left: this.#firstDevices.map(() => new Map(this.#reads)),
      results: this.outputTypes.map(() => undefined),
      ran: isObserved() ? [] : undefined,
    };
    const { micro, step, results, ran } = state;
    // Sums start while others work for this rank, or when there is something to add.
    let isStarted = this.#start === undefined;
    for (const run of this.#runs) {
      const { receives, program } = run.part;
      if (!isStarted && (receives.length > 0 || accumulates(program))) {
        this.#startSums(state);
        isStarted = true;
      }
      this.#receive(state, run);
      if (program !== undefined) this.#run(state, run, program);
      this.#send(state, run);
    }
    if (ran !== undefined) {
      const stateInputs = this.donated.filter(input => input !== undefined).length;
      emit({ kind: 'pipeline', program: this.#id, stateInputs, ran });
    }
    const given = new Set(results);
    for (const values of [...micro, step])
      for (const buffer of values.values()) if (!buffer.isConsumed && !given.has(buffer)) this.#release(buffer);
    releasedLast.set(backend, this.#released);
    this.#released = [];
    return results.map((result, i) => result ?? this.#request.absent(this.outputTypes[i]!));
  }

  /** Notes the last submission. */
  #note({ ran }: RunState, of: Omit<StageRun, 'execution'>): void {
    ran?.push({ ...of, execution: this.#request.backend.record() });
  }
  #receive(state: RunState, { part, microBatch }: PartRun): void {
    const into = microBatch === undefined ? state.step : state.micro[microBatch]!;
    for (const transfer of part.receives) {
      this.#transfers.receive(transfer).forEach((buffer, i) => {
        into.set(transfer.values[i]!.id, buffer);
      });
      this.#note(state, { kind: 'receive', microBatch, bytes: sentBytes(transfer) });
    }
  }
  /** Sums over micro-batches start. */
  #startSums(state: RunState): void {
    this.#start?.run([]).forEach((buffer, i) => {
      state.step.set(this.#request.part.accumulators[i]!.id, buffer);
    });
    this.#note(state, { kind: 'sums' });
  }
  #release(buffer: DeviceBuffer): void {
    buffer.release();
    this.#released.push(buffer);
  }
  #drop(values: Map<number, DeviceBuffer>, id: number): void {
    const buffer = values.get(id);
    if (buffer !== undefined) this.#release(buffer);
    values.delete(id);
  }
  #send(state: RunState, { part, microBatch }: PartRun): void {
    const values = microBatch === undefined ? state.step : state.micro[microBatch]!;
    for (const transfer of part.sends) {
      this.#transfers.send(
        transfer,
        transfer.values.map(({ id, argument }) => (argument === undefined ? values.get(id)! : state.inputs[argument]!)),
      );
      this.#note(state, { kind: 'send', microBatch, bytes: sentBytes(transfer) });
    }
    // What only others read.
    for (const { id } of part.sends.flatMap(transfer => transfer.values))
      if (microBatch !== undefined && !this.#reads.has(id)) this.#drop(values, id);
  }
  #run(state: RunState, { kind, stage, microBatch }: PartRun, program: StageProgram): void {
    const own = microBatch === undefined ? state.step : state.micro[microBatch]!;
    const inputs = program.inputs.map(input => {
      switch (input.kind) {
        case 'argument':
          return state.inputs[input.index]!;
        case 'first device':
          return this.#firstDevices[microBatch!]!;
        case 'collected':
          return state.micro[input.microBatch]!.get(input.id)!;
        case 'value':
          return (input.of === 'step' ? state.step : own).get(input.id)!;
        default:
          return assertNever(input);
      }
    });
    const outputs = this.#compiled.get(program)!.run(inputs);
    this.#note(state, { kind, stage, microBatch });
    outputs.forEach((buffer, i) => {
      const output = program.outputs[i]!;
      if (output.kind === 'result') state.results[output.index] = buffer;
      else (output.of === 'step' ? state.step : own).set(output.id, buffer);
    });
    if (microBatch === undefined) return;
    const left = state.left[microBatch]!;
    for (const input of program.inputs) {
      if (input.kind !== 'value' || input.of === 'step') continue;
      left.set(input.id, left.get(input.id)! - 1);
      if (left.get(input.id) === 0) this.#drop(own, input.id);
    }
  }

  #countReads(): void {
    // Collected values are kept to the end of the step.
    for (const { inputs } of this.#compiled.keys())
      for (const input of inputs)
        if (input.kind === 'collected') this.#reads.set(input.id, Number.POSITIVE_INFINITY);
        else if (input.kind === 'value' && input.of === 'micro-batch')
          this.#reads.set(input.id, (this.#reads.get(input.id) ?? 0) + 1);
  }
}

const sentBytes = ({ values }: Transfer): number => values.reduce((sum, { type }) => sum + byteSize(type), 0);
const sending = (transfer: Transfer): Communication => ({
  kind: 'send',
  bytes: sentBytes(transfer),
  devices: 2,
  shape: transfer.values[0]!.type.shape,
  location: undefined,
});

interface RunState {
  readonly inputs: readonly DeviceBuffer[];
  /** Values of the whole step, and of each micro-batch, by their ids. */
  readonly step: Map<number, DeviceBuffer>;
  readonly micro: readonly Map<number, DeviceBuffer>[];
  /** How many reads of each value are to come. */
  readonly left: readonly Map<number, number>[];
  readonly results: (DeviceBuffer | undefined)[];
  /** The submissions so far; undefined if none is observed. */
  readonly ran: StageRun[] | undefined;
}
/** The number that sums, maxima and minima start from. */
function neutral(by: Combiner, { elementType }: TensorType): number | bigint | boolean {
  if (by === 'add') return 0;
  if (isFloat(elementType)) return by === 'maximum' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const [least, greatest] = integerRange(elementType);
  return by === 'maximum' ? least : greatest;
}
/** Whether a program adds to sums over micro-batches. */
const accumulates = (program: StageProgram | undefined): boolean =>
  program?.inputs.some(input => input.kind === 'value' && input.of === 'step') === true;
/** A program that gives what sums over micro-batches start from; undefined if there are none. */
function startOf(accumulators: RankPart['accumulators'], ranks: number): Module | undefined {
  if (accumulators.length === 0) return undefined;
  const b = new Builder();
  const results = accumulators.map(({ type, by }) => b.fill(type.elementType, type.shape, neutral(by, type)));
  return moduleOf(
    { name: 'main', body: { args: [], ops: b.ops, results }, aliases: [] },
    { name: 'start', numPartitions: ranks },
  );
}
const allParts = ({ before, tasks, rounds }: RankPart): readonly Part[] => [before, ...tasks.values(), ...rounds];
const combined = (reports: readonly CompileReport[]): CompileReport => {
  const sum = (of: (report: CompileReport) => number): number =>
    reports.reduce((total, report) => total + of(report), 0);
  return {
    fromCache: reports.every(({ fromCache }) => fromCache),
    compileMs: sum(({ compileMs }) => compileMs),
    arenaBytes: Math.max(0, ...reports.map(({ arenaBytes }) => arenaBytes)),
    kernels: sum(({ kernels }) => kernels),
  };
};
