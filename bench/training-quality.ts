// The effect of number formats on training: a small GPT-2 on characters, 2,000 steps, each variant with the same initial weights
// and batches; reports the difference of the final held-out loss from fp32, over several seeds. The bar: bf16 with
// stochastic rounding and without master weights ends within 0.5 % of fp32; with rounding to nearest it does not.
//
// Model and recipe are those of nanoGPT for characters on a CPU (config/train_shakespeare_char.py and its README): 4 layers
// of 128, 12 × 64 characters, AdamW with betas 0.9 and 0.99 and decay 0.1, a rate that rises over 100 steps and decays to a tenth
// along a cosine, gradients clipped to a norm of 1, no dropout. The highest rate is 3e-4, not their 1e-3, at which two seeds of
// fp32 differ by more than the measured effect.
import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { formatTable, ProgressLine } from 'trenio';
import { writeFileAtomically } from '../src/base/atomic-write.ts';
import { type Bar, bar, isMet } from './bars.ts';
import {
  mean,
  type Point,
  type Run,
  readCorpus,
  type Settings,
  train,
  type Variant,
  variants,
} from './quality-runs.ts';
import { type Series, svgPlot } from './svg-plot.ts';

const usual = ['fp32', 'bf16-sr', 'bf16', 'bf16-master'];
const help = `Usage: node bench/training-quality.ts [--variants NAME,…|all] [--seeds 1,2,3] [--steps 2000] [--data FILE]
         [--save FILE] [--plot FILE] [--lr 3e-4] [--layers 4] [--width 128] [--json]

${variants.map(({ name, what }) => `  ${name.padEnd(15)} ${what}${usual.includes(name) ? ' *' : ''}`).join('\n')}
  * those that run by default

  --data   a text file or a CSV of reviews; its last tenth is held out (default: the reviews of examples/bert-polarity)
  --save   stores each run in this file and skips runs that it already has, so an interrupted series continues
  --plot   writes the curves as SVG
  --json   the runs and the summary as JSON on the standard output

  node bench/training-quality.ts --plot docs/images/training-quality.svg
  TRENIO_NUM_THREADS=1 node bench/training-quality.ts --variants fp32,bf16-sr --seeds 1 --steps 500`;

