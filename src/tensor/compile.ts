// compile(fn): traces a function once for each kind of input and replays the compiled program after that, without
// running the JavaScript again. State that the function changes (parameters, moments, gradients) is captured and updated by
// each call, as it would be without `compile`.

import type { SourceLocation } from '../base/errors.ts';
import { TrenioError } from '../base/errors.ts';
import { tensorTypeOf, type Value } from '../hlo/program.ts';
import { emit } from '../observe/events.ts';
import { autocastType } from './autocast-type.ts';
import { checkFunction } from './check-arguments.ts';
import type { Device } from './device.ts';
import { device as defaultDevice } from './devices.ts';
import { isGradEnabled } from './gradients/grad-mode.ts';
import { userLocation } from './location.ts';
import { isLoss, markLoss, observeState } from './observed.ts';
import type { Executions, TraceOutcome } from './random/random.ts';
import { become, donations } from './step/live-outs.ts';
import { programOf } from './step/program.ts';
import type { Runner } from './step/programs.ts';
import { type ArgumentSource, type Guards, hold, type Trace } from './step/trace.ts';
import { mapTensors, signatureOf, tensorsIn } from './structure.ts';
import { Tensor } from './tensor.ts';
import { type PartialGradient, share, type TensorImpl } from './tensor-impl.ts';

let tracing: Trace | undefined;

/** Declares that the compiled function being traced is only valid as long as `read` returns its current value. */
export const dependOn = (read: () => unknown): void => tracing?.dependOn(read);

/** The function that `compile` returns. */
export interface CompiledFunction<A extends readonly unknown[], R> {
  /** Runs the compiled program for these shapes, types and modes. */
  (...args: A): R;
  /** How often the function was traced: once for each combination of shapes, types and modes. */
  readonly traces: number;
}

interface RecordedSum {
  readonly level: number;
  readonly from: Value | number;
}
interface GradientPlace {
  readonly leaf: TensorImpl;
  readonly index: number;
}

/** One traced form of the function. */
interface Recording<R> {
  readonly guards: Guards;
  readonly sources: readonly ArgumentSource[];
  /** For each argument, which input it is. */
  readonly inputs: readonly (number | undefined)[];
  readonly runner: Runner;
  /** Where each result is among the outputs. */
  readonly results: ReadonlyMap<Value, number>;
  /** State that each call replaces, and the result that replaces it. */
  readonly state: readonly (readonly [Tensor, Value])[];
  /** The gradient sums of leaves afterwards: new values, or the earlier ones at these positions. */
  readonly gradients: readonly (readonly [leaf: Tensor, sums: readonly RecordedSum[]])[];
  /** Where sums of gradients that the program reads or changes were found. */
  readonly positions: ReadonlyMap<TensorImpl, GradientPlace>;
  readonly outcome: TraceOutcome;
  /** Random numbers sampled before it was recorded. */
  readonly executions: Executions;
  readonly returned: R;
  readonly valueOfReturned: ReadonlyMap<Tensor, Value>;
  readonly inputOfReturned: ReadonlyMap<Tensor, number>;
}

/**
 * A function that does what `fn` does, compiled: tensors in the arguments (nested in arrays and objects) may change with each
 * call; a change of other arguments or of shapes causes a new trace. The function must not read tensors; its results carry no
 * gradient history. Calls such as `backward()` and an optimizer's `step()` belong inside.
 * @example
 * const step = compile((x: Tensor) => x.mul(2).add(1));
 * step(tensor([1, 2])) // [3, 5]
 */
export function compile<A extends readonly unknown[], R>(fn: (...args: A) => R): CompiledFunction<A, R> {
  checkFunction('compile', 'its argument', fn);
  const recordings = new Map<string, Recording<R>[]>();
  let traces = 0;
  const call = (...args: A): R => {
    const inputs = tensorsIn(args);
    const device = inputs[0]?.device ?? defaultDevice();
    if (device.eager !== undefined) return fn(...args);
    const signature = `${device.name} ${isGradEnabled()} ${autocastType()} ${signatureOf(args)}`;
    const known = recordings.get(signature) ?? [];
    const fitting = known.find(({ guards }) => hold(guards));
    if (fitting !== undefined) return replay(device, fitting, inputs, false);
    traces++;
    const recording = record(device, fn, args, inputs);
    recordings.set(signature, [...known, recording]);
    return replay(device, recording, inputs, true);
  };
  return Object.defineProperty(call, 'traces', { get: () => traces }) as unknown as CompiledFunction<A, R>;
}

