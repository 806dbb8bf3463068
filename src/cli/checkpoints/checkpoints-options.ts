// The options of the commands of `trenio checkpoints`.
import type { CommandInput, Options } from '../command/command.ts';

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

export const convertOptions = {
  to: {
    kind: 'text',
    placeholder: 'FORMAT',
    description:
      'hugging-face, torch, torch-file or trenio. Default: hugging-face for a Trenio checkpoint, else trenio.',
  },
  part: {
    kind: 'text',
    placeholder: 'NAME',
    description:
      'Convert the tensors of this part only, without its name. Default: the model. Keys within keys: app.model.',
  },
  config: {
    kind: 'text',
    placeholder: 'DIR',
    description: 'Copy config.json and the files of the tokenizer from here. Default: from the source.',
  },
  'max-shard-size': {
    kind: 'text',
    placeholder: 'SIZE',
    description: 'Write larger models as several files: 500MB, 5GB. Default for hugging-face: 5GB.',
  },
  json: {
    kind: 'flag',
    description: 'One JSON object: {"from", "to", "target", "tensors", "bytes", "hasOptimizer", "files", "leftOut"}.',
  },
} as const satisfies Options;

export type LsInput = CommandInput<typeof lsOptions>;
export type ShowInput = CommandInput<typeof showOptions>;
export type VerifyInput = CommandInput<typeof verifyOptions>;
export type DiffInput = CommandInput<typeof diffOptions>;
export type ConvertInput = CommandInput<typeof convertOptions>;
