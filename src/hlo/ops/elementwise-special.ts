// Rows of the elementwise ops that change the element type or take operands of different types.

import { assertNever } from '../../base/errors.ts';
import type { ComparisonDirection } from '../attributes.ts';
import { floatFormat } from '../element-codec.ts';
import { type Literal, zeros } from '../literal.ts';
import { type Rows, tensors } from '../op-row.ts';
import {
  elementCount,
  elementTypes,
  formatType,
  numberKind,
  type TensorType,
  type Type,
  tensorType,
} from '../types.ts';
import { applyBinary } from './apply.ts';
import { boundedType, mostSpecificType } from './bounds.ts';
import { convertLiteral } from './convert.ts';
import { countOf, streaming } from './costs.ts';
import { bitWidth, decode, decodeNumbers, encode, isComplex } from './element-data.ts';
import { sameTypes } from './elementwise-checks.ts';
import { filled } from './indices.ts';
import { checkElements } from './operand-checks.ts';
import { literalOfBits, packedBits } from './packed-bits.ts';
import { reducePrecision } from './reduce-precision.ts';
import {
  type Checker,
  checkerOf,
  compatibleElements,
  compatibleShapes,
  dimsAgree,
  shapesAgree,
} from './shape-checks.ts';

type Name = 'is_finite' | 'compare' | 'select' | 'clamp' | 'convert' | 'bitcast_convert' | 'reduce_precision';

const finiteChecks: Checker = checkerOf('is_finite');
const convertChecks: Checker = checkerOf('convert');
const compareChecks: Checker = checkerOf('compare');
const selectChecks: Checker = checkerOf('select');
const clampChecks: Checker = checkerOf('clamp');
const bitcastChecks: Checker = checkerOf('bitcast_convert');
const precisionChecks: Checker = checkerOf('reduce_precision');

const booleans = (shape: readonly number[]): TensorType => tensorType('i1', shape);
/** Booleans of the shape of another tensor, bounds included. */
const booleansLike = ({ shape, bounds }: TensorType): TensorType =>
  bounds === undefined ? booleans(shape) : { ...booleans(shape), bounds };

function holds<T extends number | bigint>(direction: ComparisonDirection, a: T, b: T): boolean {
  switch (direction) {
    case 'EQ':
      return a === b;
    case 'NE':
      return a !== b;
    case 'GE':
      return a >= b;
    case 'GT':
      return a > b;
    case 'LE':
      return a <= b;
    case 'LT':
      return a < b;
    default:
      return assertNever(direction);
  }
}

/** The position of a float in IEEE 754's total order: -NaN < -inf < … < -0 < +0 < … < inf < NaN. */
const totalF64 = new Float64Array(1);
const totalBits = new BigInt64Array(totalF64.buffer);
function totalOrder(x: number): bigint {
  totalF64[0] = x;
  const b = totalBits[0]!;
  return b < 0n ? b ^ 0x7fff_ffff_ffff_ffffn : b;
}

function compareLiterals(direction: ComparisonDirection, total: boolean, x: Literal, y: Literal): Literal {
  const { elementType, shape } = x.type;
  const out = zeros(booleans(shape));
  const data = out.data as Uint8Array;
  if (isComplex(elementType)) {
    // Only EQ and NE are defined for complex numbers.
    for (let i = 0; i < data.length; i++) {
      const equal = x.data[2 * i] === y.data[2 * i] && x.data[2 * i + 1] === y.data[2 * i + 1];
      data[i] = equal === (direction === 'EQ') ? 1 : 0;
    }
    return out;
  }
  const [a, b] = [decode(x), decode(y)];
  for (let i = 0; i < data.length; i++) {
    const result = total
      ? holds(direction, totalOrder(a[i] as number), totalOrder(b[i] as number))
      : holds(direction, a[i]!, b[i]!);
    data[i] = result ? 1 : 0;
  }
  return out;
}

