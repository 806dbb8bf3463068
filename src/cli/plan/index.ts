// `trenio plan`: predicts the time and cost of a training run on machines before they are rented.
import { defineCommand } from '../command/command.ts';
import { planOptions } from './plan-options.ts';

export const planCommand = defineCommand({
  name: 'plan',
  summary: 'Predict the time and cost of training on any machine, before you rent it.',
  description: [
    'Predicts the step time on each machine and number of nodes, and from it the throughput, memory, time and cost of training.',
    'The workload is a named model (--model), that of a config.json (--config), your own script, or a StableHLO program (.mlir or',
    '.mlirbc, for example from JAX; one execution is a step). A script is traced up to its training step without running any',
    'program; put its arguments after --.',
    'With --layout, it is traced as the first rank of all devices, so that its collectives and its part of the memory are known.',
    'With --serve, it predicts latencies and the cost of tokens of a language model that answers requests, by the scheduler of trenio serve.',
    'All assumptions are listed below the table. If a layout does not fit in memory, the row says what would make it fit. The cost',
    'is that of the cheapest purchase option, which is named; rows without a published price say so.',
  ].join('\n'),
  positionals: [
    { name: 'script', description: 'A TypeScript or JavaScript file, or a StableHLO program.', required: false },
    { name: 'args', description: 'Arguments of the script, after --.', required: false, many: true },
  ],
  options: planOptions,
  examples: [
    {
      command: 'trenio plan train.ts --on ml.trn1.32xlarge,ml.p4d.24xlarge --epochs 3 --dataset 3.6M',
      explanation: 'your own script, on two SageMaker machines',
    },
    {
      command:
        'trenio plan --model llama3-8b --on trn1.32xlarge,p5.48xlarge --nodes 4..64 --tokens 1T --html plan.html',
      explanation: 'a named model, and a page with charts',
    },
    {
      command:
        'trenio plan --model bert-large --on trn1.32xlarge --nodes 1..16 --global-batch 16384 --steps 7k --search --deadline 8h',
      explanation: 'the best layouts that meet a deadline',
    },
    {
      command:
        'trenio plan --serve --model llama3-70b --on p5.48xlarge,trn1.32xlarge --rate 20/s --ttft 500ms --tpot 50ms',
      explanation: 'the machines that answer 20 requests per second in time, and what a million tokens costs',
    },
    {
      command: 'trenio plan --config ./Qwen3-0.6B --on g5.48xlarge,trn1.2xlarge --tokens 10B',
      explanation: 'the model of a config.json',
    },
    {
      command: 'trenio plan train.ts --layout auto',
      explanation: 'the fastest layout of a script on this machine, and the command that runs it',
    },
    {
      command: 'trenio plan train.ts --on p5.48xlarge --nodes 1..4 --layout dp_shard=-1,tp=8',
      explanation: 'a script whose model is divided (parallelize), in one layout',
    },
    {
      command: 'trenio plan --model gpt3-175b --on trn1.32xlarge --nodes 128 --tokens 300B --failures --spares 2',
      explanation: 'the effect of machine failures, and the best checkpoint interval',
    },
    {
      command: 'trenio plan --model gpt3-23b --on trn1.32xlarge --nodes 16 --tokens 10B --purchase',
      explanation: 'the same training under every purchase option',
    },
    {
      command:
        'trenio plan --model vit-base --on p5.48xlarge --nodes 1..8 --samples 100M --sample-bytes 600kB --storage-bandwidth 5GB/s',
      explanation: 'large images on a small file system: whether steps wait for data',
    },
    {
      command:
        'trenio plan --model llama3-8b --on trn2.48xlarge,p5.48xlarge --nodes 1..64 --tokens 1T --search --by cost --purchase spot,capacity-block',
      explanation: 'the cheapest layout, with two purchase options',
    },
  ],
  run: async (input, context) =>
    input.options.serve
      ? (await import('./serving.ts')).runServingPlan(input, context)
      : (await import('./plan.ts')).runPlan(input, context),
});
