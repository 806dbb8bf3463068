// Compares the simulator with published measurements, row by row; shows the effect of each of its constants, and how long the
// simulator takes.
import { parseArgs } from 'node:util';
import { machineOf } from '../src/hardware/index.ts';
import { type EngineConstants, engineConstants } from '../src/simulator/engines/engine.ts';
import { type Layout, modelOf, predict, type Workload } from '../src/simulator/index.ts';
import { servedRows } from '../src/simulator/inference/index.ts';
import { searchLayouts } from '../src/simulator/plan/index.ts';
import { llama3NodeMtbf, runDefaults, simulateReliability } from '../src/simulator/reliability/index.ts';
import { closedFormDifferences } from '../src/simulator/validation/closed-form-differences.testing.ts';
import { publishedSteps } from '../src/simulator/validation/evidence.ts';
import { fittedConstants, refitGpu } from '../src/simulator/validation/fit-gpu.testing.ts';
import { refusedLayouts } from '../src/simulator/validation/gpu-runs.ts';
import { printedUtilizations, utilizationOf } from '../src/simulator/validation/printed-utilizations.testing.ts';
import { randomLayouts } from '../src/simulator/validation/random-layouts.testing.ts';
import { coverageOf } from '../src/simulator/validation/uncertainty.ts';
import {
  summed,
  type Validation,
  validateArticle,
  validateGpu,
  validateMegatron,
  validateTrn1,
} from '../src/simulator/validation/validate.testing.ts';
import { bar } from './bars.ts';

const help = `Usage: node bench/simulator.ts [--fit] [--layouts 2000]

  --fit       what the mean errors become when a constant is a fifth smaller or a quarter larger
  --layouts   random layouts on which the closed form is compared with the timeline`;

const { values } = parseArgs({
  options: {
    fit: { type: 'boolean' },
    layouts: { type: 'string', default: '2000' },
    help: { type: 'boolean', short: 'h' },
  },
});
if (values.help) {
  console.log(help);
  process.exit(0);
}

/** Predicted ÷ measured − 1 of published latencies. */
const servedErrors = (of: 'tokenSeconds' | 'firstTokenSeconds'): readonly number[] =>
  servedRows().map(({ measured, predicted }) => predicted[of] / measured[of] - 1);
const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const meanError = (errors: readonly number[]): number => meanOf(errors.map(Math.abs));

const percent = (share: number): string => `${share < 0 ? '' : '+'}${(100 * share).toFixed(1)} %`;
function print(title: string, unit: string, { rows, meanError, bias, worst }: Validation): void {
  console.log(`\n${title} (${unit}; published, predicted, difference)`);
  for (const row of rows) {
    const numbers = [row.published.toPrecision(5), row.predicted.toPrecision(5), percent(row.error)];
    console.log(`  ${numbers.map(text => text.padStart(9)).join(' ')}   ${row.what}`);
  }
  console.log(
    `  mean absolute difference ${percent(meanError)}, mean ${percent(bias)}; worst ${percent(worst.error)}: ${worst.what}`,
  );
}

console.log('\nDecoders on Trn1 and Inf2, seconds to the first token and per token (published, predicted, difference)');
for (const { name, measured, predicted } of servedRows()) {
  const numbers = (['firstTokenSeconds', 'tokenSeconds'] as const).flatMap(of => [
    ...[measured[of], predicted[of]].map(value => value.toPrecision(3)),
    percent(predicted[of] / measured[of] - 1),
  ]);
  console.log(`  ${numbers.map(text => text.padStart(9)).join(' ')}   ${name}`);
}
for (const kind of ['firstTokenSeconds', 'tokenSeconds'] as const) {
  const errors = servedErrors(kind);
  console.log(`  ${kind}: mean absolute difference ${percent(meanError(errors))}, mean ${percent(meanOf(errors))}`);
}

const trn1 = validateTrn1();
const megatron = validateMegatron();
const article = validateArticle();
print('AWS Neuron training tables, trn1.32xlarge', 'samples/s', trn1);
print('Megatron-LM on A100, Korthikanti et al. 2022', 's', megatron);
print("AWS's BERT-base example", 'iterations/s', article);
const gpus = validateGpu();
const older = summed(gpus.filter(row => !row.recent));
const recent = summed(gpus.filter(row => row.recent));
for (const [name, { rows }] of [
  ['older', older],
  ['recent', recent],
] as const) {
  const of = (fit: boolean) => summed((rows as typeof gpus).filter(row => row.fit === fit));
  print(`Other training on GPUs, ${name} rows used in the fit`, 's', of(true));
  print(`Other training on GPUs, ${name} rows not used in the fit`, 's', of(false));
}
console.log('\nThe same rows by device');
for (const [device, rows] of Map.groupBy(gpus, row => row.machine.device.name)) {
  const { meanError, bias, worst } = summed(rows);
  const numbers = [`${rows.length} rows`, `mean absolute ${percent(meanError)}`, `mean ${percent(bias)}`];
  console.log(`  ${device}: ${numbers.join(', ')}, worst ${percent(worst.error)}`);
}

