// The bubble of each schedule, measured with stages that sleep: cores are no limit, so many ranks may share this machine. Each
// is compared with the schedule on paper, in which every pass takes one unit; the bar is a tenth of the formula's.
//
//   node bench/pipeline-bubble.ts [--ranks 2] [--micro-batches 8] [--ms 30] [--only 1F1B,ZBH1]
import './help.ts';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type PipelineBubble, paperBubble } from '../src/runtime/profiling/pipeline-lane.ts';
import { actionsOf, scheduleNames, schedules } from '../src/transforms/pipeline/schedules.ts';
import { bar } from './bars.ts';

const { values } = parseArgs({
  options: {
    ranks: { type: 'string', default: '2' },
    'micro-batches': { type: 'string', default: '8' },
    ms: { type: 'string', default: '30' },
    only: { type: 'string', default: scheduleNames.join() },
  },
});
const [ranks, microBatches] = [Number(values.ranks), Number(values['micro-batches'])];
const here = (file: string): string => new URL(file, import.meta.url).pathname;
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const folder = mkdtempSync(join(tmpdir(), 'trenio-bubble-'));
try {
  for (const name of scheduleNames.filter(one => values.only.split(',').includes(one))) {
    const words = [
      'profile',
      'run',
      `--nproc_per_node=${ranks}`,
      '--wait',
      '3',
      '--steps',
      '4',
      '--json',
      '--out',
      join(folder, name),
    ];
    const script = [here('pipeline-bubble/train.ts'), name, `${microBatches}`, values.ms];
    const env = { ...process.env, TRENIO_LAYOUT: `pp=${ranks}`, TRENIO_NUM_THREADS: '1' };
    const { status, stdout, stderr } = spawnSync(process.execPath, [here('../src/cli/main.ts'), ...words, ...script], {
      env,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
    const { bubble } = JSON.parse(stdout.trim().split('\n').at(-1)!) as { readonly bubble: PipelineBubble };
    const { measured } = bubble;
    const stages = ranks * schedules[name].stagesPerRank;
    const actions = actionsOf(name, { ranks, stages, microBatches });
    // The first stage has no gradient to send.
    const onPaper = paperBubble(actions.map(list => list.filter(({ kind, stage }) => kind !== 'I' || stage > 0)))!;
    console.log(
      `${name}, ${ranks} ranks, ${microBatches} micro-batches: the bubble is ${percent(measured)}, on paper ${percent(onPaper)}`,
    );
    const error = (100 * Math.abs(measured - onPaper)) / onPaper;
    bar({ what: `bubble of ${name}, from the formula`, unit: '%', measured: error, limit: 10, kind: 'at most' });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
