// The options of the commands of `trenio checkpoints`.
import type { CommandInput, Options } from '../command.ts';

export const lsOptions = {
  json: { kind: 'flag', description: 'One JSON object: {"directory", "checkpoints"}.' },
} as const satisfies Options;
export const showOptions = {
  tensors: { kind: 'flag', description: 'List every tensor.' },
  json: { kind: 'flag', description: 'The manifest as one JSON object.' },
} as const satisfies Options;
export const verifyOptions = {
  json: { kind: 'flag', description: 'One JSON object: {"checkpoints": [{"directory", "step", "problem"}]}.' },
} as const satisfies Options;
export const diffOptions = {
  json: { kind: 'flag', description: 'One JSON object: {"differences"}.' },
} as const satisfies Options;

export type LsInput = CommandInput<typeof lsOptions>;
export type ShowInput = CommandInput<typeof showOptions>;
export type VerifyInput = CommandInput<typeof verifyOptions>;
export type DiffInput = CommandInput<typeof diffOptions>;
