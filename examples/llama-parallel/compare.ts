// Runs train.ts in several layouts, one after the other, and compares them with one rank in a table.
//
//   node examples/llama-parallel/compare.ts [--steps 20] [LAYOUT …]
//
// A layout is `dp_shard=2,tp=2`; with `+sequence`, the sequence is divided along tp between blocks.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { parseArgs } from 'node:util';
import { formatBytes, formatTable, launch } from 'trenio';
import { countOf } from '../count-of.ts';
import type { Report } from './train.ts';

const { values: options, positionals } = parseArgs({
  options: { steps: { type: 'string', default: '20' } },
  allowPositionals: true,
});
const steps = countOf('--steps', options.steps);
const layouts =
  positionals.length > 0
    ? positionals
    : [
        'dp_replicate=2',
        'dp_shard=2',
        'tp=2',
        'tp=2+sequence',
        'cp=2',
        'pp=2',
        'dp_shard=2,tp=2',
        'pp=2,tp=2',
        'dp_replicate=2,dp_shard=2',
        'tp=4',
        'dp_replicate=2,dp_shard=2,tp=2',
        'dp_shard=2,cp=2,tp=2',
        'pp=2,dp_shard=2,tp=2',
      ];
const folder = mkdtempSync(join(tmpdir(), 'trenio-layouts-'));

async function train(layout: string): Promise<Report> {
  const [axes = '', option] = layout.split('+');
  const report = join(folder, 'report.json');
  const output = new PassThrough();
  const lines = output.toArray();
  const { exitCode } = await launch({
    script: join(import.meta.dirname, 'train.ts'),
    args: ['--steps', `${steps}`, '--report', report, ...(option === 'sequence' ? ['--sequence-parallel'] : [])],
    nprocPerNode: axes.split(',').reduce((product, axis) => product * Number(axis.split('=')[1]), 1),
    variables: { ...process.env, TRENIO_LAYOUT: axes },
    stdout: output,
    stderr: output,
    capture: true,
  });
  output.end();
  const text = Buffer.concat(await lines).toString();
  if (exitCode !== 0) throw new Error(`${layout} failed:\n${text}`);
  return JSON.parse(readFileSync(report, 'utf8')) as Report;
}

try {
  const rows: string[][] = [];
  let alone: number | undefined;
  for (const layout of ['tp=1', ...layouts]) {
    process.stderr.write(`${layout} …\n`);
    const { lastLoss, sentBytes, stepSeconds } = await train(layout);
    alone ??= lastLoss;
    const difference = Math.abs(lastLoss / alone - 1);
    rows.push([
      layout === 'tp=1' ? 'one rank' : layout,
      lastLoss.toPrecision(8),
      difference === 0 ? '0' : difference.toExponential(1),
      formatBytes(sentBytes),
      stepSeconds === undefined ? '–' : `${stepSeconds.toFixed(3)} s`,
    ]);
  }
  const right = { align: 'right' } as const;
  const columns = ['last loss', 'difference', 'sent per step', 'time of a step'].map(header => ({ header, ...right }));
  console.log(formatTable([{ header: 'layout' }, ...columns], rows));
} finally {
  rmSync(folder, { recursive: true });
}
