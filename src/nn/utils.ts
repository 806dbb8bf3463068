// What torch.nn.utils has: sequences of different lengths (`utils.rnn`).
export * as rnn from './packed-sequence.ts';
