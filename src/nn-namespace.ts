// The namespace `nn` of the public API: the layers of src/nn, and in `nn.utils` also functions that need optimizers (src/optim).
export * from './nn/index.ts';
export * as utils from './nn-utils-namespace.ts';
