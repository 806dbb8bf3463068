// The namespace `utils` of the public API, as torch.utils: other names of what is also exported directly.
export * as data from './data/utils-data-namespace.ts';
export * as checkpoint from './tensor/gradients/checkpoint.ts';
export * as tensorboard from './tensorboard/index.ts';
