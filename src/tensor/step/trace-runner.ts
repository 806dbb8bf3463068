// Runs recorded ops in the two ways that device.ts decides on: those that one value needs (a read), or the live-outs of a step.
import type { SourceLocation } from '../../base/errors.ts';
import type { TensorValue, Value } from '../../hlo/index.ts';
import type { DeviceMesh } from '../../hlo/sharding/device-mesh.ts';
import { emit } from '../../observe/events.ts';
import type { Backend } from '../../runtime/backends/backend.ts';
import type { DeviceBuffer } from '../../runtime/execution/executable.ts';
import type { EagerMode } from '../debugging/eager.ts';
import { userLocation } from '../location.ts';
import { observeState } from '../observed.ts';
import type { RandomSource } from '../random/random.ts';
import { endRead } from '../random/random-sections.ts';
import { share, type TensorImpl } from '../tensor-impl.ts';
import { copyInputs } from './held-values.ts';
import { donations, finish, liveOutsOf, pendingLiveOuts, unusedBeside } from './live-outs.ts';
import type { CompileEvent } from './metrics.ts';
import { programOf, type TracedProgram, withResults } from './program.ts';
import type { Runner } from './programs.ts';
import { ReadResults } from './read-results.ts';
import type { Section } from './sections.ts';
import { StepsInFlight } from './steps-in-flight.ts';
import type { Trace } from './trace.ts';

/** The part of a device that runs programs. */
export interface RunningDevice {
  readonly backend: Backend;
  readonly eager: EagerMode | undefined;
  readonly random: RandomSource;
  readonly mesh: DeviceMesh;
  prepare(
    kind: CompileEvent['kind'],
    location: SourceLocation | undefined,
    program: TracedProgram,
    aliases: readonly (number | undefined)[],
    collectMs: number,
  ): Runner;
}

export class TraceRunner {
  readonly inFlight = new StepsInFlight();
  readonly #device: RunningDevice;
  readonly #reads = new ReadResults();
  readonly #log: (level: 'info', message: string) => void;

  constructor(device: RunningDevice, log: (level: 'info', message: string) => void) {
    this.#device = device;
    this.#log = log;
  }

