// The saved state of an optimizer.
import { TrenioError } from '../../base/errors.ts';
import type { Literal } from '../../hlo/literal.ts';
import { formatType, isFloat, sameShape, sameType, type TensorType } from '../../hlo/types.ts';
import type { Tensor } from '../../tensor/index.ts';

/** An optimizer's state: moments and counts by parameter number, settings by group. Files have literals. */
export interface OptimizerState<Value extends Tensor | Literal = Tensor | Literal> {
  /** The state tensors by name. */
  readonly tensors: ReadonlyMap<string, Value>;
  /** The options of each parameter group. */
  readonly groups: readonly Readonly<Record<string, unknown>>[];
}

/**
 * The saved state of parameter `i`, checked against the types of its tensors; undefined if it was never stepped.
 * @throws {STATE_KEYS} for a tensor that is missing
 * @throws {WEIGHT_SHAPE} for a tensor of the wrong type
 */
export function savedState(
  { tensors }: OptimizerState,
  i: number,
  types: ReadonlyMap<string, TensorType>,
):
  | { readonly count: number; readonly values: readonly (readonly [name: string, value: Tensor | Literal])[] }
  | undefined {
  const count = tensors.get(`${i}.step`);
  if (count === undefined) return undefined;
  const values = [...types].map(([name, type]) => {
    const value = tensors.get(`${i}.${name}`);
    if (value === undefined)
      throw new TrenioError('STATE_KEYS', { what: 'the optimizer', missing: [`${i}.${name}`], unexpected: [] });
    // Floats are converted; quantized codes have no meaning in another type.
    const fits = sameShape(value.type.shape, type.shape);
    if (!fits || (!isFloat(type.elementType) && !sameType(value.type, type)))
      throw new TrenioError('WEIGHT_SHAPE', {
        name: `${i}.${name}`,
        expected: formatType(type),
        got: formatType(value.type),
      });
    return [name, value] as const;
  });
  return { count: Number(count.data[0]), values };
}
