// Samples of CHLO.
import { type ChloUnaryName, chloBroadcastNames, chloUnaryNames } from './attributes.ts';
import { literal, scalar } from './literal.ts';
import type { Add } from './op-sample.testing.ts';
import { sampleLiteral } from './sample-literal.testing.ts';
import { elementCount, tensorType } from './types.ts';

/** Where a function is defined, if not everywhere. */
const domains: { readonly [N in ChloUnaryName]?: readonly [low: number, high: number] } = {
  'chlo.acos': [-0.95, 0.95],
  'chlo.acosh': [1.1, 3],
  'chlo.asin': [-0.95, 0.95],
  'chlo.atanh': [-0.95, 0.95],
  'chlo.digamma': [0.3, 4],
  'chlo.erf_inv': [-0.95, 0.95],
  'chlo.lgamma': [0.3, 4],
  'chlo.tan': [-1, 1],
};
const realOnly: ReadonlySet<ChloUnaryName> = new Set([
  'chlo.bessel_i1e',
  'chlo.digamma',
  'chlo.erf_inv',
  'chlo.erfc',
  'chlo.is_inf',
  'chlo.is_neg_inf',
  'chlo.is_pos_inf',
  'chlo.lgamma',
]);

function between(low: number, high: number, shape: readonly number[], elementType: 'f32' | 'bf16' = 'f32') {
  const count = elementCount(shape);
  return literal(
    elementType,
    shape,
    Array.from({ length: count }, (_, i) => low + ((high - low) * ((i * 7) % count)) / count),
  );
}

export function addChlo(add: Add): void {
  addUnary(add);
  addBinary(add);
  addBroadcasts(add);
  addScan(add);
  addRaggedDot(add);
  const x = sampleLiteral('f32', [3, 5]);
  add('chlo.constant', '', [], b => b.emit1('chlo.constant', [], { value: x }));
  add('chlo.constant_like', '', [x], (b, [a]) => b.emit1('chlo.constant_like', [a!], { value: scalar('i32', 7) }));
  add('chlo.top_k', '', [literal('f32', [2, 4], [1, NaN, 3, 3, -0, 0, -Infinity, -1])], (b, [a]) =>
    b.emit('chlo.top_k', [a!], { k: 3 }),
  );
  add('chlo.top_k', 'integers', [sampleLiteral('ui8', [3, 5])], (b, [a]) => b.emit('chlo.top_k', [a!], { k: 5 }));
}

function addUnary(add: Add): void {
  const z = sampleLiteral('complex<f32>', [3, 5]);
  for (const name of chloUnaryNames) {
    if (name !== 'chlo._asin_acos_kernel') {
      const [low, high] = domains[name] ?? [-2, 2];
      add(name, '', [between(low, high, [3, 5])], (b, [a]) => b.emit1(name, [a!], {}));
      add(name, 'bf16', [between(low, high, [3, 5], 'bf16')], (b, [a]) => b.emit1(name, [a!], {}));
    }
    if (!realOnly.has(name)) add(name, 'complex', [z], (b, [a]) => b.emit1(name, [a!], {}));
  }
}

function addBinary(add: Add): void {
  for (const type of ['i4', 'ui8', 'i16', 'i32', 'ui32', 'i64', 'ui64'] as const) {
    const [x, y] = [sampleLiteral(type, [3, 5], 1), sampleLiteral(type, [3, 5], 2)];
    add('chlo.mulhi', type, [x, y], (b, args) => b.emit1('chlo.mulhi', args, {}));
  }
  const [x, y] = [sampleLiteral('f32', [3, 5], 1), sampleLiteral('f32', [3, 5], 2)];
  add('chlo.next_after', '', [x, y], (b, args) => b.emit1('chlo.next_after', args, {}));
  const orders = literal('f32', [4], [0, 1, 2, 3]);
  const points = literal('f32', [4], [0.7, 1.2, 2.5, 3.1]);
  add('chlo.polygamma', '', [orders, points], (b, args) => b.emit1('chlo.polygamma', args, {}));
  add('chlo.zeta', '', [literal('f32', [4], [1.5, 2, 3, 4.5]), points], (b, args) => b.emit1('chlo.zeta', args, {}));
}

