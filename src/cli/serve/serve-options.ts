// The options of `trenio serve`, with the names of vLLM.
import type { OptionValues } from '../command/command.ts';
import { modelOptions } from './model-options.ts';

export const serveOptions = {
  port: {
    kind: 'integer',
    short: 'p',
    placeholder: 'PORT',
    min: 0,
    max: 65_535,
    default: 8000,
    description: 'Port to listen on; 0 picks any free port.',
  },
  host: { kind: 'text', placeholder: 'ADDRESS', default: '127.0.0.1', description: 'Address to listen on.' },
  runner: {
    kind: 'text',
    placeholder: 'RUNNER',
    default: 'auto',
    description: 'generate text, or pooling: embed it. auto: encoders and folders with modules.json embed.',
  },
  pooling: {
    kind: 'text',
    placeholder: 'POOLING',
    description: 'How states become an embedding: cls, mean, max or lasttoken. Default: as the folder says.',
  },
  'served-model-name': {
    kind: 'list',
    placeholder: 'NAME',
    description: 'The name of the model in requests. Default: the name of the folder.',
  },
  'api-key': { kind: 'list', placeholder: 'KEY', description: 'A key that requests need; may be repeated.' },
  'api-key-file': { kind: 'text', placeholder: 'FILE', description: 'A file with a key in each line.' },
  insecure: { kind: 'flag', description: 'Allow addresses that other machines can reach without a key.' },
  'allowed-origins': {
    kind: 'list',
    placeholder: 'ORIGIN',
    description: 'Accept requests from web pages at this origin; may be repeated.',
  },
  'allow-host': { kind: 'list', placeholder: 'NAME[:PORT]', description: 'Accept this Host header, too.' },
  ...modelOptions,
  'kv-cache-dtype': {
    kind: 'text',
    placeholder: 'TYPE',
    default: 'auto',
    description: 'The type of keys and values: auto (that of the weights), float32 or bfloat16.',
  },
  'max-model-len': {
    kind: 'integer',
    placeholder: 'TOKENS',
    min: 1,
    max: 1 << 24,
    description: 'The maximum length of a sequence. Default: that of the model.',
  },
  'max-num-seqs': {
    kind: 'integer',
    placeholder: 'N',
    min: 1,
    max: 4096,
    description: 'The maximum number of sequences in a step. Default: 16.',
  },
  'max-num-batched-tokens': {
    kind: 'integer',
    placeholder: 'N',
    min: 1,
    max: 65_536,
    description: 'The maximum number of tokens in a step. Default: 512.',
  },
  'block-size': {
    kind: 'integer',
    placeholder: 'N',
    min: 16,
    max: 1024,
    description: 'Positions of a block of keys and values, a multiple of 16. Default: 16.',
  },
  'kv-cache-memory': {
    kind: 'integer',
    placeholder: 'MIB',
    min: 1,
    max: 1 << 24,
    description: 'MiB of keys and values. Default: 30 % of the available memory, or as much as can be used.',
  },
  'no-enable-prefix-caching': {
    kind: 'flag',
    description: 'Compute prompts whole, even if they begin as earlier ones.',
  },
  'no-speculation': { kind: 'flag', description: 'Do not draft tokens by prompt lookup.' },
  'max-num-queued-reqs': {
    kind: 'integer',
    placeholder: 'N',
    min: 0,
    max: 1 << 20,
    default: 512,
    description: 'More waiting sequences are refused with 429.',
  },
  'max-num-queued-tokens': {
    kind: 'integer',
    placeholder: 'N',
    min: 0,
    max: 1 << 30,
    description: 'More waiting tokens of prompts are refused with 429.',
  },
  'enable-lora': { kind: 'flag', description: 'Keep room for adapters; --lora-modules and --lora-root imply it.' },
  'lora-modules': {
    kind: 'list',
    placeholder: 'NAME=DIR',
    description: 'An adapter in files of PEFT, and its name in requests; may be repeated.',
  },
  'lora-root': {
    kind: 'text',
    placeholder: 'DIR',
    description: 'Requests may load adapters from folders below this one.',
  },
  'max-loras': {
    kind: 'integer',
    placeholder: 'N',
    min: 1,
    max: 256,
    description: 'Adapters at once. Default: as many as --lora-modules names, at least 4.',
  },
  'max-lora-rank': {
    kind: 'integer',
    placeholder: 'R',
    min: 8,
    max: 512,
    default: 16,
    description: 'The maximum rank of an adapter: 8, 16, 32, 64, …',
  },
  'generation-config': {
    kind: 'text',
    placeholder: 'auto|vllm',
    default: 'auto',
    description: 'Defaults of sampling: auto (generation_config.json) or vllm (those of the API).',
  },
  strict: { kind: 'flag', description: 'Refuse unknown members of requests.' },
  'shutdown-timeout': {
    kind: 'integer',
    placeholder: 'SECONDS',
    min: 0,
    max: 86_400,
    default: 30,
    description: 'The time for running requests when the server stops.',
  },
  'check-invariance': {
    kind: 'text',
    placeholder: 'SHARE',
    description: 'Repeat this share of the requests alone, and count those with another answer: 0.05.',
  },
  trace: { kind: 'text', placeholder: 'FILE', description: 'Write the steps to this file, for ui.perfetto.dev.' },
  'request-log': { kind: 'flag', description: 'Write a JSON line for each request, without its text.' },
  json: { kind: 'flag', description: 'Print one JSON object when ready: {"url", "models", "maxModelLen"}.' },
} as const;

export type ServeInput = {
  readonly options: OptionValues<typeof serveOptions>;
  readonly positionals: readonly string[];
};
