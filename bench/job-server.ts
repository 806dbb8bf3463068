// The job server under load: signed requests on one core, listings of 10,000 jobs, 200 concurrent jobs, an object of 1 GiB.
// Each is compared with the machine without the server: an empty HTTP server on the same core, `cp` to the same disk.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import {
  CreateTrainingJobCommand,
  DescribeTrainingJobCommand,
  ListTrainingJobsCommand,
  type ListTrainingJobsCommandOutput,
  SageMakerClient,
} from '@aws-sdk/client-sagemaker';
import { addSampleJobs } from '../src/api/console/sample-jobs.testing.ts';
import { LogStore } from '../src/jobs/logs/log-store.ts';
import { MetricStore } from '../src/jobs/metrics/metric-store.ts';
import { JobStore } from '../src/jobs/store/job-store.ts';
import { bar } from './bars.ts';
import { jsonRequest, sendAll } from './job-server/raw-client.ts';
import { cpuSeconds, firstLine, key, peakMemoryMb, pinTo, region, startServer } from './job-server/server-process.ts';
import { median } from './peak.ts';

const parts = ['describe', 'list', 'jobs', 'copy'] as const;
type Part = (typeof parts)[number];
const help = `Usage: node bench/job-server.ts [--only ${parts.join(',')}] [--rounds 3] [--seconds 3] [--jobs 200] [--mib 1024]

  --seconds   length of a round of DescribeTrainingJob
  --jobs      how many are submitted at once
  --mib       size of the object that is copied`;
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: parts.join(',') },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
    jobs: { type: 'string', default: '200' },
    mib: { type: 'string', default: '1024' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(help);
  process.exit();
}
const rounds = Number(values.rounds);
const folder = mkdtempSync(join(tmpdir(), 'trenio-bench-job-server-'));
const credentials = { accessKeyId: key.id, secretAccessKey: key.secret };
const STORED_JOBS = 10_000;
const CONNECTIONS = 16;
/** With at least two cores, the server uses one, and this process the others. */
const [serverCore, clientCores] = cpus().length > 1 ? ['0', `1-${cpus().length - 1}`] : ['0', '0'];

try {
  const chosen = new Set(values.only.split(','));
  const runs: Readonly<Record<Part, () => Promise<void>>> = { describe, list, jobs, copy };
  console.log(`load average before the run: ${loadavg()[0]!.toFixed(1)}`);
  for (const part of parts) if (chosen.has(part)) await runs[part]();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** A folder with 10,000 jobs, created once. */
function storedJobs(): { readonly data: string; readonly names: readonly string[] } {
  const data = join(folder, 'stored');
  const jobs = new JobStore(data);
  const [logs, metrics] = [new LogStore(data), new MetricStore(data)];
  if (jobs.training.count() === 0)
    jobs.transaction(() => addSampleJobs({ jobs, logs, metrics }, STORED_JOBS, Date.now()));
  const names = [...jobs.training.names()];
  for (const store of [jobs, logs, metrics]) store.close();
  return { data, names };
}

async function describe(): Promise<void> {
  const { data, names } = storedJobs();
  pinTo(clientCores);
  await using server = await startServer(data, [], serverCore);
  const empty = await startEmptyServer();
  const ms = Number(values.seconds) * 1000;
  const requests = (url: string, most: number): readonly Buffer[] =>
    Array.from({ length: most }, (_, i) =>
      jsonRequest(url, 'SageMaker.DescribeTrainingJob', { TrainingJobName: names[(i * 7919) % names.length] }),
    );
  // Not counted: both compile.
  const most = Math.round(ms * 12);
  for (const { url } of [server, empty]) await sendAll(url, requests(url, 8000), CONNECTIONS);
  const [rates, floors, costs]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round++) {
    const [own, others] = [requests(server.url, most), requests(empty.url, most)];
    const before = cpuSeconds(server.pid);
    const one = await sendAll(server.url, own, CONNECTIONS, ms);
    if (one.failed > 0) throw new Error(`${one.failed} requests failed`);
    rates.push(one.perSecond);
    costs.push((1e6 * (cpuSeconds(server.pid) - before)) / one.answered);
    floors.push((await sendAll(empty.url, others, CONNECTIONS, ms)).perSecond);
  }
  empty.child.kill();
  const [rate, floor] = [median(rates), median(floors)];
  console.log(
    `\nDescribeTrainingJob, ${CONNECTIONS} connections, server on one core: ${rates.map(one => one.toFixed(0)).join(', ')} requests/s, ${median(costs).toFixed(0)} µs of CPU each`,
  );
  console.log(
    `  an empty node:http server with the same requests and responses of the same size: ${floor.toFixed(0)} requests/s; ours reaches ${((100 * rate) / floor).toFixed(0)} % of it`,
  );
  bar({
    what: 'DescribeTrainingJob, signatures verified, one core',
    unit: 'requests/s',
    measured: rate,
    limit: 2000,
    kind: 'at least',
  });
}

