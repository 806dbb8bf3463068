// A complete example of managed training: the same training on two instance types side by side, a table of the costs,
// and the trained model behind an endpoint on a machine without accelerators.
//
//   npm run example:jobs                      options: --steps N, --hidden N, --layers N, --batch-size N
//
// It starts its own job server in a temporary folder, and leaves nothing behind.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import {
  type ConnectionOptions,
  Estimator,
  formatResultTable,
  hardware,
  type MeasuredRun,
  resultRows,
  type TrainingInstanceType,
  type TrainingJobInfo,
} from 'trenio';
import { includedReviews } from '../bert-polarity/included.ts';

const number = { type: 'string' } as const;
const { values } = parseArgs({ options: { steps: number, hidden: number, layers: number, 'batch-size': number } });
const hyperparameters = {
  steps: Number(values.steps ?? 300),
  'batch-size': Number(values['batch-size'] ?? 32),
  hidden: Number(values.hidden ?? 64),
  layers: Number(values.layers ?? 2),
};
const machines = ['ml.trn1.32xlarge', 'ml.p4d.24xlarge'] as const satisfies readonly TrainingInstanceType[];
const review = 'The box was dented, but the blender itself works perfectly and I would buy it again.';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'trenio-example-'));
const server = await startServer();
try {
  // The data: reviews that the repository generates.
  const corpus = await includedReviews();
  const data = join(folder, 'reviews');
  mkdirSync(data);
  for (const file of ['train.csv', 'validation.csv', 'vocab.txt']) cpSync(join(corpus, file), join(data, file));

  // Two jobs at once.
  const estimators = machines.map(
    instanceType =>
      new Estimator({
        entryPoint: 'train.ts',
        sourceDir: join(import.meta.dirname, 'code'),
        instanceType,
        instanceCount: 1,
        distribution: { torchDistributed: { enabled: true } },
        hyperparameters,
        metricDefinitions: [
          { name: 'train:loss', regex: '^step \\d+/\\d+ .*\\bloss ([-+.\\deE]+)' },
          { name: 'iterations/s', regex: '^iterations/s ([.\\d]+)' },
          { name: 'validation:accuracy', regex: '^validation accuracy ([.\\d]+)' },
        ],
        baseJobName: `bert-${instanceType.split('.')[1]}`,
        connection: server.connection,
      }),
  );
  console.log(`Training BERT on ${machines.join(' and ')}, ${hyperparameters.steps} steps each…`);
  const jobs = await Promise.all(
    estimators.map((one, i) => one.fit({ train: data }, { stream: linesOf(machines[i]!) })),
  );

  // The cost: as published, as predicted by the simulator, as measured here.
  console.log(`\n${formatResultTable(resultRows(jobs.map(measured)))}\n`);
  console.log(
    [
      'Both rows "this run" were measured on the cores of this machine, a small model on half of them each: their speeds say nothing',
      'about the two machines. What the machines differ in is their price here; the published and predicted rows compare them.\n',
    ].join('\n'),
  );

  // The model does not need the machine that trained it.
  console.log('Deploying to ml.c5.xlarge…');
  const predictor = await estimators[0]!.deploy({ initialInstanceCount: 1, instanceType: 'ml.c5.xlarge' });
  console.log(`${review}\n  → ${JSON.stringify(await predictor.predict({ inputs: review }))}`);
  await predictor.deleteEndpoint();
  await predictor.deleteModel();
  console.log('Endpoint deleted.');
} finally {
  server.child.kill('SIGTERM');
  await server.ended;
  rmSync(folder, { recursive: true, force: true });
}

function measured({ instanceType, metrics, billableSeconds = 0, image }: TrainingJobInfo): MeasuredRun {
  return {
    model: `BERT, ${hyperparameters.layers} layers of ${hyperparameters.hidden} (image ${image})`,
    machine: instanceType,
    usdPerHour: publishedPrice(instanceType) ?? hardware.priceOf(instanceType)?.value,
    iterationsPerSecond: metrics['iterations/s'] ?? 0,
    validationAccuracy: metrics['validation:accuracy'],
    billableSeconds,
  };
}

/** The price of the published run: a machine has one price in the table, although SageMaker has changed some since. */
function publishedPrice(machine: string) {
  return resultRows([]).find(row => row.kind === 'published' && row.machine === machine)?.usdPerHour;
}

/** Standard output for one of several jobs: each line is prefixed with its machine. */
function linesOf(machine: string) {
  return { write: (text: string) => process.stdout.write(text.replace(/^(?=.)/gm, `${machine} | `)) };
}

interface ExampleServer {
  readonly child: ChildProcessWithoutNullStreams;
  readonly connection: ConnectionOptions;
  readonly ended: Promise<unknown>;
}

/** `trenio server` on a free port, with one instance of each type, which gets half of this machine. */
async function startServer(): Promise<ExampleServer> {
  const pool = join(folder, 'pool.json');
  writeFileSync(
    pool,
    JSON.stringify({ instances: [...machines, 'ml.c5.xlarge'].map(type => ({ type, count: 1, cores: 1 })) }),
  );
  const words = ['server', '--port', '0', '--data', join(folder, 'server'), '--pool', pool, '--json'];
  const child = spawn(join(root, 'bin/trenio'), words);
  child.stderr.pipe(process.stderr);
  const ended = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) {
    const { url, accessKeyId, secretAccessKey } = JSON.parse(line) as Record<string, string>;
    return { child, ended, connection: { endpoint: url, accessKeyId, secretAccessKey } };
  }
  throw new Error('the server ended before it was ready');
}