const { values } = parseArgs({
  options: {
    variants: { type: 'string', default: usual.join() },
    seeds: { type: 'string', default: '1,2,3' },
    steps: { type: 'string', default: '2000' },
    data: { type: 'string', default: '' },
    lr: { type: 'string', default: '3e-4' },
    layers: { type: 'string', default: '4' },
    width: { type: 'string', default: '128' },
    save: { type: 'string' },
    plot: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
function refuse(problem: string): never {
  console.error(`${problem}\n\n${help}`);
  process.exit(2);
}
if (values.help) {
  console.log(help);
  process.exit(0);
}
const steps = Number(values.steps);
const settings: Settings = {
  data: values.data,
  steps,
  layers: Number(values.layers),
  width: Number(values.width),
  heads: 4,
  batch: 12,
  time: 64,
  lr: Number(values.lr),
  warmup: Math.min(100, Math.ceil(steps / 20)),
  every: Math.max(1, Math.ceil(steps / 20)),
};
for (const key of ['steps', 'layers', 'width'] as const)
  if (!Number.isSafeInteger(settings[key]) || settings[key] < 1)
    refuse(`--${key} is '${values[key]}', expected an integer from 1`);
if (!(settings.lr > 0)) refuse(`--lr is '${values.lr}', expected a number above 0`);
if (settings.width % settings.heads !== 0) refuse(`--width is '${values.width}', expected a multiple of 4`);
const seeds = values.seeds.split(',').map(Number);
if (seeds.some(seed => !Number.isSafeInteger(seed) || seed < 0))
  refuse(`--seeds is '${values.seeds}', expected integers from 0`);
const names = values.variants === 'all' ? variants.map(({ name }) => name) : values.variants.split(',');
const chosen = names.map(
  name => variants.find(each => each.name === name) ?? refuse(`--variants: unknown variant '${name}'`),
);

/** The contents of the --save file. */
interface Saved {
  readonly settings: Settings;
  readonly runs: readonly Run[];
}
function saved(): Saved | undefined {
  if (values.save === undefined || !existsSync(values.save)) return undefined;
  const found = JSON.parse(readFileSync(values.save, 'utf8')) as Saved;
  if (JSON.stringify(found.settings) !== JSON.stringify(settings))
    refuse(`--save: ${values.save} has runs with different settings: ${JSON.stringify(found.settings)}`);
  return found;
}

const runs: Run[] = [...(saved()?.runs ?? [])];
const corpus = await readCorpus(settings.data);
const progress = new ProgressLine({ stream: process.stderr, nowMs: () => performance.now(), logEveryMs: 20_000 });
for (const seed of seeds) {
  for (const variant of chosen) {
    const isThis = (run: Run): boolean => run.variant === variant.name && run.seed === seed;
    if (runs.some(isThis)) continue;
    const what = `${variant.name} seed ${seed}`;
    const run = await train(variant, settings, corpus, seed, (step, loss) => {
      progress.update(`${what}: step ${step} of ${steps}, loss ${loss.toFixed(4)}`);
    });
    progress.done(`${what}: final loss ${run.final.toFixed(4)}, ${run.seconds.toFixed(0)} s`);
    runs.push(run);
    if (values.save === undefined) continue;
    await writeFileAtomically(values.save, [JSON.stringify({ settings, runs } satisfies Saved)]);
  }
}

interface Summary {
  readonly variant: Variant;
  readonly runs: readonly Run[];
  readonly final: number;
  readonly finalInF32: number;
  /** Smoothed over the last steps. */
  readonly training: number;
  /** Final losses above those of fp32 with the same seed, in percent. */
  readonly above: readonly number[];
  readonly curve: readonly Point[];
  readonly aboveCurve: readonly Point[];
}
const counted = runs.filter(run => seeds.includes(run.seed));
const reference = new Map(counted.filter(run => run.variant === 'fp32').map(run => [run.seed, run]));
const percent = (loss: number, than: number): number => 100 * (loss / than - 1);
const summaries = chosen.map((variant): Summary => {
  const own = counted.filter(run => run.variant === variant.name);
  const paired = own.filter(run => reference.has(run.seed));
  const curves = own[0]!.validation.map(([step]) => step);
  return {
    variant,
    runs: own,
    final: mean(own.map(run => run.final)),
    finalInF32: mean(own.map(run => run.finalInF32)),
    training: mean(own.map(run => run.training.at(-1)![1])),
    above: paired.map(run => percent(run.final, reference.get(run.seed)!.final)),
    curve: curves.map((step, i): Point => [step, mean(own.map(run => run.validation[i]![1]))]),
    aboveCurve:
      paired.length === 0
        ? []
        : curves.map((step, i): Point => {
            const off = paired.map(run => percent(run.validation[i]![1], reference.get(run.seed)!.validation[i]![1]));
            return [step, mean(off)];
          }),
  };
});

/** How far fp32's own final losses are from their mean, in percent: the standard deviation over seeds. */
function spreadOfSeeds(): number | undefined {
  const finals = [...reference.values()].map(run => run.final);
  if (finals.length < 2) return undefined;
  const middle = mean(finals);
  return 100 * Math.sqrt(finals.reduce((sum, x) => sum + (x / middle - 1) ** 2, 0) / (finals.length - 1));
}
const spread = spreadOfSeeds();
const limit = 0.5;
const above = (name: string): number | undefined => {
  const list = summaries.find(({ variant }) => variant.name === name)?.above ?? [];
  return list.length === 0 ? undefined : mean(list);
};
const bars: Bar[] = [];
const unit = '% above fp32';
const [stochastic, nearest] = [above('bf16-sr'), above('bf16')];
const what = (how: string): string => `final loss after ${steps} steps in bf16, ${how}, no master weights`;
if (stochastic !== undefined)
  bars.push({ what: what('stochastic rounding'), unit, measured: stochastic, limit, kind: 'at most' });
if (nearest !== undefined)
  bars.push({ what: what('nearest even (expected to be worse)'), unit, measured: nearest, limit, kind: 'at least' });

/** The mean with its standard error, where there are several. */
function meanText(list: readonly number[]): string {
  const middle = mean(list);
  if (list.length < 2) return signed(middle);
  const variance = list.reduce((sum, x) => sum + (x - middle) ** 2, 0) / (list.length - 1);
  return `${signed(middle).replace(' %', '')} ± ${Math.sqrt(variance / list.length).toFixed(2)} %`;
}
const signed = (x: number): string => `${x < 0 ? '−' : '+'}${Math.abs(x).toFixed(2)} %`;
if (values.json) {
  const json = {
    settings,
    spreadOfSeedsPercent: spread,
    variants: summaries.map(({ variant, runs: own, ...rest }) => ({ variant: variant.name, ...rest, runs: own })),
    bars: bars.map(each => ({ ...each, met: isMet(each) })),
  };
  console.log(JSON.stringify(json, undefined, 2));
} else {
  console.log(
    formatTable(
      [
        { header: 'variant' },
        { header: 'seeds', align: 'right' },
        { header: 'held-out loss', align: 'right' },
        { header: 'above fp32', align: 'right' },
        { header: 'each seed' },
        { header: 'same weights in f32', align: 'right' },
        { header: 'training loss', align: 'right' },
      ],
      summaries.map(each => [
        each.variant.what,
        String(each.runs.length),
        each.final.toFixed(4),
        each.above.length === 0 || each.variant.name === 'fp32' ? '' : meanText(each.above),
        each.above.map(signed).join(', '),
        each.finalInF32.toFixed(4),
        each.training.toFixed(4),
      ]),
    ),
  );
  if (spread !== undefined)
    console.log(`fp32 itself differs from seed to seed by ${spread.toFixed(2)} % (standard deviation)`);
  for (const each of bars) bar(each);
}
if (values.plot !== undefined) {
  const series = (points: (of: Summary) => readonly Point[]): Series[] =>
    summaries.map(each => ({
      name: each.variant.what,
      note: `${each.final.toFixed(4)}${each.above.length === 0 || each.variant.name === 'fp32' ? '' : ` (${meanText(each.above)})`}`,
      points: points(each),
    }));
  const worst = Math.max(1, ...summaries.flatMap(each => each.aboveCurve.slice(1).map(([, y]) => y)));
  const least = Math.min(-0.5, ...summaries.flatMap(each => each.aboveCurve.slice(1).map(([, y]) => y)));
  const plot = svgPlot({
    title: `GPT-2 of ${settings.layers} × ${settings.width} on characters, ${steps} steps, mean of ${seeds.length} seeds`,
    panels: [
      {
        title: 'loss on held-out text',
        xLabel: 'step',
        yLabel: 'nats a character',
        series: series(each => each.curve.slice(1)),
      },
      {
        title: 'the same, above fp32 with the same seed',
        xLabel: 'step',
        yLabel: '%',
        series: series(each => each.aboveCurve.slice(1)),
        range: [1.1 * least, 1.1 * worst],
        levels: [{ y: limit, label: `${limit} %` }],
        ...(spread === undefined ? {} : { band: { low: -spread, high: spread, label: 'spread of fp32 over seeds' } }),
      },
    ],
  });
  await writeFileAtomically(values.plot, [plot]);
}
if (!bars.every(isMet)) process.exitCode = 1;
