// The options of `trenio generate`.
import type { OptionValues } from '../command/command.ts';

export const dtypes = ['float32', 'bfloat16'] as const;

export const generateOptions = {
  prompt: {
    kind: 'text',
    placeholder: 'TEXT',
    short: 'p',
    description: 'The text to continue; - reads it from standard input.',
  },
  chat: { kind: 'flag', description: "Apply the model's chat template to the prompt, as a user message." },
  system: { kind: 'text', placeholder: 'TEXT', description: 'With --chat: the system message.' },
  stream: { kind: 'flag', description: 'Print each piece of text as soon as it is generated.' },
  'max-new-tokens': {
    kind: 'integer',
    placeholder: 'N',
    min: 1,
    max: 1 << 24,
    default: 256,
    description: 'The maximum number of tokens to generate.',
  },
  temperature: {
    kind: 'text',
    placeholder: 'T',
    description: 'Sample at this temperature; 0: take the most probable token. Default: generation_config.json.',
  },
  'top-k': {
    kind: 'integer',
    placeholder: 'N',
    min: 0,
    max: 1 << 24,
    description: 'Sample from the N most probable tokens; 0: from all.',
  },
  'top-p': {
    kind: 'text',
    placeholder: 'P',
    description: 'Sample from the most probable tokens with this total probability.',
  },
  'min-p': {
    kind: 'text',
    placeholder: 'P',
    description: 'Exclude tokens whose probability is below this fraction of the highest.',
  },
  'repetition-penalty': {
    kind: 'text',
    placeholder: 'R',
    description: 'Values above 1 make tokens that are already in the text less probable.',
  },
  beams: { kind: 'integer', placeholder: 'N', min: 1, max: 1024, description: 'Beam search with N beams.' },
  stop: { kind: 'list', placeholder: 'TEXT', description: 'Stop when this text has been generated.' },
  seed: {
    kind: 'integer',
    placeholder: 'N',
    min: 0,
    max: 2 ** 31,
    default: 0,
    description: 'The seed of the random numbers.',
  },
  dtype: {
    kind: 'text',
    placeholder: 'TYPE',
    default: 'float32',
    description: 'The data type of the weights: float32 or bfloat16 (half the memory).',
  },
  json: {
    kind: 'flag',
    description: 'One JSON object: {"text", "tokens", "promptTokens", "finish", "promptSeconds", "tokensPerSecond"}.',
  },
} as const;

export type GenerateInput = {
  readonly options: OptionValues<typeof generateOptions>;
  readonly positionals: readonly string[];
};
