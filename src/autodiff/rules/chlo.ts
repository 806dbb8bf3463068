// Gradient rules of CHLO ops with a closed-form derivative, or with none; the others are differentiated through
// their decompositions (derived.ts). As in elementwise.ts: g is the cotangent of the result y, x the operand.
import type { ChloUnaryName } from '../../hlo/attributes.ts';
import type { Builder } from '../../hlo/builder.ts';
import { inlineRegion } from '../../hlo/inline.ts';
import { isComplex } from '../../hlo/ops/element-data.ts';
import { conjugated } from '../../hlo/ops/matrices.ts';
import { Formula } from '../../hlo/ops/special-functions/formula.ts';
import { shapeOf, tensorTypeOf, type Value } from '../../hlo/program.ts';
import { isFloat, tensorType } from '../../hlo/types.ts';
import { zerosLike } from '../constants.ts';
import { type GradientRule, type GradientTable, refuse, type Seed, zero } from '../rule.ts';

type Unary = (f: Formula, g: Value, x: Value, y: Value, b: Builder) => Value;
const unary =
  (derive: Unary): GradientRule<ChloUnaryName> =>
  ({ builder, op, cotangents: [g] }) => {
    const [x] = op.operands;
    return [derive(new Formula(builder, x), g, x, op.results[0], builder)];
  };

/** √(x² - 1), on the branch of acosh for complex numbers; a number outside its domain, too, as in PyTorch. */
function hyperbolicSine(f: Formula, x: Value): Value {
  const [low, high] = [f.subtract(x, 1), f.add(x, 1)];
  return isComplex(f.elementType) ? f.multiply(f.sqrt(low), f.sqrt(high)) : f.sqrt(f.multiply(low, high));
}
/** √(1 - x²) */
const cosineOf = (f: Formula, x: Value): Value => f.sqrt(f.multiply(f.subtract(1, x), f.add(1, x)));

const unaryRules = {
  'chlo.acos': unary((f, g, x) => f.negate(f.divide(g, cosineOf(f, x)))),
  'chlo.acosh': unary((f, g, x) => f.divide(g, hyperbolicSine(f, x))),
  'chlo.asin': unary((f, g, x) => f.divide(g, cosineOf(f, x))),
  'chlo.asinh': unary((f, g, x) => f.divide(g, f.sqrt(f.add(1, f.square(x))))),
  'chlo.atan': unary((f, g, x) => f.divide(g, f.add(1, f.square(x)))),
  'chlo.atanh': unary((f, g, x) => f.divide(g, f.multiply(f.subtract(1, x), f.add(1, x)))),
  'chlo.conj': unary((_f, g, _x, _y, b) => conjugated(b, g)),
  'chlo.cosh': unary((f, g, x, _y, b) => f.multiply(g, b.emit1('chlo.sinh', [x], {}))),
  'chlo.digamma': unary((f, g, x, _y, b) => f.multiply(g, b.emit1('chlo.polygamma', [f.value(1), x], {}))),
  'chlo.erf_inv': unary((f, g, _x, y) => f.multiply(g, f.multiply(Math.sqrt(Math.PI) / 2, f.exp(f.square(y))))),
  'chlo.erfc': unary((f, g, x) => f.multiply(g, f.multiply(-2 / Math.sqrt(Math.PI), f.exp(f.negate(f.square(x)))))),
  'chlo.is_inf': zero('returns booleans'),
  'chlo.is_neg_inf': zero('returns booleans'),
  'chlo.is_pos_inf': zero('returns booleans'),
  // minus infinity at 0, and infinity at -0, as in PyTorch
  'chlo.lgamma': unary((f, g, x, _y, b) =>
    f.multiply(g, f.select(f.compare('EQ', x, 0), f.divide(-1, x), b.emit1('chlo.digamma', [x], {}))),
  ),
  'chlo.sinh': unary((f, g, x, _y, b) => f.multiply(g, b.emit1('chlo.cosh', [x], {}))),
  'chlo.square': unary((f, g, x) => f.multiply(g, f.multiply(2, x))),
  'chlo.tan': unary((f, g, _x, y) => f.multiply(g, f.add(1, f.square(y)))),
  'chlo._asin_acos_kernel': refuse('complex numbers are not supported by this gradient rule yet'),
} satisfies Partial<GradientTable>;

const polygammaRule: GradientRule<'chlo.polygamma'> = ({ builder: b, op, cotangents: [g], needs, refuse: no }) => {
  const [n, x] = op.operands;
  if (needs(n)) return no('its order is an integer');
  return [undefined, b.multiply(g, b.emit1('chlo.polygamma', [b.add(n, b.like(n, 1)), x], {}))];
};
const zetaRule: GradientRule<'chlo.zeta'> = ({ builder: b, op, cotangents: [g], needs, refuse: no }) => {
  const [x, q] = op.operands;
  if (needs(x)) return no('its slope along the exponent has no closed form');
  const slope = b.multiply(b.negate(x), b.emit1('chlo.zeta', [b.add(x, b.like(x, 1)), q], {}));
  return [undefined, b.multiply(g, slope)];
};

const hasSlope = (v: Value): boolean => isFloat(tensorTypeOf(v).elementType);

