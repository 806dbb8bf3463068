// Maps a function over examples: it is recorded once, for one example, and rewritten op by op.
import { type Image, inFull, moveDim } from '../../autodiff/index.ts';
import { TrenioError } from '../../base/errors.ts';
import { loggerFrom } from '../../base/logger.ts';
import { shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { isFloat } from '../../hlo/types.ts';
import { tensorOf } from '../autograd/function.ts';
import { checkFunction } from '../check-arguments.ts';
import { cat } from '../generated/functions.ts';
import { isGradEnabled } from '../gradients/grad-mode.ts';
import { isAttached } from '../gradients/gradient-graph.ts';
import { userLocation } from '../location.ts';
import { mapTensors, tensorsIn } from '../structure.ts';
import type { Tensor } from '../tensor.ts';
import { opening } from '../tensor-core.ts';
import { Batcher } from './batcher.ts';
import { placeholder, recordExample } from './example.ts';
import { type Randomness, randomnessModes, withRandomness } from './randomness.ts';

/** Which dim holds the examples: for all tensors, or one for each argument (nested like it); null for none. */
export type Dims = number | null | undefined | readonly Dims[] | { readonly [name: string]: Dims };

/** Options of `func.vmap`. */
export interface VmapOptions {
  /** The dim of the examples in each argument: 0 by default. */
  readonly inDims?: Dims;
  /** The dim of the examples in each result: 0 by default. */
  readonly outDims?: Dims;
  /**
   * How random numbers within the function behave: an error, the same for all examples, or different for each.
   * @default 'error'
   */
  readonly randomness?: Randomness;
  /** The number of examples to compute at once; all by default. */
  readonly chunkSize?: number;
}

const told = new Set<string>();

/**
 * The function that maps `fn` over examples along a dim of its arguments. Arguments and results are tensors, or nested in
 * arrays and objects. `fn` runs once, on tensors without that dim: it must not read their elements. vmap can be nested,
 * also with `grad`, `jvp` and the other transformations.
 *
 *     const distances = func.vmap(distance, { inDims: [0, null] })(points, center);
 *     const perSample = func.vmap(func.grad(loss), { inDims: [null, 0, 0] })(params, x, y);
 *
 * Ops that have no batched form are computed one example at a time, which is logged at level `info`.
 * @throws {VMAP_DIMS} for dims that do not exist, or if the numbers of examples differ or there are none
 * @throws {RANDOM_IN_VMAP} for random numbers, with the randomness 'error'
 * @throws {READ_IN_FUNCTION} where fn reads an example
 * @throws {SIDE_EFFECT} where fn assigns to a tensor from outside
 * @throws {INVALID_OPTION}
 * @example
 * const dot = (x: Tensor, y: Tensor) => x.mul(y).sum();
 * func.vmap(dot)(tensor([[1, 2], [3, 4]]), ones(2, 2)) // [3, 7]
 */
export function vmap<A extends readonly unknown[], R>(
  fn: (...args: A) => R,
  options: VmapOptions = {},
): (...args: A) => R {
  checkFunction('vmap', 'its first argument', fn);
  const { inDims = 0, outDims = 0, randomness = 'error', chunkSize } = options;
  if (!randomnessModes.includes(randomness))
    throw new TrenioError(
      'INVALID_OPTION',
      { what: 'vmap', option: 'randomness', got: String(randomness), expected: `one of ${randomnessModes.join(', ')}` },
      { location: userLocation() },
    );
  if (chunkSize !== undefined && (!Number.isSafeInteger(chunkSize) || chunkSize < 1))
    throw new TrenioError(
      'INVALID_OPTION',
      { what: 'vmap', option: 'chunkSize', got: String(chunkSize), expected: 'an integer of at least 1' },
      { location: userLocation() },
    );
  return (...args) => {
    const dims = flatDims(args, inDims);
    const tensors = tensorsIn(args);
    const size = sizeOf(tensors, dims);
    if (chunkSize === undefined || chunkSize >= size) return mapped(fn, args, tensors, dims, size, outDims, randomness);
    const parts: R[] = [];
    for (let from = 0; from < size; from += chunkSize) {
      const length = Math.min(chunkSize, size - from);
      let next = 0;
      const part = mapTensors(args, tensor => {
        const dim = dims[next++]!;
        return dim === undefined ? tensor : tensor.narrow(dim, from, length);
      }) as A;
      parts.push(mapped(fn, part, tensorsIn(part), dims, length, outDims, randomness));
    }
    return joined(parts, outDims);
  };
}

function mapped<A extends readonly unknown[], R>(
  fn: (...args: A) => R,
  args: A,
  tensors: readonly Tensor[],
  dims: readonly (number | undefined)[],
  size: number,
  outDims: Dims,
  randomness: Randomness,
): R {
  const { device } = tensors[0]!;
  const { trace, builder } = opening(device);
  const location = userLocation();
  builder.location = location;
  const batcher = new Batcher(device, {
    size,
    randomBits: randomness === 'different',
    onLoop: op => {
      if (told.has(op.name)) return;
      told.add(op.name);
      loggerFrom().info(`vmap: ${op.name} has no batched form; it is computed one example at a time`);
    },
  });
  const values: Value[] = [];
  const examples = tensors.map((tensor, i) => {
    const dim = dims[i];
    if (dim === undefined) return tensor;
    const value = batcher.example(moveDim(builder, device.valueOf(tensor), dim, 0));
    values.push(value);
    trace.used(tensor);
    return placeholder(device, value, 'vmap', tensor.requiresGrad);
  });
  let next = 0;
  const returned = recordExample('vmap', device, values, () =>
    withRandomness(randomness, size, () => fn(...(mapTensors(args, () => examples[next++]!) as unknown as A))),
  );
  const results = tensorsIn(returned);
  const resultDims = flatDims(returned, outDims, 'outDims');
  builder.location = location;
  const images = batcher.batch(results.map(result => device.valueOf(result)));
  next = 0;
  return mapTensors(returned, result => {
    const [image, dim] = [images[next]!, resultDims[next++]];
    if (dim === undefined && image.isBatched)
      throw badDims('a result has no dim for the examples (its outDims is null), but differs between them');
    if (dim === undefined) return result;
    const full = inFull(builder, image, size);
    const at = checkedDim(dim, shapeOf(full).length, 'a result');
    const value = moveDim(builder, full, 0, at);
    const made = tensorOf(device, value, 'vmap', isGradEnabled() && isFloatImage(image) && isAttached(trace, value));
    trace.made(made);
    return made;
  }) as R;
}
const isFloatImage = ({ value }: Image): boolean => isFloat(tensorTypeOf(value).elementType);

/** One dim for each tensor of a structure; undefined for those without examples. */
function flatDims(structure: unknown, dims: Dims, option = 'inDims'): (number | undefined)[] {
  if (dims === null || dims === undefined) return tensorsIn(structure).map(() => undefined);
  if (typeof dims === 'number') return tensorsIn(structure).map(() => dims);
  if (Array.isArray(dims)) {
    if (!Array.isArray(structure) || structure.length !== dims.length)
      throw badDims(
        `${option} has ${dims.length} entries for ${Array.isArray(structure) ? `${structure.length} values` : 'a single value'}`,
      );
    return structure.flatMap((part, i) => flatDims(part, dims[i] as Dims, option));
  }
  if (typeof structure !== 'object' || structure === null) throw badDims(`${option} is nested differently`);
  return Object.entries(structure).flatMap(([name, part]) =>
    flatDims(part, (dims as { readonly [name: string]: Dims })[name], option),
  );
}

function checkedDim(dim: number, rank: number, what: string): number {
  const at = dim < 0 ? dim + rank : dim;
  if (!Number.isInteger(dim) || at < 0 || at >= rank) throw badDims(`${what} of ${rank} dims has no dim ${dim}`);
  return at;
}

/** The number of examples; makes dims count from the front. */
function sizeOf(tensors: readonly Tensor[], dims: (number | undefined)[]): number {
  let size: number | undefined;
  tensors.forEach((tensor, i) => {
    const dim = dims[i];
    if (dim === undefined) return;
    const at = checkedDim(dim, tensor.ndim, 'an argument');
    dims[i] = at;
    const own = tensor.shape[at]!;
    if (size !== undefined && size !== own) throw badDims(`arguments have ${size} and ${own} examples`);
    size = own;
  });
  if (size === undefined) throw badDims('no argument has a dim of examples');
  return size;
}

/** Concatenates the results of chunks. */
function joined<R>(parts: readonly R[], outDims: Dims): R {
  const lists = parts.map(part => tensorsIn(part));
  const dims = flatDims(parts[0], outDims, 'outDims');
  let next = 0;
  return mapTensors(parts[0], first => {
    const i = next++;
    const dim = dims[i];
    return dim === undefined
      ? first
      : cat(
          lists.map(list => list[i]!),
          dim,
        );
  }) as R;
}

const badDims = (problem: string): TrenioError =>
  new TrenioError('VMAP_DIMS', { problem }, { location: userLocation() });
