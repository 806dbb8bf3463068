// All-reduces between two ranks over shared memory, TCP and MPI, with peers and the limits of the machine in the same run:
// torch's gloo, MPI's own all-reduce, iperf3, and a loop that moves the bytes through shared memory without waiting.
//
//   node bench/collectives.ts [--rounds 15] [--python python3] [--only shm,tcp,mpi]
//
// TCP runs between two network namespaces where this is root and there is `ip`, else over the loopback device. Kinds of
// collectives one by one: bench/collectives/kinds.ts.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bar } from './bars.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    python: { type: 'string', default: 'python3' },
    only: { type: 'string', default: 'shm,tcp,mpi' },
  },
});
const only = values.only.split(',');
const KiB = 1024;
const MiB = 1 << 20;
const sizes = [4 * KiB, 64 * KiB, MiB, 10 * MiB, 25_000_000, 100 * MiB];
const common = [values.rounds, sizes.join()];
const here = (file: string): string => new URL(file, import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'trenio-collectives-'));
const trenio = [process.execPath, here('../src/cli/main.ts'), 'run'];

interface Row {
  readonly bytes: number;
  readonly ms: number;
  readonly best: number;
}
type Rows = readonly Row[];

/** Runs processes at once; the rows are what the first prints. Undefined where one of them fails. */
async function measure(...commands: readonly (readonly string[])[]): Promise<Rows | undefined> {
  const children = commands.map(
    ([program, ...args]): ChildProcess =>
      spawn(program!, args, {
        timeout: 120_000,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, TRENIO_NUM_THREADS: '1' },
      }),
  );
  const results = await Promise.all(
    children.map(
      child =>
        new Promise<{ readonly text: string; readonly errors: string; readonly code: number | null }>(resolve => {
          let [text, errors] = ['', ''];
          child.stdout!.on('data', data => {
            text += data;
          });
          child.stderr!.on('data', data => {
            errors += data;
          });
          child.on('error', error => resolve({ text, errors: error.message, code: -1 }));
          child.on('close', code => resolve({ text, errors, code }));
        }),
    ),
  );
  const failed = results.find(({ code }) => code !== 0);
  if (failed !== undefined) {
    console.log(`  not measured: ${commands[0]!.slice(0, 3).join(' ')}: ${failed.errors.trim().split('\n').at(-1)}`);
    return undefined;
  }
  const lines = results[0]!.text.split('\n').map(line => line.slice(Math.max(0, line.indexOf('{'))));
  return lines.filter(line => line.startsWith('{')).map(line => JSON.parse(line) as Row);
}
function compiled(name: string, compiler: string): readonly string[] | undefined {
  const path = join(folder, name);
  const { status } = spawnSync(compiler, ['-O3', '-march=native', '-o', path, here(`peers/${name}.c`), '-lpthread']);
  return status === 0 ? [path] : undefined;
}

/** Two hosts on this machine. */
const names = [`trenio-a-${process.pid}`, `trenio-b-${process.pid}`] as const;
const shell = (command: string): boolean => spawnSync('sh', ['-c', command], { stdio: 'ignore' }).status === 0;
const [a, b] = names;
const veth = [`tra${process.pid}`.slice(0, 15), `trb${process.pid}`.slice(0, 15)] as const;
const isSplit =
  only.includes('tcp') &&
  shell(
    `ip netns add ${a} && ip netns add ${b} && ip link add ${veth[0]} netns ${a} type veth peer name ${veth[1]} netns ${b} &&
     ip -n ${a} addr add 10.77.31.1/24 dev ${veth[0]} && ip -n ${b} addr add 10.77.31.2/24 dev ${veth[1]} &&
     for n in ${a} ${b}; do ip -n $n link set lo up; done && ip -n ${a} link set ${veth[0]} up && ip -n ${b} link set ${veth[1]} up`,
  );
const address = isSplit ? '10.77.31.1' : '127.0.0.1';
// Each host has a core of its own: processes that pin themselves would all take the first.
const on = (host: number, command: readonly string[]): string[] => [
  ...(availableParallelism() > 1 ? ['taskset', '-c', `${host}`] : []),
  ...(isSplit ? ['ip', 'netns', 'exec', names[host]!] : []),
  ...command,
];
/** GB/s of one stream. */
function iperf(): number | undefined {
  const [server, ...serverArgs] = on(0, ['iperf3', '-s', '-1', '-p', '29571']);
  const listening = spawn(server!, serverArgs, { stdio: 'ignore' });
  listening.on('error', () => {});
  spawnSync('sleep', ['0.5']);
  const [client, ...clientArgs] = on(1, ['iperf3', '-c', address, '-p', '29571', '-t', '2', '-J']);
  const { status, stdout } = spawnSync(client!, clientArgs, { encoding: 'utf8' });
  listening.kill();
  if (status !== 0) return undefined;
  return (
    (JSON.parse(stdout) as { end: { sum_received: { bits_per_second: number } } }).end.sum_received.bits_per_second /
    8e9
  );
}
const sizeText = (bytes: number): string => (bytes >= MiB ? `${+(bytes / MiB).toFixed(1)} MiB` : `${bytes / KiB} KiB`);
const at = (rows: Rows | undefined, bytes: number): Row | undefined => rows?.find(row => row.bytes === bytes);

