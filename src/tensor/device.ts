// A device as tensors see it: the open trace, the programs it has compiled, and the two ways in which recorded values
// become numbers. `read` runs what one value needs and lets the trace go on; `markStep` runs everything that survives
// the step, gives the memory of old state to the new, and starts another trace.
import { type SourceLocation, TrenioError } from '../base/errors.ts';
import type { AutoCast } from '../base/neuron-flags.ts';
import { formatBytes } from '../base/units.ts';
import { roundingArgumentType } from '../compiler/passes/stochastic-rounding.ts';
import {
  byteSize,
  bytesOf,
  type Func,
  funcKey,
  type Module,
  mainOf,
  moduleOf,
  tensorTypeOf,
  type Value,
} from '../hlo/index.ts';
import type { Backend, CompileReport, DeviceBuffer, Executable } from '../runtime/backend.ts';
import type { ProgramProfile } from '../runtime/profile.ts';
import { type Cell, isShared, share } from './cell.ts';
import type { EagerMode } from './eager.ts';
import { explainDifference, type ProgramSummary, shortLocation, summaryOf } from './explain.ts';
import { userLocation } from './location.ts';
import { type CompileEvent, type Metrics, newMetrics } from './metrics.ts';
import {
  checkedPrecision,
  fullPrecision,
  inPrecision,
  type Precision,
  precisionKey,
  type RoundingMode,
  replicatedInputs,
} from './precision.ts';
import { programOf, type TracedProgram } from './program.ts';
import { RandomSource } from './random.ts';
import { Trace } from './trace.ts';

export interface DeviceOptions {
  readonly rank: number;
  readonly worldSize: number;
  readonly seed: number;
  /** Runs every op as it is recorded. */
  readonly eager?: EagerMode | undefined;
  /** f32 and rounding to the nearest by default. */
  readonly precision?: Precision | undefined;
  readonly log: (level: 'debug' | 'info' | 'warn', message: string) => void;
}
interface Compiled {
  readonly executable: Executable;
  readonly report: CompileReport;
  /** Its last argument is the random state of its roundings. */
  readonly takesBits: boolean;
}
/** A program that is ready to run, and the memory to run it on. */
export type Runner = (inputs: readonly DeviceBuffer[]) => readonly DeviceBuffer[];

const maxStepsInFlight = 2;
const maxExplained = 64;
const maxHistory = 1000;
const slowCompileMs = 1000;

/** One execution of a recorded program, as `observed` shows it. */
export interface ObservedRun {
  /** The user's line that ran it. */
  readonly at: string;
  readonly func: Func;
  /** Runs another program on the same inputs, in the same precision. */
  execute(module: Module): readonly DeviceBuffer[];
}

export class Device {
  readonly backend: Backend;
  readonly rank: number;
  readonly worldSize: number;
  readonly metrics: Metrics = newMetrics();
  readonly random: RandomSource;
  readonly eager: EagerMode | undefined;
  readonly #log: DeviceOptions['log'];
  /** The open traces: the last one records. More than one while `compile(fn)` traces. */
  readonly #traces: Trace[];
  readonly #programs = new Map<string, Compiled>();
  /** By kind and line, the program that ran there last. */
  readonly #last = new Map<string, ProgramSummary>();
  readonly #history: CompileEvent[] = [];
  #inFlight: DeviceBuffer[] = [];
  #precision: Precision = fullPrecision;
  #observer: ((run: ObservedRun) => void) | undefined;
  #observesNext: ((run: ObservedRun) => void) | undefined;

