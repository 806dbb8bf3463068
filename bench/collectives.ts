// Collectives between two ranks over shared memory, TCP and MPI, compared with peers and the limits of the machine in the same
// run: torch's gloo, MPI's own all-reduce, iperf3, and a loop that moves the bytes through shared memory without waiting. Every
// bar is printed. Trenio and what it is compared with take turns, as the cores of a virtual machine may share a cache in one
// minute and not in the next; a bar is the median of the ratios of the turns.
//
//   node bench/collectives.ts [--rounds 15] [--turns 3] [--sizes BYTES,BYTES…] [--python python3]
//     [--only shm,permute,tcp,mpi,slurm,overlap,scaling]
//
// TCP runs between two network namespaces if this is root and `ip` is installed, otherwise over the loopback device. MPI between
// hosts is measured twice: `slurm` has tasks of srun in two network namespaces, where MPI uses TCP; `mpi` has two ranks of mpirun
// with different host names, for which MPI uses shared memory. Both need root. On a busy machine, run it with
// `nice -n -15`: two ranks need both cores at once. bench/collectives/kinds.ts measures each kind of collective.
import './help.ts';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { canStartSlurm, SlurmCluster } from '../src/distributed/launch/slurm.testing.ts';
import { bar } from './bars.ts';
import { rowsOf, TwoHosts } from './collectives/processes.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    turns: { type: 'string', default: '3' },
    python: { type: 'string', default: 'python3' },
    sizes: { type: 'string', default: '4096,65536,1048576,10485760,25000000,104857600' },
    only: { type: 'string', default: 'shm,permute,tcp,mpi,slurm,overlap,scaling' },
  },
});
const only = values.only.split(',');
const KiB = 1024;
const MiB = 1 << 20;
const sizes = values.sizes.split(',').map(Number);
const common = [values.rounds, sizes.join()];
const here = (file: string): string => new URL(file, import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'trenio-collectives-'));
const trenio = [process.execPath, here('../src/cli/main.ts'), 'run'];
const rank = here('collectives/rank.ts');

interface Row {
  readonly bytes: number;
  readonly ms: number;
  readonly best: number;
}
type Rows = readonly Row[];
/** The median and the best of all turns for one size, and the median of each turn. */
interface TurnsRow extends Row {
  readonly turns: readonly number[];
}
type TurnsRows = readonly TurnsRow[];
/** A row of overlap.ts's output. */
interface StepRow {
  readonly ms: number;
  readonly exposedMs: number;
  readonly ownMs: number;
  readonly keptBytes: number;
  readonly idealBytes: number;
}

const measure = (...commands: readonly (readonly string[])[]): Promise<Rows | undefined> => rowsOf<Row>(commands);
const noMpi = '  not measured: mpicc is not installed';
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;
type Measurement = () => Promise<Rows | undefined>;
/** Runs the measurements one after another, several times. One that fails, or cannot be made, has no rows. */
async function inTurn<Name extends string>(
  measurements: Readonly<Record<Name, Measurement | undefined>>,
): Promise<Readonly<Record<Name, TurnsRows | undefined>>> {
  const all = new Map<string, Rows[]>();
  const missing = new Set<string>();
  for (let turn = 0; turn < Number(values.turns); turn++) {
    for (const [name, run] of Object.entries<Measurement | undefined>(measurements)) {
      const rows = missing.has(name) ? undefined : await run?.();
      if (rows === undefined) missing.add(name);
      else all.set(name, [...(all.get(name) ?? []), rows]);
    }
  }
  const merged = (name: string): TurnsRows | undefined => {
    const turns = missing.has(name) ? undefined : all.get(name);
    return turns?.[0]?.map(({ bytes }, i) => {
      const rows = turns.map(turn => turn[i]!);
      const times = rows.map(({ ms }) => ms);
      return { bytes, ms: median(times), best: Math.min(...rows.map(({ best }) => best)), turns: times };
    });
  };
  return Object.fromEntries(Object.keys(measurements).map(name => [name, merged(name)])) as Record<
    Name,
    TurnsRows | undefined
  >;
}
/** How many times as fast as the other. */
const speed = (own: TurnsRow, other: TurnsRow): number => median(own.turns.map((ms, turn) => other.turns[turn]! / ms));
function compiled(name: string, compiler: string): readonly string[] | undefined {
  const path = join(folder, name);
  const { status } = spawnSync(compiler, ['-O3', '-march=native', '-o', path, here(`peers/${name}.c`), '-lpthread']);
  return status === 0 ? [path] : undefined;
}

