// `trenio plan`: what a training will take and cost on machines that nobody has rented yet.
import { defineCommand } from '../command.ts';
import { planOptions } from './options.ts';

export const planCommand = defineCommand({
  name: 'plan',
  summary: 'Say what a training will take and cost, on any machine, before anything is rented.',
  description: [
    'Predicts the time of a step on each machine and number of nodes, and from it throughput, memory, time and cost of a training.',
    'What is trained is a model by its name, or your own script: it is followed up to its training step, and none of its programs',
    'is run. Arguments of the script come after --. A file .mlir or .mlirbc is a StableHLO program, of JAX say: one execution is a step.',
    'Everything that was assumed is listed below the table.',
    'Memory that does not suffice is shown with what would make it fit. A row costs what the cheapest way to buy its machines does, and',
    'names it; prices are those that are published, and where there is none, the row says so.',
  ].join('\n'),
  positionals: [
    { name: 'script', description: 'A TypeScript or JavaScript file, or a StableHLO program.', required: false },
    { name: 'args', description: 'What the script gets as its arguments, after --.', required: false, many: true },
  ],
  options: planOptions,
  examples: [
    {
      command: 'trenio plan train.ts --on ml.trn1.32xlarge,ml.p4d.24xlarge --epochs 3 --dataset 3.6M',
      explanation: 'your own script, on two machines of the managed service',
    },
    {
      command:
        'trenio plan --model llama3-8b --on trn1.32xlarge,p5.48xlarge --nodes 4..64 --tokens 1T --html plan.html',
      explanation: 'a model by its name, and a page with charts',
    },
    {
      command:
        'trenio plan --model bert-large --on trn1.32xlarge --nodes 1..16 --global-batch 16384 --steps 7k --search --deadline 8h',
      explanation: 'the best layouts that keep a deadline',
    },
    {
      command: 'trenio plan --model gpt3-175b --on trn1.32xlarge --nodes 128 --tokens 300B --failures --spares 2',
      explanation: 'what failures of machines leave of it, and how often to write a checkpoint',
    },
    {
      command: 'trenio plan --model gpt3-23b --on trn1.32xlarge --nodes 16 --tokens 10B --purchase',
      explanation: 'the same training bought in every way there is',
    },
    {
      command:
        'trenio plan --model llama3-8b --on trn2.48xlarge,p5.48xlarge --nodes 1..64 --tokens 1T --search --by cost --purchase spot,capacity-block',
      explanation: 'the cheapest, of two ways to buy',
    },
  ],
  run: async (input, context) => (await import('./plan.ts')).runPlan(input, context),
});