  constructor(backend: Backend, options: DeviceOptions) {
    this.backend = backend;
    this.rank = options.rank;
    this.worldSize = options.worldSize;
    this.random = new RandomSource(options.seed, options.rank);
    this.eager = options.eager;
    this.#log = options.log;
    if (options.precision !== undefined) this.#setPrecision(options.precision);
    this.#traces = [this.#newTrace()];
  }
  get name(): string {
    return this.backend.name;
  }
  toString(): string {
    return this.name;
  }
  /** In which formats programs compute. A new object after each change. */
  get precision(): Precision {
    return this.#precision;
  }
  /**
   * How programs that run from now on round floats to floats of less precision (all conversions, and arithmetic on narrow
   * floats), as NEURON_RT_STOCHASTIC_ROUNDING_EN and _SEED say at the start. The same seed gives the same bits.
   * Throws INVALID_OPTION.
   */
  setRounding(rounding: RoundingMode): void {
    this.#setPrecision({ ...this.#precision, rounding });
  }
  /**
   * In which type programs that run from now on multiply f32 (and, with the mode `all`, store what multiplies read and
   * give), as the flags `--auto-cast` and `--auto-cast-type` in NEURON_CC_FLAGS say at the start. Throws INVALID_OPTION.
   */
  setAutoCast(autoCast: AutoCast): void {
    this.#setPrecision({ ...this.#precision, autoCast });
  }
  #setPrecision(precision: Precision): void {
    this.#precision = checkedPrecision(precision);
    const { autoCast, rounding } = precision;
    this.random.roundingSeed = rounding.mode === 'stochastic' ? (rounding.seed ?? 0) : undefined;
    if (this.eager !== undefined && (autoCast.mode !== 'none' || rounding.mode === 'stochastic'))
      this.#log(
        'warn',
        'auto-cast and stochastic rounding are of whole programs: they do not apply in eager debug mode',
      );
  }
  /** The trace that records now. */
  get trace(): Trace {
    return this.#traces.at(-1)!;
  }
  #newTrace(): Trace {
    const trace = new Trace(this.backend);
    this.eager?.attach(trace);
    return trace;
  }
  /** In eager mode, gives a cell that was just recorded its elements. */
  computed(cell: Cell): void {
    const { eager, trace } = this;
    if (eager === undefined || cell.value === undefined) return;
    cell.buffer = this.backend.upload(cell.type, bytesOf(eager.literalOf(trace, cell.value)));
  }
  /** Every compilation so far, the last 1,000: where, how long, and why it was needed. */
  get history(): readonly CompileEvent[] {
    return this.#history;
  }
  /** The history as text, a line a compilation. */
  explain(): string {
    const line = (e: CompileEvent): string =>
      `${e.kind} at ${e.at}: ${e.ops} ops, ${e.kernels} kernels, ${e.compileMs.toFixed(0)} ms${e.fromCache ? ' (from the cache)' : ''}` +
      (e.because === undefined ? '' : `; because ${e.because}`);
    return this.#history.map(line).join('\n');
  }
  /**
   * Micro-batches a step: how many `backward()` calls each rank makes, one a micro-batch, before the optimizer steps.
   * 1 by default. Set it between steps, alike on all ranks, when gradients are accumulated: it tells which random numbers
   * are whose, so that micro-batch i of rank r draws what micro-batch r·n + i of a single rank would draw, and
   * `optimizerStep` averages over micro-batches too. Throws INVALID_OPTION.
   */
  get gradientAccumulationSteps(): number {
    return this.random.microBatches;
  }
  set gradientAccumulationSteps(steps: number) {
    if (!Number.isSafeInteger(steps) || steps < 1)
      throw new TrenioError(
        'INVALID_OPTION',
        {
          what: 'the device',
          option: 'gradientAccumulationSteps',
          got: String(steps),
          expected: 'an integer, 1 or more',
        },
        { location: userLocation() },
      );
    this.random.microBatches = steps;
  }
  /** `backward()` was called: where a step has several micro-batches, the next one draws from the start again. */
  endMicroBatch(): void {
    if (this.gradientAccumulationSteps === 1) return;
    const { trace } = this;
    trace.microBatches++;
    trace.randomUses = 0;
    if (this.random.endReads()) trace.renewHostArgument(this.random.base);
  }
  /** Micro-batches since the optimizer stepped, where a step has several. */
  get microBatchesSoFar(): number {
    return this.random.microBatchesSoFar + this.trace.microBatches;
  }
  /**
   * With TRENIO_PROFILE=1, where the time of the programs run so far went, kernel by kernel, after waiting for what is
   * queued: a program's first run is left out if there are others. Empty without.
   */
  profile(): readonly ProgramProfile[] {
    return this.backend.profile?.() ?? [];
  }
  /** Waits until everything queued has run. */
  synchronize(): void {
    this.backend.synchronize();
    this.#inFlight = [];
  }
  /** Resolves when at most `steps` marked steps are still running. */
  async atMostInFlight(steps: number): Promise<void> {
    while (this.#inFlight.length > steps) await this.#inFlight.shift()!.ready;
  }

  /** The value of a cell in the open trace: an argument for a buffer, the recorded value for a pending one. */
  valueOf(cell: Cell): Value {
    const trace = this.trace;
    if (cell.value !== undefined && cell.trace === trace) return cell.value;
    return trace.argument(cell, this.read(cell));
  }

  /** The memory of a cell, after running what it needs. Throws TENSOR_RELEASED, READ_WHILE_COMPILING. */
  read(cell: Cell): DeviceBuffer {
    if (cell.buffer !== undefined) return cell.buffer;
    const trace = this.#traces.find(t => t === cell.trace);
    const { value } = cell;
    if (trace === undefined || value === undefined) throw released(cell);
    if (trace !== this.#traces[0])
      throw new TrenioError('READ_WHILE_COMPILING', { op: cell.op }, { location: userLocation() });
    if (value.op === undefined) {
      this.#settle(trace, cell, this.#heldBuffer(trace, value));
      return cell.buffer!;
    }
    const start = performance.now();
    const program = programOf('read', trace, [value]);
    const also = [...trace.forwardResults, ...trace.kept].filter(
      other =>
        other.buffer === undefined &&
        other.value?.op !== undefined &&
        other.value !== value &&
        program.ops.has(other.value.op),
    );
    const results = [...new Set([value, ...also.map(other => other.value!)])];
    const run = this.prepare('read', userLocation(), withResults(program, results), [], performance.now() - start);
    const outputs = run(program.sources.map(source => source.buffer));
    for (const other of [cell, ...also]) this.#settle(trace, other, outputs[results.indexOf(other.value!)]!);
    trace.builder.ops.length = 0;
    if (trace.randomUses > 0) {
      trace.randomUses = 0;
      trace.renewHostArgument(this.random.base);
      this.random.afterRead();
    }
    return cell.buffer!;
  }

  /** A cell of an open trace now has its elements. Gradients may still have to flow through its value. */
  #settle(trace: Trace, cell: Cell, buffer: DeviceBuffer): void {
    cell.buffer = buffer;
    if (!cell.requiresGrad || cell.leaf) {
      cell.value = undefined;
      cell.trace = undefined;
    }
    trace.assigned.delete(cell);
    trace.forget(cell);
  }
  #heldBuffer(trace: Trace, argument: Value): DeviceBuffer {
    const { buffer } = trace.sourceOf(argument)!;
    share(buffer);
    return buffer;
  }

  /** Runs everything that survives the step, and starts the next one. */
  markStep(): void {
    const trace = this.trace;
    if (this.#traces.length > 1)
      throw new TrenioError('READ_WHILE_COMPILING', { op: 'markStep' }, { location: userLocation() });
    const location = userLocation();
    try {
      this.#runStep(trace, location);
    } catch (error) {
      for (const [cell, old] of trace.assigned) {
        if (old === undefined || cell.buffer !== undefined) continue;
        cell.buffer = old;
        cell.value = undefined;
      }
      throw error;
    } finally {
      trace.close();
      this.#traces[0] = this.#newTrace();
      this.random.nextStep(trace.microBatches);
      this.metrics.stepsMarked++;
    }
  }

  #runStep(trace: Trace, location: SourceLocation | undefined): void {
    const start = performance.now();
    if (this.eager !== undefined) {
      for (const cell of survivingCells(trace)) if (cell.buffer !== undefined) become(cell, cell.buffer);
      return;
    }
    const survivors = survivorsOf(trace);
    for (const cell of survivors) if (cell.value!.op === undefined) become(cell, this.#heldBuffer(trace, cell.value!));
    const pending = survivors.filter(cell => cell.buffer === undefined);
    if (pending.length === 0) return;
    const results = [...new Set(pending.map(cell => cell.value!))];
    const program = programOf('step', trace, results);
    const aliases = donations(trace, program, results);
    const run = this.prepare('step', location, program, aliases, performance.now() - start);
    const outputs = run(program.sources.map(source => source.buffer));
    spread(pending, results, outputs);
    this.#inFlight = this.#inFlight.filter(buffer => !buffer.isReady);
    this.#inFlight.push(outputs[0]!);
    // A loop that reads nothing must not queue steps without end.
    while (this.#inFlight.length > maxStepsInFlight) this.#inFlight.shift()!.wait();
  }

  /** Opens a trace of its own for `body`; what was recorded before stays as it is. */
  withTrace<T>(body: (trace: Trace) => T): T {
    const trace = this.#newTrace();
    this.#traces.push(trace);
    try {
      return body(trace);
    } finally {
      trace.close();
      this.#traces.pop();
    }
  }

  /** The compiled form of a program, from the programs of this process if it is one of them. */
  prepare(
    kind: CompileEvent['kind'],
    location: SourceLocation | undefined,
    program: TracedProgram,
    aliases: readonly (number | undefined)[],
    collectMs: number,
  ): Runner {
    const start = performance.now();
    const func = { ...program.func, aliases: program.func.body.args.map((_, i) => aliases[i]) };
    const precision = this.#precision;
    const replicated = precision.rounding.mode === 'stochastic' ? replicatedInputs(program, this.trace) : [];
    const key = funcKey(func) + precisionKey(precision, replicated);
    this.metrics.traceMs += collectMs + performance.now() - start;
    let compiled = this.#programs.get(key);
    if (compiled !== undefined) this.metrics.cacheHits++;
    else {
      compiled = this.#compile(kind, shortLocation(location), { ...program, func }, replicated);
      this.#programs.set(key, compiled);
    }
    this.#remember(`${kind} ${shortLocation(location)}`, program);
    const { executable, takesBits } = compiled;
    const at = shortLocation(location);
    return inputs => {
      this.metrics.executions++;
      const bits = takesBits ? [this.backend.upload(roundingArgumentType, this.random.nextRoundings())] : [];
      const once = this.#observesNext;
      this.#observesNext = undefined;
      for (const observer of [this.#observer, once])
        observer?.({ at, func: program.func, execute: module => this.#executeBeside(module, [...inputs, ...bits]) });
      return executable.run([...inputs, ...bits]);
    };
  }

  /** Shows every execution within `body` to `observer`, before it happens. */
  observed(observer: (run: ObservedRun) => void, body: () => void): void {
    const outer = this.#observer;
    this.#observer = observer;
    try {
      body();
    } finally {
      this.#observer = outer;
    }
  }
  /** Shows the next execution to `observer`, before it happens. */
  observeNext(observer: (run: ObservedRun) => void): void {
    this.#observesNext = observer;
  }
  /** Runs a program in this device's precision on the inputs of another, which are not donated. */
  #executeBeside(module: Module, inputs: readonly DeviceBuffer[]): readonly DeviceBuffer[] {
    const { args } = mainOf(module).body;
    const isSplit = this.worldSize > 1 || this.random.microBatches > 1;
    const computed = inPrecision(module, this.#precision, new Set(), isSplit);
    const { executable } = this.backend.compile(computed.module);
    return executable.run(inputs.slice(0, args.length + (computed.takesBits ? 1 : 0)));
  }

  #compile(kind: CompileEvent['kind'], at: string, program: TracedProgram, replicated: readonly boolean[]): Compiled {
    const before = this.#last.get(`${kind} ${at}`);
    const because = before && explainDifference(before, summaryOf(program));
    const ops = program.func.body.ops.length;
    const start = performance.now();
    const { module, takesBits } = inPrecision(
      moduleOf(program.func, { name: kind.replace(' ', '_'), numReplicas: this.worldSize }),
      this.#precision,
      new Set(program.func.body.args.filter((_, i) => replicated[i])),
      this.worldSize > 1 || this.random.microBatches > 1,
    );
    const compiled = this.backend.compile(module);
    const ms = performance.now() - start;
    const { fromCache, kernels, arenaBytes } = compiled.report;
    this.metrics.compiles++;
    this.metrics.compileMs += ms;
    // Whoever waits a second is told what for; the rest is in `history`. A compiled function has a program for each shape
    // by design: that is no news.
    const level = ms > slowCompileMs && !fromCache && kind !== 'compiled function' ? 'warn' : 'info';
    // What it will take is said before it runs: inputs and results at the same time as the temporaries.
    const held = [
      ...program.func.body.args,
      ...program.func.body.results.filter((_, i) => !program.func.aliases.includes(i)),
    ];
    const peak = arenaBytes + held.reduce((bytes, v) => bytes + byteSize(tensorTypeOf(v)), 0);
    const size = `${ops.toLocaleString('en-US')} ops, ${kernels} kernels, ${(ms / 1000).toFixed(1)} s, memory ${formatBytes(peak)} of which temporaries ${formatBytes(arenaBytes)}`;
    if (because !== undefined) this.#log(level, `recompiling the ${kind} at ${at} (${size}): ${because}`);
    else this.#log(level, `compiling the ${kind} at ${at} (${size})`);
    this.#history.push({ kind, at, ops, compileMs: ms, fromCache, kernels, arenaBytes, because });
    if (this.#history.length > maxHistory) this.#history.shift();
    return { ...compiled, takesBits };
  }

  #remember(place: string, program: TracedProgram): void {
    this.#last.delete(place);
    this.#last.set(place, summaryOf(program));
    if (this.#last.size > maxExplained) this.#last.delete(this.#last.keys().next().value!);
  }
}

/** The cells whose values must outlive the trace and have none of their own yet, in a fixed order. */
export function survivorsOf(trace: Trace): Cell[] {
  return survivingCells(trace).filter(cell => cell.buffer === undefined);
}
function survivingCells(trace: Trace): Cell[] {
  const cells = new Set<Cell>(trace.assigned.keys());
  for (const leaf of trace.graded) for (const { cell } of leaf.partials) cells.add(cell);
  for (const set of [trace.kept, trace.forwardResults, trace.sinks]) for (const cell of set) cells.add(cell);
  return [...cells].filter(cell => cell.value !== undefined && cell.trace === trace);
}

/** For each argument, the result that takes over its memory: the new value of the same piece of state. */
export function donations(trace: Trace, program: TracedProgram, results: readonly Value[]): (number | undefined)[] {
  const taken = new Set<number>();
  const index = new Map(results.map((value, i) => [value, i]));
  return program.sources.map(({ cell, buffer }) => {
    if (cell === undefined || trace.assigned.get(cell) !== buffer || isShared(buffer) || cell.value === undefined)
      return undefined;
    const result = index.get(cell.value);
    if (result === undefined || taken.has(result)) return undefined;
    taken.add(result);
    return result;
  });
}

/** A pending cell turns into a leaf with these elements. */
function become(cell: Cell, buffer: DeviceBuffer): void {
  cell.buffer = buffer;
  cell.value = undefined;
  cell.trace = undefined;
  if (!cell.leaf) cell.requiresGrad = false;
  cell.leaf = true;
}

/** Gives each cell the output that is its value. Cells with the same value share its memory. */
export function spread(cells: readonly Cell[], results: readonly Value[], outputs: readonly DeviceBuffer[]): void {
  const given = new Set<DeviceBuffer>();
  const index = new Map(results.map((value, i) => [value, i]));
  for (const cell of cells) {
    const buffer = outputs[index.get(cell.value!)!]!;
    if (given.has(buffer)) share(buffer);
    given.add(buffer);
    become(cell, buffer);
  }
}

function withResults(program: TracedProgram, results: readonly Value[]): TracedProgram {
  return { ...program, func: { ...program.func, body: { ...program.func.body, results } } };
}

export function released(cell: Cell): TrenioError {
  const made = cell.location === undefined ? '' : ` at ${shortLocation(cell.location)}`;
  return new TrenioError(
    'TENSOR_RELEASED',
    { op: cell.op, made, shape: `[${cell.type.shape}]` },
    { location: userLocation() },
  );
}
