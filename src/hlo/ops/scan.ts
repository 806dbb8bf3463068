// The row of chlo.scan: iterates along one dim of some inputs, passing carries from step to step, and stacks the outputs of each
// step. Operands are inputs…, inits…; the region maps slices…, carries… to slices of the outputs…, carries….
import type { OpAttributes } from '../attributes.ts';
import type { BaseBuilder } from '../base-builder.ts';
import { inlineRegion } from '../inline.ts';
import { zeros } from '../literal.ts';
import { type OpRow, tensors } from '../op-row.ts';
import { type Region, shapeOf, tensorTypeOf, type Value } from '../program.ts';
import { dynamicDim, formatType, type TensorType, type Type, tensorType } from '../types.ts';
import { boundedType } from './bounds.ts';
import { noCost } from './costs.ts';
import { isStatic } from './operand-checks.ts';
import { type Checker, checkerOf, compatible, dimsAgree } from './shape-checks.ts';

const require: Checker = checkerOf('chlo.scan');

const withoutDim = (type: TensorType, dimension: number): TensorType =>
  boundedType(type, type.shape.toSpliced(dimension, 1), type.bounds?.toSpliced(dimension, 1));

/** The number of steps, if the inputs determine it. */
function stepsOf(inputs: readonly TensorType[], { dimension, scanDimSize }: OpAttributes['chlo.scan']): number {
  let steps = scanDimSize ?? dynamicDim;
  inputs.forEach((type, i) => {
    require(dimension < type.shape.length, 'dimension', () => `${formatType(type)} has no dim ${dimension}`);
    const size = type.shape[dimension]!;
    require(dimsAgree(size, steps), 'scan_dim_size', () =>
      `input ${i} has ${size} slices along dim ${dimension}, not ${steps}`);
    if (size !== dynamicDim) steps = size;
  });
  return steps;
}

function infer(operands: readonly Type[], a: OpAttributes['chlo.scan'], [body]: readonly Region[]): readonly Type[] {
  const types = tensors('chlo.scan', operands);
  const { dimension, inputs: count } = a;
  require(body !== undefined, 'region', () => 'takes a region');
  require(Number.isInteger(dimension) && dimension >= 0, 'dimension', () => `the dim must not be negative`);
  require(count >= 0 && count <= types.length, 'inputs', () => `${count} inputs among ${types.length} operands`);
  const inputs = types.slice(0, count);
  const steps = stepsOf(inputs, a);
  const expected = types.map((type, i) => (i < count ? withoutDim(type, dimension) : type));
  require(body.args.length === expected.length, 'region_args', () =>
    `the region must take ${expected.length} arguments, got ${body.args.length}`);
  body.args.forEach((arg, i) => {
    require(compatible(expected[i]!, arg.type), 'region_args', () =>
      `argument ${i} of the region is ${formatType(arg.type)}, expected ${formatType(expected[i]!)}`);
  });
  const outputs = body.results.length - (types.length - count);
  require(outputs >= 0, 'region_results', () =>
    `the region must return ${types.length - count} carries, got ${body.results.length} values`);
  require(count > 0 || outputs > 0, 'outputs', () => 'there are neither inputs nor outputs');
  return body.results.map(({ type }, i) => {
    require(type.kind === 'tensor', 'region_results', () => `the region returns a ${type.kind}`);
    if (i >= outputs) {
      const carry = body.args[count + i - outputs]!.type;
      require(compatible(type, carry), 'region_results', () =>
        `a carry of ${formatType(carry)} becomes ${formatType(type)}`);
      return type;
    }
    require(dimension <= type.shape.length, 'dimension', () =>
      `slices of ${formatType(type)} cannot be stacked along dim ${dimension}`);
    const stated = a.resultTypes[i];
    const size = steps === dynamicDim && stated?.kind === 'tensor' ? (stated.shape[dimension] ?? steps) : steps;
    return boundedType(type, type.shape.toSpliced(dimension, 0, size), type.bounds?.toSpliced(dimension, 0, undefined));
  });
}

/** The slice of x at a position along a dim, without that dim. */
function sliceAt(b: BaseBuilder, x: Value, dimension: number, position: Value): Value {
  const shape = shapeOf(x);
  const nought = b.fill('i32', [], 0);
  const starts = shape.map((_, d) => (d === dimension ? position : nought));
  const slice = b.emit1('dynamic_slice', [x, ...starts], { sliceSizes: shape.with(dimension, 1) });
  return b.reshape(slice, shape.toSpliced(dimension, 1));
}
function putAt(b: BaseBuilder, into: Value, slice: Value, dimension: number, position: Value): Value {
  const shape = shapeOf(into);
  const nought = b.fill('i32', [], 0);
  const starts = shape.map((_, d) => (d === dimension ? position : nought));
  return b.emit1('dynamic_update_slice', [into, b.reshape(slice, shape.with(dimension, 1)), ...starts], {});
}

export const scanRow: OpRow<'chlo.scan'> = {
  name: 'chlo.scan',
  kind: 'control',
  pure: true,
  isolated: true,
  regionRuns(op) {
    const { dimension, inputs } = op.attributes;
    const [along] = inputs > 0 ? op.operands : op.results;
    return [Math.max((along && shapeOf(along)[dimension]) ?? 1, 1)];
  },
  infer,
  /** A loop over the positions, whose state is the position, the carries, and the outputs so far. */
  decompose(b, op, operands) {
    const { dimension, isReverse, inputs: count } = op.attributes;
    const types = operands.map(tensorTypeOf);
    const [inputs, inits] = [operands.slice(0, count), operands.slice(count)];
    // The body with the sizes of the operands, if its own types are dynamic.
    const body = b.region(
      types.map((type, i) => (i < count ? withoutDim(type, dimension) : type)),
      (inner, args) => inlineRegion(inner, op.regions[0], args),
    );
    const steps = stepsOf(types.slice(0, count), op.attributes);
    const size = steps === dynamicDim ? shapeOf(op.results[0]!)[dimension]! : steps;
    const slices = body.results.slice(0, body.results.length - inits.length).map(tensorTypeOf);
    if (size === dynamicDim || ![...types, ...slices].every(isStatic)) return undefined;
    const outputs = slices.map(type =>
      b.broadcastInDim(b.constant(zeros(tensorType(type.elementType))), [], type.shape.toSpliced(dimension, 0, size)),
    );
    if (size === 0) return [...outputs, ...inits];
    const state = [b.fill('i32', [], 0), ...inits, ...outputs];
    const stateTypes = state.map(v => v.type);
    const goesOn = b.region(stateTypes, (inner, [step]) => [inner.compare('LT', step!, inner.fill('i32', [], size))]);
    const next = b.region(stateTypes, (inner, [step, ...values]) => {
      const [carries, gathered] = [values.slice(0, inits.length), values.slice(inits.length)];
      const position = isReverse ? inner.subtract(inner.fill('i32', [], size - 1), step!) : step!;
      const given = inputs.map(x => sliceAt(inner, x, dimension, position));
      const results = inlineRegion(inner, body, [...given, ...carries]);
      const updated = gathered.map((into, i) => putAt(inner, into, results[i]!, dimension, position));
      return [inner.add(step!, inner.fill('i32', [], 1)), ...results.slice(outputs.length), ...updated];
    });
    const final = b.emit('while', state, {}, [goesOn, next]);
    return [...final.slice(1 + inits.length), ...final.slice(1, 1 + inits.length)];
  },
  // The cost is in the region.
  cost: () => noCost,
};
