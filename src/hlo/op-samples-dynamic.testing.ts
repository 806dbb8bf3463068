// Samples of ops with sizes as operands, which are constants here, so that every backend supports them.

import type { Builder } from './builder.ts';
import { literal, scalar } from './literal.ts';
import type { Add } from './op-sample.testing.ts';
import type { Value } from './program.ts';
import { sequenceDimensionNumbers } from './sample-convolution.testing.ts';
import { sampleLiteral } from './sample-literal.testing.ts';
import { tensorType } from './types.ts';

const sizes = (b: Builder, values: readonly number[]): Value => b.constant(literal('i64', [values.length], values));

export function addDynamic(add: Add): void {
  const x = sampleLiteral('f32', [3, 5]);
  add('get_dimension_size', '', [x], (b, args) => b.emit1('get_dimension_size', args, { dimension: 1 }));
  add('set_dimension_size', '', [x], (b, [a]) => {
    const cut = b.emit1('set_dimension_size', [a!, b.fill('i32', [], 2)], { dimension: 0 });
    return b.emit1('tensor.cast', [cut], { type: tensorType('f32', [2, 5]) });
  });
  add('dynamic_broadcast_in_dim', '', [literal('f32', [3, 1], [1, 2, 3])], (b, [a]) =>
    b.emit1('dynamic_broadcast_in_dim', [a!, sizes(b, [3, 2, 4])], {
      broadcastDimensions: [0, 2],
      type: tensorType('f32', [3, 2, 4]),
    }),
  );
  add('dynamic_iota', '', [], b =>
    b.emit1('dynamic_iota', [sizes(b, [3, 4])], { iotaDimension: 1, type: tensorType('f32', [3, 4]) }),
  );
  add('dynamic_reshape', '', [x], (b, [a]) =>
    b.emit1('dynamic_reshape', [a!, sizes(b, [5, 3])], { type: tensorType('f32', [5, 3]) }),
  );
  add('dynamic_pad', '', [x, scalar('f32', -1)], (b, [a, v]) =>
    b.emit1('dynamic_pad', [a!, v!, sizes(b, [1, -1]), sizes(b, [0, 2]), sizes(b, [2, 1])], {
      type: tensorType('f32', [8, 10]),
    }),
  );
  add('real_dynamic_slice', '', [x], (b, [a]) =>
    b.emit1('real_dynamic_slice', [a!, sizes(b, [0, 1]), sizes(b, [3, 5]), sizes(b, [2, 1])], {
      type: tensorType('f32', [2, 4]),
    }),
  );
  add('real_dynamic_slice', 'starts are values', [x, literal('i32', [2], [1, 2])], (b, [a, at]) => {
    const extent = b.constant(literal('i32', [2], [2, 2]));
    const steps = b.constant(literal('i32', [2], [1, 1]));
    return b.emit1('real_dynamic_slice', [a!, at!, b.add(at!, extent), steps], { type: tensorType('f32', [2, 2]) });
  });
  add('dynamic_gather', '', [sampleLiteral('f32', [6, 4]), literal('i32', [2, 3], [0, 5, 2, 2, 1, 4])], (b, [t, i]) =>
    b.emit1('dynamic_gather', [t!, i!, sizes(b, [1, 4])], {
      dimensionNumbers: {
        offsetDims: [2],
        collapsedSliceDims: [0],
        operandBatchingDims: [],
        startIndicesBatchingDims: [],
        startIndexMap: [0],
        indexVectorDim: 2,
      },
      indicesAreSorted: false,
      type: tensorType('f32', [2, 3, 4]),
    }),
  );
  add('dynamic_conv', '', [sampleLiteral('f32', [1, 5, 3]), sampleLiteral('f32', [2, 3, 4], 2)], (b, [l, r]) =>
    b.emit1('dynamic_conv', [l!, r!, b.constant(literal('i64', [1, 2], [1, 2]))], {
      windowStrides: [2],
      lhsDilation: [1],
      rhsDilation: [1],
      windowReversal: [false],
      dimensionNumbers: sequenceDimensionNumbers,
      featureGroupCount: 1,
      batchGroupCount: 1,
      precision: ['DEFAULT', 'DEFAULT'],
      type: tensorType('f32', [1, 4, 4]),
    }),
  );
  add('tensor.cast', '', [x], (b, [a]) => {
    const unknown = b.emit1('tensor.cast', [a!], { type: tensorType('f32', [-1, 5]) });
    return b.emit1('tensor.cast', [unknown], { type: tensorType('f32', [3, 5]) });
  });
}