console.log('\nIntervals of 80 %: the share that they hold of runs of models left out');
const steps = publishedSteps();
for (const [family, runs] of Map.groupBy(steps, run => run.family))
  console.log(`  ${family}: ${(100 * coverageOf(runs, steps)).toFixed(1)} % of ${runs.length}`);

console.log('\nUtilization of 190 TFLOP/s per chip (published, by the formula)');
const trn1Machine = machineOf('trn1.32xlarge');
const chipPeak = trn1Machine.device.peakFlops.bf16! * trn1Machine.devicesPerChip;
let worstPoints = 0;
for (const row of printedUtilizations) {
  const ours = utilizationOf(row);
  worstPoints = Math.max(worstPoints, Math.abs(ours - row.printed));
  const { model, sequence, samplesPerSecond, chips } = row;
  const what = `${model}, ${sequence} tokens, ${samplesPerSecond} samples/s, ${chips} chips`;
  console.log(`  ${row.printed.toFixed(2)} ${ours.toFixed(2)}   ${what}`);
}

const differences = closedFormDifferences(randomLayouts(1, Number(values.layouts)))
  .map(one => ({ ...one, off: Math.abs(one.difference) }))
  .sort((a, b) => b.off - a.off);
console.log(`\nClosed form against timeline on ${differences.length} random layouts, largest differences`);
for (const { what, difference } of differences.slice(0, 5))
  console.log(`  ${percent(difference).padStart(7)}   ${what}`);

console.log('\nConstants that are not in data sheets');
console.log(JSON.stringify(engineConstants, undefined, 2));
console.log('\nFitted constants of GPUs: in use, and the best for the rows of the fit');
const refitted = refitGpu();
for (const { name, of } of fittedConstants)
  console.log(`  ${name}: ${of(engineConstants.gpu).toPrecision(3)}, ${of(refitted).toPrecision(3)}`);
if (values.fit) sensitivities();

console.log('\nSpeed of the simulator');
const seconds = (work: () => void): number => {
  const start = performance.now();
  work();
  return (performance.now() - start) / 1000;
};
const workload: Workload = {
  model: modelOf('llama3-70b'),
  run: { kind: 'training', sequence: 8192, optimizer: 'adamw' },
  precision: 'bf16-mixed',
  attention: 'blocked',
};
const layout: Layout = {
  data: 8,
  tensor: 8,
  pipeline: 8,
  interleave: 1,
  expert: 1,
  sequenceParallel: true,
  zero1: true,
  microBatch: 1,
  microBatches: 64,
  recompute: 'selective',
};
const machine = machineOf('trn2.48xlarge');
const plan = seconds(() => predict({ workload, machine, nodes: 8, layout }).timeline());
let priced = 0;
const search = seconds(() => {
  const found = searchLayouts(
    {
      workload,
      machines: [machine],
      nodes: [2, 4, 8, 16, 32],
      space: { globalBatch: 1024 },
      amount: undefined,
      objective: 'time',
      constraints: {},
    },
    predict,
  );
  priced = found.priced;
});
console.log(`  one prediction with its timeline, the first in the process: ${(1000 * plan).toFixed(1)} ms`);
console.log(`  a search over ${priced} layouts: ${search.toFixed(2)} s`);

