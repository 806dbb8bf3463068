// The device of tensors: the open trace, the programs it has compiled, and when recorded ops run (trace-runner.ts runs them).
// `read` runs what one value needs and keeps the trace open; `markStep` (called by an optimizer's step) runs everything that
// outlives the step, reuses the memory of the old state for the new state, and starts the next step.
import { type SourceLocation, TrenioError } from '../base/errors.ts';
import type { AutoCast } from '../base/neuron-flags.ts';
import { bytesOf, type Value } from '../hlo/index.ts';
import { DeviceMesh } from '../hlo/sharding/device-mesh.ts';
import type { TensorType } from '../hlo/types.ts';
import { hostSpan } from '../observe/host-spans.ts';
import type { Backend } from '../runtime/backends/backend.ts';
import type { Content, DeviceBuffer } from '../runtime/execution/executable.ts';
import type { ProgramProfile } from '../runtime/profiling/profile.ts';
import type { EagerMode } from './debugging/eager.ts';
import { dependsOnExample } from './func/placeholders.ts';
import { isGradEnabled } from './gradients/grad-mode.ts';
import { userLocation } from './location.ts';
import { DeferredBuffer } from './placement/deferred-buffer.ts';
import { Placements } from './placement/placements.ts';
import { checkedPrecision, fullPrecision, type Precision, type RoundingMode } from './precision.ts';
import { type Executions, RandomSource } from './random/random.ts';
import { endPass, endRead, sampledIn, sectionNow } from './random/random-sections.ts';
import { shortLocation } from './step/explain.ts';
import { explainCommunication } from './step/explain-communication.ts';
import { HeldValues, isChanged, isOverwritten, isRepeated, lostSource, released } from './step/held-values.ts';
import { become, pendingLiveOuts } from './step/live-outs.ts';
import { type CompileEvent, explainHistory, type Metrics, newMetrics } from './step/metrics.ts';
import type { TracedProgram } from './step/program.ts';
import { type ObservedRun, Programs, type Runner } from './step/programs.ts';
import type { Phase, Section } from './step/sections.ts';
import { Trace } from './step/trace.ts';
import { TraceRunner } from './step/trace-runner.ts';
import type { TensorImpl } from './tensor-impl.ts';

export interface DeviceOptions {
  /** How the ranks of the run are arranged, and which one this is: a single rank by default. */
  readonly mesh?: DeviceMesh | undefined;
  readonly seed: number;
  /** Runs every op as it is recorded. */
  readonly eager?: EagerMode | undefined;
  /** f32 and rounding to nearest by default. */
  readonly precision?: Precision | undefined;
  readonly log: (level: 'debug' | 'info' | 'warn', message: string) => void;
}
/**
 * Where tensors live and programs run: the CPU, compiled or interpreted. It records ops, compiles them as a step, and runs the
 * step. Created by `device()`.
 * @example
 * const d: Device = device('interpreter');
 * d.name // 'interpreter'
 */
export class Device {
  /** @internal Runs programs. */
  readonly backend: Backend;
  /** Counts and times of this device so far. */
  readonly metrics: Metrics = newMetrics(
    () => this.backend.collectiveMs?.() ?? 0,
    () => this.backend.collectiveCpuMs?.() ?? 0,
  );
  /** @internal The random numbers of programs. */
  readonly random: RandomSource;
  /** @internal Set in eager debug mode. */
  readonly eager: EagerMode | undefined;
  /** @internal Values of earlier steps that later steps have used. */
  readonly held = new HeldValues();
  /** @internal Called at the end of each step in which an optimizer has updated parameters. */
  onStep: (() => void) | undefined;
  readonly #log: DeviceOptions['log'];
  /** The open traces: the last one records. More than one while `compile(fn)` traces. */
  readonly #traces: Trace[];
  readonly #programs: Programs;
  /** @internal How tensors are divided over the ranks. */
  readonly placements: Placements = new Placements(this);
  readonly #runner: TraceRunner;
  /** The parameters of optimizers that have stepped within `backward()`. */
  #deferredParameters: readonly TensorImpl[] | undefined;
  #precision: Precision = fullPrecision;
  #mesh: DeviceMesh;

