// The options of `trenio bench …`, with the names of `vllm bench`.
import type { OptionValues } from '../command/command.ts';
import { modelOptions } from '../serve/model-options.ts';

const json = { kind: 'flag', description: 'Print the results as one JSON object.' } as const;
const number = { kind: 'integer', placeholder: 'N', max: 1 << 24 } as const;
const count = (description: string, initial: number, min = 1) =>
  ({ ...number, min, default: initial, description }) as const;
const seed = count('The seed of prompts and arrivals.', 0, 0);

export const benchServeOptions = {
  'base-url': {
    kind: 'text',
    placeholder: 'URL',
    default: 'http://127.0.0.1:8000',
    description: 'The server, without /v1.',
  },
  backend: {
    kind: 'text',
    placeholder: 'openai|openai-chat',
    default: 'openai',
    description: 'Completions, or chat completions.',
  },
  endpoint: { kind: 'text', placeholder: 'PATH', description: 'The path. Default: that of the backend, under /v1.' },
  model: { kind: 'text', placeholder: 'NAME', description: 'The model. Default: the first of /v1/models.' },
  'lora-modules': {
    kind: 'list',
    placeholder: 'NAME',
    description: 'Adapters that requests use in turn; may be repeated.',
  },
  'api-key': { kind: 'text', placeholder: 'KEY', description: 'Default: OPENAI_API_KEY.' },
  'dataset-name': {
    kind: 'text',
    placeholder: 'random|custom',
    default: 'random',
    description: 'Random tokens, or the prompts of --dataset-path.',
  },
  'dataset-path': {
    kind: 'text',
    placeholder: 'FILE',
    description: 'JSON lines with "prompt", and optionally "output_tokens".',
  },
  'random-input-len': count('Tokens of a prompt.', 1024),
  'random-output-len': count('Tokens of an answer.', 128),
  'random-prefix-len': count('Tokens that all prompts begin with, besides.', 0, 0),
  'random-range-ratio': {
    kind: 'text',
    placeholder: 'SHARE',
    default: '0',
    description: 'Lengths of prompts differ from --random-input-len by at most this share.',
  },
  'num-prompts': count('The number of requests.', 1000),
  'num-warmups': count('Requests before them that are not measured.', 0, 0),
  'request-rate': { kind: 'text', placeholder: 'PER_SECOND', default: 'inf', description: 'inf: all at once.' },
  burstiness: {
    kind: 'text',
    placeholder: 'SHAPE',
    default: '1',
    description: '1: Poisson arrivals; less: bursts; more: evenly.',
  },
  'max-concurrency': { ...number, min: 1, description: 'The maximum number of requests at once.' },
  'ignore-eos': { kind: 'flag', description: 'Generate to --random-output-len whatever the model ends with.' },
  temperature: { kind: 'text', placeholder: 'T', default: '0', description: 'The temperature of all requests.' },
  'percentile-metrics': {
    kind: 'text',
    placeholder: 'NAMES',
    default: 'ttft,tpot,itl',
    description: 'Those to print: ttft, tpot, itl, e2el.',
  },
  'metric-percentiles': {
    kind: 'text',
    placeholder: 'P,P',
    default: '99',
    description: 'Percentiles, such as 50,90,99.',
  },
  goodput: {
    kind: 'list',
    placeholder: 'NAME:MS',
    description: 'Count requests with at most this ttft, tpot, itl or e2el; may be repeated.',
  },
  'save-result': { kind: 'flag', description: 'Write the results to --result-filename.' },
  'result-filename': {
    kind: 'text',
    placeholder: 'FILE',
    default: 'bench-serve.json',
    description: 'The file of results.',
  },
  seed,
  json,
} as const;

const model = {
  'input-len': count('Tokens of a prompt.', 32),
  'output-len': count('Tokens of an answer.', 128),
  ...modelOptions,
  'max-num-seqs': count('The maximum number of sequences in a step.', 16),
  'max-num-batched-tokens': count('The maximum number of tokens in a step.', 512),
  seed,
  json,
} as const;

export const benchLatencyOptions = {
  ...model,
  'batch-size': count('Sequences that are generated together.', 8),
  'num-iters-warmup': count('Batches before the measured ones.', 3, 0),
  'num-iters': count('The number of measured batches.', 10),
} as const;
export const benchThroughputOptions = { ...model, 'num-prompts': count('The number of sequences.', 100) } as const;

interface Input<O> {
  readonly options: O;
  readonly positionals: readonly string[];
}
export type BenchServeInput = Input<OptionValues<typeof benchServeOptions>>;
export type BenchLatencyInput = Input<OptionValues<typeof benchLatencyOptions>>;
export type BenchThroughputInput = Input<OptionValues<typeof benchThroughputOptions>>;
