// The activations that configurations name; their functions are in activations.ts.

/**
 * The activations of checkpoints. `gelu_new` and `gelu_pytorch_tanh` are the tanh approximation; `swish` is `silu`, `relu2` the
 * square of `relu`.
 */
export const hiddenActivations = [
  'gelu',
  'gelu_new',
  'gelu_pytorch_tanh',
  'quick_gelu',
  'relu',
  'relu2',
  'silu',
  'swish',
  'tanh',
] as const;
/** The activations of `hidden_act` in config.json that are supported. */
export type HiddenActivation = (typeof hiddenActivations)[number];
