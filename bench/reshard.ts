// The bytes that each device sends to change the layout of a tensor, compared with those of Shardy's pass: for all pairs of
// layouts of a matrix and of a tensor of three dims on a 2 × 4 mesh, and for the cases of Shardy's test if its checkout is given.
//
//   node bench/reshard.ts --python /path/to/python [--shardy FOLDER] [--verbose]        # needs jax 0.10.2
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Module, mainOf, tensorTypeOf } from '../src/hlo/program.ts';
import { axisRefSize, type Mesh } from '../src/hlo/sharding/mesh.ts';
import { meshOf } from '../src/hlo/sharding/of-module.ts';
import { type Sharding, shardShape } from '../src/hlo/sharding/sharding.ts';
import { parseModule } from '../src/hlo/text/parser.ts';
import { elementCount } from '../src/hlo/types.ts';
import { communicationOf } from '../src/transforms/partition/communication.ts';
import { localize } from '../src/transforms/partition/localize.ts';
import { allLayouts } from '../src/transforms/partition/random-shardings.testing.ts';

const { values } = parseArgs({
  options: {
    python: { type: 'string', default: 'python3' },
    shardy: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
});

interface Case {
  readonly name: string;
  readonly text: string;
}
const dimsText = (layout: readonly (readonly string[])[]): string =>
  `[${layout.map(axes => `{${axes.map(axis => `"${axis}"`).join(', ')}}`).join(', ')}]`;

function pairsOf(shape: readonly number[]): readonly Case[] {
  const mesh: Mesh = {
    axes: [
      { name: 'x', size: 2 },
      { name: 'y', size: 4 },
    ],
  };
  const layouts = allLayouts(shape.length, mesh).map(dimsText);
  const type = `tensor<${shape.join('x')}xf32>`;
  return layouts.flatMap(from =>
    layouts
      .filter(to => to !== from)
      .map(to => ({
        name: `${from} to ${to}`,
        text: `module { sdy.mesh @mesh = <["x"=2, "y"=4]>
          func.func @main(%arg0: ${type} {sdy.sharding = #sdy.sharding<@mesh, ${from}>}) -> ${type} {
            %0 = sdy.reshard %arg0 <@mesh, ${to}> : ${type}
            return %0 : ${type}
          }
        }`,
      })),
  );
}
/** The functions of Shardy's test that reshard an argument. */
function casesOfShardy(folder: string): readonly Case[] {
  const file = join(folder, 'shardy/dialect/sdy/transforms/export/test/reshard_to_collectives.mlir');
  const text = readFileSync(file, 'utf8').replaceAll(/^\s*\/\/.*$/gm, '');
  const [meshes, ...functions] = text.split(/(?=^func\.func)/m);
  return functions
    .filter(func => func.includes('sdy.reshard'))
    .map(func => {
      const name = /@(\w+)/.exec(func)![1]!;
      return { name, text: `module { ${meshes} ${func.replace(`@${name}`, '@main')} }` };
    });
}

/** The program, whose results are divided as they are computed. */
function withResults(module: Module): Module {
  const main = mainOf(module);
  const shardingOf = (value: (typeof main.body.results)[number]): Sharding | undefined =>
    value.op?.name === 'sdy.reshard' ? value.op.attributes.sharding : value.op?.sharding?.named?.[0];
  const resultAttributes = main.body.results.map(value => {
    const sharding = shardingOf(value);
    return sharding === undefined ? undefined : { sharding: { named: [sharding] as const } };
  });
  return { ...module, functions: [{ ...main, resultAttributes }] };
}
const ourBytes = (text: string): number =>
  communicationOf(localize(withResults(parseModule(text)))).reduce((sum, { bytes }) => sum + bytes, 0);

/** Each op of Shardy's result moves a part: its operand's, or for an all-gather the one that it makes. */
function theirBytes(text: string): number {
  const program = text.replaceAll(/sdy\.(all_gather|all_slice|all_to_all|collective_permute) /g, '"$1" ');
  let bytes = 0;
  const reshards = program.replaceAll(
    /"(?:all_gather|all_slice|all_to_all|collective_permute)" (?:\[.*\] )?(%\w+) out_sharding=/g,
    'sdy.reshard $1 ',
  );
  const module = parseModule(reshards);
  const main = mainOf(module);
  const kinds = [...program.matchAll(/(%\w+) = "(\w+)" (?:(\[.*\]) )?%\w+ out_sharding=/g)];
  const partBytes = (sharding: Sharding): number => {
    const mesh = meshOf(sharding.mesh, module)!;
    return 4 * elementCount(shardShape(tensorTypeOf(main.body.args[0]!).shape, sharding, mesh));
  };
  let now = main.argAttributes![0]!.sharding!.named![0]!;
  const ops = main.body.ops.filter(op => op.name === 'sdy.reshard');
  for (const [i, op] of ops.entries()) {
    const to = op.attributes.sharding;
    const [, , kind, axes = ''] = kinds[i]!;
    const mesh = meshOf(to.mesh, module)!;
    const sizeOf = (list: string): number =>
      [...list.matchAll(/"(\w+)"(?::\((\d+)\)(\d+))?/g)].reduce(
        (product, [, name, , size]) =>
          product * (size === undefined ? axisRefSize(mesh, { name: name! }) : Number(size)),
        1,
      );
    if (kind === 'collective_permute') bytes += partBytes(now);
    else if (kind === 'all_gather') bytes += partBytes(to) * (1 - 1 / sizeOf(axes));
    else if (kind === 'all_to_all')
      for (const [list] of axes.matchAll(/\{[^}]*\}: \d+->\d+/g)) bytes += partBytes(now) * (1 - 1 / sizeOf(list));
    now = to;
  }
  return bytes;
}

function compared(name: string, cases: readonly Case[]): void {
  const script = join(import.meta.dirname, 'reshard/shardy.py');
  const input = JSON.stringify(cases.map(({ text }) => text));
  const { stdout, stderr, status } = spawnSync(values.python, [script], {
    input,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(stderr);
  const changed = JSON.parse(stdout) as readonly (string | null)[];
  let [tried, noMore, fewer, ours, theirs] = [0, 0, 0, 0, 0];
  for (const [i, { name: label, text }] of cases.entries()) {
    const result = changed[i];
    if (result === null) continue;
    let mine: number;
    let other: number;
    try {
      [mine, other] = [ourBytes(text), theirBytes(result!)];
    } catch (error) {
      if (values.verbose) console.log(`  ${label}: ${String(error).split('\n')[0]}`);
      continue;
    }
    tried++;
    if (mine <= other + 1) noMore++;
    else if (values.verbose) console.log(`  ${label}: ${mine} bytes, Shardy ${other}`);
    if (mine < other - 1) fewer++;
    ours += mine;
    theirs += other;
  }
  console.log(
    `${name}: ${tried} of ${cases.length} cases; no more bytes than Shardy in ${noMore}, fewer in ${fewer}; all: ${ours} B, Shardy ${theirs} B`,
  );
}

compared('matrix', pairsOf([16, 16]));
compared('three dims', pairsOf([8, 8, 8]));
if (values.shardy !== undefined) compared("Shardy's test", casesOfShardy(values.shardy));
