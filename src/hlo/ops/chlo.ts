// Rows of the other ops of CHLO: constants, and top-k.
import { type OpRow, type Rows, tensors } from '../op-row.ts';
import { shapeOf, tensorTypeOf } from '../program.ts';
import { dynamicDim, formatType, isFloat, tensorType } from '../types.ts';
import { boundedType } from './bounds.ts';
import { countOf, noCost, streaming } from './costs.ts';
import { isStatic } from './operand-checks.ts';
import { raggedDotRow } from './ragged-dot.ts';
import { scanRow } from './scan.ts';
import { type Checker, checkerOf } from './shape-checks.ts';

const constantLikeChecks: Checker = checkerOf('chlo.constant_like');
const topKChecks: Checker = checkerOf('chlo.top_k');

const topKRow: OpRow<'chlo.top_k'> = {
  name: 'chlo.top_k',
  kind: 'sort',
  pure: true,
  infer(operands, { k }) {
    const [x] = tensors('chlo.top_k', operands);
    const last = x.shape.length - 1;
    topKChecks(last >= 0, 'rank', () => 'a scalar has no greatest elements');
    topKChecks(Number.isInteger(k) && k >= 0, 'k', () => `k must not be negative, got ${k}`);
    topKChecks(
      x.shape[last] === dynamicDim || x.shape[last]! >= k,
      'k',
      () => `${formatType(x)} has no ${k} elements along its last dim`,
    );
    const shape = x.shape.with(last, k);
    const bounds = x.bounds?.with(last, undefined);
    return [boundedType(x, shape, bounds), boundedType(tensorType('i32'), shape, bounds)];
  },
  /** The elements and their positions, sorted in descending order: NaN first, equal elements in their original order. */
  decompose(b, op, operands) {
    const [x] = operands;
    const { elementType, shape } = tensorTypeOf(x);
    if (shape.includes(dynamicDim)) return undefined;
    const last = shape.length - 1;
    const [element, position] = [tensorType(elementType), tensorType('i32')];
    const falling = b.region([element, element, position, position], (inner, [p, q]) => [
      isFloat(elementType)
        ? inner.emit1('compare', [p!, q!], { comparisonDirection: 'GT', compareType: 'TOTALORDER' })
        : inner.compare('GT', p!, q!),
    ]);
    const pairs = [x, b.iota(tensorType('i32', shape), last)];
    const sorted = b.emit('sort', pairs, { dimension: last, isStable: true }, [falling]);
    const starts = shape.map(() => 0);
    return sorted.map(v => b.slice(v, starts, shape.with(last, op.attributes.k)));
  },
  cost(op) {
    const type = tensorTypeOf(op.operands[0]);
    return streaming(op, countOf(type) * Math.ceil(Math.log2(Math.max(type.shape.at(-1) ?? 1, 2))));
  },
};

export const chloRows: Rows<'chlo.constant' | 'chlo.constant_like' | 'chlo.top_k' | 'chlo.scan' | 'chlo.ragged_dot'> = {
  'chlo.constant': {
    name: 'chlo.constant',
    kind: 'source',
    pure: true,
    infer(operands, { value }) {
      tensors('chlo.constant', operands);
      return [value.type];
    },
    decompose: (b, op) => [b.constant(op.attributes.value)],
    cost: () => noCost,
  },
  'chlo.constant_like': {
    name: 'chlo.constant_like',
    kind: 'source',
    pure: true,
    infer(operands, { value }) {
      const [x] = tensors('chlo.constant_like', operands);
      constantLikeChecks(
        value.type.shape.length === 0,
        'value',
        () => `the value must be a scalar, got ${formatType(value.type)}`,
      );
      return [boundedType(value.type, x.shape, x.bounds)];
    },
    decompose(b, op, [x]) {
      if (!isStatic(tensorTypeOf(x))) return undefined;
      return [b.broadcastInDim(b.constant(op.attributes.value), [], shapeOf(x))];
    },
    cost: op => streaming({ ...op, operands: [] }),
  },
  'chlo.top_k': topKRow,
  'chlo.scan': scanRow,
  'chlo.ragged_dot': raggedDotRow,
};
