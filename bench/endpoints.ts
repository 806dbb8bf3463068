// Endpoints of `trenio server` under load, with signed requests: the gain of dynamic batching, the latency added by the
// server, and whether an update under load makes any request fail. The server is a separate process.
import { spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import {
  CreateEndpointCommand,
  CreateEndpointConfigCommand,
  CreateModelCommand,
  DeleteEndpointCommand,
  DescribeEndpointCommand,
  SageMakerClient,
  UpdateEndpointCommand,
} from '@aws-sdk/client-sagemaker';
import { create } from 'tar';
import { loadReviews, reviewText } from 'trenio';
import { includedReviews } from '../examples/bert-polarity/included.ts';
import { sign } from '../src/client/wire/sign.ts';
import { EndpointStore } from '../src/serving/fleet/endpoint-store.ts';
import { parseRuns, RUNS_HEADER } from '../src/serving/fleet/runs-header.ts';
import { bar } from './bars.ts';
import { plainRequest, RawConnection } from './job-server/raw-client.ts';
import { median } from './peak.ts';

const help = `Usage: node bench/endpoints.ts [--checkpoint DIR] [--connections 1,4,16,64] [--rounds 3] [--seconds 3] [--batch 32] [--update-seconds 20]
                               [--only path,batching,update]

  --checkpoint       what is deployed; the default is what npm start trains (out/bert-polarity/checkpoint)
  --batch            texts of one run of the model, with batching
  --update-seconds   length of the load with an update in its middle; 600 for the whole bar`;
const { values } = parseArgs({
  options: {
    checkpoint: { type: 'string', default: 'out/bert-polarity/checkpoint' },
    connections: { type: 'string', default: '1,4,16,64' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
    batch: { type: 'string', default: '32' },
    'update-seconds': { type: 'string', default: '20' },
    only: { type: 'string', default: 'path,batching,update' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(help);
  process.exit();
}
const checkpoint = resolve(values.checkpoint);
if (!existsSync(checkpoint)) {
  console.error(`no checkpoint at ${checkpoint}: npm start trains one`);
  process.exit(2);
}
const root = join(import.meta.dirname, '..');
const data = mkdtempSync(join(tmpdir(), 'trenio-bench-endpoints-'));
const [accessKeyId, secretAccessKey, region] = ['BENCH', 'a secret of the benchmark', 'us-east-1'];
const server = spawn(
  process.execPath,
  [
    join(root, 'src/cli/main.ts'),
    'server',
    '--data',
    data,
    '--port',
    '0',
    '--json',
    '--access-key-id',
    accessKeyId,
    '--secret-access-key',
    secretAccessKey,
  ],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);
const [ready] = (await Array.fromAsync(firstLine(server.stdout))) as [string];
const { url } = JSON.parse(ready) as { url: string };
const config = { endpoint: url, region, credentials: { accessKeyId, secretAccessKey }, forcePathStyle: true };
const sagemaker = new SageMakerClient(config);
const s3 = new S3Client(config);
const texts = (await loadReviews(join(await includedReviews(), 'validation.csv'))).map(reviewText);
const bodies = texts.map(inputs => Buffer.from(JSON.stringify({ inputs })));

async function* firstLine(stream: NodeJS.ReadableStream): AsyncGenerator<string> {
  for await (const line of createInterface({ input: stream })) return void (yield line);
}

/** A model of the checkpoint that runs this many texts at a time, and its endpoint. */
async function deploy(name: string, maxBatch: number): Promise<void> {
  await sagemaker.send(
    new CreateModelCommand({
      ModelName: name,
      PrimaryContainer: {
        Image: 'trenio',
        ModelDataUrl: 's3://models/model.tar.gz',
        Environment: { TRENIO_SERVE_MAX_BATCH: String(maxBatch) },
      },
    }),
  );
  await sagemaker.send(
    new CreateEndpointConfigCommand({
      EndpointConfigName: name,
      ProductionVariants: [
        { VariantName: 'AllTraffic', ModelName: name, InitialInstanceCount: 1, InstanceType: 'ml.c5.xlarge' },
      ],
    }),
  );
  await sagemaker.send(new CreateEndpointCommand({ EndpointName: name, EndpointConfigName: name }));
  await inService(name);
}

async function inService(EndpointName: string): Promise<void> {
  for (;;) {
    const { EndpointStatus: status, FailureReason } = await sagemaker.send(
      new DescribeEndpointCommand({ EndpointName }),
    );
    if (status === 'InService') return;
    if (status === 'Failed') throw new Error(FailureReason);
    await sleep(200);
  }
}

const serverPort = Number(new URL(url).port);
let count = 0;

/** A signed request to an endpoint. */
function signedRequest(endpoint: string, body: Buffer): Buffer {
  const path = `/endpoints/${endpoint}/invocations`;
  const connection = { endpoint: url, region, accessKeyId, secretAccessKey } as Parameters<typeof sign>[1];
  const headers = { 'content-type': 'application/json', 'x-amzn-sagemaker-inference-id': `r${count++}` };
  const unsigned = { method: 'POST', path, query: {}, headers, bodyHash: hash('sha256', body) };
  return plainRequest(path, sign(unsigned, connection, 'sagemaker', Date.now()).headers, body);
}

const store = new EndpointStore(data);

interface Load {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly failed: number;
  readonly answered: number;
}

/** Requests that are signed before a load: signing takes a client longer than all the rest. */
const SIGNED_PER_SECOND = 8000;

async function load(endpoint: string, connections: number, ms: number): Promise<Load> {
  const times: number[] = [];
  let failed = 0;
  const prepared = Math.min(200_000, (SIGNED_PER_SECOND * ms) / 1000);
  const requests = Array.from({ length: prepared }, (_, i) => signedRequest(endpoint, bodies[i % bodies.length]!));
  const from = performance.now() + Math.min(500, ms / 4);
  const until = from + ms;
  let next = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      let connection = await RawConnection.open({ port: serverPort });
      while (performance.now() < until) {
        const request = requests[next++] ?? signedRequest(endpoint, bodies[next % bodies.length]!);
        const answer = await connection.send(request).catch(() => undefined);
        if (answer?.status !== 200) failed++;
        else if (performance.now() >= from) times.push(answer.ms);
        if (answer === undefined) connection = await RawConnection.open({ port: serverPort });
      }
      connection.close();
    }),
  );
  times.sort((a, b) => a - b);
  const at = (share: number): number =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  return { perSecond: (times.length / ms) * 1000, p50: at(0.5), p99: at(0.99), failed, answered: times.length };
}

/** Before that, V8 still compiles the server: 0.1 ms more for the first thousands of requests. */
const WARM_UP = 8000;
const MEASURED = 4000;

/** The latency added by the server: the same request through the server and directly to the replica, in turn. */
async function path(): Promise<void> {
  const { address } = store.replicas('single')[0]!;
  if (address === undefined) throw new Error('the replica has no address');
  const toReplica = await RawConnection.open(address);
  const toServer = await RawConnection.open({ port: serverPort });
  const [through, straight, model]: [number[], number[], number[]] = [[], [], []];
  for (let i = 0; i < WARM_UP + MEASURED; i++) {
    const body = bodies[i % bodies.length]!;
    const direct = await toReplica.send(plainRequest('/invocations', { 'content-type': 'application/json' }, body));
    const server = await toServer.send(signedRequest('single', body));
    if (i < WARM_UP) continue;
    through.push(server.ms);
    straight.push(direct.ms);
    const runs = new RegExp(`^${RUNS_HEADER}: (.*)$`, 'im').exec(direct.head.replaceAll('\r', ''))?.[1];
    model.push(parseRuns(runs)?.ms ?? Number.NaN);
  }
  for (const connection of [toReplica, toServer]) connection.close();
  const p50s = { through, 'directly to the replica': straight, model };
  console.log(
    `\n1 connection, p50: ${Object.entries(p50s)
      .map(([name, times]) => `${name} ${median(times).toFixed(3)} ms`)
      .join(', ')} (load ${loadavg()[0]!.toFixed(1)})`,
  );
  bar({
    what: 'endpoint, p50 without the time of the model',
    unit: 'ms',
    measured: median(through) - median(model),
    limit: 0.3,
    kind: 'at most',
  });
}

/** Batching: for each number of connections, with and without it in turn. */
async function batching(): Promise<void> {
  const results = new Map<string, Map<number, Load[]>>([
    ['single', new Map()],
    ['batched', new Map()],
  ]);
  const connections = values.connections.split(',').map(Number);
  for (const n of connections)
    for (let round = 0; round < Number(values.rounds); round++)
      for (const [name, all] of results) {
        const one = await load(name, n, Number(values.seconds) * 1000);
        all.set(n, [...(all.get(n) ?? []), one]);
      }
  const of = (name: string, n: number, key: keyof Load): number =>
    median(
      results
        .get(name)!
        .get(n)!
        .map(one => one[key]),
    );
  console.log(`\nmedian of ${values.rounds}, load ${loadavg()[0]!.toFixed(1)}`);
  for (const n of connections)
    for (const name of results.keys())
      console.log(
        `  ${`${n} connections, ${name}`.padEnd(28)}${of(name, n, 'perSecond').toFixed(0).padStart(7)} requests/s   p50 ${of(name, n, 'p50').toFixed(1)} ms   p99 ${of(name, n, 'p99').toFixed(1)} ms   failed ${of(name, n, 'failed')}`,
      );
  // The maximum throughput of each within the p99 of the other at its largest load.
  const most = connections.at(-1)!;
  const limit = of('single', most, 'p99');
  const within = connections.filter(n => of('batched', n, 'p99') <= limit);
  const best = Math.max(0, ...within.map(n => of('batched', n, 'perSecond')));
  const alone = Math.max(...connections.map(n => of('single', n, 'perSecond')));
  console.log(
    `  within a p99 of ${limit.toFixed(1)} ms: ${best.toFixed(0)} requests/s with batching, ${alone.toFixed(0)} without`,
  );
  bar({
    what: 'endpoint, throughput with batching',
    unit: '× without',
    measured: best / alone,
    limit: 3,
    kind: 'at least',
  });
}

/** An update under load. */
async function update(): Promise<void> {
  const seconds = Number(values['update-seconds']);
  const running = load('batched', 8, seconds * 1000);
  await sleep((seconds * 1000) / 3);
  await sagemaker.send(new UpdateEndpointCommand({ EndpointName: 'batched', EndpointConfigName: 'single' }));
  await inService('batched');
  const { answered, failed, p99 } = await running;
  console.log(
    `\n${seconds} s of load with an update: ${answered} responses, p99 ${p99.toFixed(1)} ms, load ${loadavg()[0]!.toFixed(1)}`,
  );
  bar({
    what: 'endpoint, failed requests around an update',
    unit: 'requests',
    measured: failed,
    limit: 0,
    kind: 'at most',
  });
}

try {
  await s3.send(new CreateBucketCommand({ Bucket: 'models' }));
  const archive = create({ cwd: checkpoint, gzip: true, portable: true, sync: true }, ['.']).read() as Buffer;
  await s3.send(new PutObjectCommand({ Bucket: 'models', Key: 'model.tar.gz', Body: archive }));
  await deploy('batched', Number(values.batch));
  await deploy('single', 1);
  console.log(`Endpoints of ${checkpoint}; load average before the run: ${loadavg()[0]!.toFixed(1)}`);

  const chosen = new Set(values.only.split(','));
  const parts = { path, batching, update };
  for (const [name, run] of Object.entries(parts)) if (chosen.has(name)) await run();
  for (const EndpointName of ['batched', 'single']) await sagemaker.send(new DeleteEndpointCommand({ EndpointName }));
  while (store.replicas().length > 0) await sleep(100);
} finally {
  store.close();
  sagemaker.destroy();
  s3.destroy();
  server.kill('SIGTERM');
  await new Promise(done => server.once('exit', done));
  rmSync(data, { recursive: true, force: true });
}
