// `trenio bench …`: measures servers and engines of language models. Only descriptions; the rest is imported when a command runs.
import { type CommandGroup, defineCommand } from '../command/command.ts';
import { benchLatencyOptions, benchServeOptions, benchThroughputOptions } from './bench-options.ts';

const model = { name: 'model', description: 'The directory of the model, or a .gguf file.', required: true } as const;

const serve = defineCommand({
  name: 'bench serve',
  summary: "Measure a server with OpenAI's API under load.",
  description: [
    'Sends requests and prints their latencies and the throughput, with the options, definitions and names of `vllm bench serve`: TTFT (time',
    'to the first output), ITL (between outputs), TPOT (time per output token after the first), E2EL (to the end). Warns if the server had',
    'prompts in its cache, as it has when the same benchmark runs twice.',
  ].join('\n'),
  positionals: [],
  options: benchServeOptions,
  examples: [
    {
      command: 'trenio bench serve --num-prompts 8 --random-input-len 128 --random-output-len 64 --ignore-eos',
      explanation: 'eight streams at once, at http://127.0.0.1:8000',
    },
    {
      command: 'trenio bench serve --request-rate 2 --num-prompts 200 --goodput ttft:500 --goodput tpot:50',
      explanation: 'Poisson arrivals; the share of them within limits',
    },
    {
      command: 'trenio bench serve --backend openai-chat --dataset-name custom --dataset-path prompts.jsonl --json',
      explanation: 'prompts of a file, results as JSON',
    },
  ],
  run: async (input, context) => (await import('./bench-serve.ts')).benchServe(input, context),
});

const latency = defineCommand({
  name: 'bench latency',
  summary: 'Measure the time of one batch of sequences.',
  description: 'Generates batches of sequences of random tokens with the engine of `trenio serve`, without a server.',
  positionals: [model],
  options: benchLatencyOptions,
  examples: [
    { command: 'trenio bench latency ./Qwen2.5-0.5B --batch-size 1', explanation: 'one sequence of 32 + 128' },
  ],
  run: async (input, context) => (await import('./bench-engine.ts')).benchLatency(input, context),
});

const throughput = defineCommand({
  name: 'bench throughput',
  summary: 'Measure the tokens per second of many sequences.',
  description: 'Generates sequences of random tokens with the engine of `trenio serve`, without a server.',
  positionals: [model],
  options: benchThroughputOptions,
  examples: [
    { command: 'trenio bench throughput ./Qwen2.5-0.5B --num-prompts 64', explanation: '64 of 32 + 128 tokens' },
  ],
  run: async (input, context) => (await import('./bench-engine.ts')).benchThroughput(input, context),
});

export const benchCommands: CommandGroup = {
  name: 'bench',
  summary: 'Measure servers and engines of language models.',
  description: "Measures servers with OpenAI's API under load, and the engine of `trenio serve` without a server.",
  commands: [serve, latency, throughput],
};
