// Calls a row: the one place where arguments are read and checked. Arguments come in PyTorch's order, or by name in a plain
// object at the end: x.sum(1, true), x.sum({ dim: 1, keepDim: true }), x.sum(1, { keepDim: true }).
import { TrenioError } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest.ts';
import type { Value } from '../../hlo/program.ts';
import { numberKind, sameShape } from '../../hlo/types.ts';
import { described, notATensor, wrongArgument } from '../check-arguments.ts';
import { isGradEnabled } from '../gradients/grad-mode.ts';
import { zeroGradient } from '../gradients/gradient-node.ts';
import { userLocation } from '../location.ts';
import { record, recordAny } from '../record.ts';
import { Traced } from '../traced.ts';
import { leafShown } from '../views/view.ts';
import type { Param } from './params.ts';
import type { Context, Maker, Row } from './row.ts';
import type { Signature } from './signature.ts';

/** A tensor, several, or several that have names too, like PyTorch's named tuples. */
export type Result = Traced | readonly Traced[];
type Problem = () => TrenioError;

/**
 * The result of a call of a row. `self` is the tensor of a method, undefined for a function; `maker` creates new tensors.
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 */
export function call(
  row: Row,
  self: Traced | undefined,
  args: readonly unknown[],
  maker: Maker | undefined = self,
  from: (...args: never) => unknown = call,
): Result {
  const { variants, signatures } = row;
  let firstProblem: Problem | undefined;
  for (let i = 0; i < variants.length; i++) {
    const read = readArguments(row, signatures[i]!, self, args);
    if (typeof read === 'function') {
      firstProblem ??= read;
      continue;
    }
    const { computation, result } = variants[i]!;
    const results =
      computation.kind === 'lower'
        ? recorded(row, computation.lower, signatures[i]!, read, from)
        : computation.run(maker ?? firstTensor(read), argumentsByName(signatures[i]!, read) as never);
    return results instanceof Traced || typeof result === 'string' ? results : named(results, result);
  }
  throw firstProblem!();
}

/**
 * Reads and checks the named arguments of a call that is not a row, such as a constructor, in the same way as those of rows.
 * @throws {WRONG_ARGUMENT}
 * @throws {UNKNOWN_ARGUMENT}
 */
export function readSettings(
  name: string,
  signature: Signature,
  args: readonly unknown[],
): Readonly<Record<string, unknown>> {
  const read = readArguments({ name }, signature, undefined, args);
  if (typeof read === 'function') throw read();
  return argumentsByName(signature, read);
}

type Named = Pick<Row, 'name'>;
/** The checked arguments in the order of the parameters, or the problem with them. */
function readArguments(
  row: Named,
  signature: Signature,
  self: Traced | undefined,
  args: readonly unknown[],
): unknown[] | Problem {
  const { names, params } = signature;
  const selfAt = self === undefined ? -1 : signature.selfAt;
  let count = args.length;
  while (count > 0 && args[count - 1] === undefined) count--;
  const last = count === 0 ? undefined : args[count - 1];
  const options = isPlainObject(last) ? last : undefined;
  if (options !== undefined) count--;
  const found: unknown[] = [];
  let used = 0;
  for (let i = 0; i < params.length; i++) {
    const param = params[i]!;
    if (i === selfAt) found.push(self);
    else if (used === count || param.byNameOnly) found.push(undefined);
    else if (param.isVariadic && !Array.isArray(args[used])) {
      found.push(args.slice(used, count));
      used = count;
    } else found.push(args[used++]);
  }
  if (used < count) return () => tooMany(row, names, params, selfAt, args[used]);
  const problem = options === undefined ? undefined : readNamed(row, signature, selfAt, options, found);
  if (problem !== undefined) return problem;
  for (let i = 0; i < params.length; i++) {
    const param = params[i]!;
    const value = found[i];
    if (value === undefined || value === null) {
      if (!param.isOptional) return () => wrongKind(row, names[i]!, param, value);
      found[i] = param.fallback;
    } else if (!param.accepts(value)) return () => wrongKind(row, names[i]!, param, value);
    else if (param.convert !== undefined) found[i] = param.convert(value as never);
  }
  return found;
}

/** Adds the named arguments, or returns the problem with them. */
function readNamed(
  row: Named,
  { names, positions }: Signature,
  selfAt: number,
  options: Readonly<Record<string, unknown>>,
  found: unknown[],
): Problem | undefined {
  for (const [name, value] of Object.entries(options)) {
    const at = positions.get(name);
    if (at === undefined || at === selfAt)
      return () =>
        unknownArgument(
          row.name,
          name,
          names.filter((_, i) => i !== selfAt),
        );
    if (value === undefined) continue;
    if (found[at] !== undefined)
      return () => wrongArgument({ call: row.name, argument: name }, value, 'to be given once', `give ${name} once`);
    found[at] = value;
  }
  return undefined;
}

