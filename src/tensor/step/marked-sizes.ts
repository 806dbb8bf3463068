// Sizes about which the script says whether they change, instead of waiting until they have changed twice.
import { TrenioError } from '../../base/errors.ts';
import { userLocation } from '../location.ts';
import { formatShape } from '../lower/shapes.ts';
import type { TensorImpl } from '../tensor-impl.ts';

interface Marks {
  readonly dynamic: ReadonlySet<number>;
  readonly static: ReadonlySet<number>;
}
const marksOf = new WeakMap<TensorImpl, Marks>();

/** @throws {BAD_DIM} */
export function markSize(x: TensorImpl, dim: number, op: string, kind: keyof Marks): void {
  const { shape } = x.type;
  const at = dim < 0 ? dim + shape.length : dim;
  if (!Number.isInteger(dim) || shape[at] === undefined)
    throw new TrenioError(
      'BAD_DIM',
      { op, dim, shape: formatShape(shape), rank: shape.length },
      { location: userLocation() },
    );
  const { dynamic, static: fixed } = marksOf.get(x) ?? { dynamic: new Set<number>(), static: new Set<number>() };
  const without = (dims: ReadonlySet<number>): Set<number> => new Set([...dims].filter(d => d !== at));
  const [other, mine] = [without(kind === 'dynamic' ? fixed : dynamic), without(kind === 'dynamic' ? dynamic : fixed)];
  mine.add(at);
  marksOf.set(x, kind === 'dynamic' ? { dynamic: mine, static: other } : { dynamic: other, static: mine });
}

/** The marks of a program's inputs: whether a size is known to change, and the sizes that have their own programs, as a key. */
export function marksOfInputs(inputs: readonly (TensorImpl | undefined)[]): {
  readonly isDynamic: boolean;
  readonly staticSizes: string;
} {
  let isDynamic = false;
  let staticSizes = '';
  for (const [i, input] of inputs.entries()) {
    const marks = input && marksOf.get(input);
    if (marks === undefined) continue;
    isDynamic ||= marks.dynamic.size > 0;
    for (const d of marks.static) staticSizes += ` ${i}.${d}:${input!.type.shape[d]}`;
  }
  return { isDynamic, staticSizes };
}