  /** @internal Devices are created by `device()`. */
  constructor(backend: Backend, options: DeviceOptions) {
    this.backend = backend;
    this.#mesh = options.mesh ?? new DeviceMesh({ data: 1 });
    this.random = new RandomSource(options.seed, this);
    this.eager = options.eager;
    this.#log = options.log;
    this.#programs = new Programs(this, options.log);
    this.#runner = new TraceRunner(this, options.log);
    if (options.precision !== undefined) this.#setPrecision(options.precision);
    this.#traces = [this.#newStepTrace()];
  }
  /** Its name: `cpu` or `interpreter`, and the rank. */
  get name(): string {
    return this.backend.name;
  }
  /** The name. */
  toString(): string {
    return this.name;
  }
  /** How the ranks of this run are arranged: along one axis, `data`, unless `initDeviceMesh` was called. */
  get mesh(): DeviceMesh {
    return this.#mesh;
  }
  /**
   * @internal For `initDeviceMesh`. Programs and random numbers depend on the mesh, so it stays once there are any.
   * @throws {MESH_IN_USE} after something was recorded
   */
  setMesh(mesh: DeviceMesh): void {
    if (String(mesh) === String(this.#mesh)) return;
    const { executions, stepsMarked } = this.metrics;
    if (this.#traces.some(trace => trace.builder.ops.length > 0) || executions + stepsMarked > 0)
      throw new TrenioError(
        'MESH_IN_USE',
        { device: this.name, mesh: String(this.#mesh), wanted: String(mesh) },
        { location: userLocation() },
      );
    this.#mesh = mesh;
  }
  /** In which formats programs compute. A new object after each change. */
  get precision(): Precision {
    return this.#precision;
  }
  /**
   * How programs that run from now on round floats to lower precision (all conversions, and arithmetic on low-precision
   * floats). The initial setting is that of NEURON_RT_STOCHASTIC_ROUNDING_EN and _SEED. The same seed gives the same bits.
   * @throws {INVALID_OPTION}
   */
  setRounding(rounding: RoundingMode): void {
    this.#setPrecision({ ...this.#precision, rounding });
  }
  /**
   * The type in which programs that run from now on multiply f32 (and, with the mode `all`, store operands and results of
   * multiplies). The initial setting is that of the flags `--auto-cast` and `--auto-cast-type` in NEURON_CC_FLAGS.
   * @throws {INVALID_OPTION}
   */
  setAutoCast(autoCast: AutoCast): void {
    this.#setPrecision({ ...this.#precision, autoCast });
  }
  #setPrecision(precision: Precision): void {
    this.#precision = checkedPrecision(precision);
    const { autoCast, rounding } = precision;
    this.random.roundingSeed = rounding.mode === 'stochastic' ? (rounding.seed ?? 0) : undefined;
    if (this.eager !== undefined && (autoCast.mode !== 'none' || rounding.mode === 'stochastic'))
      this.#log('warn', 'auto-cast and stochastic rounding apply to whole programs, not in eager debug mode');
  }
  /** @internal New memory. Where tensors are divided, numbers that need not be copied are made when they are needed. */
  upload(type: TensorType, content: Content): DeviceBuffer {
    return this.#mesh.dividesPrograms && !(content instanceof Uint8Array)
      ? new DeferredBuffer(type, content, this.backend)
      : this.backend.upload(type, content);
  }
  /** @internal The trace that records now. */
  get trace(): Trace {
    return this.#traces.at(-1)!;
  }
  #newTrace(): Trace {
    const trace = new Trace(this.backend);
    this.eager?.attach(trace);
    return trace;
  }
  /** Numbers that change may become inputs of steps, but not of compiled functions, whose arguments determine the program. */
  #newStepTrace(): Trace {
    const trace = this.#newTrace();
    if (this.eager === undefined)
      this.#programs.changing.record(trace.builder, trace.numberCounts, input => trace.hostArgument(input));
    return trace;
  }
  /** @internal Called for each new tensor: some results are live-outs of the step. */
  made(impl: TensorImpl): void {
    const { trace } = this;
    impl.ordinal = trace.ordinal(impl.location);
    if (this.held.has(impl)) trace.kept.add(impl);
    else trace.made(impl);
    if (impl.type.shape.length === 0 && isGradEnabled()) trace.madeScalar(impl);
  }
  /** @internal In eager mode, computes the elements of a tensor that was just recorded. */
  computed(impl: TensorImpl): void {
    const { eager, trace } = this;
    if (eager === undefined || impl.value === undefined) return;
    impl.buffer = this.backend.upload(impl.type, bytesOf(eager.literalOf(trace, impl.value)));
  }
  /** The last 1,000 compilations: where, how long, and why they were needed. */
  get history(): readonly CompileEvent[] {
    return this.#programs.history;
  }
  /** The history as text, one line per compilation. */
  explain(): string {
    return explainHistory(this.history);
  }
  /**
   * The collectives of the last training step that was compiled, as a table: for each line of the script and kind of collective,
   * how many ranks exchange, how often, and how many bytes each rank sends. Collectives of a loop count once. Then the time that
   * steps have waited for them, which is what of it computation does not hide.
   */
  explainCommunication(): string {
    return explainCommunication(this.history, this.metrics);
  }
  /**
   * Micro-batches per step: how many `backward()` calls each rank makes, one per micro-batch, before the optimizer steps. 1 by
   * default. Set it between steps, equally on all ranks, when gradients are accumulated: it determines the random numbers of each
   * micro-batch, so that micro-batch i at coordinate c of the axis `data` samples the same numbers as micro-batch c·n + i of a
   * single rank, and `optimizerStep` averages over micro-batches too.
   * @throws {INVALID_OPTION}
   */
  get gradientAccumulationSteps(): number {
    return this.random.microBatches;
  }
  /** Sets the micro-batches per step. @throws {INVALID_OPTION} */
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
  /** Micro-batches since the last optimizer step, if a step has several. */
  get microBatchesSoFar(): number {
    return this.random.microBatchesSoFar + this.trace.backwards;
  }
  /**
   * @internal The ops that `body` records are part of this phase: their random numbers are the same on all ranks, whatever else
   * the ranks record. After a backward pass, the next pass starts from the first random number again.
   */
  inPhase<T>(phase: Phase, body: () => T): T {
    const { trace } = this;
    const outer = trace.phase;
    const from = trace.builder.lastId;
    trace.phase = phase;
    this.beginOps();
    try {
      return body();
    } finally {
      trace.phase = outer;
      if (phase === 'update') trace.updated(from);
      if (phase === 'backward') endPass(this.random, trace);
      this.beginOps();
    }
  }
  /** @internal Must be called before ops are recorded: notes the section of the step that they are in. */
  beginOps(): void {
    const { random, trace } = this;
    if (random.roundingSeed === undefined) return;
    trace.sections.enter(sectionNow(random, trace), trace.builder.lastId + 1);
  }
  /**
   * With TRENIO_PROFILE=1, the time of each kernel of the programs run so far, after waiting for queued steps. The
   * first run of a program is omitted if there are others. Empty without TRENIO_PROFILE.
   */
  profile(): readonly ProgramProfile[] {
    return this.backend.profile?.() ?? [];
  }
  /** Waits until all queued steps have run. */
  synchronize(): void {
    this.backend.synchronize();
    this.#runner.inFlight.clear();
    this.raiseWrongIndices();
  }
  /** @internal Inspects the checks of finished programs. @throws {INDEX_OUT_OF_RANGE} */
  raiseWrongIndices(): void {
    this.#programs.checks.raise();
  }
  /** Resolves when at most `steps` marked steps are still running. */
  atMostInFlight(steps: number): Promise<void> {
    return this.#runner.inFlight.atMost(steps);
  }
  /** @internal Whether no marked step is running. */
  get isIdle(): boolean {
    return this.#runner.inFlight.isIdle;
  }

  /** @internal The value of a tensor in the open trace: an argument for a buffer, the recorded value for a pending one. */
  valueOf(impl: TensorImpl): Value {
    const value = this.#ownValueOf(impl);
    const { trace } = this;
    return impl.usedAs === undefined || trace.phase === 'update' ? value : trace.usedAs(value, impl.usedAs);
  }
  #ownValueOf(impl: TensorImpl): Value {
    const { trace } = this;
    impl.refresh?.();
    const { value } = impl;
    if (value === undefined || impl.trace !== trace) return trace.argument(impl, this.read(impl));
    if (value.id > trace.begin) return value;
    // A value of an earlier step: gradients flow through it if possible; otherwise, its elements are used.
    const mayHaveHistory = impl.requiresGrad && !impl.leaf && isGradEnabled();
    if (mayHaveHistory && lostSource(trace, value, isChanged) === undefined) return value;
    const isKept = impl.requiresGrad || this.held.has(impl) || this.random.roundingSeed !== undefined;
    if (!isKept && isRepeated(trace, value)) return value;
    const buffer = this.read(impl);
    if (mayHaveHistory) become(impl, buffer);
    return trace.argument(impl, buffer);
  }
  /** @internal Whether gradients can flow through this tensor to its inputs. */
  hasHistory(impl: TensorImpl): boolean {
    const { trace } = this;
    const { value } = impl;
    if (value === undefined || impl.trace !== trace) return false;
    return value.id > trace.begin || lostSource(trace, value, isChanged) === undefined;
  }

  /**
   * @internal The memory of a tensor, after running the ops that it depends on.
   * @throws {TENSOR_RELEASED}
   * @throws {READ_WHILE_COMPILING}
   * @throws {READ_IN_FUNCTION}
   */
  read(impl: TensorImpl): DeviceBuffer {
    impl.refresh?.();
    if (impl.value !== undefined && dependsOnExample(this.trace, impl.value))
      throw new TrenioError('READ_IN_FUNCTION', { op: impl.op }, { location: userLocation() });
    if (impl.buffer !== undefined) return impl.buffer;
    const trace = this.#traces.find(t => t === impl.trace);
    const { value } = impl;
    if (trace === undefined || value === undefined) throw released(impl);
    if (trace !== this.#traces[0])
      throw new TrenioError('READ_WHILE_COMPILING', { op: impl.op }, { location: userLocation() });
    if (value.id <= trace.begin) this.#useLater(trace, impl, value);
    return this.#runner.read(trace, impl, value);
  }
  /** @internal Whether a value of an earlier step can no longer be recomputed. */
  isLost(trace: Trace, value: Value): boolean {
    // Stochastic rounding used the random bits of that step.
    const isRounded = this.random.roundingSeed !== undefined;
    return value.id <= trace.begin && (isRounded || lostSource(trace, value, isOverwritten) !== undefined);
  }
  /** A value of an earlier step is used: it will be a result of that step's program from now on. */
  #useLater(trace: Trace, impl: TensorImpl, value: Value): void {
    const at = shortLocation(impl.location);
    const what = impl.gradOf === undefined ? `the result of ${impl.op}` : 'a gradient';
    if (this.held.learn(impl))
      this.#log('info', `${what} at ${at} is used after the step that computed it: it is kept from now on`);
    if (this.isLost(trace, value)) throw released(impl, lostSource(trace, value, isOverwritten)?.impl);
  }
  /** @internal Identifies the random numbers that ops recorded now would sample. */
  sampledIn(trace: Trace, sections: readonly Section[]): { readonly [K in keyof Executions]: boolean } {
    return sampledIn(this.random, trace, sections);
  }

  /** Runs the live-outs of the step, and starts the next one. */
  markStep(): void {
    const { trace } = this;
    if (this.#traces.length > 1)
      throw new TrenioError('READ_WHILE_COMPILING', { op: 'markStep' }, { location: userLocation() });
    let rounded: readonly Section[] = [];
    try {
      rounded = this.#runner.run(trace, userLocation());
    } finally {
      const { backwards, isUpdated } = trace;
      this.random.endTrace({ backwards, isUpdated, sampled: this.sampledIn(trace, rounded) });
      trace.beginStep();
      this.metrics.stepsMarked++;
      if (isUpdated) this.onStep?.();
    }
  }
  /**
   * @internal An optimizer has updated these parameters, or a script has: the step ends, unless a function is being compiled.
   * Its gradients are no longer needed, except those that were read after an earlier step.
   */
  endStep(parameters: readonly TensorImpl[] = []): void {
    if (this.#traces.length > 1) return;
    if (this.trace.phase === 'backward') {
      this.#deferredParameters = [...(this.#deferredParameters ?? []), ...parameters];
      return;
    }
    this.trace.spendGradients(new Set(parameters.filter(parameter => !this.held.hasGradient(parameter))));
    this.markStep();
  }
  /** @internal Ends the step that an optimizer has ended within `backward()`, in a hook. */
  endDeferredStep(): void {
    const parameters = this.#deferredParameters;
    this.#deferredParameters = undefined;
    if (parameters !== undefined) this.endStep(parameters);
  }
  /** @internal A call on a parameter that the script has updated itself begins a new step. */
  beginsStep(): boolean {
    return this.#traces.length === 1 && this.trace.isUpdatedByHand;
  }
  /**
   * @internal The outermost `forward` of a module is called. Under `noGrad`, the results of its last call at this line are
   * computed first, so that an evaluation that reads nothing does not become an ever-growing program.
   */
  beginForward(module: object): void {
    const { trace } = this;
    if (isGradEnabled() || this.#traces.length > 1 || this.eager !== undefined) return;
    const at = userLocation();
    const isTraining = trace.graded.size > 0 || [...trace.forwardResults].some(result => result.requiresGrad);
    if (trace.evaluated.get(module) === at && !isTraining && pendingLiveOuts(trace).length > 0)
      endRead(this.random, trace, this.#runner.run(trace, at));
    trace.evaluated.set(module, at);
  }

  /** @internal Opens a separate trace for `body`; the outer trace does not change. */
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

  /**
   * @internal The compiled form of a program, from the programs of this process if it is one of them. `collectMs`: how
   * long recording took.
   */
  prepare(
    kind: CompileEvent['kind'],
    location: SourceLocation | undefined,
    program: TracedProgram,
    aliases: readonly (number | undefined)[],
    collectMs: number,
    trace = this.trace,
  ): Runner {
    this.metrics.traceMs += collectMs;
    return hostSpan('tracing', kind, () =>
      this.#programs.prepare({ kind, location, program, aliases, precision: this.#precision, trace }),
    );
  }
  /** @internal Shows every execution within `body` to `observer`, before it happens. */
  observed(observer: (run: ObservedRun) => void, body: () => void): void {
    this.#programs.observed(observer, body);
  }
  /** @internal Shows the next execution to `observer`, before it happens. */
  observeNext(observer: (run: ObservedRun) => void): void {
    this.#programs.observeNext(observer);
  }
}
