// `trenio run`: starts the ranks of a training script on this machine, alone or together with other machines.

import { lookup } from 'node:dns/promises';
import { readVariable, type Variables } from '../../base/environment.ts';
import { TrenioError } from '../../base/errors.ts';
import { Interrupted } from '../../base/interrupted.ts';
import type { LaunchResult } from '../../distributed/launch/launch.ts';
import { parseEndpoint } from '../../distributed/rendezvous/endpoint.ts';
import { defineCommand } from '../command/command.ts';
import { parseCommandLine } from '../command/parse.ts';
import { type RunOptionValues, readRunOptions, runOptions } from './run-options.ts';
import { notesOnAccepted, wordsFromVariables } from './torchrun-options.ts';

export const runCommand = defineCommand({
  name: 'run',
  summary: 'Run a training script on every core, as one or more ranks, on one or more machines.',
  description: [
    'Starts N processes (ranks) of the script. Each gets its share of the cores and the variables of torchrun: RANK, LOCAL_RANK,',
    'WORLD_SIZE, GROUP_RANK, MASTER_ADDR … The ranks of a machine exchange data through shared memory. If several ranks print, each',
    'line is prefixed with its rank. If a rank fails, the others are stopped, everywhere, and the command exits with its exit code;',
    'with --max-restarts, all ranks are started again. Options after the script are passed to the script.',
    '',
    'With several machines, start the same command on each. The launchers meet at --rdzv-endpoint and prove to each other that they',
    'know the same secret: TRENIO_RDZV_SECRET, the file --rdzv-conf secret_file=FILE, or rendezvous.secret in the cache directory,',
    'which is created at first use. A machine that is lost ends the run within seconds, or starts it again without it.',
    '',
    '--rdzv-conf takes, in seconds: timeout (to reach the endpoint, 60), join_timeout (to wait for enough machines, 600),',
    'last_call_timeout (to wait for more of a range, 10), heartbeat_interval (1), heartbeat_timeout (a machine is lost, 5).',
    '',
    'Under srun, mpirun and mpiexec none of these options is needed: the ranks and machines come from the job. With one task per',
    'machine, each task starts --nproc_per_node ranks; with several, each task is one rank.',
    '',
    'SIGTERM and SIGINT are passed on to the ranks, which have 30 seconds; SIGUSR1 is passed on and the run continues. If a rank',
    'exits with code 75, it has saved its state and asks to be started again later; the command then exits with 75, too. In a job',
    'of Slurm it does so after any SIGTERM, and when a machine is lost: Slurm then requeues the job (RequeueExit=75).',
    '',
    'As with torchrun, PET_NPROC_PER_NODE=2 and so on stand for options; those on the command line win.',
    '',
    'With --plan, the script is first traced up to its training step without running any program (its own file operations happen',
    'twice). The step time is predicted from the results of trenio hardware calibrate, which runs first if needed. Predicted and',
    'measured times are shown every ten seconds and at the end. The training step is the program that runs most often among those',
    'that update parameters. Each result is appended, as a line of JSON, to predictions.jsonl in the cache directory',
    '(TRENIO_CACHE_DIR, default ~/.cache/trenio).',
  ].join('\n'),
  positionals: [
    { name: 'script', description: 'A TypeScript or JavaScript file.', required: true, unless: 'show-fabric' },
  ],
  rest: { name: 'args', description: 'Arguments of the script.' },
  options: runOptions,
  wordsFrom: variables => wordsFromVariables(runOptions, variables),
  examples: [
    { command: 'trenio run train.ts', explanation: 'one rank that uses every core' },
    {
      command: 'trenio run --nproc_per_node=2 train.ts --epochs 3',
      explanation: 'two ranks with half of the cores each; the script gets --epochs 3',
    },
    {
      command: 'trenio run --layout dp_shard=2,tp=2 train.ts',
      explanation: 'four ranks, which the script arranges with initDeviceMesh() and parallelize',
    },
    {
      command: 'trenio run --layout tp=2 --explain-comms train.ts',
      explanation: 'two ranks, and what they sent in a step',
    },
    {
      command: 'trenio run --nnodes 2 --rdzv-endpoint node1:29500 --nproc_per_node=4 train.ts',
      explanation: 'on each of two machines, one of them node1: eight ranks',
    },
    {
      command: 'trenio run --nnodes 2:4 --max-restarts 3 --rdzv-endpoint node1:29500 train.ts',
      explanation: 'two to four machines, which may join and leave',
    },
    {
      command: 'trenio run --max-restarts 3 --log-dir logs --tee 3 train.ts',
      explanation: 'start again after failures, keep logs',
    },
    { command: 'trenio run --show-fabric', explanation: 'how ranks on several machines would communicate' },
    { command: 'trenio run --plan train.ts', explanation: 'predicted and measured time of a step' },
  ],
  run: async ({ options, positionals: [script], rest }, context) => {
    const { asked, rankVariables } = await readSettings(options, context.environment);
    if (readVariable('TRENIO_RUN_COMPILES', context.environment) === true) {
      const { compileCommand } = await import('./compile.ts');
      const ranks = options.layout === undefined ? options['nproc-per-node'] : asked.nprocPerNode;
      const words = ranks === undefined ? [] : [`--nproc-per-node=${ranks}`];
      const { TRENIO_RUN_COMPILES: _, ...environment } = rankVariables;
      const input = parseCommandLine(compileCommand, [...words, script!, ...rest]);
      if (input !== 'help') return compileCommand.run(input, { ...context, environment });
    }
    for (const note of notesOnAccepted(options)) context.stderr.write(`trenio run: ${note}\n`);
    if (options['show-fabric']) {
      const [{ findFabric }, { describeFabric }] = await Promise.all([
        import('../../distributed/launch/fabric.ts'),
        import('./run-fabric.ts'),
      ]);
      const fabric = await findFabric(context.environment, parseEndpoint(asked.rendezvous?.endpoint ?? ''));
      context.stdout.write(options.json ? `${JSON.stringify(fabric)}\n` : describeFabric(fabric));
      return 0;
    }
    if (options.plan) {
      if (asked.nprocPerNode === 'auto' || asked.rendezvous !== undefined)
        throw new TrenioError('UNSUPPORTED', {
          what: asked.rendezvous === undefined ? '--plan with --nproc-per-node=auto' : '--plan with several machines',
          where: 'trenio run --plan',
          instead: 'give a number of ranks, on this machine',
        });
      const { runPlanned } = await import('./run-plan.ts');
      const { layout } = options;
      const planned = { script: script!, args: rest, pin: !options['no-pin'], ranks: asked.nprocPerNode, layout };
      return runPlanned(planned, { ...context, environment: rankVariables });
    }
    const [{ launch }, { exitCodeOf }] = await Promise.all([
      import('../../distributed/launch/launch.ts'),
      import('../../distributed/launch/exit-requeue.ts'),
    ]);
    const started = performance.now();
    const variables = await withAddress(withTimeout(rankVariables, options.timeout), options['local-addr']);
    let result: LaunchResult;
    try {
      context.signal.throwIfAborted();
      result = await launch({
        ...asked,
        script: script!,
        args: rest,
        pin: !options['no-pin'],
        cwd: context.cwd,
        variables,
        stdout: context.stdout,
        stderr: context.stderr,
        signal: context.signal,
      });
    } catch (error) {
      // A signal that came before the ranks were started.
      if (context.signal.reason instanceof Interrupted) return exitCodeOf(context.signal.reason, context.environment);
      throw error;
    }
    if (options.json) context.stdout.write(`${endReport(result, (performance.now() - started) / 1000)}\n`);
    return result.exitCode;
  },
});

