// The share of communication in the pre-training of BERT on 1 to 16 virtual hosts that share the cores of this machine, with
// strong and weak scaling: measured, and predicted by src/simulator/shared-cores.ts from two short runs that are not rows.
//
//     [nice -n -10] node bench/shared-cores.ts [--hosts 1,2,4,8,16] [--scaling strong,weak] [--steps 16] [--rounds 1]
//
// The share is processor time: of collectives, divided by that of the ranks. Waiting is not part of it, so other work on the
// machine hardly changes it. With strong scaling, the losses of all rows are also compared. Several rounds: the median of each
// time. Needs root. Real-time priorities are no good here: they starve the launchers, whose heartbeats then stop.
import './help.ts';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { VirtualNetwork } from '../src/distributed/launch/namespaces.testing.ts';
import { readRunResults } from '../src/jobs/run-results.ts';
import {
  communicationShare,
  type MeasuredRun,
  type SharedCoresRun,
  sharedCoresStep,
} from '../src/simulator/shared-cores.ts';
import { bar } from './bars.ts';
import { rowsOf } from './collectives/processes.ts';

const { values } = parseArgs({
  options: {
    hosts: { type: 'string', default: '1,2,4,8,16' },
    scaling: { type: 'string', default: 'strong,weak' },
    steps: { type: 'string', default: '16' },
    rounds: { type: 'string', default: '1' },
  },
});
const counts = values.hosts.split(',').map(Number);
const scalings = values.scaling.split(',');
/** Micro-batches of all hosts in a step of strong scaling. */
const MICRO_BATCHES = 16;
const CALIBRATION_RUNS: readonly [SharedCoresRun, SharedCoresRun] = [
  { hosts: 2, microBatches: 4 },
  { hosts: 8, microBatches: 1 },
];
const CALIBRATION_ROUNDS = 3;
const here = (file: string): string => new URL(file, import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'shared-cores-'));
const removeFolder = (): void => rmSync(folder, { recursive: true, force: true });
process.once('SIGINT', () => {
  removeFolder();
  process.exit(130);
});
await using network = await VirtualNetwork.make(Math.max(...counts, 8));

type Row = MeasuredRun & { readonly losses: readonly number[]; readonly sequencesPerSecond: number };

/** A training run on the first hosts. */
async function train({ hosts, microBatches }: SharedCoresRun): Promise<Row> {
  const output = mkdtempSync(join(folder, 'run-'));
  const script = [here('../examples/bert-large-pretraining/train.ts'), '--output', output];
  const settings = ['--batch-size', '4', '--gradient-accumulation', `${microBatches}`, '--steps', values.steps];
  const commands = network.hosts
    .slice(0, hosts)
    .map((host, k) => [
      ...[...host.enter, process.execPath, here('../src/cli/main.ts'), 'run', '--nproc_per_node', '1'],
      ...['--nnodes', `${hosts}`, '--node_rank', `${k}`, '--rdzv_endpoint', `${network.hosts[0]!.address}:29573`],
      ...[...script, ...settings],
    ]);
  if ((await rowsOf(commands)) === undefined) throw new Error(`no result of ${hosts} hosts`);
  const { communication, throughput } = await readRunResults(join(output, 'results.json'));
  const { share = 0, cpuMs = 0 } = communication ?? {};
  const log = readFileSync(join(output, `log_ph1_f32_0_${hosts}`), 'utf8');
  return {
    hosts,
    microBatches,
    computeMs: (1 - share) * cpuMs,
    communicationMs: share * cpuMs,
    losses: [...log.matchAll(/ loss (\S+)/g)].map(match => Number(match[1])),
    sequencesPerSecond: throughput.sequencesPerSecond,
  };
}

/** The median of each time over several runs. */
async function measure(run: SharedCoresRun, rounds = Number(values.rounds)): Promise<Row> {
  const rows: Row[] = [];
  for (let round = 0; round < rounds; round++) rows.push(await train(run));
  const median = (of: (row: Row) => number): number => rows.map(of).toSorted((a, b) => a - b)[rows.length >> 1]!;
  const [computeMs, communicationMs] = [median(row => row.computeMs), median(row => row.communicationMs)];
  return { ...rows[0]!, computeMs, communicationMs, sequencesPerSecond: median(row => row.sequencesPerSecond) };
}

const ms = (value: number): string => value.toFixed(2);
const percent = (share: number): string => `${(100 * share).toFixed(2)} %`;

try {
  const [few, many] = CALIBRATION_RUNS;
  const calibration = [await measure(few, CALIBRATION_ROUNDS), await measure(many, CALIBRATION_ROUNDS)] as const;
  for (const { hosts, microBatches, computeMs, communicationMs } of calibration)
    console.log(
      `calibration: ${hosts} hosts, ${microBatches} micro-batches: ${ms(computeMs)} ms of computation and ${ms(communicationMs)} ms of communication on each rank`,
    );
  let worst = 0;
  for (const scaling of scalings) {
    let losses: readonly number[] | undefined;
    for (const hosts of counts) {
      const run = { hosts, microBatches: scaling === 'strong' ? Math.max(1, MICRO_BATCHES / hosts) : 1 };
      const row = await measure(run);
      const predicted = sharedCoresStep(run, calibration);
      const [share, expected] = [communicationShare(row), communicationShare(predicted)];
      const error = share === expected ? 0 : 100 * (expected / share - 1);
      worst = Math.max(worst, Math.abs(error));
      losses ??= row.losses;
      const difference = Math.max(...row.losses.map((loss, i) => Math.abs(loss - losses![i]!)));
      console.log(
        `${scaling}, ${hosts} hosts: compute ${ms(row.computeMs)} ms, predicted ${ms(predicted.computeMs)}; communication ${ms(row.communicationMs)}, predicted ${ms(predicted.communicationMs)}; share ${percent(share)}, predicted ${percent(expected)}: ${error < 0 ? '' : '+'}${error.toFixed(0)} %; ${row.sequencesPerSecond.toFixed(0)} sequences/s${scaling === 'strong' ? `; losses differ by ${difference} at most` : ''}`,
      );
    }
  }
  bar({
    what: 'predicted share of communication, the worst row',
    unit: '% from the measured one',
    measured: worst,
    limit: 20,
    kind: 'at most',
  });
} finally {
  removeFolder();
}
