// The command line without a process: words in, texts and an exit code out.
import { describe, expect, test } from 'vitest';
import { TrenioError } from '../base/errors.ts';
import { Interrupted } from '../base/interrupted.ts';
import { version } from '../base/version.ts';
import { type AnyCommand, type Command, defineCommand, isGroup } from './command/command.ts';
import { usageLine } from './command/usage.ts';
import { commands } from './commands.ts';
import { runWords } from './run-cli.testing.ts';

const cli = (
  words: readonly string[],
  { debug, ...options }: { commands?: readonly AnyCommand[]; signal?: AbortSignal; debug?: string } = {},
) => runWords(words, { environment: { TRENIO_DEBUG: debug }, ...options });

const seen: unknown[] = [];
const sample = defineCommand({
  name: 'sample',
  summary: 'sample',
  description: 'A sample.',
  positionals: [
    { name: 'from', description: 'a file', required: true },
    { name: 'to', description: 'another file', required: false },
  ],
  options: {
    json: { kind: 'flag', short: 'j', description: 'as JSON' },
    name: { kind: 'text', placeholder: 'NAME', description: 'a name' },
    tag: { kind: 'list', placeholder: 'TAG', description: 'a tag' },
    'batch-size': {
      kind: 'integer',
      short: 'b',
      placeholder: 'N',
      min: 1,
      max: 64,
      default: 8,
      description: 'a number',
    },
  },
  examples: [{ command: 'trenio sample a', explanation: 'does a' }],
  run: async ({ options, positionals }) => {
    seen.push({ ...options, positionals });
    return 0;
  },
});
const failing = (error: unknown): Command => ({
  ...sample,
  name: 'fail',
  positionals: [],
  run: () => Promise.reject(error),
});

describe('help', () => {
  test('the overview', async () => {
    const { exitCode, stdout, stderr } = await cli(['--help']);
    expect([exitCode, stderr]).toEqual([0, '']);
    for (const command of commands) expect(stdout).toContain(command.summary);
    expect((await cli(['help'])).stdout).toBe(stdout);
    expect(await cli([])).toEqual({ exitCode: 2, stdout, stderr: '' });
  });

  const single = commands.flatMap(command => (isGroup(command) ? command.commands : [command]));
  test.each(single.map(command => [command.name, command] as const))(
    '%s has a usage line, options and examples',
    async (name, command) => {
      const words = name.split(' ');
      const { exitCode, stdout } = await cli([...words, '--help']);
      expect(exitCode).toBe(0);
      expect(stdout).toContain(`Usage: ${usageLine(command)}\n`);
      expect(stdout).toMatch(/\nOptions:\n[\s\S]*\nExamples:\n {2}\w/);
      expect(stdout).not.toMatch(/undefined|.{140}/);
      expect((await cli(['help', ...words])).stdout).toBe(stdout);
      expect((await cli([...words, '-h', '--nonsense-before-help-is-an-error'])).exitCode).toBe(2);
      expect(command.examples.length).toBeGreaterThan(0);
    },
  );

  test('a group lists its commands', async () => {
    const { exitCode, stdout } = await cli(['hlo', '--help']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Usage: trenio hlo <command> [options]');
    expect(stdout).toMatch(/^ {2}hlo verify +Check that/m);
    expect(await cli(['hlo'])).toEqual({ exitCode: 2, stdout, stderr: '' });
    expect((await cli(['help', 'hlo'])).stdout).toBe(stdout);
    expect((await cli(['hlo', 'verfiy'])).stderr).toContain("did you mean 'trenio hlo verify'?");
    expect((await cli(['help', 'run', 'fast'])).exitCode).toBe(2);
  });

  test('a command’s help, whole', async () => {
    expect((await cli(['sample', '-h'], { commands: [sample] })).stdout).toMatchInlineSnapshot(`
      "Usage: trenio sample [options] <from> [to]

      A sample.

      Arguments:
        <from>              a file
        <to>                another file

      Options:
        -j, --json          as JSON
        --name NAME         a name
        --tag TAG           a tag (any number of times)
        -b, --batch-size N  a number (default 8)
        -h, --help          Show this text.

      Examples:
        trenio sample a
            does a
      "
    `);
  });

  test('the version', async () => {
    expect(await cli(['--version'])).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: '' });
    expect(version).toMatch(/^\d+\.\d+\.\d+/);
  });
});

