// Gradient rules of reduce.
//
//   add       every element gets the cotangent of its group
//   max, min  the elements that equal the result share it equally
//   multiply  each element gets it times the product of all others, computed without a division (elements may be 0):
//             x   a    b    c            before   1    a   ab
//                                        after   bc    c    1       others = before · after
import type { Builder } from '../../hlo/builder.ts';
import { reductionOperands } from '../../hlo/operand-groups.ts';
import { shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { elementCount } from '../../hlo/types.ts';
import { combinerOf } from '../combiner.ts';
import { broadcastBack, dimsExcept, inversePermutation, splatOf, sumAll, transposed, zerosLike } from '../constants.ts';
import type { GradientRule, GradientTable } from '../rule.ts';

type Pair = readonly [x: Value | undefined, init: Value | undefined];

/** Shares g among the elements that equal the extremum z, and with the initial value if it can be the extremum. */
function extremum(
  b: Builder,
  g: Value,
  x: Value,
  init: Value,
  z: Value,
  dimensions: readonly number[],
  needsInit: boolean,
): Pair {
  const { shape } = tensorTypeOf(x);
  const { elementType, shape: reducedShape } = tensorTypeOf(z);
  const equal = b.compare('EQ', x, broadcastBack(b, z, shape, dimensions));
  const count = b.sum(b.convert(equal, elementType), dimensions);
  const initial = splatOf(init);
  const initCanWin = initial === undefined || Number.isFinite(initial);
  const initEqual = initCanWin ? b.compare('EQ', b.broadcastInDim(init, [], reducedShape), z) : undefined;
  const winners = initEqual === undefined ? count : b.add(count, b.convert(initEqual, elementType));
  const share = b.divide(g, winners);
  const dx = b.select(equal, broadcastBack(b, share, shape, dimensions), zerosLike(b, x));
  if (!needsInit || initEqual === undefined) return [dx, undefined];
  return [dx, sumAll(b, b.select(initEqual, share, zerosLike(b, share)))];
}

/** For each element along the last dim of x, the product of those before it (or, with step -1, after it). */
function exclusiveProduct(b: Builder, x: Value, step: 1 | -1): Value {
  const shape = shapeOf(x);
  const last = shape.length - 1;
  const one = b.fill(tensorTypeOf(x).elementType, [], 1);
  const shift = (v: Value, by: number): Value => {
    const low = shape.map((_, d) => (d === last ? step * by : 0));
    return b.pad(
      v,
      one,
      low,
      low.map(n => (n === 0 ? 0 : -n)),
    );
  };
  let product = shift(x, 1);
  for (let reach = 1; reach < shape[last]!; reach *= 2) product = b.multiply(product, shift(product, reach));
  return product;
}

function product(
  b: Builder,
  g: Value,
  x: Value,
  init: Value,
  dimensions: readonly number[],
  needsX: boolean,
  needsInit: boolean,
): Pair {
  const { shape } = tensorTypeOf(x);
  const kept = dimsExcept(shape.length, dimensions);
  const keptShape = kept.map(d => shape[d]!);
  const ofInit = (): Value => {
    const one = b.fill(tensorTypeOf(x).elementType, [], 1);
    return sumAll(b, b.multiply(g, b.reduce('multiply', x, one, dimensions)));
  };
  const ofX = (): Value => {
    const order = [...kept, ...dimensions];
    const rows = b.reshape(transposed(b, x, order), [...keptShape, elementCount(dimensions.map(d => shape[d]!))]); // [kept…, n]
    const others = b.multiply(exclusiveProduct(b, rows, 1), exclusiveProduct(b, rows, -1));
    const back = transposed(
      b,
      b.reshape(
        others,
        order.map(d => shape[d]!),
      ),
      inversePermutation(order),
    ); //           x's shape
    return b.multiply(broadcastBack(b, b.multiply(g, b.broadcastInDim(init, [], keptShape)), shape, dimensions), back);
  };
  return [needsX ? ofX() : undefined, needsInit ? ofInit() : undefined];
}

const reduceRule: GradientRule<'reduce'> = ({ builder: b, op, cotangents, needs, refuse }) => {
  const n = cotangents.length;
  const { dimensions } = op.attributes;
  const pairs = reductionOperands(op.operands).map(({ input: x, init }, i): Pair => {
    const [g, z] = [cotangents[i], op.results[i]!];
    const wide = (value: Value): Value => b.convert(value, tensorTypeOf(z).elementType);
    if (g === undefined) return [undefined, undefined];
    const combiner = combinerOf(op.regions[0], i, n);
    switch (combiner) {
      case 'add':
        return [
          needs(x) ? broadcastBack(b, g, shapeOf(x), dimensions) : undefined,
          needs(init) ? sumAll(b, g) : undefined,
        ];
      case 'maximum':
      case 'minimum':
        return extremum(b, g, wide(x), wide(init), z, dimensions, needs(init));
      case 'multiply':
        return product(b, g, wide(x), wide(init), dimensions, needs(x), needs(init));
      default:
        return refuse('its region is not a plain add, multiply, maximum or minimum');
    }
  });
  return [...pairs.map(pair => pair[0]), ...pairs.map(pair => pair[1])];
};

export const reductionRules = { reduce: reduceRule } satisfies Partial<GradientTable>;
