// For tests: virtual hosts on this machine, as Linux namespaces. Each has its own network with a real address, its own host name,
// processes and shared memory; files are shared, as on a cluster with one file system. Needs root and iproute2.
//
//   host1 ── eth0 10.88.0.1 ─┐
//                            ├─ switch: a bridge in a separate namespace, so that this machine's network is not touched
//   host2 ── eth0 10.88.0.2 ─┘
//
// Namespaces exist as long as a process is in them. The first process of each reads a pipe held by this process: when this
// process ends, in any way, the pipe closes, the first process ends, and the kernel kills the rest of its processes. Nothing has
// to be removed.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Whether this process may create namespaces. */
export function canMakeHosts(): boolean {
  return process.platform === 'linux' && process.getuid?.() === 0;
}

/** A namespace, by its first process. */
class Holder {
  readonly pid: number;
  readonly #unshare: ChildProcess;

  private constructor(unshare: ChildProcess, pid: number) {
    this.#unshare = unshare;
    this.pid = pid;
  }

  /** Runs `script` in new namespaces, which then stay until `end`. */
  static async make(kinds: readonly string[], script: string): Promise<Holder> {
    const flags = [...kinds, '--fork', '--kill-child=SIGKILL'];
    const unshare = spawn('unshare', [...flags, 'sh', '-ec', `${script}\necho ready\nexec cat`]);
    let errors = '';
    unshare.stderr.on('data', (chunk: Buffer) => {
      errors += chunk.toString();
    });
    const ended = once(unshare, 'exit').then(() => {
      throw new Error(`cannot make namespaces: ${errors}`);
    });
    await Promise.race([once(unshare.stdout, 'data'), ended]);
    ended.catch(() => {});
    const children = readFileSync(`/proc/${unshare.pid}/task/${unshare.pid}/children`, 'utf8');
    return new Holder(unshare, Number(children.trim()));
  }

  get isThere(): boolean {
    return this.#unshare.exitCode === null && this.#unshare.signalCode === null;
  }

  async end(): Promise<void> {
    if (!this.isThere) return;
    const ended = once(this.#unshare, 'exit');
    this.#unshare.kill('SIGKILL');
    await ended;
  }
}

/** A separate machine from the point of view of its processes. */
export class VirtualHost implements AsyncDisposable {
  readonly name: string;
  readonly address: string;
  readonly #holder: Holder;
  readonly #switch: Holder;

  private constructor(name: string, address: string, holder: Holder, bridge: Holder) {
    this.name = name;
    this.address = address;
    this.#holder = holder;
    this.#switch = bridge;
  }

  static async make(name: string, address: string, bridge: Holder, names: string): Promise<VirtualHost> {
    const holder = await Holder.make(
      ['--net', '--uts', '--ipc', '--mount', '--pid', '--mount-proc'],
      `hostname ${name}; mount -t tmpfs tmpfs /dev/shm; ip link set lo up
      echo '${names}' > /dev/shm/hosts; mount --bind /dev/shm/hosts /etc/hosts; rm /dev/shm/hosts`,
    );
    const inSwitch = `ip link add ${name} type veth peer name eth0 netns ${holder.pid}; ip link set ${name} master bridge up`;
    execFileSync('nsenter', ['--target', `${bridge.pid}`, '--net', 'sh', '-ec', inSwitch]);
    const host = new VirtualHost(name, address, holder, bridge);
    host.execute('sh', '-ec', `ip addr add ${address}/24 dev eth0; ip link set eth0 up`);
    return host;
  }

  /** The command prefix that runs a command there. */
  get enter(): readonly string[] {
    return ['nsenter', '--target', `${this.#holder.pid}`, '--all', `--wd=${process.cwd()}`];
  }

  /** Runs a command to its end and returns what it prints. */
  execute(command: string, ...words: readonly string[]): string {
    const [enter = '', ...place] = this.enter;
    return execFileSync(enter, [...place, command, ...words], { encoding: 'utf8' });
  }

  /** `pid`: as the process itself sees it. */
  signal(pid: number, signal: NodeJS.Signals): void {
    this.execute('kill', '-s', signal.replace('SIG', ''), `${pid}`);
  }

  /** A disk that only this host has. */
  mountDisk(directory: string, kilobytes: number): void {
    this.execute('mount', '-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', directory);
  }

  /** As if its network cable were pulled. */
  unplug(): void {
    this.#link('down');
  }
  plug(): void {
    this.#link('up');
  }
  #link(state: 'up' | 'down'): void {
    execFileSync('nsenter', ['--target', `${this.#switch.pid}`, '--net', 'ip', 'link', 'set', this.name, state]);
  }

  /** The command lines of processes that still run there, and the files in its shared memory: both empty if all is well. */
  leftovers(): { readonly processes: readonly string[]; readonly memory: readonly string[] } {
    const space = (pid: string | number): string => readlinkSync(`/proc/${pid}/ns/pid`);
    const own = space(this.#holder.pid);
    const processes = readdirSync('/proc')
      .filter(name => /^\d+$/.test(name) && Number(name) !== this.#holder.pid)
      .flatMap(pid => {
        try {
          // A zombie has no command line.
          const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
          return space(pid) === own && command !== '' ? [command] : [];
        } catch {
          return []; // it has just ended
        }
      });
    const memory = readdirSync(`/proc/${this.#holder.pid}/root/dev/shm`, { recursive: true, withFileTypes: true });
    return { processes, memory: memory.filter(entry => entry.isFile()).map(({ name }) => name) };
  }

  get isUp(): boolean {
    return this.#holder.isThere;
  }

  /** Ends all its processes at once, as a power failure does. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#holder.end();
  }
}

/** Hosts with the names host1, host2, …, which reach each other by name. */
export class VirtualNetwork implements AsyncDisposable {
  readonly hosts: readonly VirtualHost[];
  readonly #switch: Holder;

  private constructor(hosts: readonly VirtualHost[], bridge: Holder) {
    this.hosts = hosts;
    this.#switch = bridge;
  }

  static async make(count: number): Promise<VirtualNetwork> {
    const address = (k: number): string => `10.88.0.${k + 1}`;
    const names = Array.from({ length: count }, (_, k) => `host${k + 1}`);
    const table = ['127.0.0.1 localhost', ...names.map((name, k) => `${address(k)} ${name}`)].join('\n');
    const bridge = await Holder.make(['--net'], 'ip link add bridge type bridge; ip link set bridge up');
    const hosts: VirtualHost[] = [];
    const network = new VirtualNetwork(hosts, bridge);
    try {
      for (const [k, name] of names.entries()) hosts.push(await VirtualHost.make(name, address(k), bridge, table));
      return network;
    } catch (error) {
      await network[Symbol.asyncDispose]();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.hosts.map(host => host[Symbol.asyncDispose]()));
    await this.#switch.end();
  }
}
