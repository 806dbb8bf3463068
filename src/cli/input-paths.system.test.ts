// Input paths of the user, for every command that reads files: a path that does not exist, or is of the wrong kind, empty,
// binary or unreadable, is a typed error with a fix. No command waits for a FIFO or reads a device.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempDisposableSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inheritedVariables } from '../base/environment.ts';
import { isGroup } from './command/command.ts';
import { commands } from './commands.ts';
import { runWords } from './run-cli.testing.ts';
import { withoutProgress } from './without-progress.testing.ts';

/** X is the path. An empty file is a valid script or program. */
const lines: readonly (readonly [line: string, emptyIsValid?: 'empty is valid'])[] = [
  ['run X.ts', 'empty is valid'],
  ['compile X.ts', 'empty is valid'],
  ['profile run X.ts', 'empty is valid'],
  ['plan --on trn1.32xlarge X.mlir'],
  ['plan --on trn1.32xlarge --config X.json'],
  ['deploy X'],
  ['generate X --prompt text'],
  ['serve X'],
  ['bench serve --model m --dataset-name custom --dataset-path X.jsonl'],
  ['server --images X'],
  ['server --pool X'],
  ['server status --data X'],
  ['server keys ls --data X'],
  ['server audit --data X'],
  ['server backup --data X out'],
  ['jobs ls --data X'],
  ['jobs create --entry-point X.py --instance-type ml.c5.xlarge --data .', 'empty is valid'],
  ['endpoints ls --data X'],
  ['models ls --data X'],
  ['capacity search --instance-type trn1.32xlarge --pool X'],
  ['capacity ls --data X'],
  ['cluster create-cluster --cluster-name c --cluster-configuration X'],
  ['cluster create-cluster --cluster-name c --cluster-configuration c.yaml --provider ssh --hosts X'],
  ['cluster create-cluster --cluster-name c --cluster-configuration c.yaml --provider existing --slurm-conf X'],
  ['cluster update-cluster --cluster-name c --cluster-configuration X'],
  ['cluster submit --cluster-name c X.ts', 'empty is valid'],
  ['hlo verify X.mlir', 'empty is valid'],
  ['hlo print X.mlir', 'empty is valid'],
  ['hlo run X.mlir', 'empty is valid'],
  ['hlo run program.mlir --backend interpreter --input X.npy'],
  ['hlo check X.mlir', 'empty is valid'],
  ['hlo cost X.mlir', 'empty is valid'],
  ['hlo explain X.mlir', 'empty is valid'],
  ['hlo partition X.mlir', 'empty is valid'],
  ['hlo graph X.mlir --output out.svg', 'empty is valid'],
  ['checkpoints ls X'],
  ['checkpoints show X'],
  ['checkpoints verify X'],
  ['checkpoints diff X X'],
  ['checkpoints convert X out'],
  ['checkpoints convert X.pt out'],
  ['profile view X'],
  ['profile view profile --diff X'],
  ['explain comms X'],
  ['explain comms X.mlir', 'empty is valid'],
  ['monitor --config-file X'],
];

/** Their paths are outputs. */
const writers = ['cluster configure', 'cluster export-cluster-logs', 'cluster rest'];

test('every command that takes a file is in the table', () => {
  const all = commands.flatMap(command => (isGroup(command) ? command.commands : [command]));
  const taking = all.filter(
    ({ positionals, options }) =>
      positionals.some(({ name }) =>
        ['script', 'checkpoint', 'source', 'directory', 'file', 'profile'].includes(name),
      ) ||
      Object.values(options).some(option => 'placeholder' in option && /^(FILE|DIR|FOLDER)$/.test(option.placeholder)),
  );
  // The subcommands of a server read --data in one place, and so do those of a cluster.
  const group = (name: string): string => name.split(' ')[0]!.replace('pcluster', 'cluster');
  const listed = (name: string): boolean =>
    lines.some(([line]) =>
      ['server', 'jobs', 'endpoints', 'models', 'capacity'].includes(group(name))
        ? line.startsWith(`${group(name)} `)
        : line.startsWith(`${name.replace(/^pcluster/, 'cluster')} `),
    );
  const missing = all
    .filter(command => taking.includes(command) && !listed(command.name))
    .map(({ name }) => name.replace(/^pcluster/, 'cluster'));
  expect([...new Set(missing)].filter(name => !writers.includes(name))).toEqual([]);
});

const kinds = [
  'missing',
  'under a file',
  'wrong kind',
  'empty',
  'binary',
  'loop',
  'FIFO',
  'device',
  'long name',
] as const;
type Kind = (typeof kinds)[number];

