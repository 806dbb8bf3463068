// The share of communication in a training step on virtual hosts that share the cores of this machine: predicted from
// measurements of one, two and four hosts, and measured.
//
//     [chrt -r 10] node bench/shared-cores.ts [--hosts 8,16] [--rounds 5] [--layers 1] [--batch 16]
//
// Predicted by src/simulator/shared-cores.ts. Measured: a step of BERT whose ranks all-reduce their gradients, and as many
// programs at the same time that do not; the rest is communication. Needs root.
import './help.ts';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { VirtualNetwork } from '../src/distributed/launch/namespaces.testing.ts';
import { sharedCoresStep } from '../src/simulator/shared-cores.ts';
import { bar } from './bars.ts';
import { rowsOf } from './collectives/processes.ts';

const { values } = parseArgs({
  options: {
    hosts: { type: 'string', default: '8,16' },
    rounds: { type: 'string', default: '5' },
    layers: { type: 'string', default: '1' },
    batch: { type: 'string', default: '16' },
  },
});
const counts = values.hosts.split(',').map(Number);
const here = (file: string): string => new URL(file, import.meta.url).pathname;
const step = [here('collectives/overlap.ts'), '--json', '--layers', values.layers, '--batch', values.batch];
const own = [...step, '--rounds', values.rounds];
/** Long enough that all programs run at the same time. */
const APART_ROUNDS = 10;
const longer = [...step, '--rounds', String(APART_ROUNDS * Number(values.rounds))];

interface StepRow {
  readonly meanMs: number;
  readonly idealBytes: number;
}

await using network = await VirtualNetwork.make(Math.max(...counts));
const cores = cpus().length;

/** A training run on the first hosts. */
async function together(hosts: number): Promise<StepRow> {
  const commands = network.hosts
    .slice(0, hosts)
    .map((host, k) => [
      ...host.enter,
      ...[process.execPath, here('../src/cli/main.ts'), 'run', '--nproc_per_node', '1', '--nnodes', `${hosts}`],
      ...['--node_rank', `${k}`, '--rdzv_endpoint', `${network.hosts[0]!.address}:29573`, ...own],
    ]);
  const [row] = (await rowsOf<StepRow>(commands)) ?? [];
  if (row === undefined) throw new Error(`no result of ${hosts} hosts`);
  return row;
}

/** As many programs at the same time that do not communicate: the slowest of their mean times. */
async function apart(hosts: number): Promise<StepRow> {
  const commands = network.hosts.slice(0, hosts).map(host => [...host.enter, process.execPath, ...longer]);
  const rows = await Promise.all(commands.map(command => rowsOf<StepRow>([command])));
  const found = rows.map(list => list?.[0]).filter(row => row !== undefined);
  if (found.length < hosts) throw new Error(`no result of ${hosts} programs`);
  return found.toSorted((a, b) => b.meanMs - a.meanMs)[0]!;
}

const point = async (hosts: number) => ({ hosts, ms: (await together(hosts)).meanMs });
const alone = await apart(1);
// AdamW has two values for each parameter.
const gradientBytes = alone.idealBytes / 3;
const calibrated = [await point(2), await point(4)] as const;
console.log(
  `${cores} cores; a step of one host ${alone.meanMs.toFixed(0)} ms; of ${calibrated.map(one => `${one.hosts} ${one.ms.toFixed(0)}`).join(', of ')}; ${(gradientBytes / 1e6).toFixed(0)} MB of gradients`,
);
for (const hosts of counts) {
  const measured = await together(hosts);
  const without = await apart(hosts);
  const predicted = sharedCoresStep({ hosts, cores, stepMs: alone.meanMs, measured: calibrated });
  const share = 1 - without.meanMs / measured.meanMs;
  console.log(
    `${hosts} hosts: step ${measured.meanMs.toFixed(0)} ms, without communication ${without.meanMs.toFixed(0)}; predicted ${predicted.ms.toFixed(0)} and ${predicted.computeMs.toFixed(0)}; share of communication ${(100 * share).toFixed(1)} %, predicted ${(100 * predicted.share).toFixed(1)}`,
  );
  bar({
    what: `predicted share of communication, ${hosts} hosts`,
    unit: '% from the measured one',
    measured: 100 * Math.abs(predicted.share / share - 1),
    limit: 20,
    kind: 'at most',
  });
}
