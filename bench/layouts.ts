// The same loss in every layout: models of `models/` train in many layouts on 2, 4 and 8 ranks, and are compared with one rank.
//
//   node bench/layouts.ts [--steps 100] [--models llama,gpt2,mixtral] [--optimizers sgd,adamw] [--ranks 2,4,8]
//     [--precisions f32,bf16]
import { createInterface } from 'node:readline';
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
    precisions: { type: 'string', default: 'f32,bf16' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(`Usage: node bench/layouts.ts [--steps 100] [--models NAME,…] [--optimizers sgd,adamw] [--ranks 2,4,8] [--precisions f32,bf16]

  --models      some of gpt2, llama, mixtral, bert, t5, vit
  --ranks       layouts of these numbers of ranks
  --precisions  of parameters: bf16 has f32 master weights

  node bench/layouts.ts --models llama --ranks 4`);
  process.exit(0);
}

/** By ranks; pipelines have four layers. Only Mixtral has experts. */
const layouts: Readonly<Record<string, readonly string[]>> = {
  2: [
    'dp_replicate=2',
    'dp_shard=2',
    'dp_shard=2 zero2',
    'dp_shard=2 zero1',
    'tp=2',
    'tp=2 sequence',
    'cp=2',
    'cp=2 ring',
    'cp=2 headtail',
    'cp=2 ulysses',
    'ep=2',
    ...['GPipe', '1F1B', 'Interleaved1F1B', 'ZBH1', 'ZBVZeroBubble', 'DualPipeV'].map(one => `pp=2 ${one}`),
  ],
  4: [
    'tp=4',
    'dp_shard=4',
    'pp=4',
    'ep=4',
    'dp_replicate=2,dp_shard=2',
    'dp_replicate=2,dp_shard=2 zero1',
    'dp_shard=2,tp=2',
    'dp_shard=2,cp=2',
    'cp=2,tp=2 sequence',
    'dp_shard=2,ep=2',
    'pp=2,tp=2',
    'pp=2,dp_shard=2',
    'pp=2,cp=2',
  ],
  8: [
    'dp_replicate=2,dp_shard=2,tp=2',
    'dp_replicate=2,dp_shard=2,cp=2',
    'dp_replicate=2,cp=2,tp=2',
    'dp_replicate=2,dp_shard=2,tp=2 zero1+sequence',
    'dp_shard=2,cp=2,tp=2 sequence',
    'dp_shard=4,tp=2 zero1',
    'pp=2,dp_replicate=2,dp_shard=2 micro2',
    'pp=2,dp_shard=2,tp=2',
    'pp=2,dp_shard=2,cp=2',
    'pp=2,dp_replicate=2,tp=2 ZBH1',
    'pp=2,cp=2,tp=2 sequence',
    'dp_shard=2,ep=2,tp=2',
    'dp_shard=2,ep=2,cp=2',
    'pp=2,dp_shard=2,ep=2',
  ],
};
const script = fileURLToPath(new URL('../src/distributed/launch/fixtures/layouts.ts', import.meta.url));
/** The largest relative difference from one rank, in millionths. */
const limits: Readonly<Record<string, number>> = { f32: 1, bf16: 2000 };
const million = 1e6;

interface Outcome {
  readonly layout: string;
  readonly losses: readonly number[];
  readonly bytes: number;
}
async function* train(ranks: number, optimizer: string, chosen: readonly string[]): AsyncGenerator<Outcome> {
  const stdout = new PassThrough();
  const args = [values.steps, optimizer, ...chosen];
  const run = launch({ script, args, nprocPerNode: ranks, stdout, stderr: process.stderr, capture: true });
  void run.then(() => stdout.end());
  for await (const line of createInterface(stdout))
    if (line.includes('{"layout"')) yield JSON.parse(line.slice(line.indexOf('{'))) as Outcome;
  const { exitCode } = await run;
  if (exitCode !== 0) throw new Error(`${args.join(' ')}: exit code ${exitCode}`);
}
/** Attention weights of GPT-2 are dropped, which a ring does not do. */
const fits = (model: string, layout: string): boolean =>
  (model === 'mixtral' || !layout.includes('ep=')) && (model !== 'gpt2' || !/ring|headtail/.test(layout));

const rows: string[][] = [];
const list = (text: string): readonly string[] => text.split(',');
for (const precision of list(values.precisions)) {
  let worst = 0;
  for (const optimizer of list(values.optimizers))
    for (const model of list(values.models)) {
      const named = (layout: string): string => {
        const [axes, option] = layout.split(' ');
        const options = [option, precision].filter(one => one !== undefined).join('+');
        return `${axes!.includes('pp=') ? `${model}:4` : model} ${axes} ${options}`;
      };
      const alone = await Array.fromAsync(train(1, optimizer, [named('tp=1'), named('pp=1')]));
      for (const ranks of list(values.ranks)) {
        const chosen = (layouts[ranks] ?? []).filter(layout => fits(model, layout)).map(named);
        for await (const { layout, losses, bytes } of train(Number(ranks), optimizer, chosen)) {
          const { losses: expected } = alone[layout.includes('pp=') ? 1 : 0]!;
          const differences = losses.map((loss, i) => Math.abs(loss / expected[i]! - 1));
          const most = Math.max(...differences);
          worst = Math.max(worst, most);
          const difference = most === 0 ? 'same bits' : most.toExponential(1);
          rows.push([layout, optimizer, difference, `${differences.indexOf(most)}`, formatBytes(bytes)]);
          console.log(rows.at(-1)!.join('  '));
        }
      }
    }
  bar({
    what: `losses in layouts, ${precision}`,
    measured: worst * million,
    unit: 'millionths from one rank',
    kind: 'at most',
    limit: limits[precision] ?? 1,
  });
}
const columns = ['layout', 'optimizer', 'difference', 'at step', 'sent per step'];
console.log(
  formatTable(
    columns.map(header => ({ header })),
    rows,
  ),
);