function addBroadcasts(add: Add): void {
  const column = between(1.1, 2.9, [3, 1]);
  const row = between(1.2, 3, [5]);
  const bits = [sampleLiteral('i32', [3, 1], 1), sampleLiteral('i32', [5], 2)];
  for (const name of chloBroadcastNames) {
    const onIntegers = /and|or$|xor|shift/.test(name);
    const order = literal('f32', [3, 1], [0, 1, 2]);
    const inputs = onIntegers ? bits : [name === 'chlo.broadcast_polygamma' ? order : column, row];
    add(name, '', inputs, (b, args) => b.emit1(name, args, {}));
  }
  add(
    'chlo.broadcast_subtract',
    'along given dims',
    [literal('f32', [3], [1, 2, 3]), between(0, 1, [3, 5])],
    (b, args) => b.emit1('chlo.broadcast_subtract', args, { broadcastDimensions: [0] }),
  );
  add('chlo.broadcast_compare', '', [column, row], (b, args) =>
    b.emit1('chlo.broadcast_compare', args, { comparisonDirection: 'LT', compareType: 'FLOAT' }),
  );
  add('chlo.broadcast_select', '', [sampleLiteral('i1', [3, 1]), row, column], (b, args) =>
    b.emit1('chlo.broadcast_select', args, {}),
  );
}

function addScan(add: Add): void {
  const x = sampleLiteral('f32', [4, 3]);
  for (const isReverse of [false, true])
    add('chlo.scan', isReverse ? 'reverse' : '', [x, sampleLiteral('f32', [3], 2)], (b, args) => {
      const [whole, slice] = [tensorType('f32', [4, 3]), tensorType('f32', [3])];
      const body = b.region([slice, slice], (inner, [v, carry]) => {
        const sum = inner.add(v!, inner.multiply(carry!, inner.like(carry!, 0.5)));
        return [inner.unary('tanh', sum), sum];
      });
      return b.emit('chlo.scan', args, { dimension: 0, isReverse, inputs: 1, resultTypes: [whole, slice] }, [body]);
    });
}

function addRaggedDot(add: Add): void {
  const sizes = literal('i32', [3], [2, 0, 3]);
  const plain = { lhsBatchingDimensions: [], rhsBatchingDimensions: [], precision: ['DEFAULT', 'DEFAULT'] as const };
  add('chlo.ragged_dot', 'rows', [sampleLiteral('f32', [6, 4]), sampleLiteral('f32', [3, 4, 2]), sizes], (b, args) =>
    b.emit1('chlo.ragged_dot', args, {
      ...plain,
      lhsContractingDimensions: [1],
      rhsContractingDimensions: [1],
      lhsRaggedDimensions: [0],
      rhsGroupDimensions: [0],
    }),
  );
  add('chlo.ragged_dot', 'terms', [sampleLiteral('f32', [4, 6]), sampleLiteral('f32', [6, 2]), sizes], (b, args) =>
    b.emit1('chlo.ragged_dot', args, {
      ...plain,
      lhsContractingDimensions: [1],
      rhsContractingDimensions: [0],
      lhsRaggedDimensions: [1],
      rhsGroupDimensions: [],
    }),
  );
  add(
    'chlo.ragged_dot',
    'batch',
    [sampleLiteral('f32', [5, 2, 3]), sampleLiteral('f32', [5, 3, 4]), sizes],
    (b, args) =>
      b.emit1('chlo.ragged_dot', args, {
        ...plain,
        lhsBatchingDimensions: [0],
        rhsBatchingDimensions: [0],
        lhsContractingDimensions: [2],
        rhsContractingDimensions: [1],
        lhsRaggedDimensions: [0],
        rhsGroupDimensions: [],
      }),
  );
}