describe('parsing', () => {
  const parsed = async (...words: string[]) => {
    seen.length = 0;
    const { exitCode, stderr } = await cli(['sample', ...words], { commands: [sample] });
    return exitCode === 0 ? seen[0] : stderr.split('\n  fix')[0];
  };

  test('options in every spelling', async () => {
    const wanted = { json: true, name: 'n', tag: [], 'batch-size': 16, positionals: ['a', 'b'] };
    expect(await parsed('a', 'b', '--json', '--name', 'n', '--batch-size', '16')).toEqual(wanted);
    expect(await parsed('--batch_size=16', 'a', '-j', '--name=n', 'b')).toEqual(wanted);
    expect(await parsed('-b16', '-j', '--name=n', '--', 'a', 'b')).toEqual(wanted);
    expect(await parsed('a')).toEqual({ json: false, name: undefined, tag: [], 'batch-size': 8, positionals: ['a'] });
    expect(await parsed('--tag', 'x', 'a', '--tag=y')).toMatchObject({ tag: ['x', 'y'] });
    expect(await parsed('--name', '-1', 'a_b')).toMatchObject({ name: '-1', positionals: ['a_b'] });
    expect(await parsed('--', '--not_an_option')).toMatchObject({ positionals: ['--not_an_option'] });
    expect(await parsed('a', '--name=1', '--name=2')).toMatchObject({ name: '2' });
  });

  test.each([
    [[], 'trenio: trenio sample: missing argument: <from> (a file)'],
    [['a', 'b', 'c'], "trenio: trenio sample: 'c' is an extra argument, expected only <from> <to>"],
    [['a', '--json=yes'], "trenio: trenio sample: --json is 'yes', expected no value"],
    [['a', '--name'], 'trenio: trenio sample: missing argument: --name (a value: --name NAME)'],
    [['a', '--name='], 'trenio: trenio sample: missing argument: --name (a value: --name NAME)'],
    [
      ['a', '--name', '--json'],
      "trenio: trenio sample: --name is '--json', expected a value: --name NAME (write --name=--json to use this value)",
    ],
    [['a', '-b', '65'], "trenio: trenio sample: --batch-size is '65', expected an integer, from 1 to 64"],
    [['a', '-b', '1.5'], "trenio: trenio sample: --batch-size is '1.5', expected an integer, from 1 to 64"],
    [['a', '-b', '1e1'], "trenio: trenio sample: --batch-size is '1e1', expected an integer, from 1 to 64"],
    [['a', '--constructor'], 'trenio: trenio sample: unknown option --constructor'],
    [['a', '-x'], 'trenio: trenio sample: unknown option -x'],
  ])('%j', async (words, message) => {
    expect(await parsed(...words)).toBe(message);
  });

  test('mistakes offer the nearest name, and exit with 2', async () => {
    expect(await cli(['depoly'])).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: "trenio: unknown command 'depoly'\n  fix: did you mean 'trenio deploy'?\n",
    });
    expect((await cli(['transmogrify'])).stderr).toContain('use one of run, compile, deploy, ');
    expect((await cli(['help', 'rnu'])).stderr).toContain("did you mean 'trenio run'?");
    expect((await cli(['deploy', '--prot', '1', 'x'])).stderr).toContain(
      'trenio deploy: unknown option --prot\n  fix: did you mean --port?',
    );
    expect((await cli(['--versoin'])).stderr).toContain('did you mean --version?');
    expect((await cli(['deploy', 'x', '--port', '70000'])).stderr).toContain('an integer, from 0 to 65535');
    expect((await cli(['deploy'])).exitCode).toBe(2);
  });
});

