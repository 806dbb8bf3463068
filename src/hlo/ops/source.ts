// Rows of the ops without tensor operands: constants, iota, and the ids of the running process.
import { literal, scalar } from '../literal.ts';
import { check, type Rows, tensors } from '../op-row.ts';
import { elementCount, formatType, stridesOf, tensorType } from '../types.ts';
import { convertLiteral } from './convert.ts';
import { noCost, streaming } from './costs.ts';

const idType = tensorType('ui32');

export const sourceRows: Rows<'constant' | 'iota' | 'partition_id' | 'replica_id'> = {
  constant: {
    name: 'constant',
    kind: 'source',
    pure: true,
    infer(operands, { value }) {
      tensors('constant', operands, 0);
      const entries = elementCount(value.type.shape) * (value.type.elementType.startsWith('complex') ? 2 : 1);
      check(
        value.data.length === entries,
        'constant',
        'constant_c1',
        () => `${value.data.length} elements given for ${formatType(value.type)}`,
      );
      return [value.type];
    },
    evaluate: op => [op.attributes.value],
    // A constant lies in memory already.
    cost: () => noCost,
  },
  iota: {
    name: 'iota',
    kind: 'source',
    pure: true,
    infer(operands, { iotaDimension, type }) {
      tensors('iota', operands, 0);
      check(
        Number.isInteger(iotaDimension) && iotaDimension >= 0 && iotaDimension < type.shape.length,
        'iota',
        'iota_c1',
        () => `dimension ${iotaDimension} is not one of ${formatType(type)}`,
      );
      check(type.elementType !== 'i1', 'iota', 'trenio_iota_element_type', () => 'booleans cannot be counted');
      return [type];
    },
    evaluate(op) {
      const { type, iotaDimension } = op.attributes;
      const stride = stridesOf(type.shape)[iotaDimension]!;
      const size = type.shape[iotaDimension]!;
      const values = new Float64Array(elementCount(type.shape));
      for (let i = 0; i < values.length; i++) values[i] = Math.floor(i / stride) % size;
      return [convertLiteral(literal('i64', type.shape, Array.from(values)), type.elementType)];
    },
    cost: op => streaming(op),
  },
  partition_id: {
    name: 'partition_id',
    kind: 'source',
    pure: true,
    infer: () => [idType],
    evaluate: (_op, _operands, context) => [scalar('ui32', context.partitionId)],
    cost: () => noCost,
  },
  replica_id: {
    name: 'replica_id',
    kind: 'source',
    pure: true,
    infer: () => [idType],
    evaluate: (_op, _operands, context) => [scalar('ui32', context.replicaId)],
    cost: () => noCost,
  },
};
