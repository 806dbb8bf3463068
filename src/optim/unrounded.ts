// Gradients of low-precision parameters, as optimizers read them.
import type { Value } from '../hlo/program.ts';

/**
 * A narrow gradient before its rounding, where that is recorded in this step: the update is computed in f32, and what was
 * rounded on the way to it would only lose digits.
 */
export function unrounded(gradient: Value): Value {
  const { op } = gradient;
  const [wide] = op?.name === 'convert' ? op.operands : [];
  return wide?.type.kind === 'tensor' && wide.type.elementType === 'f32' ? wide : gradient;
}
