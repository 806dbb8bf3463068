// The same loss in every layout: models of `models/` train in many layouts on 2, 4 and 8 ranks, and are compared with one rank.
//
//   node bench/layouts.ts [--steps 100] [--models llama,gpt2,mixtral] [--optimizers sgd,adamw] [--ranks 2,4,8]
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { formatBytes, formatTable, launch } from 'trenio';
import { bar } from './bars.ts';

const { values } = parseArgs({
  options: {
    steps: { type: 'string', default: '100' },
    models: { type: 'string', default: 'gpt2,llama,mixtral' },
    optimizers: { type: 'string', default: 'sgd,adamw' },
    ranks: { type: 'string', default: '2,4,8' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(`Usage: node bench/layouts.ts [--steps 100] [--models NAME,…] [--optimizers sgd,adamw] [--ranks 2,4,8]

  --models      some of gpt2, llama, mixtral, bert, t5, vit
  --ranks       layouts of these numbers of ranks

  node bench/layouts.ts --models llama --ranks 4`);
  process.exit(0);
}

/** By ranks. Only Mixtral has experts. */
const layouts: Readonly<Record<string, readonly string[]>> = {
  2: [
    'dp_replicate=2',
    'dp_shard=2',
    'dp_shard=2 zero2',
    'dp_shard=2 zero1',
    'tp=2',
    'tp=2 sequence',
    'cp=2',
    'ep=2',
    'pp=2',
    'pp=2 GPipe',
    'pp=2 ZBH1',
  ],
  4: [
    'dp_shard=2,tp=2',
    'dp_replicate=2,dp_shard=2',
    'dp_shard=2,cp=2',
    'cp=2,tp=2 sequence',
    'tp=4',
    'dp_shard=2,ep=2',
    'pp=2,tp=2',
    'pp=2,dp_shard=2',
  ],
  8: [
    'dp_replicate=2,dp_shard=2,tp=2',
    'dp_shard=2,cp=2,tp=2 sequence',
    'dp_shard=4,tp=2 zero1',
    'dp_shard=2,ep=2,tp=2',
  ],
};
const script = fileURLToPath(new URL('../src/distributed/launch/fixtures/layouts.ts', import.meta.url));
const million = 1e6;

interface Outcome {
  readonly layout: string;
  readonly losses: readonly number[];
  readonly bytes: number;
}
async function train(ranks: number, optimizer: string, chosen: readonly string[]): Promise<readonly Outcome[]> {
  const output = new PassThrough();
  const text = output.toArray();
  const args = [values.steps, optimizer, ...chosen];
  const { exitCode } = await launch({
    script,
    args,
    nprocPerNode: ranks,
    stdout: output,
    stderr: output,
    capture: true,
  });
  output.end();
  const printed = Buffer.concat(await text).toString();
  if (exitCode !== 0) throw new Error(printed);
  const lines = printed.split('\n').filter(line => line.includes('{"layout"'));
  return lines.map(line => JSON.parse(line.slice(line.indexOf('{'))) as Outcome);
}

const rows: string[][] = [];
let worst = 0;
for (const optimizer of values.optimizers.split(','))
  for (const model of values.models.split(',')) {
    const [alone] = await train(1, optimizer, [`${model} tp=1`]);
    for (const ranks of values.ranks.split(',')) {
      const chosen = (layouts[ranks] ?? []).filter(layout => model === 'mixtral' || !layout.includes('ep='));
      for (const { layout, losses, bytes } of await train(
        Number(ranks),
        optimizer,
        chosen.map(one => `${model} ${one}`),
      )) {
        const differences = losses.map((loss, i) => Math.abs(loss / alone!.losses[i]! - 1));
        const most = Math.max(...differences);
        worst = Math.max(worst, most);
        rows.push([layout, optimizer, most.toExponential(1), `${differences.indexOf(most)}`, formatBytes(bytes)]);
        console.log(rows.at(-1)!.join('  '));
      }
    }
  }
const columns = ['layout', 'optimizer', 'difference', 'at step', 'sent per step'];
console.log(
  formatTable(
    columns.map(header => ({ header })),
    rows,
  ),
);
bar({
  what: 'losses in layouts',
  measured: worst * million,
  unit: 'millionths from one rank',
  kind: 'at most',
  limit: 1,
});
