// What torch.nn.utils has: parameters as one vector, sequences of different lengths (`utils.rnn`).
export * as rnn from './packed-sequence.ts';
export { parametersToVector, vectorToParameters } from './parameter-vector.ts';
