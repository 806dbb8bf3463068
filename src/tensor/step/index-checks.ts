// Indices out of range: a program cannot throw an error, and its lookups clamp. So each lookup has a check: one number
// that is an additional result of each program with the lookup. It is inspected when something is read or the next step
// runs, without waiting for it: the error names the line of the lookup, but may be thrown some calls later. In eager debug mode
// it is raised immediately. Loops and branches return the checks of their bodies as additional results
// (`control/body-checks.ts`).
import { type SourceLocation, TrenioError } from '../../base/errors.ts';
import type { Builder } from '../../hlo/builder.ts';
import { literalOfBytes, numberAt } from '../../hlo/literal.ts';
import { type Op, shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { type ElementType, elementCount, isFloat, isInteger } from '../../hlo/types.ts';
import type { DeviceBuffer } from '../../runtime/execution/executable.ts';
import { dtypeName } from '../types/dtype.ts';

/** The tensor that is looked up in. */
interface Lookup {
  readonly op: string;
  /** Integers, or floats with integer values. */
  readonly index: Value;
  readonly dim: number;
  /** The size of that dim: indices must be smaller. */
  readonly size: number;
}
export interface IndexCheck extends Omit<Lookup, 'index'> {
  /** A scalar: an index that is out of range, or `none`, or `notWhole`. */
  readonly wrong: Value;
  readonly location: SourceLocation | undefined;
}
/** The value of a check if all indices are in range. */
export const noWrongIndex: number = -(2 ** 31);
const none = noWrongIndex;
const notWhole = none + 1;

/** The part of a trace that records checks. */
interface Checked {
  readonly checks: WeakMap<Op, readonly IndexCheck[]>;
  readonly onCheck: ((check: IndexCheck) => void) | undefined;
}

/** Adds a check of its indices to programs with `result`, the result of a lookup. */
export function checkIndices(b: Builder, trace: Checked, { index, op, dim, size }: Lookup, result: Value): void {
  const { elementType, shape } = tensorTypeOf(index);
  if (result.op === undefined || elementCount(shape) === 0 || index.op?.name === 'iota') return;
  const type = checkedIn(elementType);
  const whole = isFloat(elementType) ? wholeNumbers(b, index) : b.convert(index, type);
  const isBelow = b.compare('LT', whole, b.like(whole, 0));
  const isWrong = b.binary('or', isBelow, b.compare('GE', whole, b.like(whole, size)));
  const found = b.select(isWrong, whole, b.like(whole, none));
  const wrong = b.reduce(
    'maximum',
    found,
    b.fill(type, [], none),
    shape.map((_, i) => i),
  );
  noteCheck(trace, result, { op, dim, size, wrong, location: b.location });
}
/** Adds a check to programs with `result`. */
export function noteCheck(trace: Checked, result: Value, check: IndexCheck): void {
  if (result.op === undefined) return;
  trace.checks.set(result.op, [...(trace.checks.get(result.op) ?? []), check]);
  trace.onCheck?.(check);
}
/** `checkIndices` for positions along a dim of x, where negative ones count from the end. Returns `result`. */
export function checkedAlong(
  b: Builder,
  trace: Checked,
  op: string,
  x: Value,
  dim: number,
  index: Value,
  result: Value,
): Value {
  const shape = shapeOf(x);
  const at = dim < 0 ? dim + shape.length : dim;
  checkIndices(b, trace, { op, index, dim: at, size: shape[at] ?? 1 }, result);
  return result;
}
/** A type that holds all indices and sizes. */
const checkedIn = (type: ElementType): ElementType => (['i64', 'ui32', 'ui64'].includes(type) ? 'i64' : 'i32');
function wholeNumbers(b: Builder, x: Value): Value {
  const isWhole = b.compare('EQ', x, b.unary('floor', x));
  const isSmall = b.compare('LT', b.unary('abs', x), b.like(x, 2 ** 30));
  const isFine = b.binary('and', isWhole, isSmall);
  const whole = b.convert(b.select(isFine, x, b.like(x, 0)), 'i32');
  return b.select(isFine, whole, b.like(whole, notWhole));
}

/** Converts indices to integers: floats with integer values are allowed, too. @throws {BAD_DTYPE} for booleans */
export function wholeIndices(b: Builder, op: string, index: Value): Value {
  const type = tensorTypeOf(index).elementType;
  if (isInteger(type)) return index;
  if (isFloat(type)) return b.convert(index, 'i32');
  throw new TrenioError(
    'BAD_DTYPE',
    { op, got: dtypeName(type), expected: 'integers as indices' },
    { location: b.location },
  );
}

/** @throws {INDEX_OUT_OF_RANGE} at the line of the lookup */
export function raiseWrongIndex({ op, dim, size, location }: IndexCheck, wrong: number): void {
  // A device that records programs instead of running them returns 0.
  if (wrong === none || (wrong >= 0 && wrong < size)) return;
  const index = wrong === notWhole ? 'a number that is not whole' : String(wrong);
  throw new TrenioError('INDEX_OUT_OF_RANGE', { op, index, dim, size }, { location });
}

/** The checks of programs that were run, until they are inspected. */
export class RunningChecks {
  #running: { readonly check: IndexCheck; readonly result: DeviceBuffer }[] = [];

  watch(checks: readonly IndexCheck[], results: readonly DeviceBuffer[]): void {
    checks.forEach((check, i) => {
      this.#running.push({ check, result: results[i]! });
    });
  }
  /** Inspects the checks of finished programs. @throws {INDEX_OUT_OF_RANGE} */
  raise(): void {
    if (this.#running.length === 0) return;
    const done = this.#running.filter(({ result }) => result.isReady);
    if (done.length === 0) return;
    this.#running = this.#running.filter(({ result }) => !result.isReady);
    for (const { check, result } of done)
      raiseWrongIndex(check, numberAt(literalOfBytes(result.type, result.copyToHost()), 0));
  }
}
