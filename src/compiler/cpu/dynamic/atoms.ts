// Ops on a few numbers, computed in locals of the step function: mostly the arithmetic of sizes. A size keeps its name through
// reshapes, concatenations and conversions, so that two tensors that use it are known to have equal shapes.
import { scalar } from '../../../hlo/literal.ts';
import { dispatch, forAll, type PerOp } from '../../../hlo/per-op.ts';
import type { Op, Value } from '../../../hlo/program.ts';
import { shapeOf, tensorTypeOf } from '../../../hlo/program.ts';
import { elementBytes, elementCount, isInteger, stridesOf } from '../../../hlo/types.ts';
import { type ScalarOpName, scalarOpNames } from '../../ir/scalar-op.ts';
import { cLiteral, registerType } from '../c/scalar/c-types.ts';
import { opText } from '../c/scalar/scalar.ts';
import type { NameWith } from './op-forms.ts';
import type { Step } from './step.ts';

/** The elements of an op's result. */
export const atomsOf = (step: Step, op: Op<NameWith<'atoms'>>, numPartitions: number): readonly string[] =>
  dispatch(atoms, op, step, numPartitions);

type Single = Op & { readonly results: readonly [Value] };

const all = ({ results: [v] }: Single, make: (i: number) => string): string[] =>
  Array.from({ length: elementCount(shapeOf(v)) }, (_, i) => make(i));

/** The elements of an operand at other indices. */
function moved(
  step: Step,
  op: Single,
  x: Value,
  source: (index: readonly number[]) => readonly number[],
): readonly string[] {
  const strides = stridesOf(shapeOf(x));
  return indices(shapeOf(op.results[0])).map(index =>
    step.atom(
      x,
      source(index).reduce((n, at, d) => n + at * strides[d]!, 0),
    ),
  );
}

/** A scalar op, element by element; `made` is called for each. */
function computed(
  step: Step,
  op: Op<ScalarOpName>,
  made: (atom: string, operands: readonly string[]) => void,
): string[] {
  const type = registerType(tensorTypeOf(op.results[0]).elementType);
  return all(op, i => {
    const operands = op.operands.map(v => step.atom(v, shapeOf(v).length === 0 ? 0 : i));
    const atom = step.bind(type, opText(op, operands));
    made(atom, operands);
    return atom;
  });
}

function processId(step: Step, op: Single, sign: '/' | '%', numPartitions: number): readonly string[] {
  const { elementType } = tensorTypeOf(op.results[0]);
  return [step.bind(registerType(elementType), `(uint32_t)(rt->rank ${sign} ${numPartitions})`)];
}

const atoms: PerOp<NameWith<'atoms'>, readonly string[], [step: Step, numPartitions: number]> = {
  ...forAll<ScalarOpName, (op: Op<ScalarOpName>, step: Step) => readonly string[]>(scalarOpNames, (op, step) =>
    computed(step, op, () => {}),
  ),
  convert(op, step) {
    const [from, to] = [tensorTypeOf(op.operands[0]).elementType, tensorTypeOf(op.results[0]).elementType];
    return computed(step, op, (atom, [operand]) => {
      const size = operand === undefined ? undefined : step.sizeOfAtom(operand);
      if (size === undefined || !isInteger(to) || elementBytes(to) < 4) return;
      if (typeof size === 'string' && elementBytes(to) < elementBytes(from)) step.bounded(size, 0, 2 ** 31 - 1);
      step.rememberSize(atom, size);
    });
  },
  constant: op => all(op, i => cLiteral(op.attributes.value, i)),
  iota(op) {
    const { elementType, shape } = tensorTypeOf(op.results[0]);
    return indices(shape).map(index => cLiteral(scalar(elementType, index[op.attributes.iotaDimension]!), 0));
  },
  get_dimension_size(op, step) {
    const { elementType } = tensorTypeOf(op.results[0]);
    const [size] = step.known([step.sizes(op.operands[0])[op.attributes.dimension]]);
    if (typeof size === 'number') return [String(size)];
    if (elementBytes(elementType) < 8) step.bounded(size!, 0, 2 ** 31 - 1);
    const atom = step.bind(registerType(elementType), `(${registerType(elementType)})${size}`);
    step.rememberSize(atom, size);
    return [atom];
  },
  reshape: (op, step) => all(op, i => step.atom(op.operands[0], i)),
  broadcast_in_dim(op, step) {
    const { broadcastDimensions } = op.attributes;
    const [x] = op.operands;
    return moved(step, op, x, index => shapeOf(x).map((size, d) => (size === 1 ? 0 : index[broadcastDimensions[d]!]!)));
  },
  transpose(op, step) {
    const [x] = op.operands;
    return moved(step, op, x, index => shapeOf(x).map((_, d) => index[op.attributes.permutation.indexOf(d)]!));
  },
  slice(op, step) {
    const { startIndices, strides } = op.attributes;
    return moved(step, op, op.operands[0], index => index.map((at, d) => startIndices[d]! + at * strides[d]!));
  },
  concatenate(op, step) {
    const { dimension } = op.attributes;
    return indices(shapeOf(op.results[0])).map(index => {
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
  },
  replica_id: (op, step, numPartitions) => processId(step, op, '/', numPartitions),
  partition_id: (op, step, numPartitions) => processId(step, op, '%', numPartitions),
};

/** Every index of a shape, in row-major order. */
function indices(shape: readonly number[]): number[][] {
  return shape.reduce<number[][]>(
    (list, size) => list.flatMap(index => Array.from({ length: size }, (_, i) => [...index, i])),
    [[]],
  );
}