/**
 * Reverse mode over the steps, from last to first. The scan is recomputed to obtain the carries before each step;
 * a scan in the other direction takes these, the inputs and the cotangents of the outputs, carries the cotangents of the carries,
 * and returns the cotangents of the inputs.
 */
const scanRule: GradientRule<'chlo.scan'> = ({ builder: b, op, cotangents, backpropagate }) => {
  const { dimension, inputs: count, isReverse } = op.attributes;
  const [body] = op.regions;
  const [inputs, inits] = [op.operands.slice(0, count), op.operands.slice(count)];
  const outputs = op.results.length - inits.length;
  const argTypes = body.args.map(arg => arg.type);
  const [size] = [...inputs, ...op.results].map(v => tensorTypeOf(v).shape[dimension]!);

  // All scanned values are stacked along the same dim, so they need that number of dims before it.
  const stackable = (shape: readonly number[]): readonly number[] => [
    ...new Array<number>(Math.max(dimension - shape.length, 0)).fill(1),
    ...shape,
  ];
  const recording = b.region(argTypes, (inner, args) => {
    const results = inlineRegion(inner, body, args);
    const before = args.slice(count).map(v => inner.reshape(v, stackable(shapeOf(v))));
    return [...results.slice(0, outputs), ...before, ...results.slice(outputs)];
  });
  const carrySlices = inits.map(v => tensorType(tensorTypeOf(v).elementType, stackable(shapeOf(v))));
  const stacked = carrySlices.map(t => tensorType(t.elementType, t.shape.toSpliced(dimension, 0, size!)));
  const types = op.results.map(v => v.type);
  const resultTypes = [...types.slice(0, outputs), ...stacked, ...types.slice(outputs)];
  const recorded = b.emit('chlo.scan', op.operands, { ...op.attributes, resultTypes }, [recording]);
  const carriesBefore = recorded.slice(outputs, outputs + inits.length);

  // Positions of the differentiable values among the outputs that are used, the inputs and the carries.
  const given = op.results.slice(0, outputs).flatMap((_, i) => (cotangents[i] === undefined ? [] : [i]));
  const sloped = (values: readonly Value[]): readonly number[] => values.flatMap((v, i) => (hasSlope(v) ? [i] : []));
  const [wanted, carried] = [sloped(inputs), sloped(inits)];
  const backInputs = [...inputs, ...carriesBefore, ...given.map(i => cotangents[i]!)];
  const backInits = carried.map(i => cotangents[outputs + i] ?? zerosLike(b, inits[i]!));
  const slicesOfOutputs = given.map(i => body.results[i]!.type);
  const carryTypes = carried.map(i => argTypes[count + i]!);
  const backTypes = [...argTypes.slice(0, count), ...carrySlices, ...slicesOfOutputs, ...carryTypes];
  const backwards = b.region(backTypes, (inner, args) => {
    const carries = inits.map((v, i) => inner.reshape(args[count + i]!, shapeOf(v)));
    const forward = [...args.slice(0, count), ...carries];
    const first = inner.ops.length;
    const results = inlineRegion(inner, body, forward);
    const incoming = args.slice(argTypes.length);
    const seeds = [...given, ...carried.map(i => outputs + i)].map((at, i): Seed => [results[at]!, incoming[i]!]);
    const targets = [...wanted, ...carried.map(i => count + i)].map(i => forward[i]!);
    const found = backpropagate(inner, inner.ops.slice(first), seeds, targets);
    return found.map((g, i) => g ?? zerosLike(inner, targets[i]!));
  });
  const back = b.emit(
    'chlo.scan',
    [...backInputs, ...backInits],
    {
      dimension,
      isReverse: !isReverse,
      inputs: backInputs.length,
      resultTypes: [...wanted.map(i => inputs[i]!.type), ...carryTypes],
      ...(size === undefined ? {} : { scanDimSize: size }),
    },
    [backwards],
  );
  const gradients: (Value | undefined)[] = op.operands.map(() => undefined);
  [...wanted, ...carried.map(i => count + i)].forEach((at, i) => {
    gradients[at] = back[i];
  });
  return gradients;
};

export const chloRules = {
  ...unaryRules,
  'chlo.polygamma': polygammaRule,
  'chlo.zeta': zetaRule,
  // x moves by one unit in its last place; y only determines the direction.
  'chlo.next_after': ({ cotangents: [g] }) => [g, undefined],
  'chlo.mulhi': zero('takes integers'),
  'chlo.broadcast_and': zero('takes integers or booleans'),
  'chlo.broadcast_or': zero('takes integers or booleans'),
  'chlo.broadcast_xor': zero('takes integers or booleans'),
  'chlo.broadcast_shift_left': zero('takes integers'),
  'chlo.broadcast_shift_right_arithmetic': zero('takes integers'),
  'chlo.broadcast_shift_right_logical': zero('takes integers'),
  'chlo.broadcast_compare': zero('returns booleans'),
  'chlo.broadcast_complex': refuse('complex numbers are not supported by this gradient rule yet'),
  'chlo.constant': zero('a constant'),
  'chlo.constant_like': zero('a constant'),
  'chlo.scan': scanRule,
} satisfies Partial<GradientTable>;
