// `npx trenio …`: npx starts a shell, the shell starts trenio, and ending npx must end all of them,
// except commands that were detached on purpose.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { processStat } from '../src/base/process-stat.ts';
import { gone, isRunning } from '../src/cli/process.testing.ts';
import { goldenPath } from './golden.testing.ts';
import { root, workFolder } from './system.ts';

const folder = workFolder();
const hasNpx = process.platform === 'linux' && spawnSync('npx', ['--version']).status === 0;
const started = new Set<number>();

beforeAll(() => {
  // The result of `npm install`: the package, and a link to its command.
  mkdirSync(join(folder.path, 'node_modules', '.bin'), { recursive: true });
  symlinkSync(root, join(folder.path, 'node_modules', 'trenio'));
  symlinkSync('../trenio/bin/trenio', join(folder.path, 'node_modules', '.bin', 'trenio'));
  const scripts = {
    train: 'trenio run wait.ts pid',
    'train-in-background': 'trenio run wait.ts pid > background.log 2>&1 &',
  };
  writeFileSync(join(folder.path, 'package.json'), JSON.stringify({ name: 'user', type: 'module', scripts }));
  // Reports its process id through a file, which is renamed when it is complete.
  writeFileSync(
    join(folder.path, 'wait.ts'),
    `import { renameSync, writeFileSync } from 'node:fs';
     const file: string = process.argv[2]!;
     writeFileSync(file + '.partial', String(process.pid));
     renameSync(file + '.partial', file);
     setInterval(() => {}, 1000);`,
  );
});
afterAll(() => {
  for (const pid of started) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  folder[Symbol.dispose]();
});

function start(command: string, words: readonly string[], detached = false): ChildProcess {
  const child = spawn(command, words, {
    cwd: folder.path,
    // Remove the variables of npm if the tests themselves run under npm.
    env: {
      PATH: process.env.PATH,
      HOME: folder.path,
      TRENIO_BACKEND: 'interpreter',
      npm_config_update_notifier: 'false',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached,
  });
  started.add(child.pid!);
  return child;
}
let files = 0;
/** A file for the process id of a rank, and the id once it is written. */
function pidFile(name = `pid-${files++}`): { readonly name: string; read(): Promise<number> } {
  const path = join(folder.path, name);
  const read = async (): Promise<number> => {
    while (!existsSync(path)) await new Promise(resolve => setTimeout(resolve, 20));
    const pid = Number(readFileSync(path, 'utf8'));
    started.add(pid);
    return pid;
  };
  return { name, read };
}
/** The command that started a rank. */
const launcherOf = (rank: number): number => processStat(rank)!.parent;
const untilLooked = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 1500));

describe.skipIf(!hasNpx)('npx trenio', () => {
  test.each(['SIGTERM', 'SIGHUP', 'SIGKILL'] as const)('run ends when npx gets %s', async signal => {
    const pid = pidFile();
    const npx = start('npx', ['trenio', 'run', 'wait.ts', pid.name]);
    const rank = await pid.read();
    const launcher = launcherOf(rank);
    npx.kill(signal);
    await Promise.all([gone(rank), gone(launcher)]);
  });

  test('run as an npm script', async () => {
    const pid = pidFile('pid');
    const npm = start('npm', ['run', '--silent', 'train']);
    const rank = await pid.read();
    const launcher = launcherOf(rank);
    npm.kill('SIGKILL');
    await Promise.all([gone(rank), gone(launcher)]);
  });

  test('deploy ends when npx is killed', async () => {
    const model = join(folder.path, 'model');
    mkdirSync(model);
    const golden = goldenPath('bert-small');
    for (const name of ['config.json', 'model.safetensors']) copyFileSync(join(golden, name), join(model, name));
    writeFileSync(join(model, 'vocab.txt'), '[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nfine\n');
    const options = ['--port', '0', '--max-batch', '1', '--max-length', '8', '--json'];
    const npx = start('npx', ['trenio', 'deploy', model, ...options]);
    const [line] = (await once(npx.stdout!, 'data')) as [Buffer];
    const { url } = JSON.parse(line.toString()) as { url: string };
    expect((await fetch(`${url}/ping`)).status).toBe(200);
    // Its standard output is a pipe, which closes when the last process that holds it exits.
    const closed = once(npx.stdout!, 'close');
    npx.stdout!.resume();
    npx.kill('SIGKILL');
    await closed;
    await expect(fetch(`${url}/ping`)).rejects.toThrow();
  });

  describe('commands that were detached on purpose keep running', () => {
    const expectAlive = async (rank: number): Promise<void> => {
      await untilLooked();
      expect(isRunning(rank)).toBe(true);
      process.kill(launcherOf(rank), 'SIGTERM');
      await gone(rank);
    };

    test('npx in the background of a shell that ends', async () => {
      const pid = pidFile();
      const shell = start('sh', ['-c', `npx trenio run wait.ts ${pid.name} > log 2>&1 &`]);
      await once(shell, 'exit');
      await expectAlive(await pid.read());
    });

    test('npx in a separate session, whose parent is killed', async () => {
      const pid = pidFile();
      const shell = start('sh', ['-c', `setsid npx trenio run wait.ts ${pid.name} > log 2>&1 & wait`], true);
      const rank = await pid.read();
      process.kill(-shell.pid!, 'SIGKILL');
      await once(shell, 'exit');
      await expectAlive(rank);
    });

    test('in the background of an npm script, which ends', async () => {
      execFileSync('rm', ['-f', join(folder.path, 'pid')]);
      const pid = pidFile('pid');
      const npm = start('npm', ['run', '--silent', 'train-in-background']);
      await once(npm, 'exit');
      await expectAlive(await pid.read());
    });

    test('with nohup and setsid below npx, which is killed', async () => {
      for (const how of ['nohup', 'setsid']) {
        const pid = pidFile();
        const npx = start('npx', ['-c', `${how} trenio run wait.ts ${pid.name} > log 2>&1`]);
        const rank = await pid.read();
        npx.kill('SIGKILL');
        await expectAlive(rank);
      }
    });

    test('nohup trenio run, when its terminal hangs up', async () => {
      const pid = pidFile();
      start('nohup', [join(root, 'bin', 'trenio'), 'run', 'wait.ts', pid.name]);
      const rank = await pid.read();
      process.kill(launcherOf(rank), 'SIGHUP');
      await expectAlive(rank);
    });
  });
});
