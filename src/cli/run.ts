// `trenio run`: the ranks of a training script on this machine.

import { TrenioError } from '../base/errors.ts';
import { launch } from '../parallel/launch.ts';
import { defineCommand } from './command.ts';
import { countRanks, ranksOption } from './ranks-option.ts';

export const runCommand = defineCommand({
  name: 'run',
  summary: 'Run a training script on every core, as one or more ranks.',
  description: [
    'Starts the script N times, each with its share of the cores, RANK, LOCAL_RANK, WORLD_SIZE and LOCAL_WORLD_SIZE set, and',
    'shared memory between them. With several ranks each line of output says which rank it is from. If one fails, the others',
    'are ended, and its exit code is the command’s. Options after the script are the script’s own.',
    '',
    'With --plan the script is first followed up to its training step without running any program (what it does to files by',
    'itself it does twice), the step is priced with what trenio hardware calibrate measured (which is done first if need be), and',
    'the prediction is shown beside the measured time each ten seconds and at the end. The training step is the program that runs',
    'most often among those that replace parameters. Each pair is added, as a line of JSON, to predictions.jsonl in the cache',
    'directory (TRENIO_CACHE_DIR, or else ~/.cache/trenio).',
  ].join('\n'),
  positionals: [{ name: 'script', description: 'A TypeScript or JavaScript file.', required: true }],
  rest: { name: 'args', description: 'What the script gets as its arguments.' },
  options: {
    'nproc-per-node': ranksOption,
    nnodes: {
      kind: 'integer',
      placeholder: 'N',
      min: 1,
      max: 1_000_000,
      default: 1,
      description: 'How many machines; this command starts one.',
    },
    plan: {
      kind: 'flag',
      description: 'Predict the time of a training step first, and show it beside what is measured.',
    },
    'no-pin': { kind: 'flag', description: 'Do not keep each rank on its own cores.' },
  },
  examples: [
    { command: 'trenio run train.ts', explanation: 'one rank that uses every core' },
    {
      command: 'trenio run --nproc_per_node=2 train.ts --epochs 3',
      explanation: 'two ranks with half of the cores each; the script gets --epochs 3',
    },
    { command: 'trenio run --plan train.ts', explanation: 'says how long a step will take, and then how long it took' },
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
          where: 'trenio run, which predicts steps of a single rank',
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
