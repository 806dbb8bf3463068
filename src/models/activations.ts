// The activations that configurations name, as functions of tensors.
import { functional as F } from '../nn/index.ts';
import type { Tensor } from '../tensor/index.ts';
import type { HiddenActivation } from './activation-names.ts';

/** The function for a name in `config.json`. */
export function activationOf(name: HiddenActivation): (x: Tensor) => Tensor {
  switch (name) {
    case 'gelu':
      return x => x.gelu();
    case 'gelu_new':
    case 'gelu_pytorch_tanh':
      return x => x.gelu('tanh');
    case 'quick_gelu':
      return x => x.mul(x.mul(1.702).sigmoid());
    case 'relu':
      return x => x.relu();
    case 'relu2':
      return x => x.relu().square();
    case 'silu':
    case 'swish':
      return F.silu;
    case 'tanh':
      return x => x.tanh();
  }
}
