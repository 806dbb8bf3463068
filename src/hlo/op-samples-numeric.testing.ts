// Samples of linear algebra, Fourier transforms, complex and quantized numbers, normalization, map and the older ops.
import { type BatchNorm, fftTypes, transposes } from './attributes.ts';
import type { Builder } from './builder.ts';
import { literal, scalar } from './literal.ts';
import type { Add } from './op-sample.testing.ts';
import type { Value } from './program.ts';
import { sampleLiteral } from './sample-literal.testing.ts';
import { type Quantization, type TensorType, tensorType } from './types.ts';

/** A positive definite matrix for each matrix in x: x · xᵀ plus the identity. */
function positiveDefinite(b: Builder, x: Value): Value {
  const [batch, n] = (x.type as TensorType).shape as [number, number, number];
  const square = b.dotGeneral(x, x, {
    lhsBatchingDimensions: [0],
    rhsBatchingDimensions: [0],
    lhsContractingDimensions: [2],
    rhsContractingDimensions: [2],
  });
  const index = tensorType('i32', [batch, n, n]);
  const identity = b.convert(b.compare('EQ', b.iota(index, 1), b.iota(index, 2)), 'f32');
  return b.add(square, identity);
}

export function addNumeric(add: Add): void {
  addLinearAlgebra(add);
  addComplex(add);
  addBatchNorm(add);
  addQuantized(add);
  addMap(add);
  addLegacy(add);
}

function addLinearAlgebra(add: Add): void {
  const matrices = sampleLiteral('f32', [2, 4, 4]);
  for (const lower of [true, false])
    add('cholesky', lower ? 'lower' : 'upper', [matrices], (b, [x]) =>
      b.emit1('cholesky', [positiveDefinite(b, x!)], { lower }),
    );
  for (const transposeA of transposes)
    for (const leftSide of [true, false]) {
      const right = sampleLiteral('f32', leftSide ? [2, 4, 3] : [2, 3, 4], 5);
      add('triangular_solve', `${transposeA} ${leftSide ? 'left' : 'right'}`, [matrices, right], (b, [x, y]) =>
        b.emit1('triangular_solve', [positiveDefinite(b, x!), y!], {
          leftSide,
          lower: transposeA !== 'TRANSPOSE',
          unitDiagonal: transposeA === 'ADJOINT',
          transposeA,
        }),
      );
    }
}

function addComplex(add: Add): void {
  const [x, y] = [sampleLiteral('f32', [3, 5]), sampleLiteral('f32', [3, 5], 2)];
  const z = sampleLiteral('complex<f32>', [3, 5]);
  add('complex', '', [x, y], (b, args) => b.emit1('complex', args, {}));
  add('real', '', [z], (b, args) => b.emit1('real', args, {}));
  add('imag', '', [z], (b, args) => b.emit1('imag', args, {}));
  add('real', 'of a real number', [x], (b, args) => b.emit1('real', args, {}));
  add('imag', 'of a real number', [x], (b, args) => b.emit1('imag', args, {}));
  for (const fftType of fftTypes) {
    const input = fftType === 'RFFT' ? sampleLiteral('f32', [2, 3, 8]) : sampleLiteral('complex<f32>', [2, 3, 5]);
    const fftLength = fftType === 'FFT' || fftType === 'IFFT' ? [3, 5] : [3, 8];
    add('fft', fftType, [input], (b, args) => b.emit1('fft', args, { fftType, fftLength }));
  }
}

function addBatchNorm(add: Add): void {
  const attributes: BatchNorm = { epsilon: 0.01, featureIndex: 1 };
  const x = sampleLiteral('f32', [4, 3, 2]);
  const [scale, offset, mean] = [2, 3, 4].map(seed => sampleLiteral('f32', [3], seed)) as [
    typeof x,
    typeof x,
    typeof x,
  ];
  const variance = literal('f32', [3], [0.5, 1, 2]);
  add('batch_norm_training', '', [x, scale, offset], (b, args) => b.emit('batch_norm_training', args, attributes));
  add('batch_norm_inference', '', [x, scale, offset, mean, variance], (b, args) =>
    b.emit('batch_norm_inference', args, attributes),
  );
  add('batch_norm_grad', '', [x, scale, mean, variance, sampleLiteral('f32', [4, 3, 2], 9)], (b, args) =>
    b.emit('batch_norm_grad', args, attributes),
  );
}

