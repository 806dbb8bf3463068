// Gradients of low-precision parameters, as optimizers read them.
import type { Value } from '../../hlo/program.ts';

/**
 * A low-precision gradient before rounding, if the rounding is recorded in this step: the update is computed in f32, so rounding
 * the gradient first would only lose precision.
 */
export function unrounded(gradient: Value): Value {
  const { op } = gradient;
  const [wide] = op?.name === 'convert' ? op.operands : [];
  return wide?.type.kind === 'tensor' && wide.type.elementType === 'f32' ? wide : gradient;
}
