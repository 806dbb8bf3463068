// A process is killed while it compiles, with its compilers, and another process needs the same program: how soon does its
// compilation start? Three kinds of next process:
//
//   container   both processes are process 1 of their containers
//   number      the next one gets the same process id as the killed one
//   host        the next one is on a machine with another host name, boot id and process ids, as on a shared file system
//
//   node bench/compile-claims.ts [--kills 50] [--hosts 10]      Linux; as root, or where user namespaces are allowed
//
// Half of the kills are of the first kind, half of the second.
import './help.ts';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findCompiler } from '../src/runtime/toolchain/c-compiler.ts';
import { bar } from './bars.ts';

const limitSeconds = 5;
const giveUpMs = 30_000;
const { values } = parseArgs({
  options: { kills: { type: 'string', default: '50' }, hosts: { type: 'string', default: '10' } },
});
const runtime = (file: string): string =>
  JSON.stringify(new URL(`../src/runtime/toolchain/${file}`, import.meta.url).href);
const compiler = findCompiler();

type Kind = 'container' | 'number' | 'host';

const asRoot = process.getuid?.() === 0;
const user = asRoot ? [] : ['--user', '--map-root-user'];
const unshare = (flags: readonly string[], shell: string): readonly string[] => [
  'unshare',
  ...user,
  ...flags,
  '/bin/sh',
  '-c',
  shell,
];
const ownNumbers = ['--pid', '--fork', '--mount-proc', '--kill-child'];

/** A cache, and a C compiler that records its start time and blocks while a file exists. */
class Scene {
  readonly folder = mkdtempSync(join(tmpdir(), 'trenio-claims-'));
  readonly begun = join(this.folder, 'begun');
  readonly hold = join(this.folder, 'hold');
  readonly script = join(this.folder, 'process.ts');

  constructor() {
    const cc = join(this.folder, 'cc');
    // Version queries do not count.
    writeFileSync(
      cc,
      `#!/bin/sh\n[ "$1" = --version ] || { date +%s%N >>${this.begun}; while [ -e ${this.hold} ]; do sleep 0.02; done; }\nexec ${compiler.path} "$@"\n`,
    );
    chmodSync(cc, 0o755);
    const request = { units: [{ name: 'a.c', source: 'int a(void) { return 1; }' }], headers: [], flags: ['-O1'] };
    writeFileSync(
      this.script,
      `import { findCompiler } from ${runtime('c-compiler.ts')};
import { CompileCache } from ${runtime('compile-cache.ts')};
import { createLogger } from ${JSON.stringify(new URL('../src/base/logger.ts', import.meta.url).href)};
process.stdout.write(process.pid + '\\n');
new CompileCache(${JSON.stringify(join(this.folder, 'cache'))}, createLogger('warn')).obtain(${JSON.stringify(request)}, findCompiler({ CC: ${JSON.stringify(cc)} }));
process.stdout.write('done\\n');
`,
    );
  }
  start(kind: Kind, which: number): ChildProcess {
    const node = `exec '${process.execPath}' --no-warnings '${this.script}'`;
    const boot = join(this.folder, `boot-${which}`);
    writeFileSync(boot, `00000000-0000-4000-8000-${which.toString().padStart(12, '0')}\n`);
    const another = `hostname another-${which} && mount --bind '${boot}' /proc/sys/kernel/random/boot_id && ${node}`;
    const [command, ...args] =
      kind === 'host'
        ? unshare(['--uts', ...ownNumbers], another)
        : kind === 'container'
          ? unshare(ownNumbers, node)
          : [process.execPath, '--no-warnings', this.script];
    return spawn(command!, args, { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  }
  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));
const kill = (child: ChildProcess): void => {
  try {
    process.kill(-child.pid!, 'SIGKILL');
  } catch {
    // gone already
  }
};
/** The process id that the process itself sees. */
async function ownNumber(child: ChildProcess): Promise<number> {
  let text = '';
  child.stdout!.setEncoding('utf8');
  for await (const chunk of child.stdout!.iterator({ destroyOnReturn: false })) {
    text += chunk;
    if (text.includes('\n')) break;
  }
  return Number(text.split('\n')[0]);
}

/** Starts a process with the id of one that has ended: the kernel assigns ids sequentially. */
function startAs(number: number, start: () => ChildProcess): ChildProcess {
  for (let attempt = 0; attempt < 200; attempt++) {
    writeFileSync('/proc/sys/kernel/ns_last_pid', `${number - 1}`);
    const child = start();
    if (child.pid === number) return child;
    kill(child); // another process took the id
  }
  throw new Error(`no process could be started with the id ${number}`);
}

/** Seconds from the start of the next process to the start of its C compiler. */
async function secondsToCompile(kind: Kind, i: number): Promise<number> {
  using scene = new Scene();
  writeFileSync(scene.hold, '');
  const first = scene.start(kind, 2 * i);
  const firstNumber = await ownNumber(first);
  while (!existsSync(scene.begun)) await pause(5);
  const ended = once(first, 'exit');
  kill(first);
  await ended;
  await pause(100); // its child processes have exited too
  rmSync(scene.hold);
  rmSync(scene.begun);
  const startNs = BigInt(Date.now()) * 1_000_000n;
  const start = (): ChildProcess => scene.start(kind, 2 * i + 1);
  const next = kind === 'number' ? startAs(firstNumber, start) : start();
  const number = await ownNumber(next);
  if (kind !== 'host' && number !== firstNumber) throw new Error(`process ${number} is not process ${firstNumber}`);
  const late = setTimeout(() => kill(next), giveUpMs);
  await once(next, 'exit');
  clearTimeout(late);
  if (!existsSync(scene.begun)) return Number.POSITIVE_INFINITY;
  return Number(BigInt(readFileSync(scene.begun, 'utf8').split('\n')[0]!) - startNs) / 1e9;
}

if (spawnSync('unshare', [...user, ...ownNumbers, 'true']).status !== 0)
  throw new Error('this system does not allow PID namespaces: run it as root, or allow user namespaces');
const times: Record<Kind, number[]> = { container: [], number: [], host: [] };
const kinds: readonly Kind[] = [
  ...Array.from({ length: Number(values.kills) }, (_, i): Kind => (i % 2 === 0 || !asRoot ? 'container' : 'number')),
  ...Array.from({ length: Number(values.hosts) }, (): Kind => 'host'),
];
for (const [i, kind] of kinds.entries()) {
  const seconds = await secondsToCompile(kind, i);
  times[kind].push(seconds);
  console.log(`${kind.padEnd(10)} ${String(i + 1).padStart(3)}   ${seconds.toFixed(2)} s`);
}
for (const [kind, list] of Object.entries(times)) {
  if (list.length === 0) continue;
  const sorted = list.toSorted((a, b) => a - b);
  const [least, median, most] = [sorted[0]!, sorted[sorted.length >> 1]!, sorted.at(-1)!];
  console.log(
    `${kind}: ${list.length} kills, min ${least.toFixed(2)} s, median ${median.toFixed(2)} s, max ${most.toFixed(2)} s`,
  );
  bar({
    what: `${kind}: start of the next compilation`,
    unit: 's',
    measured: most,
    limit: limitSeconds,
    kind: 'at most',
  });
}
