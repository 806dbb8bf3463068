// Linear algebra, transforms and normalization.
import { fftTypes, transposes } from '../../attributes.ts';
import { boolean, dims, float, integer, nameOf } from '../codecs.ts';
import { clauses, operands, short } from '../form.ts';
import { given, type OpTexts, unless } from '../op-text.ts';
import { functional, same } from '../signature.ts';

const batchNorm = [
  given('epsilon', 'epsilon', float('f32')),
  given('feature_index', 'featureIndex', integer('i64')),
] as const;

type Names =
  | 'cholesky'
  | 'triangular_solve'
  | 'fft'
  | 'batch_norm_training'
  | 'batch_norm_inference'
  | 'batch_norm_grad';

export const numericTexts: OpTexts<Names> = {
  cholesky: {
    parts: [unless('lower', 'lower', boolean, false)],
    form: short([operands, clauses({ lower: 'lower' })], same),
  },
  triangular_solve: {
    parts: [
      given('left_side', 'leftSide', boolean),
      given('lower', 'lower', boolean),
      given('transpose_a', 'transposeA', nameOf(transposes, 'stablehlo.transpose')),
      given('unit_diagonal', 'unitDiagonal', boolean),
    ],
  },
  fft: {
    parts: [
      given('fft_length', 'fftLength', dims),
      given('fft_type', 'fftType', nameOf(fftTypes, 'stablehlo.fft_type')),
    ],
    form: short([operands, clauses({ type: 'fft_type', length: 'fft_length' })], functional),
  },
  batch_norm_training: { parts: batchNorm },
  batch_norm_inference: { parts: batchNorm },
  batch_norm_grad: { parts: batchNorm },
};
