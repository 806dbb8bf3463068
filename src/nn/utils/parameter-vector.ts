// Parameters as one vector, and back: torch.nn.utils.parameters_to_vector and vector_to_parameters.
import { cat, noGrad, Tensor, wrongArgument } from '../../tensor/index.ts';

function listOf(call: string, parameters: Iterable<Tensor>): readonly Tensor[] {
  const list = typeof parameters?.[Symbol.iterator] === 'function' ? [...parameters] : [];
  if (list.length === 0 || !list.every(one => one instanceof Tensor))
    throw wrongArgument(
      { call, argument: 'the parameters' },
      parameters,
      'one or more tensors',
      'give model.parameters()',
    );
  return list;
}

/**
 * All elements of some parameters, one after another: [sum of their sizes].
 *
 *     const vector = nn.utils.parametersToVector(model.parameters());
 *
 * @throws {WRONG_ARGUMENT}
 * @example
 * const layer = new nn.Linear(3, 2);
 * nn.utils.parametersToVector(layer.parameters()).shape // [8]
 */
export const parametersToVector = (parameters: Iterable<Tensor>): Tensor =>
  cat(
    listOf('parametersToVector', parameters).map(one => one.reshape([one.numel()])),
    0,
  );

/**
 * Sets parameters to the elements of a vector, in the order of `parametersToVector`.
 *
 *     nn.utils.vectorToParameters(vector.mul(0.5), model.parameters());
 *
 * @throws {WRONG_ARGUMENT} if the vector does not have as many elements as the parameters; then none is changed
 * @example
 * const layer = new nn.Linear(1, 2);
 * nn.utils.vectorToParameters(tensor([1, 2, 3, 4]), layer.parameters());
 * layer.bias // [3, 4]
 */
export function vectorToParameters(vector: Tensor, parameters: Iterable<Tensor>): void {
  const call = 'vectorToParameters';
  const list = listOf(call, parameters);
  const wanted = list.reduce((sum, one) => sum + one.numel(), 0);
  if (!(vector instanceof Tensor) || vector.ndim !== 1 || vector.shape[0] !== wanted)
    throw wrongArgument({ call, argument: 'the vector' }, vector, `a tensor of shape [${wanted}]`);
  noGrad(() => {
    let at = 0;
    for (const one of list) {
      one.copy_(vector.narrow(0, at, one.numel()).reshape(one.shape));
      at += one.numel();
    }
  });
}