function addQuantized(add: Add): void {
  const quantized = (quantization: Quantization): TensorType => ({ ...tensorType('i8', [3, 2]), quantization });
  const perTensor = quantized({ expressedType: 'f32', scales: [0.25], zeroPoints: [3] });
  const perAxis = quantized({ expressedType: 'f32', axis: 1, scales: [0.25, 0.5], zeroPoints: [0, -2] });
  const x = sampleLiteral('f32', [3, 2]);
  for (const [label, type] of [
    ['per tensor', perTensor],
    ['per axis', perAxis],
  ] as const) {
    const quantize = (b: Builder, v: Value): Value => b.emit1('uniform_quantize', [v], { type });
    add('uniform_quantize', label, [x], (b, [v]) => b.emit1('uniform_dequantize', [quantize(b, v!)], {}));
    add('uniform_dequantize', label, [x], (b, [v]) => b.negate(b.emit1('uniform_dequantize', [quantize(b, v!)], {})));
  }
}

function addMap(add: Add): void {
  const element = tensorType('f32');
  add(
    'map',
    '',
    [sampleLiteral('f32', [3, 5]), sampleLiteral('f32', [3, 5], 2), scalar('f32', 0.5)],
    (b, [x, y, z]) => {
      const region = b.region([element, element], (inner, [p, q]) => [
        inner.add(inner.multiply(p!, z!), inner.maximum(q!, inner.fill('f32', [], 0.25))),
      ]);
      return b.emit1('map', [x!, y!], { dimensions: [0, 1] }, [region]);
    },
  );
}

function addLegacy(add: Add): void {
  const [x, y] = [sampleLiteral('f32', [3, 4]), sampleLiteral('f32', [4, 5], 2)];
  add('broadcast', '', [x], (b, args) => b.emit1('broadcast', args, { broadcastSizes: [2, 1] }));
  add('dot', 'matrices', [x, y], (b, args) => b.emit1('dot', args, { precision: ['DEFAULT', 'DEFAULT'] }));
  add('dot', 'vectors', [sampleLiteral('f32', [4]), sampleLiteral('f32', [4], 2)], (b, args) =>
    b.emit1('dot', args, { precision: [] }),
  );
  add('einsum', '', [sampleLiteral('f32', [2, 3, 4]), sampleLiteral('f32', [2, 4, 5], 2)], (b, args) =>
    b.emit1('einsum', args, { einsumConfig: 'bmk,bkn->nbm', type: tensorType('f32', [5, 2, 3]) }),
  );
  add('unary_einsum', 'diagonal', [sampleLiteral('f32', [3, 3, 2])], (b, args) =>
    b.emit1('unary_einsum', args, { einsumConfig: 'iij->ji', type: tensorType('f32', [2, 3]) }),
  );
  const index = literal('i32', [2, 3], [0, 3, 1, 1, 2, 0]);
  add('torch_index_select', '', [sampleLiteral('f32', [2, 3, 4, 2]), index], (b, args) =>
    b.emit1('torch_index_select', args, { dim: 2, batchDims: 1 }),
  );
  for (const rngDistribution of ['UNIFORM', 'NORMAL'] as const)
    add('rng', rngDistribution, [scalar('f32', -1), scalar('f32', 2)], (b, [p, q]) =>
      b.emit1('rng', [p!, q!, b.constant(literal('i64', [2], [3, 5]))], {
        rngDistribution,
        type: tensorType('f32', [3, 5]),
      }),
    );
  add('rng', 'integers', [scalar('i32', -3), scalar('i32', 9)], (b, [p, q]) =>
    b.emit1('rng', [p!, q!, b.constant(literal('i64', [1], [20]))], {
      rngDistribution: 'UNIFORM',
      type: tensorType('i32', [20]),
    }),
  );
}
