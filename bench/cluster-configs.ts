// Compares the check of cluster configuration files with ParallelCluster's own schema, on the files of its tests and random
// changes of them. Both must accept and reject the same files.
//
//     node bench/cluster-configs.ts --repo aws-parallelcluster --python python3 [--count 2000] [--seed 1]
import './help.ts';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { schemaProblems } from '../src/clusters/config/check-schema.ts';
import type { ClusterFile } from '../src/clusters/config/cluster-file.ts';
import { rulesOfSchema } from '../src/clusters/config/parse-config.ts';
import { clusterSchema } from '../src/clusters/config/schema-table.ts';

const { values } = parseArgs({
  options: {
    repo: { type: 'string' },
    python: { type: 'string', default: 'python3' },
    count: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
  },
});
if (values.repo === undefined) throw new Error('--repo FOLDER: a checkout of aws/aws-parallelcluster');

const peer = fileURLToPath(new URL('peers/parallelcluster.py', import.meta.url));
function python(args: readonly string[], input = ''): readonly string[] {
  const { stdout, stderr, status } = spawnSync(values.python, [peer, ...args], {
    input,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    env: { ...process.env, PYTHONPATH: `${values.repo}/cli/src` },
  });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim().split('\n');
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

let state = Number(values.seed);
/** A whole number below `n` (Lehmer's generator). */
function random(n: number): number {
  state = (state * 48_271) % 2_147_483_647;
  return state % n;
}

/** One random change somewhere in the value. */
function changed(value: Json): Json {
  const copy = structuredClone(value);
  const places: { readonly of: Record<string, Json> | Json[]; readonly key: string | number }[] = [];
  const collect = (node: Json): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const key of Object.keys(node)) {
      places.push({ of: node as Record<string, Json>, key });
      collect((node as Record<string, Json>)[key]!);
    }
  };
  collect(copy);
  const { of, key } = places[random(places.length)]!;
  const container = of as Record<string | number, Json>;
  const before = container[key]!;
  const others: readonly Json[] = [
    0,
    1,
    -1,
    5,
    1000,
    2.5,
    true,
    false,
    '',
    'text',
    '12',
    null,
    [],
    {},
    ['a'],
    { Name: 'x' },
  ];
  switch (random(5)) {
    case 0:
      if (Array.isArray(of)) of.splice(Number(key), 1);
      else delete container[key];
      break;
    case 1:
      if (!Array.isArray(of)) {
        container[`${key}${'sXe'[random(3)]}`] = before;
        delete container[key];
      }
      break;
    case 2: {
      const other = places[random(places.length)]!;
      container[key] = structuredClone((other.of as Record<string | number, Json>)[other.key]!);
      break;
    }
    default:
      container[key] = others[random(others.length)]!;
  }
  return copy;
}

const own = python(['--render', `${values.repo}/cli/tests/pcluster`, `${values.repo}/tests/integration-tests`]);
const files: Json[] = own.map(line => JSON.parse(line) as Json);
const tried: Json[] = [...files];
for (let i = 0; i < Number(values.count); i++) tried.push(changed(files[random(files.length)]!));
const verdicts = python([], `${tried.map(one => JSON.stringify(one)).join('\n')}\n`).map(
  line => JSON.parse(line) as { readonly accepted: boolean; readonly why?: string },
);
/** Intended differences, each with its reason. */
const meant: readonly { readonly reason: string; readonly is: (problem: string) => boolean }[] = [
  {
    reason: 'a fraction instead of an integer: ParallelCluster silently truncates 2.5 to 2',
    is: problem => /is -?\d+\.\d+, expected a whole number$/.test(problem),
  },
];
let accepted = 0;
const counts = meant.map(() => 0);
const differ: string[] = [];
tried.forEach((config, i) => {
  const wrong = schemaProblems(config, clusterSchema, () => 1);
  const problems =
    wrong.length > 0 ? wrong : rulesOfSchema.flatMap(rule => [...rule.check(config as unknown as ClusterFile, 'demo')]);
  const { accepted: theirs, why } = verdicts[i]!;
  if (theirs) accepted++;
  if (theirs === (problems.length === 0)) return;
  const known = theirs ? meant.findIndex(({ is }) => problems.every(({ message }) => is(message))) : -1;
  if (known >= 0) counts[known]!++;
  else
    differ.push(
      theirs ? `accepted there, here: ${problems[0]!.path} ${problems[0]!.message}` : `rejected only there: ${why}`,
    );
});
console.log(`${files.length} files of its tests, ${values.count} changed ones; ParallelCluster accepts ${accepted}`);
meant.forEach(({ reason }, i) => {
  console.log(`${counts[i]} intended differences: ${reason}`);
});
console.log(`${differ.length} of ${tried.length} judged differently`);
for (const line of differ.slice(0, 40)) console.log(`  ${line.slice(0, 220)}`);
process.exitCode = differ.length === 0 ? 0 : 1;