/** A node:http server that reads the body and responds with a constant: the minimum cost of a server in Node. */
async function startEmptyServer(): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const program = `
    const answer = 'x'.repeat(2000);
    const headers = { 'content-type': 'application/x-amz-json-1.1', 'content-length': answer.length };
    const server = require('node:http').createServer((request, response) => {
      request.on('data', () => {});
      request.once('end', () => response.writeHead(200, headers).end(answer));
    }).listen(0, '127.0.0.1', () => console.log(server.address().port));`;
  const child = spawn('taskset', ['-c', serverCore, process.execPath, '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { url: `http://127.0.0.1:${await firstLine(child)}`, child };
}

async function list(): Promise<void> {
  const { data, names } = storedJobs();
  await using server = await startServer(data);
  const kinds: Readonly<Record<string, (i: number) => object>> = {
    'newest 100': () => ({ SortBy: 'CreationTime', SortOrder: 'Descending', MaxResults: 100 }),
    'by name, 100': () => ({ SortBy: 'Name', MaxResults: 100 }),
    'one status': i => ({
      StatusEquals: i % 2 === 0 ? 'Failed' : 'Completed',
      SortOrder: 'Descending',
      MaxResults: 100,
    }),
    'part of a name': i => ({ NameContains: names[i]!.slice(-5), MaxResults: 100 }),
    'no such name': i => ({ NameContains: `nothing-${i}` }),
    'sorted by status': () => ({ SortBy: 'Status', SortOrder: 'Descending', MaxResults: 100 }),
  };
  console.log(`\nListTrainingJobs of ${STORED_JOBS.toLocaleString('en-US')} jobs, one connection`);
  let slowest = 0;
  const report = (name: string, { p50, p99 }: { readonly p50: number; readonly p99: number }): void => {
    slowest = Math.max(slowest, p99);
    console.log(`  ${name.padEnd(24)} p50 ${p50.toFixed(2).padStart(6)} ms   p99 ${p99.toFixed(2).padStart(6)} ms`);
  };
  for (const [name, input] of Object.entries(kinds)) {
    const requests = Array.from({ length: 400 }, (_, i) =>
      jsonRequest(server.url, 'SageMaker.ListTrainingJobs', input(i)),
    );
    await sendAll(server.url, requests.slice(0, 100), 1);
    report(name, await sendAll(server.url, requests.slice(100), 1));
  }
  // All pages, as paginators ask for them.
  const times: number[] = [];
  const sagemaker = new SageMakerClient({ endpoint: server.url, region, credentials });
  for (let round = 0; round < 4; round++) {
    let NextToken: string | undefined;
    let found = 0;
    do {
      const from = performance.now();
      const answer = await sagemaker.send(new ListTrainingJobsCommand({ MaxResults: 100, NextToken }));
      times.push(performance.now() - from);
      found += answer.TrainingJobSummaries?.length ?? 0;
      NextToken = answer.NextToken;
    } while (NextToken !== undefined);
    if (found !== STORED_JOBS) throw new Error(`the pages have ${found} jobs`);
  }
  sagemaker.destroy();
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.floor(times.length * share)]!;
  report('all pages, AWS SDK', { p50: at(0.5), p99: at(0.99) });
  bar({ what: 'ListTrainingJobs of 10,000 jobs, p99', unit: 'ms', measured: slowest, limit: 20, kind: 'at most' });
}

