// Sums of products, for contractions and convolutions, in the arithmetic of an element type: each product and each sum is rounded
// to it (to f32 if the type is less precise, and again at the end), integers wrap.
import { rounderOf } from '../element-codec.ts';
import { type Literal, zeros } from '../literal.ts';
import { type ElementType, elementCount, isFloat, type TensorType } from '../types.ts';
import { convertLiteral } from './convert.ts';
import { type BigData, decode, encode, isBig, isComplex, type NumberData } from './element-data.ts';

export interface ProductSum {
  /** Adds element `left` of one factor times element `right` of the other to the sum. */
  add(left: number, right: number): void;
  /** Stores the sum as element `at` of the result, and starts the next sum. */
  store(at: number): void;
  result(): Literal;
}

export function productSum(type: TensorType, lhs: Literal, rhs: Literal): ProductSum {
  const { elementType } = type;
  // Floats wider than the result are kept; everything else is converted to the type of the result.
  const factor = (x: Literal): NumberData | BigData =>
    decode(isFloat(x.type.elementType) && isFloat(elementType) ? x : convertLiteral(x, elementType));
  const [x, y] = [factor(lhs), factor(rhs)];
  if (isBig(elementType)) return bigSum(type, x as BigData, y as BigData);
  if (isComplex(elementType)) return complexSum(type, x as NumberData, y as NumberData);
  return numberSum(type, x as NumberData, y as NumberData, multiplyAddOf(elementType));
}

type MultiplyAdd = (sum: number, a: number, b: number) => number;
function multiplyAddOf(type: ElementType): MultiplyAdd {
  if (type === 'f64') return (sum, a, b) => sum + a * b;
  if (isFloat(type)) return (sum, a, b) => Math.fround(sum + Math.fround(a * b));
  if (type === 'i1') return (sum, a, b) => sum | (a & b);
  return (sum, a, b) => (sum + Math.imul(a, b)) | 0;
}

function numberSum(type: TensorType, x: NumberData, y: NumberData, multiplyAdd: MultiplyAdd): ProductSum {
  const values = new Float64Array(elementCount(type.shape));
  let sum = 0;
  return {
    add(left, right) {
      sum = multiplyAdd(sum, x[left]!, y[right]!);
    },
    store(at) {
      values[at] = sum;
      sum = 0;
    },
    result: () => encode(type, values),
  };
}

function bigSum(type: TensorType, x: BigData, y: BigData): ProductSum {
  const out = zeros(type);
  let sum = 0n;
  return {
    add(left, right) {
      sum += x[left]! * y[right]!;
    },
    store(at) {
      out.data[at] = sum;
      sum = 0n;
    },
    result: () => out,
  };
}

function complexSum(type: TensorType, x: NumberData, y: NumberData): ProductSum {
  const values = new Float64Array(2 * elementCount(type.shape));
  const round = rounderOf(type.elementType);
  let [re, im] = [0, 0];
  return {
    add(left, right) {
      const [a, b] = [x[2 * left]!, x[2 * left + 1]!];
      const [c, d] = [y[2 * right]!, y[2 * right + 1]!];
      re = round(re + round(round(a * c) - round(b * d)));
      im = round(im + round(round(a * d) + round(b * c)));
    },
    store(at) {
      [values[2 * at], values[2 * at + 1]] = [re, im];
      [re, im] = [0, 0];
    },
    result: () => encode(type, values),
  };
}