const argumentsByName = ({ names }: Signature, found: readonly unknown[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(names.map((name, i) => [name, found[i]]));
const firstTensor = (found: readonly unknown[]): Traced => found.find(value => value instanceof Traced)!;

/** Records the ops of a row. */
function recorded(
  row: Row,
  lower: (context: Context, args: never) => Value | readonly Value[],
  { names, params }: Signature,
  found: readonly unknown[],
  from: (...args: never) => unknown,
): Result {
  const inputs: Traced[] = [];
  for (let i = 0; i < found.length; i++) {
    const { tensors } = params[i]!;
    const value = found[i];
    if (tensors === 'many') inputs.push(...((value ?? []) as readonly Traced[]));
    else if (tensors === 'one' && value instanceof Traced) inputs.push(value);
  }
  return recordAny(
    row.name,
    inputs,
    (b, values, trace) => {
      const args: Record<string, unknown> = {};
      let next = 0;
      for (let i = 0; i < found.length; i++) {
        const value = found[i];
        const { tensors } = params[i]!;
        if (tensors === 'many') args[names[i]!] = (value as readonly Traced[] | undefined)?.map(() => values[next++]!);
        else args[names[i]!] = tensors === 'one' && value instanceof Traced ? values[next++] : value;
      }
      const context = { b, trace, device: inputs[0]!.device, stop: (v: Value) => void trace.stopped.add(v) };
      return lower(context, args as never);
    },
    row.recorded,
    from,
  );
}

/** A list whose entries have names too. */
function named(results: readonly Traced[], names: readonly string[]): readonly Traced[] {
  return Object.assign(results, Object.fromEntries(names.map((name, i) => [name, results[i]])));
}

/**
 * The in-place variant of a row: `self` takes the values of the result, which must have its shape, and is converted to its data
 * type unless that is of a lower kind.
 * @throws {BAD_ASSIGNMENT}
 */
export function callInPlace<T extends Traced>(row: Row, self: T, args: readonly unknown[]): T {
  const result = call(row, self, args, self, callInPlace) as Traced;
  if (result.dtype === self.dtype || !sameShape(result.shape, self.shape))
    return changeInPlace(`${row.name}_`, self, result);
  if (kindOrder[numberKind(result.type.elementType)] > kindOrder[numberKind(self.type.elementType)])
    throw new TrenioError(
      'BAD_ASSIGNMENT',
      {
        problem: `${row.name}_ gives ${result.dtype}, which a tensor of ${self.dtype} cannot hold`,
      },
      { location: userLocation() },
    );
  return changeInPlace(
    `${row.name}_`,
    self,
    record('to', [result], (b, [x]) => b.convert(x!, self.type.elementType)),
  );
}
/**
 * Gives `self` the elements of `result`, and its history: gradients flow through it from now on where they flow through
 * `result`.
 */
export function changeInPlace<T extends Traced>(op: string, self: T, result: Traced): T {
  checkInPlace(op, self);
  const { device } = self;
  // its history gets a gradient of zeros, as in PyTorch
  const isOverwritten = self.requiresGrad && !self.leaf && !result.requiresGrad && isGradEnabled();
  const before = isOverwritten ? device.valueOf(self) : undefined;
  if (result.requiresGrad && !self.requiresGrad && sameShape(result.shape, self.shape)) {
    self.requiresGrad = true;
    self.leaf = false;
  }
  self.assign_(result);
  if (before !== undefined) {
    const after = device.valueOf(self);
    device.trace.nodes.set(after, zeroGradient(op, userLocation(), [before], after));
  }
  return self;
}
/** @throws {LEAF_CHANGED} where the gradient of a leaf, or of what it is a view of, would be that of other elements */
export function checkInPlace(op: string, self: Traced): void {
  const leaf = isGradEnabled() ? leafShown(self) : undefined;
  if (leaf === undefined) return;
  throw new TrenioError(
    'LEAF_CHANGED',
    { op, leaf: leaf.label ?? 'the leaf', isView: leaf !== self },
    { location: userLocation() },
  );
}
const kindOrder = { boolean: 0, unsigned: 1, signed: 1, float: 2, complex: 3 } as const;

export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/**
 * Checks that an object of options has no name but these: for calls that are not rows.
 * @throws {UNKNOWN_ARGUMENT}
 */
export function checkOptionNames(callName: string, options: object, known: readonly string[]): void {
  for (const name of Object.keys(options)) if (!known.includes(name)) throw unknownArgument(callName, name, known);
}
const unknownArgument = (callName: string, name: string, known: readonly string[]): TrenioError =>
  new TrenioError(
    'UNKNOWN_ARGUMENT',
    { call: callName, argument: name, nearest: nearestName(name, known), known },
    { location: userLocation() },
  );
function wrongKind(row: Named, name: string, param: Param<unknown>, got: unknown): TrenioError {
  const where = { call: row.name, argument: name };
  if (param.adviceFor !== undefined) return wrongArgument(where, got, param.expected, `give ${param.adviceFor(got)}`);
  return param.tensors === 'none' ? wrongArgument(where, got, param.expected) : notATensor(where, got, param.expected);
}
function tooMany(
  row: Named,
  names: readonly string[],
  params: readonly Param<unknown>[],
  selfAt: number,
  got: unknown,
): TrenioError {
  const byNameOnly = names.filter((_, i) => params[i]!.byNameOnly);
  const taken = names.filter((name, i) => i !== selfAt && !byNameOnly.includes(name));
  return new TrenioError(
    'WRONG_ARGUMENT',
    {
      call: row.name,
      argument: `argument ${taken.length + 1}`,
      got: described(got),
      expected: taken.length === 0 ? 'no arguments' : `at most ${taken.length}: ${taken.join(', ')}`,
      fix:
        byNameOnly.length > 0
          ? `leave ${byNameOnly.includes('reduction') ? "out sizeAverage and reduce, which PyTorch's reduction replaces" : 'it out'}; ${byNameOnly.join(', ')} can be given by name, as in { ${byNameOnly[0]}: … }`
          : 'leave it out',
    },
    { location: userLocation() },
  );
}
