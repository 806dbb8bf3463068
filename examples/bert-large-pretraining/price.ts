// Predicted time and cost of the two phases of BERT-large on 1 to 16 trn1.32xlarge, next to the results that the Neuron
// documentation publishes for the same settings.
//
//   node examples/bert-large-pretraining/price.ts [--optimizer adamw|lamb] [--json]
import { parseArgs } from 'node:util';
import { formatTable, hardware, simulator, toDollars } from 'trenio';

const { values } = parseArgs({
  options: { optimizer: { type: 'string', default: 'adamw' }, json: { type: 'boolean', default: false } },
});
const optimizer = simulator.optimizers.find(name => name === values.optimizer);
if (optimizer === undefined) {
  console.error(`--optimizer is '${values.optimizer}', expected ${simulator.optimizers.join(', ')}`);
  process.exit(2);
}
const machine = hardware.machineOf('trn1.32xlarge');
const price = hardware.priceOf('ml.trn1.32xlarge')?.value;

/** Steps and global batches of the two phases (with LAMB, fewer and larger ones). */
const phases = [
  {
    phase: 1,
    sequence: 128,
    microBatch: 16,
    ...(optimizer === 'lamb' ? { steps: 7038, globalBatch: 65_536 } : { steps: 28_125, globalBatch: 16_384 }),
  },
  { phase: 2, sequence: 512, microBatch: 2, steps: 1563, globalBatch: 32_768 },
] as const;

/** `2.10.0 … 2.28.0`. The compilers of the first releases, 2.3 and 2.4, made programs that take 13 % longer. */
const releasesOf = (runs: simulator.PublishedTraining['runs']): string => {
  const [first, last] = [runs[0]![0], runs.at(-1)![0]];
  return runs.length === 1 ? first : `${first} … ${last}`;
};

interface Setting {
  readonly sequence: number;
  readonly nodes: number;
  readonly microBatch: number;
  readonly globalBatch: number;
  readonly precision: simulator.Precision;
  readonly optimizer: simulator.OptimizerName;
}

function predictionOf({ sequence, nodes, microBatch, globalBatch, precision, optimizer }: Setting) {
  const data = nodes * machine.devices;
  return simulator.predict({
    machine,
    nodes,
    workload: {
      model: simulator.modelOf('bert-large'),
      run: { kind: 'training', sequence, optimizer },
      precision,
      attention: 'unfused',
    },
    layout: {
      data,
      tensor: 1,
      pipeline: 1,
      interleave: 1,
      expert: 1,
      sequenceParallel: false,
      zero1: false,
      microBatch,
      microBatches: globalBatch / (data * microBatch),
      recompute: 'none',
    },
  });
}

const scaling = [1, 2, 4, 8, 16].map(nodes => {
  const [first, second] = phases.map(({ steps, ...phase }) => {
    const { samplesPerSecond, stepSeconds } = predictionOf({
      ...phase,
      nodes,
      precision: 'bf16',
      optimizer: optimizer,
    });
    return { samplesPerSecond, hours: (steps * stepSeconds) / 3600 };
  });
  const hours = first!.hours + second!.hours;
  return {
    nodes,
    first: first!,
    second: second!,
    hours,
    usd: price === undefined ? null : hours * nodes * toDollars(price),
  };
});

const compared = simulator.publishedTraining
  .filter(({ model }) => model === 'bert-large')
  .map(({ sequence, nodes, layout, precision, optimizer, runs }) => {
    const { microBatch } = layout;
    const globalBatch = simulator.globalBatchOf(layout);
    const rates = runs.map(([, rate]) => rate).sort((a, b) => a - b);
    const published = rates[Math.floor(rates.length / 2)]!;
    const predicted = predictionOf({ sequence, nodes, microBatch, globalBatch, precision, optimizer }).samplesPerSecond;
    return {
      sequence,
      nodes,
      precision,
      optimizer,
      globalBatch,
      releases: releasesOf(runs),
      published,
      predicted,
      error: predicted / published - 1,
    };
  });

if (values.json) console.log(JSON.stringify({ scaling, published: compared }));
else {
  const right = (header: string) => ({ header, align: 'right' as const });
  const n = (x: number, digits = 0): string =>
    x.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  console.log(
    `BERT-large pre-training with ${optimizer} in bf16 on trn1.32xlarge, constant global batch (strong scaling), predicted\n`,
  );
  const base = scaling[0]!;
  console.log(
    formatTable(
      [
        right('nodes'),
        right('phase 1, sequences/s'),
        right('phase 2, sequences/s'),
        right('scaling'),
        right('hours'),
        right('cost'),
      ],
      scaling.map(({ nodes, first, second, hours, usd }) => [
        `${nodes}`,
        n(first.samplesPerSecond),
        n(second.samplesPerSecond),
        `${n((100 * base.hours) / (hours * nodes))} %`,
        n(hours, 1),
        usd === null ? 'unknown' : `$${n(usd)}`,
      ]),
    ),
  );
  console.log('\nPublished by the Neuron documentation (median over its releases) and predicted, sequences/s\n');
  console.log(
    formatTable(
      [
        right('nodes'),
        right('tokens'),
        { header: 'precision' },
        { header: 'optimizer' },
        right('global batch'),
        { header: 'releases' },
        right('published'),
        right('predicted'),
        right('error'),
      ],
      compared.map(row => [
        `${row.nodes}`,
        `${row.sequence}`,
        row.precision,
        row.optimizer,
        n(row.globalBatch),
        row.releases,
        n(row.published),
        n(row.predicted),
        `${row.error >= 0 ? '+' : ''}${n(100 * row.error, 1)} %`,
      ]),
    ),
  );
}