  /** Computes a value of the open trace, and state that was assigned on the way. */
  read(trace: Trace, impl: TensorImpl, value: Value): DeviceBuffer {
    const isEarlier = value.id <= trace.begin;
    if (value.op === undefined) {
      this.#settle(trace, impl, this.#heldBuffer(trace, value));
      return impl.buffer!;
    }
    const start = performance.now();
    let program = programOf('read', trace, [value]);
    const onTheWay = (other: TensorImpl): boolean =>
      other.buffer === undefined && other.value?.op !== undefined && program.ops.has(other.value.op);
    // Assigned state that is computed on the way becomes a result, too: otherwise a loop that only reads would recompute it.
    let also = [...new Set([...trace.forwardResults, ...trace.kept, ...trace.assigned.keys()])].filter(onTheWay);
    const beside = isEarlier ? [] : unusedBeside(trace, program, [value, ...also.map(other => other.value!)]);
    if (beside.length > 0) {
      also = [...new Set([...also, ...beside])];
      program = programOf('read', trace, [value, ...beside.map(other => other.value!)]);
    }
    this.#learnFromReads(trace, program, [value]);
    const isDifferentiated = trace.graded.size > 0 || trace.isUpdatedByHand;
    if (!isEarlier && isDifferentiated && (impl.gradOf !== undefined || also.length > 0)) {
      // Otherwise, the forward pass would run again with the step.
      trace.kept.add(impl);
      endRead(this.#device.random, trace, this.run(trace, userLocation()));
      return impl.buffer!;
    }
    // Parts of a running mean, say, which the next step's program would compute again.
    const scalars = isEarlier ? [] : [...trace.scalars].filter(other => !other.requiresGrad && onTheWay(other));
    const others = [...new Set([...also, ...scalars])].filter(other => other.value !== value);
    const wanted = [...new Set([value, ...others.map(other => other.value!)])];
    const at = userLocation();
    const mayBeInputs = !isEarlier && this.#knowsWholeStep();
    const isForStep = mayBeInputs && impl.requiresGrad;
    const forTheStep = isForStep ? this.#reads.usedOf(trace, at, program) : [];
    const results = [...new Set([...wanted, ...forTheStep])];
    const runner = this.#device.prepare('read', at, withResults(program, results), [], performance.now() - start);
    const outputs = runner.run(program.sources.map(source => source.buffer));
    for (const other of [impl, ...others]) {
      const result = other.value as TensorValue;
      const buffer = outputs[results.indexOf(result)]!;
      // Of those that gradients flow through, it depends on what has been learned: a loss may be read in some steps only.
      if (mayBeInputs && !other.requiresGrad && !trace.assigned.has(other)) trace.setComputed(result, buffer, other);
      this.#settle(trace, other, buffer);
    }
    for (const used of forTheStep) {
      const buffer = outputs[results.indexOf(used)]!;
      if (wanted.includes(used)) share(buffer);
      trace.setComputed(used as TensorValue, buffer);
    }
    if (isForStep) this.#reads.ran(trace, at, program);
    trace.beginProgram();
    endRead(this.#device.random, trace, runner.sections);
    return impl.buffer!;
  }
  /** Runs the live-outs and drops all other recorded values. Returns the sections in which it rounded. */
  run(trace: Trace, location: SourceLocation | undefined): readonly Section[] {
    try {
      return this.#runLiveOuts(trace, location);
    } catch (error) {
      for (const [impl, old] of trace.assigned) {
        if (old === undefined || impl.buffer !== undefined) continue;
        impl.buffer = old;
        impl.value = undefined;
      }
      throw error;
    } finally {
      trace.forgetAll();
    }
  }
  #runLiveOuts(trace: Trace, location: SourceLocation | undefined): readonly Section[] {
    const start = performance.now();
    for (const impl of liveOutsOf(trace)) impl.refresh?.();
    if (this.#device.eager !== undefined) {
      const impls = liveOutsOf(trace).filter(impl => impl.buffer !== undefined);
      finish(trace, impls);
      return [];
    }
    const liveOuts = pendingLiveOuts(trace);
    const heldValue = (impl: TensorImpl): Value | undefined =>
      impl.value!.op === undefined ? impl.value : trace.computed.get(impl.value!);
    const held = liveOuts.filter(impl => heldValue(impl) !== undefined);
    for (const impl of held) impl.buffer = this.#heldBuffer(trace, heldValue(impl)!);
    finish(trace, held);
    const pending = liveOuts.filter(impl => impl.buffer === undefined);
    if (pending.length === 0) return [];
    const results = [...new Set(pending.map(impl => impl.value!))];
    const program = programOf('step', trace, results);
    this.#learnFromReads(trace, program, results);
    const aliases = donations(trace, program, results);
    const runner = this.#device.prepare('step', location, program, aliases, performance.now() - start);
    if (runner.runs === 0) observeState(program.sources, aliases);
    if (trace.isUpdated) emit({ kind: 'step' });
    const copied = copyInputs(trace, program, aliases, runner.runs, this.#device.backend);
    const outputs = runner.run(program.sources.map(source => source.buffer));
    const given = new Set<DeviceBuffer>();
    const index = new Map(results.map((value, i) => [value, i]));
    for (const impl of pending) {
      const buffer = outputs[index.get(impl.value!)!]!;
      if (given.has(buffer)) share(buffer);
      given.add(buffer);
      impl.buffer = buffer;
    }
    finish(trace, pending);
    copied();
    this.inFlight.add(outputs[0]!);
    return runner.sections;
  }

  /**
   * Whether values computed by a read may be inputs of the rest of the step. Not with stochastic rounding, whose bits depend on
   * the position in the program, and not with several ranks: they may read different values, but must run the same collectives.
   */
  #knowsWholeStep(): boolean {
    return this.#device.random.roundingSeed === undefined && this.#device.mesh.size() === 1;
  }
  #learnFromReads(trace: Trace, program: TracedProgram, results: readonly Value[]): void {
    if (trace.reads.length > 0 && this.#reads.learn(trace, program, results))
      this.#log(
        'info',
        'a value that was read is used again by the rest of the step: from now on it is kept until the step ends',
      );
  }
  /** A tensor of an open trace now has its elements. Gradients may still have to flow through its value. */
  #settle(trace: Trace, impl: TensorImpl, buffer: DeviceBuffer): void {
    impl.buffer = buffer;
    if (!impl.requiresGrad || impl.leaf) {
      impl.value = undefined;
      impl.trace = undefined;
    }
    trace.assigned.delete(impl);
    trace.forget(impl);
  }
  #heldBuffer(trace: Trace, argument: Value): DeviceBuffer {
    const { buffer } = trace.sourceOf(argument)!;
    share(buffer);
    return buffer;
  }
}
