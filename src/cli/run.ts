// `trenio run`: starts the ranks of a training script on this machine.

import { TrenioError } from '../base/errors.ts';
import { launch } from '../distributed/launch/launch.ts';
import { defineCommand } from './command.ts';
import { countRanks, ranksOption } from './ranks-option.ts';

export const runCommand = defineCommand({
  name: 'run',
  summary: 'Run a training script on every core, as one or more ranks.',
  description: [
    'Starts N processes (ranks) of the script. Each gets its share of the cores and the variables RANK, LOCAL_RANK, WORLD_SIZE and',
    'LOCAL_WORLD_SIZE; they exchange data through shared memory. With several ranks, each line of output is prefixed with its',
    'rank. If a rank fails, the others are stopped, and the command exits with its exit code. Options after the script are passed',
    'to the script.',
    '',
    'With --plan, the script is first traced up to its training step without running any program (its own file operations happen',
    'twice). The step time is predicted from the results of trenio hardware calibrate, which runs first if needed. Predicted and',
    'measured times are shown every ten seconds and at the end. The training step is the program that runs most often among those',
    'that update parameters. Each result is appended, as a line of JSON, to predictions.jsonl in the cache directory',
    '(TRENIO_CACHE_DIR, default ~/.cache/trenio).',
  ].join('\n'),
  positionals: [{ name: 'script', description: 'A TypeScript or JavaScript file.', required: true }],
  rest: { name: 'args', description: 'Arguments of the script.' },
  options: {
    'nproc-per-node': ranksOption,
    nnodes: {
      kind: 'integer',
      placeholder: 'N',
      min: 1,
      max: 1_000_000,
      default: 1,
      description: 'Number of machines. Only 1 is supported.',
    },
    plan: {
      kind: 'flag',
      description: 'Predict the time of a training step, and compare it with the measured time.',
    },
    'no-pin': { kind: 'flag', description: 'Do not pin ranks to cores.' },
  },
  examples: [
    { command: 'trenio run train.ts', explanation: 'one rank that uses every core' },
    {
      command: 'trenio run --nproc_per_node=2 train.ts --epochs 3',
      explanation: 'two ranks with half of the cores each; the script gets --epochs 3',
    },
    { command: 'trenio run --plan train.ts', explanation: 'predicted and measured time of a step' },
  ],
  run: async ({ options, positionals: [script], rest }, context) => {
    if (options.nnodes > 1) {
      throw new TrenioError('UNSUPPORTED', {
        what: `--nnodes=${options.nnodes}`,
        where: 'trenio run, which starts ranks on this machine only',
        instead: 'leave --nnodes out, or set it to 1',
      });
    }
    const nprocPerNode = countRanks('run', options['nproc-per-node']);
    if (options.plan) {
      if (nprocPerNode !== 1)
        throw new TrenioError('UNSUPPORTED', {
          what: `--plan with --nproc-per-node=${options['nproc-per-node']}`,
          where: 'trenio run --plan, which predicts steps of a single rank',
          instead: 'leave --nproc-per-node out: one rank uses every core',
        });
      return (await import('./run-plan.ts')).runPlanned(script!, rest, !options['no-pin'], context);
    }
    const { exitCode } = await launch({
      script: script!,
      args: rest,
      nprocPerNode,
      pin: !options['no-pin'],
      cwd: context.cwd,
      variables: context.environment,
      stdout: context.stdout,
      stderr: context.stderr,
      signal: context.signal,
    });
    return exitCode;
  },
});
