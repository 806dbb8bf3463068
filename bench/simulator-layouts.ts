// Published rows of Trn1 with tensor parallelism, pipelines and ZeRO-1, predicted twice: by the analytic model, and by the
// programs that the partitioner makes of a script. As all layers are alike, one and two layers a stage say the rest.
//
//   node bench/simulator-layouts.ts [--only llama2-7b]
//
// Models of 46 B and 70 B parameters are left out: the tables have no other kind of layout there, and they take long to trace.
import './help.ts';
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { formatTable } from 'trenio';
import { machineOf } from '../src/hardware/index.ts';
import { globalBatchOf, type Layout } from '../src/simulator/layout.ts';
import { modelOf } from '../src/simulator/models/presets.ts';
import { predict } from '../src/simulator/predict.ts';
import { type PublishedTraining, publishedTraining } from '../src/simulator/validation/published-training.ts';
import { bar } from './bars.ts';

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
type Phases = Readonly<Record<string, number>>;
const here = (file: string): string => new URL(file, import.meta.url).pathname;
const machine = machineOf('trn1.32xlarge');

/** The phases of a step of the script. */
function traced({ model, sequence, nodes, precision, layout }: PublishedTraining, layers: number): Phases {
  const { data, tensor, pipeline, microBatch, microBatches, recompute, zero1 } = layout;
  const count = pipeline > 1 ? microBatches : 1;
  const mesh = [
    ...(pipeline > 1 ? [`pp=${pipeline}`] : []),
    `${zero1 ? 'dp_shard' : 'dp_replicate'}=${data}`,
    `tp=${tensor}`,
  ];
  const question = ['--on', machine.name, '--nodes', `${nodes}`, '--layout', mesh.join(), '--json'];
  const sizes = ['--layers', `${layers}`, '--batch', `${data * microBatch * count}`, '--micro-batches', `${count}`];
  const formats = [...(precision === 'bf16' ? ['--bf16'] : []), ...(zero1 ? ['--zero1'] : [])];
  const script = [
    here('simulator-layouts/train.ts'),
    ...question,
    '--',
    model,
    `${sequence}`,
    '--recompute',
    recompute,
  ];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [here('../src/cli/main.ts'), 'plan', ...script, ...sizes, ...formats],
    { encoding: 'utf8', maxBuffer: 1 << 28 },
  );
  if (status !== 0) throw new Error(stderr);
  return (JSON.parse(stdout) as { readonly rows: readonly { readonly byPhase: Phases }[] }).rows[0]!.byPhase;
}

/** The phases of a step of all layers. */
function ofPrograms(row: PublishedTraining): Phases {
  const { pipeline } = row.layout;
  const [one, two] = [traced(row, pipeline), traced(row, 2 * pipeline)];
  const more = modelOf(row.model).layers / pipeline - 1;
  return Object.fromEntries(Object.entries(one).map(([phase, time]) => [phase, time + more * (two[phase]! - time)]));
}
/** A step of gradient accumulation: the passes are repeated, the rest is done once. */
const secondsOf = (phases: Phases, { pipeline, microBatches }: Layout, overhead: number): number => {
  const { optimizer = 0, 'gradient collectives': gradients = 0, overhead: _, ...passes } = phases;
  const sum = Object.values(passes).reduce((total, time) => total + time, 0);
  return sum * (pipeline > 1 ? 1 : microBatches) + optimizer + gradients + overhead;
};

const shown = [
  'forward',
  'backward',
  'recompute',
  'layer collectives',
  'pipeline bubble',
  'gradient collectives',
  'optimizer',
];
const percent = (share: number): string => `${share < 0 ? '' : '+'}${(100 * share).toFixed(1)} %`;
const errors: { readonly analytic: number; readonly program: number }[] = [];
for (const row of publishedTraining) {
  const { model, sequence, nodes, precision, optimizer, attention, layout, runs } = row;
  const isWanted = layout.tensor > 1 && row.source.includes('tables') && model.includes(values.only);
  if (!isWanted || model === 'llama3-70b' || model === 'gpt3-46b') continue;
  const workload = {
    model: modelOf(model),
    run: { kind: 'training', sequence, optimizer },
    precision,
    attention,
  } as const;
  const analytic = predict({ workload, machine, nodes, layout });
  const { byPhase: phases } = analytic;
  const programs = ofPrograms(row);
  const batch = globalBatchOf(layout);
  const published = runs.at(-1)![1];
  const program = batch / secondsOf(programs, layout, phases.overhead);
  errors.push({ analytic: analytic.samplesPerSecond / published - 1, program: program / published - 1 });
  const { analytic: a, program: p } = errors.at(-1)!;
  console.log(
    `${model}, ${sequence} tokens, ${precision}, ${nodes} nodes, ${JSON.stringify(layout)}\n  published ${published}, analytic ${analytic.samplesPerSecond.toFixed(2)} (${percent(a)}), programs ${program.toFixed(2)} (${percent(p)}) samples/s`,
  );
  const times = layout.pipeline > 1 ? 1 : layout.microBatches;
  const once = ['gradient collectives', 'optimizer'];
  const rows = shown.map(phase => [
    phase,
    `${phases[phase as 'forward'].toFixed(3)} s`,
    `${((programs[phase] ?? 0) * (once.includes(phase) ? 1 : times)).toFixed(3)} s`,
  ]);
  console.log(
    formatTable(
      [{ header: 'phase' }, { header: 'analytic', align: 'right' }, { header: 'programs', align: 'right' }],
      rows,
    ),
  );
}
const mean = (of: 'analytic' | 'program'): number =>
  (100 * errors.reduce((sum, each) => sum + Math.abs(each[of]), 0)) / errors.length;
bar({
  what: 'Trn1 rows with layouts by their programs, mean difference',
  unit: '%',
  measured: mean('program'),
  limit: mean('analytic'),
  kind: 'at most',
});