/** How long iperf3 takes for 25 MB from one host to the other, or in each direction if both send at once. */
function iperf(hosts: TwoHosts, flags: readonly string[]): Rows | undefined {
  const [server, ...serverArgs] = hosts.on(0, ['iperf3', '-s', '-1', '-p', '29571']);
  const listening = spawn(server!, serverArgs, { stdio: 'ignore' });
  listening.on('error', () => {});
  spawnSync('sleep', ['0.5']);
  const client = hosts.on(1, ['iperf3', '-c', hosts.address, '-p', '29571', '-t', '2', '-J', ...flags]);
  const { status, stdout } = spawnSync(client[0]!, client.slice(1), { encoding: 'utf8' });
  listening.kill();
  if (status !== 0) return undefined;
  interface Sum {
    readonly bits_per_second: number;
  }
  const { end } = JSON.parse(stdout) as { end: { sum_received: Sum; sum_received_bidir_reverse?: Sum } };
  const { sum_received: there, sum_received_bidir_reverse: back } = end;
  const bitsPerMs = (there.bits_per_second + (back?.bits_per_second ?? there.bits_per_second)) / 2000;
  const ms = (8 * 25e6) / bitsPerMs;
  return [{ bytes: 25_000_000, ms, best: ms }];
}
const sizeText = (bytes: number): string => (bytes >= MiB ? `${+(bytes / MiB).toFixed(1)} MiB` : `${bytes / KiB} KiB`);
const at = <R extends Row>(rows: readonly R[] | undefined, bytes: number): R | undefined =>
  rows?.find(row => row.bytes === bytes);

function print(title: string, columns: Readonly<Record<string, Rows | undefined>>): void {
  console.log(`\n${title}, ms: median (best); load ${loadavg()[0]!.toFixed(1)}`);
  const shown = Object.entries(columns).filter(([, rows]) => rows !== undefined);
  console.log(['', ...shown.map(([name]) => name)].map(text => text.padEnd(24)).join(''));
  for (const bytes of sizes) {
    const cells = shown
      .map(([, rows]) => at(rows, bytes))
      .map(row => (row ? `${row.ms.toFixed(4)} (${row.best.toFixed(4)})` : ''));
    console.log([sizeText(bytes), ...cells].map(text => text.padEnd(24)).join(''));
  }
}
/** A bar for each size: how many times as fast as the peer. */
function compare(
  mine: TurnsRows | undefined,
  theirs: TurnsRows | undefined,
  over: string,
  peer: string,
  least: (bytes: number) => number,
): void {
  for (const bytes of sizes) {
    const [own, other] = [at(mine, bytes), at(theirs, bytes)];
    if (own && other)
      bar({
        what: `all-reduce of ${sizeText(bytes)} over ${over}`,
        unit: `× ${peer}`,
        measured: speed(own, other),
        limit: least(bytes),
        kind: 'at least',
      });
  }
}
function latency(rows: Rows | undefined, over: string, limit: number): void {
  const small = at(rows, 4 * KiB);
  if (small)
    bar({ what: `all-reduce of 4 KiB over ${over}`, unit: 'µs', measured: 1000 * small.ms, limit, kind: 'at most' });
}

async function sharedMemory(): Promise<void> {
  const program = compiled('shared_limit', 'gcc');
  const { ours, limit } = await inTurn({
    ours: () => measure([...trenio, '--nproc_per_node', '2', rank, ...common]),
    limit: program && (() => measure([...program, ...common])),
  });
  print('shared memory', { Trenio: ours, limit });
  for (const bytes of sizes.filter(size => size >= MiB)) {
    const [row, least] = [at(ours, bytes), at(limit, bytes)];
    if (row && least)
      bar({
        what: `all-reduce of ${sizeText(bytes)} in shared memory`,
        unit: '% of the limit',
        measured: 100 * speed(row, least),
        limit: 80,
        kind: 'at least',
      });
  }
  latency(ours, 'shared memory', 5);
}

/** Between two of several ranks. With more ranks than cores they sleep while they wait, so 8 are compared with 4. */
async function permute(): Promise<void> {
  const bytes = 4 * MiB;
  const best = new Map<number, number>();
  for (const ranks of [2, 4, 8]) {
    const script = [here('collectives/permute.ts'), values.rounds, `${bytes}`];
    const rows = await measure([...trenio, '--nproc_per_node', `${ranks}`, ...script]);
    const row = at(rows, bytes);
    if (row === undefined) continue;
    best.set(ranks, row.best);
    console.log(
      `permute of 4 MiB between two of ${ranks} ranks: ${row.ms.toFixed(3)} ms (best ${row.best.toFixed(3)})`,
    );
  }
  const [few, many] = [best.get(4), best.get(8)];
  if (few !== undefined && many !== undefined)
    bar({
      what: 'permute between two of 8 ranks',
      unit: '× of 4 ranks',
      measured: many / few,
      limit: 1.2,
      kind: 'at most',
    });
}

