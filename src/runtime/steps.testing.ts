// For the tests of this folder: a small step with a part that depends on the batch size and a part that does not.
import { Builder } from '../hlo/builder.ts';
import { type Module, moduleOf, shapeOf, type Value } from '../hlo/program.ts';
import { tensorType } from '../hlo/types.ts';

export const width = 64;

/** tanh(x · w) `layers` times on rows of x, and an update of w that does not depend on the batch size. */
export function step(batch: number, { rate = 0.1, layers = 1 } = {}): Module {
  const b = new Builder();
  const x = b.argument(tensorType('f32', [batch, width]), 0);
  const w = b.argument(tensorType('f32', [width, width]), 1);
  const dot = (v: Value): Value =>
    b.dotGeneral(v, w, {
      lhsBatchingDimensions: [],
      rhsBatchingDimensions: [],
      lhsContractingDimensions: [1],
      rhsContractingDimensions: [0],
    });
  let y = x;
  for (let i = 0; i < layers; i++) y = b.unary('tanh', dot(y));
  const updated = b.subtract(w, b.multiply(w, b.fill('f32', shapeOf(w), rate)));
  const body = { args: [x, w], ops: b.ops, results: [y, updated] };
  return moduleOf({ name: 'main', body, aliases: [undefined, undefined] }, { name: 'step' });
}
