// The row of map: applies a region to one element of each input after another.
//
//   map(x, y) { (a, b) → a · b + 1 }   is   x · y + broadcast(1)      where the region is elementwise throughout
import { binaryNames, chloBinaryNames, chloUnaryNames, type OpName, unaryNames } from '../attributes.ts';
import type { BaseBuilder } from '../base-builder.ts';
import { type Literal, zeros } from '../literal.ts';
import { type Rows, tensors } from '../op-row.ts';
import { type Region, shapeOf, tensorTypeOf, type Value } from '../program.ts';
import { elementCount, formatType, type TensorType, type Type, tensorType } from '../types.ts';
import { countOf, regionOps, streaming } from './costs.ts';
import { put, take } from './indices.ts';
import { anyElement, checkElements, isStatic } from './operand-checks.ts';
import { type Checker, checkerOf, list, mergeShapes, shapesAgree } from './shape-checks.ts';

const require: Checker = checkerOf('map');

/** Ops of scalars that are the same ops of tensors, with the same attributes. */
const elementwise: ReadonlySet<OpName> = new Set<OpName>([
  ...unaryNames,
  ...binaryNames,
  ...chloUnaryNames,
  ...chloBinaryNames,
  'clamp',
  'compare',
  'complex',
  'convert',
  'imag',
  'is_finite',
  'real',
  'reduce_precision',
  'select',
]);

/** The region with whole tensors of a shape for its scalars; undefined if it contains other ops. */
function lifted(b: BaseBuilder, region: Region, inputs: readonly Value[], shape: readonly number[]): Value | undefined {
  const tensorOf = new Map<Value, Value>(region.args.map((arg, i) => [arg, inputs[i]!]));
  const get = (scalar: Value): Value => {
    const known = tensorOf.get(scalar);
    if (known !== undefined) return known;
    // A captured value is the same for all elements.
    const spread = b.broadcastInDim(scalar, [], shape);
    tensorOf.set(scalar, spread);
    return spread;
  };
  for (const op of region.ops) {
    if (op.name === 'constant') {
      tensorOf.set(op.results[0], b.broadcastInDim(b.constant(op.attributes.value), [], shape));
      continue;
    }
    if (!elementwise.has(op.name)) return undefined;
    b.emit(op.name, op.operands.map(get), op.attributes as never).forEach((result, i) => {
      tensorOf.set(op.results[i]!, result);
    });
  }
  return get(region.results[0]!);
}

/** Checks the region, (E0, E1, …) -> (E') over scalars; returns the type of its result. */
function checkComputation({ args, results }: Region, inputs: readonly TensorType[]): TensorType {
  require(args.length === inputs.length, 4, () => `${inputs.length} inputs, but the region takes ${args.length}`);
  const isScalar = (type: Type): type is TensorType => type.kind === 'tensor' && type.shape.length === 0;
  args.forEach(({ type }, i) => {
    require(isScalar(type) && type.elementType === inputs[i]!.elementType, 4, () =>
      `argument ${i} of the region must be a ${inputs[i]!.elementType} scalar, got ${formatType(type)}`);
  });
  const type = results[0]?.type;
  require(results.length === 1 && type !== undefined && isScalar(type), 4, () =>
    `the region must return one scalar, got (${results.map(r => formatType(r.type)).join(', ')})`);
  return type;
}

export const mapRows: Rows<'map'> = {
  map: {
    name: 'map',
    kind: 'opaque',
    pure: true,
    infer(operands, { dimensions }, regions) {
      const inputs = tensors('map', operands);
      checkElements(require, 'element_type', inputs, anyElement);
      const first = inputs[0];
      require(inputs.every(t => shapesAgree(t.shape, first.shape)), 1, () =>
        `inputs must have one shape, got ${inputs.map(formatType).join(', ')}`);
      require(dimensions.length === first.shape.length && dimensions.every((d, i) => d === i), 3, () =>
        `dimensions must be all of ${formatType(first)}, in order; got ${list(dimensions)}`);
      const result = checkComputation(regions[0], inputs);
      return [{ ...result, shape: mergeShapes(inputs.map(t => t.shape)) }];
    },
    evaluate(op, inputs, context) {
      const region = op.regions[0];
      const { shape } = inputs[0].type;
      const out = zeros({ ...(region.results[0]!.type as TensorType), shape });
      for (let i = 0; i < elementCount(shape); i++) {
        const scalars = inputs.map((x): Literal => take(tensorType(x.type.elementType), x, [i]));
        put(out, context.region(region, scalars)[0]!, [i]);
      }
      return [out];
    },
    decompose(b, op, inputs) {
      if (!isStatic(tensorTypeOf(inputs[0]))) return undefined;
      const result = lifted(b, op.regions[0], inputs, shapeOf(inputs[0]));
      return result && [result];
    },
    cost: op => streaming(op, countOf(op.results[0].type) * regionOps(op.regions[0])),
  },
};