/** Restores state and gradients that were changed in a separate trace. */
export function restoreState(trace: Trace): void {
  for (const [impl, old] of [...trace.assigned, ...trace.abandoned]) {
    if (impl.trace !== trace) continue;
    impl.buffer = old;
    impl.value = undefined;
    impl.trace = undefined;
  }
  for (const [leaf, before] of trace.gradients) leaf.partials = before;
}

function record<A extends readonly unknown[], R>(
  device: Device,
  fn: (...args: A) => R,
  args: A,
  inputs: readonly Tensor[],
): Recording<R> {
  const location = userLocation();
  return device.withTrace(trace => {
    const start = performance.now();
    trace.guards = { reads: [], types: [], typesHeldAt: -1 };
    trace.dependOn(() => device.precision);
    trace.dependOn(() => device.gradientAccumulationSteps);
    const { executions } = device.random;
    const outer = tracing;
    tracing = trace;
    const buffers = inputs.map(input => device.read(input));
    const placeholders = inputs.map((input, i) => {
      share(buffers[i]!);
      const inner = new Tensor({ device, type: input.type, op: 'input', buffer: buffers[i]!, location });
      inner.label = `input ${i} of the compiled function`;
      return inner;
    });
    try {
      let next = 0;
      const returned = fn(...(mapTensors(args, () => placeholders[next++]!) as A));
      if (returned instanceof Promise) {
        throw new TrenioError(
          'UNSUPPORTED',
          { what: 'an async function', where: 'compile(fn)', instead: 'compile the synchronous part of it' },
          { location },
        );
      }
      return finish(device, trace, returned, placeholders, location, start, executions);
    } finally {
      tracing = outer;
      restoreState(trace);
    }
  });
}

function finish<R>(
  device: Device,
  trace: Trace,
  returned: R,
  placeholders: readonly Tensor[],
  location: SourceLocation | undefined,
  start: number,
  executions: Executions,
): Recording<R> {
  const isPending = (impl: TensorImpl | undefined): impl is TensorImpl =>
    impl?.value !== undefined && impl.trace === trace && impl.buffer === undefined;
  const gradients = [...trace.gradients].map(([leaf, before]) => {
    const sums = leaf.partials.map(({ level, impl }): RecordedSum => {
      const isNew = isPending(impl) && !trace.assigned.has(impl);
      return { level, from: isNew ? impl.value! : before.findIndex(partial => partial.impl === impl) };
    });
    return [leaf as Tensor, sums] as const;
  });
  const dropped = new Set<TensorImpl>(
    [...trace.gradients].flatMap(([leaf, before]) =>
      before.flatMap(({ impl }) => (leaf.partials.some(partial => partial.impl === impl) ? [] : [impl])),
    ),
  );
  const state = [...trace.assigned.keys()]
    .filter(impl => isPending(impl) && !dropped.has(impl))
    .map(impl => [impl as Tensor, impl.value!] as const);
  const stateImpls = new Set<TensorImpl>(state.map(([impl]) => impl));
  const valueOfReturned = new Map<Tensor, Value>();
  const inputOfReturned = new Map<Tensor, number>();
  for (const tensor of tensorsIn(returned)) {
    const place = placeholders.indexOf(tensor);
    if (place >= 0) inputOfReturned.set(tensor, place);
    else if (isPending(tensor) && !stateImpls.has(tensor)) valueOfReturned.set(tensor, aValue(trace, tensor));
  }
  const gradientValues = gradients.flatMap(([, sums]) =>
    sums.flatMap(({ from }) => (typeof from === 'number' ? [] : [from])),
  );
  const results = [...new Set([...state.map(([, value]) => value), ...gradientValues, ...valueOfReturned.values()])];
  const program = programOf('compiled_function', trace, results);
  const donated = donations(trace, program, results);
  observeState(program.sources, donated);
  const runner = device.prepare('compiled function', location, program, donated, performance.now() - start);
  const inputs = program.sources.map(({ impl }) => {
    const place = placeholders.indexOf(impl as Tensor);
    return place < 0 ? undefined : place;
  });
  const positions = new Map<TensorImpl, GradientPlace>();
  for (const impl of [...program.sources.map(source => source.impl), ...stateImpls]) {
    const leaf = impl?.gradOf;
    if (impl === undefined || leaf === undefined) continue;
    const index = (trace.gradients.get(leaf) ?? leaf.partials).findIndex(partial => partial.impl === impl);
    if (index >= 0) positions.set(impl, { leaf, index });
  }
  return {
    positions,
    outcome: {
      backwards: trace.backwards,
      isUpdated: trace.isUpdated,
      sampled: device.sampledIn(trace, runner.sections),
    },
    executions,
    guards: trace.guards!,
    sources: program.sources,
    inputs,
    runner,
    results: new Map(results.map((value, i) => [value, i])),
    state,
    gradients,
    returned,
    valueOfReturned,
    inputOfReturned,
  };
}

