// Rows of the CHLO ops that broadcast their operands to one shape: broadcast_in_dim if needed, then the op.
import type { ChloBroadcastName, OpName } from '../attributes.ts';
import type { BaseBuilder } from '../base-builder.ts';
import { type OpRow, type Rows, tensors } from '../op-row.ts';
import { type OpOf, type TensorValue, tensorTypeOf, type Value } from '../program.ts';
import { formatType, type TensorType, tensorType } from '../types.ts';
import { complexType } from './complex.ts';
import { countOf, streaming } from './costs.ts';
import { broadcastOperands, broadcastType } from './numpy-broadcast.ts';
import { anyElement, checkElements, type ElementKind, isStatic } from './operand-checks.ts';
import { type Checker, checkerOf, compatibleElements } from './shape-checks.ts';

/** The common shape of operands of known shapes. */
const commonShape = (
  require: Checker,
  operands: readonly [Value, ...Value[]],
  explicit?: readonly number[],
): readonly number[] => broadcastType(require, operands.map(tensorTypeOf), tensorTypeOf(operands[0]), explicit).shape;
const isKnown = (operands: readonly Value[]): boolean => operands.every(x => isStatic(tensorTypeOf(x)));

function checkBinary(require: Checker, types: readonly TensorType[], kinds: readonly ElementKind[]): void {
  checkElements(require, 'elements', types, kinds);
  require(compatibleElements(types[0]!, types[1]!), 'element_types', () =>
    `operands must have one element type, got ${types.map(formatType).join(' and ')}`);
}

interface Broadcast {
  readonly inner: OpName;
  readonly kinds?: readonly ElementKind[];
}
const bitwise: readonly ElementKind[] = ['boolean', 'signed', 'unsigned'];
const broadcasts: { readonly [N in ChloBroadcastName]: Broadcast } = {
  'chlo.broadcast_add': { inner: 'add' },
  'chlo.broadcast_and': { inner: 'and', kinds: bitwise },
  'chlo.broadcast_atan2': { inner: 'atan2' },
  'chlo.broadcast_complex': { inner: 'complex', kinds: ['float'] },
  'chlo.broadcast_divide': { inner: 'divide' },
  'chlo.broadcast_maximum': { inner: 'maximum' },
  'chlo.broadcast_minimum': { inner: 'minimum' },
  'chlo.broadcast_multiply': { inner: 'multiply' },
  'chlo.broadcast_next_after': { inner: 'chlo.next_after' },
  'chlo.broadcast_or': { inner: 'or', kinds: bitwise },
  'chlo.broadcast_polygamma': { inner: 'chlo.polygamma' },
  'chlo.broadcast_power': { inner: 'power' },
  'chlo.broadcast_remainder': { inner: 'remainder' },
  'chlo.broadcast_shift_left': { inner: 'shift_left' },
  'chlo.broadcast_shift_right_arithmetic': { inner: 'shift_right_arithmetic' },
  'chlo.broadcast_shift_right_logical': { inner: 'shift_right_logical' },
  'chlo.broadcast_subtract': { inner: 'subtract' },
  'chlo.broadcast_xor': { inner: 'xor', kinds: bitwise },
  'chlo.broadcast_zeta': { inner: 'chlo.zeta', kinds: ['float'] },
};

/** The op on dequantized operands; the result is quantized to the declared type. */
function onExpressed(
  b: BaseBuilder,
  op: OpOf<ChloBroadcastName>,
  inner: OpName,
  operands: readonly Value[],
  shape: readonly number[],
): TensorValue {
  const real = operands.map(x => b.emit1('uniform_dequantize', [x], {}));
  const type: TensorType = { ...tensorTypeOf(op.results[0]), shape };
  return b.emit1('uniform_quantize', [b.emit1(inner, real, {} as never)], { type });
}

function binaryRow<N extends ChloBroadcastName>(name: N): OpRow<N> {
  const { inner, kinds = anyElement } = broadcasts[name];
  const require: Checker = checkerOf(name);
  return {
    name,
    kind: 'elementwise',
    pure: true,
    infer(operands, { broadcastDimensions }) {
      const types = tensors(name, operands);
      checkBinary(require, types, kinds);
      const [first] = types as [TensorType];
      if (inner !== 'complex') return [broadcastType(require, types, first, broadcastDimensions)];
      require(first.elementType === 'f32' || first.elementType === 'f64', 'parts', () =>
        `the parts must be f32 or f64, got ${formatType(first)}`);
      return [broadcastType(require, types, tensorType(complexType(first.elementType)), broadcastDimensions)];
    },
    decompose(b, op, operands) {
      if (!isKnown(operands)) return undefined;
      const { broadcastDimensions } = op.attributes;
      const shape = commonShape(require, operands, broadcastDimensions);
      const spread = broadcastOperands(b, operands, shape, broadcastDimensions);
      if (tensorTypeOf(operands[0]).quantization !== undefined) return [onExpressed(b, op, inner, spread, shape)];
      return [b.emit1(inner, spread, {} as never)];
    },
    cost: op => streaming(op, countOf(op.results[0].type)),
  };
}

const compareChecks: Checker = checkerOf('chlo.broadcast_compare');
const compareRow: OpRow<'chlo.broadcast_compare'> = {
  name: 'chlo.broadcast_compare',
  kind: 'elementwise',
  pure: true,
  infer(operands, { broadcastDimensions }) {
    const types = tensors('chlo.broadcast_compare', operands);
    checkBinary(compareChecks, types, anyElement);
    return [broadcastType(compareChecks, types, tensorType('i1'), broadcastDimensions)];
  },
  decompose(b, op, operands) {
    if (!isKnown(operands)) return undefined;
    const { broadcastDimensions, ...attributes } = op.attributes;
    const shape = commonShape(compareChecks, operands, broadcastDimensions);
    return b.emit('compare', broadcastOperands(b, operands, shape, broadcastDimensions), attributes);
  },
  cost: op => streaming(op, countOf(op.results[0].type)),
};

const selectChecks: Checker = checkerOf('chlo.broadcast_select');
const selectRow: OpRow<'chlo.broadcast_select'> = {
  name: 'chlo.broadcast_select',
  kind: 'elementwise',
  pure: true,
  infer(operands) {
    const types = tensors('chlo.broadcast_select', operands);
    const [predicate, onTrue, onFalse] = types;
    checkElements(selectChecks, 'predicate', [predicate], ['boolean']);
    checkBinary(selectChecks, [onTrue, onFalse], anyElement);
    return [broadcastType(selectChecks, types, onTrue)];
  },
  decompose(b, _op, operands) {
    if (!isKnown(operands)) return undefined;
    return b.emit('select', broadcastOperands(b, operands, commonShape(selectChecks, operands)), {});
  },
  cost: op => streaming(op, countOf(op.results[0].type)),
};

export const chloBroadcastRows = {
  ...(Object.fromEntries(
    (Object.keys(broadcasts) as ChloBroadcastName[]).map(name => [name, binaryRow(name)]),
  ) as unknown as Rows<ChloBroadcastName>),
  'chlo.broadcast_compare': compareRow,
  'chlo.broadcast_select': selectRow,
} satisfies Rows<ChloBroadcastName | 'chlo.broadcast_compare' | 'chlo.broadcast_select'>;