function make(root: string, kind: Kind, ending: string, wantsFolder: boolean): string {
  const name = kind.replaceAll(' ', '-') + ending;
  const path = join(root, name);
  const bytes = Uint8Array.from({ length: 4000 }, (_, i) => (i * 151 + (i >> 3)) & 255);
  if (kind === 'under a file') return `c.yaml/${name}`;
  if (kind === 'wrong kind') mkdirSync(path);
  if (kind === 'wrong kind' && wantsFolder) writeFileSync(join(path, 'notes.txt'), 'text');
  if (kind === 'empty' && !wantsFolder) writeFileSync(path, '');
  if (kind === 'empty' && wantsFolder) mkdirSync(path);
  if (kind === 'binary') writeFileSync(path, bytes);
  if (kind === 'loop') symlinkSync(path, path);
  if (kind === 'FIFO') execFileSync('mkfifo', [path]);
  if (kind === 'device') symlinkSync('/dev/zero', path);
  return kind === 'long name' ? 'n'.repeat(300) + ending : name;
}

describe.each(lines.map(([line, emptyIsValid]) => ({ line, emptyIsValid })))(
  'trenio $line',
  ({ line, emptyIsValid }) => {
    const [, ending] = /\bX(\.\w+)?/.exec(line)!;
    const wantsFolder = ending === undefined && /^(deploy|serve |generate|checkpoints)|--data X/.test(line);
    // Node reports the syntax errors of scripts.
    const skipped = (kind: Kind): boolean =>
      (kind === 'empty' && emptyIsValid !== undefined) ||
      (kind === 'binary' && /\.(ts|py)/.test(ending ?? '')) ||
      // Slurm's own tools report these.
      (/slurm-conf/.test(line) && ['empty', 'binary'].includes(kind)) ||
      // A folder that does not exist yet, or has other files, can become the folder of a server.
      (/--data X/.test(line) && ['missing', 'wrong kind', 'empty'].includes(kind));
    test.each(kinds.filter(kind => !skipped(kind)))('%s', async kind => {
      using folder = mkdtempDisposableSync(join(tmpdir(), 'trenio-input-'));
      const root = folder.path;
      writeFileSync(join(root, 'c.yaml'), clusterFile);
      writeFileSync(join(root, 'program.mlir'), program);
      mkdirSync(join(root, 'profile'));
      writeFileSync(join(root, 'profile', 'rank-0.json'), JSON.stringify(timeline));
      const path = make(root, kind, ending ?? '', wantsFolder);
      const before = readdirSync(root).sort();
      const words = line.split(' ').map(word => (word === `X${ending ?? ''}` ? path : word));
      const { exitCode, stdout, stderr } = await trenio(root, words);
      // Results of these, also of a file that cannot be parsed, are on standard output.
      const text = /^hlo (verify|check)/.test(line) ? `trenio: ${stdout}${stderr}` : `${stdout}${stderr}`;
      expect([exitCode, text]).toEqual([
        1,
        expect.stringMatching(/^(trenio (deploy|serve): .*\n)?trenio: [\s\S]*\n {2}fix: /),
      ]);
      expect(stderr).not.toMatch(/unexpected error|node:/);
      expect(readdirSync(root).sort()).toEqual(before);
    });
  },
);

async function trenio(cwd: string, words: readonly string[]) {
  const own = Object.fromEntries(
    ['XDG_CACHE_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_CONFIG_HOME'].map(name => [name, join(cwd, 'c.yaml')]),
  );
  const { stderr, ...outcome } = await runWords([...words], { cwd, environment: { ...inheritedVariables(), ...own } });
  return { ...outcome, stderr: withoutProgress(stderr) };
}

const program = 'func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\nreturn %a : tensor<2xf32>\n}';
const timeline = {
  ...{ format: 'trenio-profile', version: 1, rank: 0, worldSize: 1, host: 'host', pid: 1, script: 'train.ts' },
  ...{ startNs: '0', startMs: 0, durationNs: 10, threads: 1, programs: [], loop: [[0, 10]], steps: [], kernels: [] },
  ...{ workers: [], collectives: [], spans: [], dropped: 0 },
};
const clusterFile = `Region: us-east-1
Image: {Os: alinux2023}
HeadNode: {InstanceType: t3.micro, Networking: {SubnetId: subnet-12345678}, Ssh: {KeyName: k}}
Scheduling:
  Scheduler: slurm
  SlurmQueues:
    - Name: q
      ComputeResources: [{Name: r, InstanceType: trn1.2xlarge, MinCount: 0, MaxCount: 2}]
      Networking: {SubnetIds: [subnet-12345678]}
`;
