// The f32 functions that emitted kernels call, printed from their data (ir/math/): scalar and free of branches, so that the C
// compiler turns a loop over them into vector code. Not here: f64, which calls libm.
import { mathFunctions } from '../../../ir/math/index.ts';
import { bodyOf } from './math-text.ts';
import { inlinePiece, type PreludePiece } from './prelude-piece.ts';

export const mathPieces: readonly PreludePiece[] = [
  inlinePiece('t_bits_f32', 'uint32_t t_bits_f32(float x) { uint32_t u; __builtin_memcpy(&u, &x, 4); return u; }'),
  inlinePiece(
    't_from_bits_f32',
    'float t_from_bits_f32(uint32_t u) { float x; __builtin_memcpy(&x, &u, 4); return x; }',
  ),
  // A processor without the instruction rounds twice: libm's fmaf would be a call in every loop, and no function needs an
  // exact product.
  inlinePiece(
    't_fma_f32',
    `float t_fma_f32(float a, float b, float c) {
#if defined(__FP_FAST_FMAF) || defined(__FMA__) || defined(__ARM_FEATURE_FMA)
  return __builtin_fmaf(a, b, c);
#else
  return a * b + c;
#endif
}`,
  ),
  ...mathFunctions.map(f => inlinePiece(`t_${f.name}_f32`, `float t_${f.name}_f32(float x) {\n${bodyOf(f)}\n}`)),
];