/** The settings, and the variables of ranks, with those that options set. */
async function readSettings(options: RunOptionValues, environment: Variables) {
  const asked = readRunOptions(options, environment);
  const { layout } = options;
  const variables = options['explain-comms'] ? { ...environment, TRENIO_EXPLAIN_COMMS: '1' } : environment;
  if (layout === undefined) return { asked, rankVariables: variables };
  const { ranksForLayout } = await import('./layout-option.ts');
  const nprocPerNode = ranksForLayout(layout, { ...asked, isCounted: options['nproc-per-node'] !== undefined });
  return { asked: { ...asked, nprocPerNode }, rankVariables: { ...variables, TRENIO_LAYOUT: layout } };
}

const withTimeout = (variables: Variables, seconds: number | undefined): Variables =>
  seconds === undefined ? variables : { ...variables, TRENIO_COMM_TIMEOUT: `${seconds}` };

/** @throws {BAD_ARGUMENT} for a name without an address */
async function withAddress(variables: Variables, host: string | undefined): Promise<Variables> {
  if (host === undefined) return variables;
  try {
    return { ...variables, TRENIO_COMM_ADDRESS: (await lookup(host)).address };
  } catch (error) {
    throw new TrenioError('BAD_ARGUMENT', {
      command: 'run',
      argument: '--local-addr',
      got: `'${host}'`,
      expected: `an address of this machine, or a name of it (${(error as Error).message})`,
    });
  }
}

/** How the run ended, as a line of JSON. */
function endReport(result: LaunchResult, seconds: number): string {
  const { exitCode, reason, restarts, nodes, groupRank, failedRank } = result;
  return JSON.stringify({
    exitCode,
    reason: reason ?? null,
    restarts,
    seconds: Number(seconds.toFixed(3)),
    groupRank: groupRank ?? null,
    nodes,
    worldSize: nodes.reduce((sum, node) => sum + node.ranks, 0),
    failedRank: failedRank ?? null,
  });
}
