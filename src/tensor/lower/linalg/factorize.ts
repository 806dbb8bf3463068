// The factorizations that have separate kernels, for batches of matrices [count, rows, columns]; no gradient flows.
import type { Builder } from '../../../hlo/builder.ts';
import {
  type FactorizationName,
  factorizationCall,
  factorizationTypes,
} from '../../../hlo/ops/factorizations/factorization.ts';
import { tensorTypeOf, type Value } from '../../../hlo/program.ts';
import { elementCount } from '../../../hlo/types.ts';

export function factorize(b: Builder, name: FactorizationName, a: Value): readonly Value[] {
  const type = tensorTypeOf(a);
  if (elementCount(type.shape) === 0)
    return factorizationTypes(name, type).map(({ elementType, shape }) => b.fill(elementType, shape, 0));
  return b.emit('custom_call', [a], factorizationCall(name, type));
}
