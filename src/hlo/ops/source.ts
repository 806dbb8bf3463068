// Rows of the ops without tensor operands: constants, iota, and the ids of the running process.
import { scalar, zeros } from '../literal.ts';
import { check, type Rows, tensors } from '../op-row.ts';
import { dynamicDim, elementCount, formatType, stridesOf, type TensorType, tensorType } from '../types.ts';
import { convertLiteral } from './convert.ts';
import { noCost, streaming } from './costs.ts';
import { checkElements } from './operand-checks.ts';
import { type Checker, checkerOf, compatibleElements } from './shape-checks.ts';

const iotaChecks: Checker = checkerOf('iota');
const idType = tensorType('ui32');

export const sourceRows: Rows<'constant' | 'iota' | 'partition_id' | 'replica_id'> = {
  constant: {
    name: 'constant',
    kind: 'source',
    pure: true,
    literal: op => op.attributes.value,
    infer(operands, { value }) {
      tensors('constant', operands);
      check(
        !value.type.shape.includes(dynamicDim),
        'constant',
        'constant_i1',
        () => `a literal must have a static shape, got ${formatType(value.type)}`,
      );
      const entries = elementCount(value.type.shape) * (value.type.elementType.startsWith('complex') ? 2 : 1);
      check(
        value.data.length === entries,
        'constant',
        'constant_c1',
        () => `${value.data.length} elements given for ${formatType(value.type)}`,
      );
      return [value.type];
    },
    stated: 'elements',
    /** The literal of a quantized constant may be given in its storage type. */
    verify({ attributes: { value }, results }) {
      const type = results[0].type as TensorType;
      check(
        compatibleElements(value.type, type) ||
          (value.type.elementType === type.elementType && value.type.quantization === undefined),
        'constant',
        'constant_c1',
        () => `${formatType(value.type)} is declared as ${formatType(type)}`,
      );
    },
    evaluate: op => [op.attributes.value],
    // A constant is already in memory.
    cost: () => noCost,
  },
  iota: {
    name: 'iota',
    kind: 'source',
    pure: true,
    infer(operands, { iotaDimension, type }) {
      tensors('iota', operands);
      check(
        Number.isInteger(iotaDimension) && iotaDimension >= 0 && iotaDimension < type.shape.length,
        'iota',
        'iota_c1',
        () => `dimension ${iotaDimension} is not one of ${formatType(type)}`,
      );
      checkElements(iotaChecks, 'output', [type], ['signed', 'unsigned', 'float', 'complex', 'quantized']);
      iotaChecks(!type.shape.includes(dynamicDim), 'output', () => `expected a static shape, got ${formatType(type)}`);
      return [type];
    },
    evaluate(op) {
      const { type, iotaDimension } = op.attributes;
      const stride = stridesOf(type.shape)[iotaDimension]!;
      const size = type.shape[iotaDimension]!;
      const counted = zeros(tensorType('i32', type.shape));
      for (let i = 0; i < counted.data.length; i++) counted.data[i] = Math.floor(i / stride) % size;
      return [convertLiteral(counted, type.elementType)];
    },
    cost: op => streaming(op),
  },
  partition_id: {
    name: 'partition_id',
    kind: 'source',
    pure: true,
    infer(operands) {
      tensors('partition_id', operands);
      return [idType];
    },
    evaluate: (_op, _operands, context) => [scalar('ui32', context.partitionId)],
    cost: () => noCost,
  },
  replica_id: {
    name: 'replica_id',
    kind: 'source',
    pure: true,
    infer(operands) {
      tensors('replica_id', operands);
      return [idType];
    },
    evaluate: (_op, _operands, context) => [scalar('ui32', context.replicaId)],
    cost: () => noCost,
  },
};
