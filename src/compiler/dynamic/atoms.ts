// Ops on a few numbers, as locals of the step function: the arithmetic of sizes above all. A size keeps its name through
// reshapes, concatenations and conversions, so that two tensors made with it are seen to have equal shapes.
import { scalar } from '../../hlo/literal.ts';
import type { Op, Value } from '../../hlo/program.ts';
import { shapeOf, tensorTypeOf } from '../../hlo/program.ts';
import { elementBytes, elementCount, isInteger, stridesOf } from '../../hlo/types.ts';
import { cLiteral, registerType } from '../c/scalar/c-types.ts';
import { opText } from '../c/scalar/scalar.ts';
import type { Step } from './step.ts';

/** The elements of an op's result. */
export function atomsOf(step: Step, op: Op, numPartitions: number): readonly string[] {
  const result = op.results[0]!;
  const { elementType, shape } = tensorTypeOf(result);
  const count = elementCount(shape);
  const from = (x: Value, source: (index: readonly number[]) => readonly number[]): string[] => {
    const strides = stridesOf(shapeOf(x));
    return indices(shape).map(index =>
      step.atom(
        x,
        source(index).reduce((n, at, d) => n + at * strides[d]!, 0),
      ),
    );
  };
  const all = (make: (i: number) => string): string[] => Array.from({ length: count }, (_, i) => make(i));
  const [x] = op.operands as readonly [Value];
  switch (op.name) {
    case 'constant':
      return all(i => cLiteral(op.attributes.value, i));
    case 'iota':
      return indices(shape).map(index => cLiteral(scalar(elementType, index[op.attributes.iotaDimension]!), 0));
    case 'get_dimension_size': {
      const [size] = step.known([step.sizes(x)[op.attributes.dimension]]);
      if (typeof size === 'number') return [String(size)];
      if (elementBytes(elementType) < 8) step.bounded(size!, 0, 2 ** 31 - 1);
      const atom = step.bind(registerType(elementType), `(${registerType(elementType)})${size}`);
      step.rememberSize(atom, size);
      return [atom];
    }
    case 'reshape':
      return all(i => step.atom(x, i));
    case 'broadcast_in_dim': {
      const { broadcastDimensions } = op.attributes;
      return from(x, index => shapeOf(x).map((size, d) => (size === 1 ? 0 : index[broadcastDimensions[d]!]!)));
    }
    case 'transpose':
      return from(x, index => shapeOf(x).map((_, d) => index[op.attributes.permutation.indexOf(d)]!));
    case 'slice': {
      const { startIndices, strides } = op.attributes;
      return from(x, index => index.map((at, d) => startIndices[d]! + at * strides[d]!));
    }
    case 'concatenate': {
      const { dimension } = op.attributes;
      return indices(shape).map(index => {
        let at = index[dimension]!;
        const part = op.operands.find(v => {
          const size = shapeOf(v)[dimension]!;
          if (at < size) return true;
          at -= size;
          return false;
        })!;
        const strides = stridesOf(shapeOf(part));
        return step.atom(
          part,
          index.reduce((n, i, d) => n + (d === dimension ? at : i) * strides[d]!, 0),
        );
      });
    }
    case 'replica_id':
    case 'partition_id': {
      const sign = op.name === 'replica_id' ? '/' : '%';
      return [step.bind(registerType(elementType), `(uint32_t)(rt->rank ${sign} ${numPartitions})`)];
    }
    default:
      return all(i => {
        const operands = op.operands.map(v => step.atom(v, shapeOf(v).length === 0 ? 0 : i));
        const atom = step.bind(registerType(elementType), opText(op, operands));
        const size = op.name === 'convert' ? step.sizeOfAtom(operands[0]!) : undefined;
        if (size !== undefined && isInteger(elementType) && elementBytes(elementType) >= 4) {
          if (typeof size === 'string' && elementBytes(elementType) < elementBytes(tensorTypeOf(x).elementType))
            step.bounded(size, 0, 2 ** 31 - 1);
          step.rememberSize(atom, size);
        }
        return atom;
      });
  }
}

/** Every index of a shape, in row-major order. */
function indices(shape: readonly number[]): number[][] {
  return shape.reduce<number[][]>(
    (list, size) => list.flatMap(index => Array.from({ length: size }, (_, i) => [...index, i])),
    [[]],
  );
}
