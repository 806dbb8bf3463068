// Checks the data type rule of a row on actual results.
import { assertNever } from '../../base/errors.ts';
import { isFloat } from '../../hlo/types.ts';
import type { Scalar } from '../lower/elementwise.ts';
import { Tensor } from '../tensor.ts';
import { type DType, elementTypeOf, promote, scalarType } from '../types/dtype.ts';
import type { Row, Variant } from './row.ts';

type Values = Readonly<Record<string, unknown>>;
const isComplex = (dtype: string): boolean => dtype.startsWith('complex');
const complexOf = (dtype: string): string =>
  isComplex(dtype) ? dtype : dtype === 'f64' ? 'complex<f64>' : 'complex<f32>';
const partOf = (dtype: string): string => (isComplex(dtype) ? dtype.slice('complex<'.length, -1) : dtype);
const floating = (dtype: string): string => (isFloat(dtype as never) || isComplex(dtype) ? dtype : 'f32');

/** The promoted data type of the operands. Within a kind, numbers and 0-dim tensors do not affect the result. */
function promoted(values: readonly unknown[]): string {
  const tensors = values.flatMap(value => (Array.isArray(value) ? value : [value])).filter(v => v instanceof Tensor);
  const ordered = [...tensors.filter(x => x.ndim > 0), ...tensors.filter(x => x.ndim === 0)];
  const kindOf = (x: Tensor): number => (isFloat(x.type.elementType) ? 2 : x.type.elementType === 'i1' ? 0 : 1);
  let dtype = ordered[0]?.type.elementType ?? 'f32';
  let [hasDims, kind] = [(ordered[0]?.ndim ?? 0) > 0, ordered[0] === undefined ? 2 : kindOf(ordered[0])];
  for (const x of ordered.slice(1)) {
    if (hasDims && x.ndim === 0 && kindOf(x) <= kind) continue;
    dtype = hasDims && x.ndim === 0 ? x.type.elementType : promote(dtype, x.type.elementType);
    [hasDims, kind] = [hasDims || x.ndim > 0, Math.max(kind, kindOf(x))];
  }
  for (const value of values)
    if (typeof value === 'number' || typeof value === 'boolean') dtype = scalarType(value as Scalar, dtype);
  return dtype;
}

/** How the data types of results differ from the rule; undefined where they do not. */
export function dtypeProblem(
  row: Row,
  variant: Variant,
  values: Values,
  results: readonly Tensor[],
): string | undefined {
  const operands = Object.entries(variant.params)
    .filter(([name, param]) => name in values && param.tensors !== 'none')
    .map(([name]) => values[name]);
  const self = values[row.self] ?? operands[0];
  const first = self instanceof Tensor ? self : operands.flat().find(value => value instanceof Tensor);
  const input = (first as Tensor | undefined)?.type.elementType ?? 'f32';
  const asked = typeof values.dtype === 'string' ? elementTypeOf(values.dtype as DType) : undefined;
  const expected = ((): string | undefined => {
    switch (row.dtype) {
      case 'same':
        return input;
      case 'float':
        return floating(input);
      case 'promoted':
        return promoted(operands);
      case 'promotedFloat':
        return floating(promoted(operands));
      case 'quotient':
        return values.roundingMode === undefined ? floating(promoted(operands)) : promoted(operands);
      case 'boolean':
        return 'i1';
      case 'index':
        return 'i64';
      case 'indexOfWidth':
        return values.outInt32 === true ? 'i32' : 'i64';
      case 'total':
        return isFloat(input) || isComplex(input) ? input : 'i64';
      case 'complex':
        return complexOf(input);
      case 'part':
        return partOf(input);
      case 'floatPart':
        return floating(partOf(input));
      case 'given':
        return undefined;
      default:
        return assertNever(row.dtype);
    }
  })();
  const wanted = asked ?? expected;
  const got = results[0]?.type.elementType;
  return got === undefined || wanted === undefined || got === wanted
    ? undefined
    : `the data type is ${got}; by the rule '${row.dtype}' it is ${wanted}`;
}