async function jobs(): Promise<void> {
  const count = Number(values.jobs);
  const data = join(folder, 'jobs');
  const images = join(folder, 'images.json');
  writeFileSync(
    images,
    JSON.stringify({ 'local/short:1': { kind: 'command', train: ['sh', '-c', 'echo loss=0.5; sleep 0.1'] } }),
  );
  await using server = await startServer(data, ['--images', images]);
  const client = { endpoint: server.url, region, credentials };
  const s3 = new S3Client({ ...client, forcePathStyle: true });
  await s3.send(new CreateBucketCommand({ Bucket: 'out' }));
  s3.destroy();
  const sagemaker = new SageMakerClient(client);
  const from = performance.now();
  await Promise.all(
    Array.from({ length: count }, (_, i) =>
      sagemaker.send(
        new CreateTrainingJobCommand({
          TrainingJobName: `job-${i}`,
          RoleArn: 'arn:aws:iam::123456789012:role/bench',
          AlgorithmSpecification: { TrainingImage: 'local/short:1', TrainingInputMode: 'File' },
          OutputDataConfig: { S3OutputPath: 's3://out/runs' },
          ResourceConfig: { InstanceType: 'ml.trn1.2xlarge', InstanceCount: 1, VolumeSizeInGB: 1 },
          StoppingCondition: { MaxRuntimeInSeconds: 600 },
        }),
      ),
    ),
  );
  const submittedMs = performance.now() - from;
  let completed = 0;
  while (completed < count) {
    await sleep(1000);
    const list = async (StatusEquals: 'Completed' | 'Failed'): Promise<number> => {
      let [found, NextToken]: [number, string | undefined] = [0, undefined];
      do {
        const answer: ListTrainingJobsCommandOutput = await sagemaker.send(
          new ListTrainingJobsCommand({ StatusEquals, MaxResults: 100, NextToken }),
        );
        found += answer.TrainingJobSummaries?.length ?? 0;
        NextToken = answer.NextToken;
      } while (NextToken !== undefined);
      return found;
    };
    if ((await list('Failed')) > 0) throw new Error('a job has failed');
    completed = await list('Completed');
  }
  const seconds = (performance.now() - from) / 1000;
  const { TrainingJobStatus } = await sagemaker.send(new DescribeTrainingJobCommand({ TrainingJobName: 'job-0' }));
  if (TrainingJobStatus !== 'Completed') throw new Error(`job-0 is ${TrainingJobStatus}`);
  sagemaker.destroy();
  const memory = peakMemoryMb(server.pid);
  const store = new JobStore(data);
  const all = store.training.list({ sortBy: 'CreationTime', descending: false, limit: count + 1, offset: 0 });
  store.close();
  const lost = count - all.filter(({ secondary }) => secondary === 'Completed').length;
  const again = all.filter(({ attempt }) => attempt !== 1).length;
  // Compares the order of starts with the order of creation; jobs created in the same millisecond have no order.
  const started = all.toSorted((a, b) => a.trainingStartMs! - b.trainingStartMs!);
  const overtaken = started.map(
    (job, place) => all.filter(({ createdMs }) => createdMs < job.createdMs).length - place,
  );
  const farthest = Math.max(...overtaken);
  console.log(
    `\n${count} jobs at once: accepted in ${(submittedMs / 1000).toFixed(1)} s, completed after ${seconds.toFixed(0)} s (${(seconds / count).toFixed(2)} s each, ${cpus().length} cores), ${again} started more than once`,
  );
  bar({ what: `${count} jobs at once, lost`, unit: 'jobs', measured: lost + again, limit: 0, kind: 'at most' });
  bar({
    what: `${count} jobs at once, started before jobs that were created earlier`,
    unit: 'places',
    measured: Math.max(0, farthest),
    limit: cpus().length,
    kind: 'at most',
  });
  bar({
    what: `${count} jobs at once, peak memory of the server`,
    unit: 'MB',
    measured: memory,
    limit: 250,
    kind: 'at most',
  });
}

async function copy(): Promise<void> {
  const mib = Number(values.mib);
  const data = join(folder, 'copy');
  mkdirSync(data, { recursive: true });
  const file = join(folder, 'object');
  writeRandom(file, mib);
  await using server = await startServer(data);
  const s3 = new S3Client({ endpoint: server.url, region, credentials, forcePathStyle: true });
  await s3.send(new CreateBucketCommand({ Bucket: 'big' }));
  s3.destroy();
  const run = (command: string, args: readonly string[]): number => {
    const from = performance.now();
    const { status, stderr } = spawnSync(command, args, { env: { ...server.variables, HOME: folder } });
    if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr.toString()}`);
    return (performance.now() - from) / 1000;
  };
  const version = spawnSync('aws', ['--version']).stdout.toString().split(' ')[0];
  const target = join(folder, 'copy-of-object');
  const times: Record<'cp' | 'synced' | 'up' | 'down', number[]> = { cp: [], synced: [], up: [], down: [] };
  for (let round = 0; round < rounds; round++) {
    const before = cpuSeconds(server.pid);
    // Writes of the previous round must not slow down the next.
    run('sync', []);
    times.up.push(run('aws', ['s3', 'cp', '--only-show-errors', file, 's3://big/object']));
    const used = cpuSeconds(server.pid) - before;
    rmSync(target, { force: true });
    run('sync', []);
    const cp = run('cp', [file, target]);
    times.cp.push(cp);
    times.synced.push(cp + run('sync', [target]));
    rmSync(target, { force: true });
    run('sync', []);
    times.down.push(run('aws', ['s3', 'cp', '--only-show-errors', 's3://big/object', target]));
    console.log(
      `  round ${round + 1}: up ${times.up.at(-1)!.toFixed(2)} s (${used.toFixed(2)} s of the server's CPU), down ${times.down.at(-1)!.toFixed(2)} s, cp ${cp.toFixed(2)} s, cp and sync ${times.synced.at(-1)!.toFixed(2)} s`,
    );
  }
  const of = (name: keyof typeof times): number => median(times[name]);
  console.log(
    `\n${mib} MiB, ${version}, seconds: up ${of('up').toFixed(2)}, down ${of('down').toFixed(2)}; cp ${of('cp').toFixed(2)}, cp and sync ${of('synced').toFixed(2)} (an acknowledged upload is on disk)`,
  );
  bar({
    what: 'aws s3 cp to the server, compared with cp and sync to the same disk',
    unit: '%',
    measured: (100 * of('synced')) / of('up'),
    limit: 60,
    kind: 'at least',
  });
  bar({
    what: 'aws s3 cp from the server, compared with cp to the same disk',
    unit: '%',
    measured: (100 * of('cp')) / of('down'),
    limit: 60,
    kind: 'at least',
  });
}

function writeRandom(file: string, mib: number): void {
  const bytes = Buffer.alloc(1024 * 1024);
  const out = openSync(file, 'w');
  for (let i = 0; i < mib; i++) writeSync(out, randomFillSync(bytes));
  fsyncSync(out);
  closeSync(out);
}
