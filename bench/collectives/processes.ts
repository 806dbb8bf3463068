// For benchmarks of collectives: programs with several concurrent processes, and two hosts on this machine.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** The rows that the first process prints as JSON. Undefined if one of the processes fails. */
export async function rowsOf<Row>(
  commands: readonly (readonly string[])[],
  variables: Readonly<Record<string, string>> = {},
): Promise<readonly Row[] | undefined> {
  const children = commands.map(
    ([program, ...args]): ChildProcess =>
      spawn(program!, args, {
        timeout: 240_000,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, TRENIO_NUM_THREADS: '1', ...variables },
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
    const why = failed.code === null ? 'it did not end in time' : failed.errors.trim().split('\n').at(-1);
    console.log(`  not measured: ${commands[0]!.slice(0, 3).join(' ')}: ${why}`);
    return undefined;
  }
  const lines = results[0]!.text.split('\n').map(line => line.slice(Math.max(0, line.indexOf('{'))));
  return lines.filter(line => line.startsWith('{')).map(line => JSON.parse(line) as Row);
}

const shell = (command: string): boolean => spawnSync('sh', ['-c', command], { stdio: 'ignore' }).status === 0;

/** Two hosts on this machine: network namespaces if this is root and `ip` is installed, otherwise the loopback device. */
export class TwoHosts {
  readonly areSplit: boolean;
  readonly #names = [`trenio-a-${process.pid}`, `trenio-b-${process.pid}`] as const;
  readonly #devices = [`tra${process.pid}`.slice(0, 15), `trb${process.pid}`.slice(0, 15)] as const;

  constructor() {
    const [a, b] = this.#names;
    const [x, y] = this.#devices;
    this.areSplit = shell(
      `ip netns add ${a} && ip netns add ${b} && ip link add ${x} netns ${a} type veth peer name ${y} netns ${b} &&
       ip -n ${a} addr add 10.77.31.1/24 dev ${x} && ip -n ${b} addr add 10.77.31.2/24 dev ${y} &&
       for n in ${a} ${b}; do ip -n $n link set lo up; done && ip -n ${a} link set ${x} up && ip -n ${b} link set ${y} up`,
    );
  }
  get address(): string {
    return this.areSplit ? '10.77.31.1' : '127.0.0.1';
  }
  get where(): string {
    return this.areSplit ? 'between two network namespaces' : 'over the loopback device';
  }
  device(host: number): string {
    return this.areSplit ? this.#devices[host]! : 'lo';
  }
  /** Each host has a separate core: processes that pin themselves would all choose the first. */
  on(host: number, command: readonly string[]): string[] {
    return [
      ...(availableParallelism() > 1 ? ['taskset', '-c', `${host}`] : []),
      ...(this.areSplit ? ['ip', 'netns', 'exec', this.#names[host]!] : []),
      ...command,
    ];
  }
  /** One rank of Trenio on each. */
  ranks(script: readonly string[]): string[][] {
    const trenio = [process.execPath, new URL('../../src/cli/main.ts', import.meta.url).pathname, 'run'];
    return [0, 1].map(host => {
      const place = ['--nnodes', '2', '--node_rank', `${host}`, '--nproc_per_node', '1'];
      return this.on(host, [...trenio, ...place, '--rdzv_endpoint', `${this.address}:29573`, ...script]);
    });
  }
  [Symbol.dispose](): void {
    for (const name of this.#names) shell(`ip netns del ${name}`);
  }
}