function print(title: string, columns: Readonly<Record<string, Rows | undefined>>): void {
  console.log(`\n${title}, ms: median (best)`);
  const shown = Object.entries(columns).filter(([, rows]) => rows !== undefined);
  console.log(['', ...shown.map(([name]) => name)].map(text => text.padEnd(24)).join(''));
  for (const bytes of sizes) {
    const cells = shown
      .map(([, rows]) => at(rows, bytes))
      .map(row => (row ? `${row.ms.toFixed(4)} (${row.best.toFixed(4)})` : ''));
    console.log([sizeText(bytes), ...cells].map(text => text.padEnd(24)).join(''));
  }
}

try {
  const rank = here('collectives/rank.ts');
  const gloo = (host: number): string[] =>
    on(host, [
      'env',
      `GLOO_SOCKET_IFNAME=${isSplit ? veth[host] : 'lo'}`,
      values.python,
      here('peers/gloo_all_reduce.py'),
      `${host}`,
      address,
      '29572',
      ...common,
    ]);
  if (only.includes('shm')) {
    const limitProgram = compiled('shared_limit', 'gcc');
    const ours = await measure([...trenio, '--nproc_per_node', '2', rank, ...common]);
    const limit = limitProgram && (await measure([...limitProgram, ...common]));
    print('shared memory', { Trenio: ours, limit });
    const [row, least] = [at(ours, 25_000_000), at(limit, 25_000_000)];
    if (row && least)
      bar({
        what: 'all-reduce of 25 MB in shared memory',
        unit: '% of the limit',
        measured: (100 * least.ms) / row.ms,
        limit: 80,
        kind: 'at least',
      });
    const small = at(ours, 4 * KiB);
    if (small)
      bar({
        what: 'all-reduce of 4 KiB in shared memory',
        unit: 'µs',
        measured: 1000 * small.ms,
        limit: 5,
        kind: 'at most',
      });
  }
  if (only.includes('tcp')) {
    const node = (k: number): string[] =>
      on(k, [
        ...trenio,
        '--nnodes',
        '2',
        '--node_rank',
        `${k}`,
        '--nproc_per_node',
        '1',
        '--rdzv_endpoint',
        `${address}:29573`,
        rank,
        ...common,
      ]);
    const stream = iperf();
    const ours = await measure(node(0), node(1));
    const peer = await measure(gloo(0), gloo(1));
    const where = isSplit ? 'between two network namespaces' : 'over the loopback device';
    print(`TCP ${where}`, { Trenio: ours, gloo: peer });
    const row = at(ours, 25_000_000);
    if (row && stream !== undefined) {
      console.log(`  one stream of iperf3: ${stream.toFixed(2)} GB/s`);
      // Of two ranks each sends all of it.
      bar({
        what: `all-reduce of 25 MB over TCP ${where}`,
        unit: '% of one iperf3 stream',
        measured: (100 * 25e6) / (row.ms * 1e6) / stream,
        limit: 90,
        kind: 'at least',
      });
    }
    for (const bytes of sizes) {
      const [mine, theirs] = [at(ours, bytes), at(peer, bytes)];
      if (mine && theirs)
        bar({
          what: `all-reduce of ${sizeText(bytes)} over TCP`,
          unit: '× gloo',
          measured: theirs.ms / mine.ms,
          limit: bytes <= 10 * MiB ? 1.1 : 1,
          kind: 'at least',
        });
    }
    const small = at(ours, 4 * KiB);
    if (small)
      bar({ what: 'all-reduce of 4 KiB over TCP', unit: 'µs', measured: 1000 * small.ms, limit: 25, kind: 'at most' });
  }
  if (only.includes('mpi')) {
    const program = compiled('mpi_all_reduce', 'mpicc');
    const flags = [
      '--oversubscribe',
      '--bind-to',
      'none',
      ...(process.getuid?.() === 0 ? ['--allow-run-as-root'] : []),
    ];
    const ours = program && (await measure(['mpirun', ...flags, '-np', '2', process.execPath, rank, ...common]));
    const peer = program && (await measure(['mpirun', ...flags, '-np', '2', ...program, ...common]));
    print('MPI', { Trenio: ours, MPI_Allreduce: peer });
    for (const bytes of sizes) {
      const [mine, theirs] = [at(ours, bytes), at(peer, bytes)];
      if (mine && theirs)
        bar({
          what: `all-reduce of ${sizeText(bytes)} over MPI`,
          unit: "% of MPI's own",
          measured: (100 * theirs.ms) / mine.ms,
          limit: 90,
          kind: 'at least',
        });
    }
  }
} finally {
  if (only.includes('tcp')) for (const name of names) shell(`ip netns del ${name}`);
  rmSync(folder, { recursive: true });
}
