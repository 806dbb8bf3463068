// Values that outlive the step in which they were recorded: the calls known to need that, whether a value can still be computed,
// and copies of values that the first executions of a program overwrite (docs/decisions/0003).
import { availableBytes } from '../../base/available-memory.ts';
import { type SourceLocation, TrenioError } from '../../base/errors.ts';
import type { Value } from '../../hlo/program.ts';
import { byteSize } from '../../hlo/types.ts';
import type { Backend } from '../../runtime/backends/backend.ts';
import { originOf } from '../../transforms/rewriter.ts';
import { userLocation } from '../location.ts';
import { partOfBuffer, ShardedBuffer } from '../placement/sharded-buffer.ts';
import type { TensorImpl } from '../tensor-impl.ts';
import { shortLocation } from './explain.ts';
import { operandsOf, programOf, type TracedProgram, workOf } from './program.ts';
import type { ArgumentSource, Trace } from './trace.ts';

/** The number of executions after which it is known which results of a new program are read. */
const learningRuns = 2;
const maxCopiedBytes = 256 << 20;
const unknownLine = {};

/** Values of earlier steps that later steps have used. */
export class HeldValues {
  readonly #calls = new Map<SourceLocation | object, Set<string>>();
  readonly #gradients = new WeakSet<TensorImpl>();

  /** From now on the result of this call outlives its step. Returns true if it did not before. */
  learn(impl: TensorImpl): boolean {
    if (impl.gradOf !== undefined) {
      const isNew = !this.#gradients.has(impl.gradOf);
      this.#gradients.add(impl.gradOf);
      return isNew;
    }
    const line = impl.location ?? unknownLine;
    const calls = this.#calls.get(line) ?? new Set();
    this.#calls.set(line, calls);
    const isNew = !calls.has(callOf(impl));
    calls.add(callOf(impl));
    return isNew;
  }
  has(impl: TensorImpl): boolean {
    return this.#calls.get(impl.location ?? unknownLine)?.has(callOf(impl)) ?? false;
  }
  hasGradient(leaf: TensorImpl): boolean {
    return this.#gradients.has(leaf);
  }
}
const callOf = ({ op, ordinal }: TensorImpl): string => `${op} ${ordinal}`;

/** An argument that `value` was computed from for which `isLost` holds, if there is one. */
export function lostSource(
  trace: Trace,
  value: Value,
  isLost: (source: ArgumentSource) => boolean,
): ArgumentSource | undefined {
  const seen = new Set<Value>();
  const pending: Value[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    if (next.op !== undefined) pending.push(...operandsOf(next.op));
    else {
      const source = trace.sourceOf(next);
      if (source !== undefined && isLost(source)) return source;
    }
  }
  return undefined;
}
/** The work (operations and bytes) that a step may do again rather than compile programs that take its result: some 0.1 ms. */
const littleWork = 1 << 20;
/**
 * Whether steps compute this value again: little work on values that have not changed, all recorded in one earlier step. So a
 * value that is carried on from step to step does not make programs grow.
 */
export function isRepeated(trace: Trace, value: Value): boolean {
  const isChanged = ({ buffer, impl }: ArgumentSource): boolean => buffer.isConsumed || impl?.buffer !== buffer;
  if (lostSource(trace, value, isChanged) !== undefined) return false;
  let known = trace.repeated.get(value);
  if (known === undefined) {
    const { ops } = programOf('display', trace, [value]);
    const begin = trace.stepEnds.findLast(end => end < value.id) ?? value.id;
    known = [...ops].every(({ results }) => results[0]!.id > begin) && workOf(ops) <= littleWork;
    trace.repeated.set(value, known);
  }
  return known;
}
/** Its memory was given to a program. */
export const isOverwritten = ({ buffer }: ArgumentSource): boolean => buffer.isConsumed;
/** A gradient with respect to it would refer to a value that it no longer has. */
export const isChanged = ({ buffer, impl }: ArgumentSource): boolean =>
  buffer.isConsumed || (impl?.requiresGrad === true && impl.leaf && impl.buffer !== buffer);

/**
 * Before a step is run for the `run`-th time: copies the values that it overwrites and that values other than the update depend
 * on. Returns a function to call afterwards: from then on, those values are computed from the copies.
 */
export function copyInputs(
  trace: Trace,
  program: TracedProgram,
  aliases: readonly (number | undefined)[],
  run: number,
  backend: Backend,
): () => void {
  if (run >= learningRuns) return () => {};
  const { ops, args } = program.func.body;
  const used = new Set(ops.flatMap(op => (trace.isUpdateOp(originOf(op)) ? [] : operandsOf(op))));
  const lost = args.flatMap((value, i) => (aliases[i] !== undefined && used.has(value) ? [value] : []));
  const bytes = lost.reduce((sum, value) => sum + byteSize(trace.sourceOf(value)!.buffer.type), 0);
  if (bytes === 0 || bytes > Math.min(maxCopiedBytes, availableBytes() / 8)) return () => {};
  const copies = lost.map(value => {
    const { buffer } = trace.sourceOf(value)!;
    const part = partOfBuffer(buffer);
    if (buffer instanceof ShardedBuffer && buffer.isAbsent) return [value, buffer] as const;
    const copy = backend.upload(part.type, part.copyToHost());
    return [value, buffer instanceof ShardedBuffer ? buffer.withPart(copy) : copy] as const;
  });
  return () => {
    for (const [value, buffer] of copies) trace.replaceSource(value, buffer);
  };
}

/**
 * The error for a tensor that can no longer be computed. `lost`: the value that it was computed from and that has changed since.
 */
export function released(impl: TensorImpl, lost?: TensorImpl): TrenioError {
  const made = impl.location === undefined ? '' : ` at ${shortLocation(impl.location)}`;
  const isGradient = impl.gradOf !== undefined;
  const name =
    lost?.label ?? (lost?.location === undefined ? undefined : `${lost.op} at ${shortLocation(lost.location)}`);
  return new TrenioError(
    'TENSOR_RELEASED',
    { op: impl.op, made, shape: `[${impl.type.shape}]`, lost: name, isGradient },
    { location: userLocation() },
  );
}