/** A value that is not an argument: an argument cannot be a result. */
function aValue(trace: Trace, tensor: Tensor): Value {
  const value = tensor.value!;
  return value.op === undefined ? trace.builder.reshape(value, tensor.shape) : value;
}

function replay<R>(device: Device, recording: Recording<R>, inputs: readonly Tensor[], first: boolean): R {
  const current = (impl: TensorImpl): TensorImpl => {
    const place = recording.positions.get(impl);
    return place === undefined ? impl : place.leaf.partials[place.index]!.impl;
  };
  const buffers = recording.sources.map(({ buffer, impl, host }, i) => {
    const input = recording.inputs[i];
    if (input !== undefined) return device.read(inputs[input]!);
    // The program was traced with the host's numbers of the first call.
    if (host !== undefined) return first ? buffer : device.backend.upload(host.type, host.next());
    return device.read(current(impl!));
  });
  const { training, evaluation } = device.random.executions;
  const before = first ? device.random.executions : recording.executions;
  const since = { training: training - before.training, evaluation: evaluation - before.evaluation };
  if (recording.outcome.isUpdated) emit({ kind: 'step' });
  const outputs = recording.results.size === 0 ? [] : recording.runner.run(buffers, since);
  const given = new Set<number>();
  // Tensors with the same value share its memory.
  const give = (impl: TensorImpl, value: Value): void => {
    const at = recording.results.get(value)!;
    if (given.has(at)) share(outputs[at]!);
    given.add(at);
    become(impl, outputs[at]!);
  };
  for (const [impl, value] of recording.state) give(current(impl), value);
  for (const [leaf, sums] of recording.gradients) {
    leaf.partials = sums.map(({ level, from }): PartialGradient => {
      if (typeof from === 'number') return { level, impl: leaf.partials[from]!.impl };
      const impl = new Tensor({ device, type: tensorTypeOf(from), op: 'backward' });
      impl.gradOf = leaf;
      give(impl, from);
      return { level, impl };
    });
  }
  const made = new Map<Tensor, Tensor>();
  const result = mapTensors(recording.returned, tensor => {
    const place = recording.inputOfReturned.get(tensor);
    if (place !== undefined) return inputs[place]!;
    const value = recording.valueOfReturned.get(tensor);
    if (value === undefined) return tensor;
    let out = made.get(tensor);
    if (out === undefined) {
      out = new Tensor({ device, type: tensor.type, op: tensor.op, location: tensor.location });
      give(out, value);
      if (isLoss(tensor)) markLoss(out);
      made.set(tensor, out);
    }
    return out;
  }) as R;
  device.random.endTrace(recording.outcome);
  return result;
}