export const elementwiseSpecialRows: Rows<Name> = {
  is_finite: {
    name: 'is_finite',
    kind: 'elementwise',
    pure: true,
    infer(operands) {
      const types = tensors('is_finite', operands);
      checkElements(finiteChecks, 'i1', types, ['float', 'quantized']);
      return [booleansLike(types[0]!)];
    },
    evaluate(_op, [x]) {
      const data = Uint8Array.from(decodeNumbers(x), v => (Number.isFinite(v) ? 1 : 0));
      return [{ type: booleans(x.type.shape), data }];
    },
    cost: op => streaming(op, countOf(op.results[0].type)),
  },
  compare: {
    name: 'compare',
    kind: 'elementwise',
    pure: true,
    infer(operands, attributes) {
      const types = tensors('compare', operands);
      const [x, y] = types;
      compareChecks(
        compatibleElements(x, y),
        1,
        () => `operands must have one element type, got ${types.map(formatType).join(' and ')}`,
      );
      compareChecks(
        compatibleShapes(x, y),
        2,
        () => `operands must have one shape, got ${types.map(formatType).join(' and ')}`,
      );
      const kind = numberKind(x.elementType);
      const expected =
        kind === 'signed'
          ? ['SIGNED']
          : kind === 'float'
            ? ['FLOAT', 'TOTALORDER']
            : kind === 'complex'
              ? ['FLOAT']
              : ['UNSIGNED'];
      const { compareType } = attributes;
      compareChecks(
        compareType === undefined || x.quantization !== undefined || expected.includes(compareType),
        3,
        () => `the comparison of ${x.elementType} must be ${expected.join(' or ')}, got ${compareType}`,
      );
      return [booleansLike(mostSpecificType(compareChecks, 2, types))];
    },
    evaluate(op, [x, y]) {
      return [compareLiterals(op.attributes.comparisonDirection, op.attributes.compareType === 'TOTALORDER', x, y)];
    },
    cost: op => streaming(op, countOf(op.results[0].type)),
  },
  select: {
    name: 'select',
    kind: 'elementwise',
    pure: true,
    infer(operands) {
      const [predicate, onTrue, onFalse] = tensors('select', operands);
      checkElements(selectChecks, 'i1', [predicate], ['boolean']);
      const type = sameTypes(selectChecks, 2, [onTrue, onFalse]);
      selectChecks(
        predicate.shape.length === 0 || shapesAgree(predicate.shape, type.shape),
        1,
        () => `the predicate must be a scalar or of shape ${formatType(type)}, got ${formatType(predicate)}`,
      );
      if (predicate.shape.length === 0) return [type];
      const { shape, bounds } = mostSpecificType(selectChecks, 1, [predicate, type]);
      return [boundedType(type, shape, bounds)];
    },
    evaluate(_op, [predicate, onTrue, onFalse]) {
      const { type } = onTrue;
      if (predicate.data.length === 1) return [predicate.data[0] ? onTrue : onFalse];
      const out = zeros(type);
      const entries = isComplex(type.elementType) ? 2 : 1;
      const data = out.data as Float64Array;
      for (let i = 0; i < data.length; i++) {
        const from = predicate.data[entries === 2 ? i >> 1 : i] ? onTrue : onFalse;
        data[i] = (from.data as Float64Array)[i]!;
      }
      return [out];
    },
    cost: op => streaming(op, countOf(op.results[0].type)),
  },
  clamp: {
    name: 'clamp',
    kind: 'elementwise',
    pure: true,
    infer(operands) {
      const [min, operand, max] = tensors('clamp', operands);
      for (const [bound, constraint] of [
        [min, 1],
        [max, 2],
      ] as const) {
        clampChecks(
          bound.shape.length === 0 || shapesAgree(bound.shape, operand.shape),
          constraint,
          () => `a bound must be a scalar or have the shape of ${formatType(operand)}, got ${formatType(bound)}`,
        );
        clampChecks(
          compatibleElements(bound, operand),
          3,
          () => `bounds of ${formatType(operand)} have type ${formatType(bound)}`,
        );
      }
      return [operand];
    },
    evaluate(_op, [min, operand, max]) {
      const { type } = operand;
      const [low, high] = [min, max].map(b => (b.type.shape.length === 0 ? filled(type, b) : b));
      return [applyBinary('minimum', applyBinary('maximum', operand, low!), high!)];
    },
    cost: op => streaming(op, 2 * countOf(op.results[0].type)),
  },
  convert: {
    name: 'convert',
    kind: 'elementwise',
    pure: true,
    infer(operands, { elementType }) {
      const [x] = tensors('convert', operands);
      checkElements(convertChecks, 'i1', [x], ['boolean', 'signed', 'unsigned', 'float', 'complex']);
      convertChecks(
        elementTypes.includes(elementType),
        'element_type',
        () => `there is no element type ${elementType}`,
      );
      return [{ ...x!, elementType }];
    },
    evaluate: (op, [x]) => [convertLiteral(x, op.attributes.elementType)],
    cost: op => streaming(op, countOf(op.results[0].type)),
  },
  bitcast_convert: {
    name: 'bitcast_convert',
    kind: 'elementwise',
    pure: true,
    infer(operands, { type }) {
      const [x] = tensors('bitcast_convert', operands, { perAxis: true });
      const [from, to] = [bitWidth(x.elementType), bitWidth(type.elementType)];
      bitcastChecks(
        isComplex(x.elementType) === isComplex(type.elementType),
        2,
        () => `${formatType(x)} to ${formatType(type)}: both must be complex, or none`,
      );
      const shape = from === to ? x.shape : to < from ? [...x!.shape, from / to] : x.shape.slice(0, -1);
      const lastFits = to <= from || (x.shape.length > 0 && dimsAgree(x.shape.at(-1)!, to / from));
      bitcastChecks(
        lastFits && shapesAgree(shape, type.shape),
        1,
        () => `${formatType(x!)} does not have the same bits as ${formatType(type)}`,
      );
      return [type];
    },
    evaluate(op, [x]) {
      const { type } = op.attributes;
      const last = x!.type.shape.at(-1) ?? 1;
      const count = (elementCount(x.type.shape) * bitWidth(x!.type.elementType)) / bitWidth(type.elementType);
      const known = type.shape.includes(-1)
        ? [...x!.type.shape.slice(0, -1), count / (elementCount(x!.type.shape) / last)]
        : type.shape;
      return [literalOfBits({ ...type, shape: known }, packedBits(x!))];
    },
    cost: op => streaming(op),
  },
  reduce_precision: {
    name: 'reduce_precision',
    kind: 'elementwise',
    pure: true,
    infer(operands: readonly Type[], { exponentBits, mantissaBits }) {
      const [x] = tensors('reduce_precision', operands);
      checkElements(precisionChecks, 'i1', [x!], ['float', 'quantized']);
      precisionChecks(exponentBits >= 1, 2, () => `exponent bits must be at least 1, got ${exponentBits}`);
      precisionChecks(mantissaBits >= 0, 3, () => `mantissa bits must be at least 0, got ${mantissaBits}`);
      return [x!];
    },
    evaluate(op, [x]) {
      const { exponentBits, mantissaBits } = op.attributes;
      const source = floatFormat(x.type.elementType);
      const rounded = Float64Array.from(decodeNumbers(x), v => reducePrecision(v, source, exponentBits, mantissaBits));
      return [encode(x.type, rounded)];
    },
    cost: op => streaming(op, countOf(op.results[0].type)),
  },
};
