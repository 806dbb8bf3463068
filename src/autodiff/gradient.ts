// The API for gradients: of a value in a program under construction, or of a whole function.
import { TrenioError } from '../base/errors.ts';
import { Builder } from '../hlo/builder.ts';
import { requireInlinable } from '../hlo/inlined-size.ts';
import type { Func, Op, Region, TensorValue, Value } from '../hlo/program.ts';
import { elementCount, formatType, isFloat } from '../hlo/types.ts';
import { type BackpropagateOptions, backpropagate } from './backpropagate.ts';

export interface GradientOptions extends BackpropagateOptions {
  /** The cotangent of the output, of its type. By default 1, and then the output must be a scalar. */
  readonly seed?: Value;
  /** The ops to consider, in program order; by default those of the builder. */
  readonly ops?: readonly Op[];
}

const isFloatTensor = (value: Value): boolean => value.type.kind === 'tensor' && isFloat(value.type.elementType);

/** The ops up to the one that defines `output`; later ones do not affect it. */
function opsBefore(ops: readonly Op[], output: Value): readonly Op[] {
  if (output.op === undefined) return [];
  const last = ops.lastIndexOf(output.op);
  return last === -1 || last === ops.length - 1 ? ops : ops.slice(0, last + 1);
}

/**
 * Appends to `builder` the ops that compute ∂output/∂v for each v of `wrt`, and returns the gradients, each with the type of its
 * v. If v does not reach the output, or only through integers and comparisons, its gradient is zeros. `wrt` may contain arguments
 * and results of any ops of the program: the gradient is then taken with respect to that intermediate value. Gradient ops have
 * the location of the forward op they belong to.
 *
 * To treat a value as a constant, put it into `stopGradients`. This cuts the value for all its uses, so a `detach(x)` that must
 * not affect other uses of x is a separate op (an optimization_barrier) whose result is in the set.
 * @throws {NOT_A_SCALAR} when the output is not a scalar float and no seed is given
 * @throws {NOT_DIFFERENTIABLE} with the op's location, when a cotangent reaches an op that has no gradient
 */
export function gradients(
  builder: Builder,
  output: Value,
  wrt: readonly Value[],
  options: GradientOptions = {},
): readonly TensorValue[] {
  const { seed, ops = builder.ops, ...rest } = options;
  const { type } = output;
  if (type.kind !== 'tensor' || !isFloat(type.elementType) || (seed === undefined && elementCount(type.shape) !== 1)) {
    throw new TrenioError(
      'NOT_A_SCALAR',
      { type: formatType(type) },
      { location: output.op?.location ?? builder.location },
    );
  }
  for (const value of wrt) {
    if (isFloatTensor(value)) continue;
    const reason = `gradients exist only with respect to floating-point tensors, not ${formatType(value.type)}`;
    throw new TrenioError(
      'NOT_DIFFERENTIABLE',
      { op: value.op?.name ?? 'an argument', reason },
      { location: value.op?.location },
    );
  }
  if (rest.functions !== undefined) requireInlinable('main', { args: [], ops, results: [output] }, rest.functions);
  const cotangents = backpropagate(
    builder,
    opsBefore(ops, output),
    [[output, seed ?? builder.like(output, 1)]],
    wrt,
    rest,
  );
  return cotangents.map((cotangent, i) => (cotangent ?? builder.like(wrt[i]!, 0)) as TensorValue);
}

/** The largest id used in a region and the regions of its ops. */
function lastId(region: Region): number {
  let last = -1;
  const see = (value: Value): void => {
    if (value.id > last) last = value.id;
  };
  region.args.forEach(see);
  for (const op of region.ops) {
    op.results.forEach(see);
    for (const inner of op.regions) last = Math.max(last, lastId(inner));
  }
  return last;
}

/**
 * The function that returns the results of `func`, followed by the gradients of its first result (a scalar float) with respect to
 * the arguments whose positions `wrt` lists. The forward ops are shared with `func`, not copied.
 */
export function grad(func: Func, wrt: readonly number[], options: Omit<GradientOptions, 'ops' | 'seed'> = {}): Func {
  const { args, ops, results } = func.body;
  const builder = new Builder({ next: lastId(func.body) + 1 });
  for (const op of ops) builder.ops.push(op);
  const [output] = results;
  if (output === undefined) throw new TrenioError('NOT_A_SCALAR', { type: 'no result' });
  const wanted = wrt.map(position => {
    const arg = args[position];
    if (arg !== undefined) return arg;
    const detail = `there is no argument ${position} in @${func.name}: its number of arguments is ${args.length}`;
    throw new TrenioError('INVALID_OP', { op: 'grad', constraint: 'trenio_grad_argument', detail });
  });
  const found = gradients(builder, output, wanted, options);
  return {
    name: `${func.name}_grad`,
    body: { args, ops: builder.ops, results: [...results, ...found] },
    aliases: func.aliases,
  };
}