// An UltraCluster: 30,000 Trainium1 chips, 6 exaflops. GPT-3 175B on all of them, for 30 days with failures.
const nodes = 30_000 / trn1Machine.chips;
let cluster = '';
const ultraCluster = seconds(() => {
  const step = predict({
    workload: {
      model: modelOf('gpt3-175b'),
      run: { kind: 'training', sequence: 2048, optimizer: 'adamw' },
      precision: 'bf16',
      attention: 'unfused',
    },
    machine: trn1Machine,
    nodes,
    layout: {
      data: 625,
      tensor: 8,
      pipeline: 12,
      interleave: 1,
      expert: 1,
      sequenceParallel: true,
      zero1: true,
      microBatch: 1,
      microBatches: 24,
      recompute: 'full',
    },
  });
  const tasks = step.timeline().tasks.length;
  const { goodput, failures, interval, optimum } = simulateReliability({
    ...runDefaults,
    nodes,
    seconds: 30 * 86_400,
    nodeMtbf: llama3NodeMtbf(trn1Machine.chips),
    checkpoint: { blocking: 30, background: 0 },
    spares: 16,
  });
  cluster =
    `a step of ${step.stepSeconds.toFixed(1)} s (${tasks} events of a copy), ${(100 * step.mfu).toFixed(1)} % of ` +
    `${((nodes * trn1Machine.chips * chipPeak) / 1e18).toFixed(2)} exaflops; in 30 days ${failures.mean.toFixed(0)} failures, a checkpoint ` +
    `every ${(interval / 60).toFixed(1)} min (best of the simulated ${(optimum.simulated.interval / 60).toFixed(1)} min), goodput ${(100 * goodput.mean).toFixed(1)} %`;
});
console.log(`  30,000 chips with failures, 200 histories: ${ultraCluster.toFixed(2)} s\n    ${cluster}`);

console.log();
for (const [what, of] of [
  ['published time per token', 'tokenSeconds'],
  ['published time to the first token', 'firstTokenSeconds'],
] as const)
  bar({
    what: `${what}, mean error`,
    unit: '%',
    measured: 100 * meanError(servedErrors(of)),
    limit: 15,
    kind: 'at most',
  });
bar({ what: 'trn1 rows, mean error', unit: '%', measured: 100 * trn1.meanError, limit: 6, kind: 'at most' });
bar({
  what: 'Megatron on A100, mean error',
  unit: '%',
  measured: 100 * megatron.meanError,
  limit: 3.65,
  kind: 'at most',
});
bar({
  what: 'BERT-base on trn1 and p4d, worst error',
  unit: '%',
  measured: 100 * Math.abs(article.worst.error),
  limit: 10,
  kind: 'at most',
});
bar({
  what: 'printed utilizations, worst difference',
  unit: 'points',
  measured: worstPoints,
  limit: 0.1,
  kind: 'at most',
});
const gpuBars = [
  ['older rows of GPUs, mean error', older.meanError, 8],
  ['recent rows of GPUs, mean error', recent.meanError, 10],
  ['recent rows of GPUs, bias', Math.abs(recent.bias), 3],
  ['recent rows of GPUs, worst error', Math.abs(recent.worst.error), 25],
  ['rows of GPUs that are not used in the fit, mean error', summed(gpus.filter(row => !row.fit)).meanError, 8],
] as const;
for (const [what, share, limit] of gpuBars) bar({ what, unit: '%', measured: 100 * share, limit, kind: 'at most' });
const held = 100 * coverageOf(steps);
bar({ what: 'intervals of 80 %, models left out', unit: '%', measured: held, limit: 75, kind: 'at least' });
bar({ what: 'intervals of 80 %, models left out', unit: '%', measured: held, limit: 85, kind: 'at most' });
const unfit =
  [trn1, megatron].flatMap(({ rows }) => rows.filter(row => !row.prediction.memory.fits)).length +
  refusedLayouts().length;
bar({ what: 'published layouts that do not fit in memory', unit: 'rows', measured: unfit, limit: 0, kind: 'at most' });
bar({
  what: 'closed form against timeline, random layouts more than 2 % apart',
  unit: 'layouts',
  measured: differences.filter(({ off }) => off > 0.02).length,
  limit: 0,
  kind: 'at most',
});
bar({ what: 'one plan', unit: 'ms', measured: 1000 * plan, limit: 50, kind: 'at most' });
bar({ what: 'search, 10,000 layouts', unit: 's', measured: (search * 10_000) / priced, limit: 1, kind: 'at most' });
bar({ what: '30,000 chips with failures', unit: 's', measured: ultraCluster, limit: 2, kind: 'at most' });

function sensitivities(): void {
  console.log('\n  constant              × 0.8: trn1, A100     × 1.25: trn1, A100');
  for (const kind of ['neuron', 'gpu'] as const) {
    for (const [name, value] of Object.entries(engineConstants[kind])) {
      if (typeof value !== 'number' || value === 0) continue;
      const at = (factor: number): string => {
        const constants: EngineConstants = {
          ...engineConstants,
          [kind]: { ...engineConstants[kind], [name]: value * factor },
        };
        return `${percent(validateTrn1(constants).meanError)}  ${percent(validateMegatron(constants).meanError)}`;
      };
      console.log(`  ${kind}.${name}`.padEnd(32), at(0.8).padEnd(20), at(1.25));
    }
  }
}