describe('errors', () => {
  test('a TrenioError is its text; with TRENIO_DEBUG the stack too', async () => {
    const error = new TrenioError('UNSUPPORTED', { what: 'this', where: 'that', instead: 'do otherwise' });
    expect(await cli(['fail'], { commands: [failing(error)] })).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'trenio: this is not supported by that\n  fix: do otherwise\n',
    });
    expect((await cli(['fail'], { commands: [failing(error)], debug: '1' })).stderr).toMatch(
      /do otherwise\n {4}at .*cli\.test\.ts/,
    );
    expect((await cli(['fail'], { commands: [failing(error)], debug: 'maybe' })).stderr).toContain('do otherwise');
  });

  test('our own bugs show where', async () => {
    const { exitCode, stderr } = await cli(['fail'], { commands: [failing(new RangeError('oops'))] });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^trenio: unexpected error: RangeError: oops\n {4}at /);
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGPIPE', 141],
  ] as const)('%s: whatever the command throws then, %d', async (signal, exitCode) => {
    const interruption = new AbortController();
    interruption.abort(new Interrupted(signal));
    const outcome = await cli(['fail'], {
      commands: [failing(interruption.signal.reason)],
      signal: interruption.signal,
    });
    expect(outcome).toEqual({ exitCode, stdout: '', stderr: '' });
  });
});

describe('trenio run refuses', () => {
  test.each([
    [[], 2, 'missing argument: <script> (a TypeScript or JavaScript file)'],
    [['no-such-script.ts'], 1, 'cannot run the script /no-such-script.ts: there is no such file'],
    [['.'], 1, 'cannot run the script /: it is not a file'],
    [['--nproc_per_node=0', 'x.ts'], 2, "--nproc-per-node is '0', expected an integer from 1 to 4096, 'auto' or 'cpu'"],
    [['--nproc_per_node=two', 'x.ts'], 2, "--nproc-per-node is 'two'"],
    [['--nproc_per_node=-1', 'x.ts'], 2, "--nproc-per-node is '-1'"],
    [['--nproc_per_node', '--no-pin', 'x.ts'], 2, "--nproc-per-node is '--no-pin', expected a value"],
    [['--nnodes=2', 'x.ts'], 2, 'missing argument: --rdzv-endpoint'],
    [['--nnodes=3:2', 'x.ts'], 2, "--nnodes is '3:2', expected N, or MIN:MAX with MIN from 1 to MAX"],
    [['--nnodes=2', '--rdzv-endpoint=a:b', 'x.ts'], 2, "--rdzv-endpoint is 'a:b', expected HOST:PORT"],
    [
      ['--nnodes=2', '--node_rank=2', '--master_addr=a', 'x.ts'],
      2,
      "--node-rank is '2', expected a number from 0 to 1",
    ],
    [['--nnodes=2', '--standalone', '--rdzv-endpoint=a', 'x.ts'], 2, '--standalone is given, expected'],
    [['--rdzv-backend=etcd', 'x.ts'], 2, "--rdzv-backend is 'etcd', expected 'c10d' or 'static'"],
    [['--rdzv-conf=color=red', 'x.ts'], 2, "--rdzv-conf is 'color=red', expected key=value pairs"],
    [['--rdzv-conf=timeout=-1', 'x.ts'], 2, "--rdzv-conf timeout is '-1', expected a positive number of seconds"],
    [['--tee=4', 'x.ts'], 2, "--tee is '4', expected 0, 1 (stdout)"],
    [['--local-ranks-filter=a', 'x.ts'], 2, "--local-ranks-filter is 'a', expected local ranks"],
    [['--start-method=thread', 'x.ts'], 2, "--start-method is 'thread', expected spawn, fork or forkserver"],
    [['--nproc-per-node=gpu', 'x.ts'], 1, '--nproc-per-node=gpu is not supported'],
    [['--nproc_per_nod=2', 'x.ts'], 2, 'did you mean --nproc-per-node?'],
  ])('%j', async (words, code, text) => {
    const { exitCode, stdout, stderr } = await cli(['run', ...words]);
    expect(stderr).toContain(text);
    expect([exitCode, stdout]).toEqual([code, '']);
  });
});