async function tcp(hosts: TwoHosts): Promise<void> {
  const gloo = [0, 1].map(host =>
    hosts.on(host, [
      'env',
      `GLOO_SOCKET_IFNAME=${hosts.device(host)}`,
      values.python,
      here('peers/gloo_all_reduce.py'),
      `${host}`,
      hosts.address,
      '29572',
      ...common,
    ]),
  );
  const { ours, peer, stream, both } = await inTurn({
    stream: async () => iperf(hosts, []),
    ours: () => measure(...hosts.ranks([rank, ...common])),
    both: async () => iperf(hosts, ['--bidir']),
    peer: () => measure(...gloo),
  });
  print(`TCP ${hosts.where}`, { Trenio: ours, gloo: peer });
  // Each of two ranks sends and receives as many bytes as the array has.
  const [row, oneWay, bothWays] = [at(ours, 25_000_000), at(stream, 25_000_000), at(both, 25_000_000)];
  const rate = (ms: number): string => (25 / ms).toFixed(2);
  if (row && oneWay) {
    console.log(`  iperf3: one stream ${rate(oneWay.ms)} GB/s`);
    bar({
      what: `all-reduce of 25 MB over TCP ${hosts.where}, each way`,
      unit: '% of one iperf3 stream',
      measured: 100 * speed(row, oneWay),
      limit: 90,
      kind: 'at least',
    });
  }
  if (row && bothWays)
    console.log(
      `  iperf3 both ways at once: ${rate(bothWays.ms)} GB/s each way; Trenio has ${(100 * speed(row, bothWays)).toFixed(0)} % of it`,
    );
  compare(ours, peer, 'TCP', 'gloo', bytes => (bytes <= 10 * MiB ? 1.1 : 1));
  latency(ours, 'TCP', 25);
}

async function mpi(): Promise<void> {
  const program = compiled('mpi_all_reduce', 'mpicc');
  if (program === undefined) {
    console.log(noMpi);
    return;
  }
  const root = process.getuid?.() === 0 ? ['--allow-run-as-root'] : [];
  const job = ['mpirun', '--oversubscribe', '--bind-to', 'none', ...root, '-np', '2'];
  // Ranks with different host names use MPI; MPI then moves the bytes through memory, as in its own all-reduce.
  const rename = ['unshare', '--uts', 'sh', '-c', 'hostname "host$OMPI_COMM_WORLD_RANK" && exec "$@"', 'sh'];
  const { ours, between, peer } = await inTurn({
    peer: () => measure([...job, ...program, ...common]),
    ours: () => measure([...job, process.execPath, rank, ...common]),
    between: () => measure([...job, ...rename, process.execPath, rank, ...common]),
  });
  print('ranks of mpirun on one host', { Trenio: ours, MPI_Allreduce: peer });
  compare(ours, peer, "mpirun's ranks on one host", "MPI's own", () => 0.9);
  print('MPI between hosts', { Trenio: between, MPI_Allreduce: peer });
  compare(between, peer, 'MPI', "MPI's own", () => 0.9);
}

/** A task of srun on each of two virtual hosts. MPI reaches the other over the network, as from machine to machine. */
async function slurm(): Promise<void> {
  const program = compiled('mpi_all_reduce', 'mpicc');
  if (program === undefined || !canStartSlurm()) {
    console.log(program === undefined ? noMpi : '  not measured: it needs root and Slurm');
    return;
  }
  await using cluster = await SlurmCluster.start(2);
  const pinned = ['sh', '-c', 'exec taskset -c $SLURM_PROCID "$@"', 'sh'];
  const step = [...cluster.controller.enter, 'srun', '-N2', '--ntasks-per-node=1', '--mpi=pmix', ...pinned];
  const { ours, peer } = await inTurn({
    peer: () => rowsOf<Row>([[...step, ...program, ...common]], cluster.variables),
    ours: () => rowsOf<Row>([[...step, process.execPath, rank, ...common]], cluster.variables),
  });
  print('MPI between two network namespaces', { Trenio: ours, MPI_Allreduce: peer });
  compare(ours, peer, 'MPI between two network namespaces', "MPI's own", () => 0.9);
}

async function overlap(hosts: TwoHosts): Promise<void> {
  const [step] = (await rowsOf<StepRow>(hosts.ranks([here('collectives/overlap.ts'), '--json']))) ?? [];
  if (step === undefined) return;
  const { ms, exposedMs, ownMs } = step;
  console.log(
    `\nBERT-base, 2 ranks, TCP ${hosts.where}: step ${ms.toFixed(0)} ms; its collectives take ${ownMs.toFixed(0)} ms, and it waits ${exposedMs.toFixed(0)} ms for them`,
  );
  bar({
    what: `exposed communication of BERT-base over TCP ${hosts.where}`,
    unit: '% of the time of its collectives',
    measured: (100 * exposedMs) / ownMs,
    limit: 15,
    kind: 'at most',
  });
}

/**
 * The same global batch on two ranks of one thread and in one process of two threads, interleaved. Each rank updates all
 * parameters, unless the optimizer divides them (ZeRO, stage 1), or the layout does.
 */
async function scaling(): Promise<void> {
  const script = here('collectives/overlap.ts');
  let kept = Number.NaN;
  const step = async (command: readonly string[], threads: number): Promise<number> => {
    const [row] = (await rowsOf<StepRow>([command], { TRENIO_NUM_THREADS: `${threads}` })) ?? [];
    if (row === undefined) return Number.NaN;
    if (command.includes('--zero')) kept = row.keptBytes / row.idealBytes;
    return row.ms;
  };
  const whole: number[] = [];
  const divided: number[] = [];
  const layouts = ['tp=2', 'pp=2', 'pp=2 ZBVZeroBubble', 'dp_shard=2'];
  const inLayout = new Map<string, number[]>(layouts.map(layout => [layout, []]));
  for (let turn = 0; turn < Number(values.turns); turn++) {
    const two = [...trenio, '--nproc_per_node', '2', script, '--json', '--batch', '4'];
    const one = await step([process.execPath, script, '--json', '--batch', '8'], 2);
    const ranks = await step(two, 1);
    const zero = await step([...two, '--zero'], 1);
    console.log(
      `BERT-base, 8 sequences per step: one process ${one.toFixed(0)} ms, two ranks ${ranks.toFixed(0)} ms, with a divided optimizer ${zero.toFixed(0)} ms`,
    );
    whole.push(one / ranks);
    divided.push(one / zero);
    for (const layout of layouts) {
      const [axes, schedule = '1F1B'] = layout.split(' ') as [string, string?];
      const inIt = [...trenio, '--layout', axes, script, '--json', '--batch', '8', '--schedule', schedule];
      const ms = await step(inIt, 1);
      console.log(`  ${layout}: ${ms.toFixed(0)} ms`);
      inLayout.get(layout)!.push(one / ms);
    }
  }
  const what = 'ZeroRedundancyOptimizer, memory of parameters and state';
  if (!Number.isNaN(kept))
    bar({ what, unit: '× parameters and half the state', measured: kept, limit: 1.03, kind: 'at most' });
  for (const [what, ratios] of [
    ['BERT-base on 2 ranks of 1 thread', whole],
    ['BERT-base on 2 ranks of 1 thread, ZeroRedundancyOptimizer', divided],
  ] as const) {
    const ratio = median(ratios);
    if (!Number.isNaN(ratio))
      bar({ what, unit: '× one process of 2 threads', measured: ratio, limit: 0.97, kind: 'at least' });
  }
  for (const [layout, ratios] of inLayout) {
    const what = `BERT-base in the layout ${layout}, ranks of 1 thread`;
    const ratio = median(ratios);
    // With four micro-batches on two ranks, 1F1B has a fifth of bubble: it is shown beside the schedule that can meet the bar.
    if (layout === 'pp=2') console.log(`${what}: ${ratio.toFixed(2)} × one process of 2 threads (1F1B allows 0.8)`);
    else if (!Number.isNaN(ratio))
      bar({ what, unit: '× one process of 2 threads', measured: ratio, limit: 0.9, kind: 'at least' });
  }
}

try {
  if (only.includes('shm')) await sharedMemory();
  if (only.includes('permute')) await permute();
  if (only.includes('tcp') || only.includes('overlap')) {
    using hosts = new TwoHosts();
    if (only.includes('tcp')) await tcp(hosts);
    if (only.includes('overlap')) await overlap(hosts);
  }
  if (only.includes('mpi')) await mpi();
  if (only.includes('slurm')) await slurm();
  if (only.includes('scaling')) await scaling();
} finally {
  rmSync(folder, { recursive: true });
}
