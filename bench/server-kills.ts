// Kills the job server at random moments under load, and checks that no acknowledged request is lost:
//
//     node bench/server-kills.ts [--count 100] [--seed 1]
//
// Clients create, stop, interrupt and tag jobs, and upload objects. The server gets SIGKILL, also while it starts, and so do some
// job runners. In the end every acknowledged request must have taken effect: jobs exist and have ended, stops were honored,
// objects have their content. No job may have run twice at the same time, or again without a reason; bills must agree with the
// record that the programs keep. Nothing may be left behind: processes, mounts, control groups, folders, data of incomplete
// uploads.
import './help.ts';
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import {
  AddTagsCommand,
  CreateTrainingJobCommand,
  ListTagsCommand,
  SageMakerClient,
  StopTrainingJobCommand,
} from '@aws-sdk/client-sagemaker';
import { callTrenio } from '../src/api/aws/trenio/trenio-call.testing.ts';
import { JobStore } from '../src/jobs/store/job-store.ts';
import { billableSeconds } from '../src/jobs/training/billing.ts';
import { isFinal } from '../src/jobs/training/state-machine.ts';
import type { TrainingJob } from '../src/jobs/training/training-job.ts';
import { ObjectStore } from '../src/objects/object-store.ts';
import { bar } from './bars.ts';

export interface ServerKillCampaign {
  /** The number of kills of the server. */
  readonly count: number;
  readonly seed: number;
  readonly log: (line: string) => void;
}
export interface ServerKillResult {
  readonly faults: readonly string[];
  readonly kills: number;
  readonly runnerKills: number;
  readonly jobs: number;
  readonly objects: number;
  readonly acknowledged: number;
  readonly states: Readonly<Record<string, number>>;
  /** The largest difference between bills and the programs' record, in seconds, for on-demand jobs. */
  readonly billingSeconds: number;
}

const key = { id: 'TRENIOBENCH', secret: 'the secret of the bench', role: 'admin' } as const;
const here = (file: string): string => new URL(file, import.meta.url).pathname;

/** Pseudo-random numbers from a seed. */
function randomOf(seed: number): () => number {
  let counter = 0;
  return () => createHash('sha256').update(`${seed} ${counter++}`).digest().readUInt32BE(0) / 2 ** 32;
}

/** The clients' knowledge: acknowledged operations only. */
interface Known {
  readonly created: Map<string, { readonly isSpot: boolean; readonly hasRetries: boolean }>;
  readonly stopped: Set<string>;
  readonly tagged: Map<string, string>;
  readonly objects: Map<string, string>;
  /** Jobs whose runner was killed, or whose instances were interrupted: they may run more than once. */
  readonly disturbed: Set<string>;
  /** Whether the number of waiting jobs has reached the limit. */
  readonly isFull: () => boolean;
  acknowledged: number;
}

export async function serverKills({ count, seed, log }: ServerKillCampaign): Promise<ServerKillResult> {
  const folder = mkdtempSync(join(tmpdir(), 'trenio-server-kills-'));
  const [data, ledger] = [join(folder, 'data'), join(folder, 'ledger')];
  mkdirSync(ledger);
  // Jobs of a server that is root have another user.
  chmodSync(ledger, 0o777);
  const images = join(folder, 'images.json');
  const command = [process.execPath, here('./server-kills/program.mjs'), ledger];
  writeFileSync(images, JSON.stringify({ 'bench:1': { kind: 'command', train: command } }));
  const pool = join(folder, 'pool.json');
  writeFileSync(pool, JSON.stringify({ instances: [{ type: 'ml.trn1.2xlarge', count: 3, cores: 1 }] }));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const random = randomOf(seed);
  const reader = new JobStore(data);
  const known: Known = {
    isFull: () => reader.training.active().length > 15,
    created: new Map(),
    stopped: new Set(),
    tagged: new Map(),
    objects: new Map(),
    disturbed: new Set(),
    acknowledged: 0,
  };
  const faults: string[] = [];
  let kills = 0;
  let runnerKills = 0;
  let server = startServer({ data, images, pool, port, errors: line => faults.push(`server: ${line}`) });
  const stop = new AbortController();
  try {
    await ready(url);
    await new ObjectStore(join(data, 'objects')).createBucket('data');
    const load = [0, 1, 2].map(client => clientLoop(client, url, randomOf(seed * 1000 + client), known, stop.signal));
    while (kills < count) {
      await sleep(100 + 2400 * random());
      if (random() < 0.2) {
        const victim = reader.training
          .active()
          .find(job => job.secondary === 'Training' && job.runner?.process !== undefined);
        if (victim !== undefined) {
          known.disturbed.add(victim.name);
          try {
            process.kill(victim.runner!.process!.pid, 'SIGKILL');
            runnerKills++;
          } catch (error) {
            if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
          }
        }
      }
      await killed(server);
      kills++;
      server = startServer({ data, images, pool, port, errors: line => faults.push(`server: ${line}`) });
      // Sometimes it is killed before it answers.
      if (random() < 0.8) await ready(url);
      if (kills % 10 === 0) log(`${kills} kills, ${known.created.size} jobs, ${known.objects.size} objects`);
    }
    await ready(url);
    stop.abort();
    await Promise.all(load);
    log('waiting for the remaining jobs');
    const deadline = Date.now() + 180_000;
    while (reader.training.active().length > 0 && Date.now() < deadline) await sleep(200);
    const jobs = [...known.created.keys()].map(name => ({ name, job: reader.training.get(name) }));
    let billingSeconds = 0;
    for (const { name, job } of jobs) {
      if (job === undefined) faults.push(`${name} was created, but does not exist`);
      else billingSeconds = Math.max(billingSeconds, checkJob(job, known, ledger, faults));
    }
    await checkTagsAndObjects(url, known, faults);
    const states: Record<string, number> = {};
    for (const { job } of jobs) if (job !== undefined) states[job.secondary] = (states[job.secondary] ?? 0) + 1;
    reader.close();
    await killed(server);
    await checkRemains(folder, data, faults);
    return {
      faults,
      kills,
      runnerKills,
      jobs: jobs.length,
      objects: known.objects.size,
      acknowledged: known.acknowledged,
      states,
      billingSeconds,
    };
  } finally {
    stop.abort();
    await killed(server);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise(resolve => server.close(resolve));
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

interface ServerOptions {
  readonly data: string;
  readonly images: string;
  readonly pool: string;
  readonly port: number;
  readonly errors: (line: string) => void;
}

function startServer({ data, images, pool, port, errors }: ServerOptions): ChildProcess {
  const server = spawn(
    process.execPath,
    [
      here('../src/cli/main.ts'),
      'server',
      ...['--data', data, '--images', images, '--pool', pool, '--port', `${port}`],
      ...['--access-key-id', key.id, '--secret-access-key', key.secret],
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  server.stderr!.on('data', (chunk: Buffer) => {
    for (const line of chunk.toString().trim().split('\n'))
      if (!line.startsWith('the runner of ') && !line.includes('ExperimentalWarning') && line !== '') errors(line);
  });
  return server;
}

async function killed(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise(resolve => server.once('exit', resolve));
  server.kill('SIGKILL');
  await ended;
}

async function ready(url: string): Promise<void> {
  for (let i = 0; i < 600; i++) {
    const answers = await fetch(url).then(
      () => true,
      () => false,
    );
    if (answers) return;
    await sleep(50);
  }
  throw new Error('the server does not answer');
}

/** One client: it repeats a request until it gets a response, and only then considers it done. */
async function clientLoop(
  client: number,
  endpoint: string,
  random: () => number,
  known: Known,
  signal: AbortSignal,
): Promise<void> {
  const config = {
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: key.id, secretAccessKey: key.secret },
    maxAttempts: 2,
  };
  const sagemaker = new SageMakerClient(config);
  const s3 = new S3Client(config);
  const mine: string[] = [];
  try {
    for (let i = 0; !signal.aborted; i++) {
      const kind = random();
      const name = mine.length === 0 ? undefined : mine[Math.floor(random() * mine.length)];
      if (kind < 0.25 && !known.isFull()) {
        const job = `job-${client}-${i}`;
        const [isSpot, hasRetries] = [random() < 0.3, random() < 0.5];
        const seconds = `${(0.1 + 1.2 * random()).toFixed(2)}`;
        const done = await acknowledged(signal, () =>
          sagemaker.send(
            new CreateTrainingJobCommand({
              TrainingJobName: job,
              RoleArn: 'arn:aws:iam::123456789012:role/bench',
              AlgorithmSpecification: { TrainingImage: 'bench:1', TrainingInputMode: 'File' },
              HyperParameters: { seconds },
              OutputDataConfig: { S3OutputPath: 's3://data/out' },
              ResourceConfig: { InstanceType: 'ml.trn1.2xlarge', InstanceCount: 1, VolumeSizeInGB: 1 },
              StoppingCondition: { MaxRuntimeInSeconds: 600, ...(isSpot ? { MaxWaitTimeInSeconds: 36_000 } : {}) },
              EnableManagedSpotTraining: isSpot,
              ...(hasRetries ? { RetryStrategy: { MaximumRetryAttempts: 5 } } : {}),
            }),
          ),
        );
        if (done === undefined) continue;
        known.created.set(job, { isSpot, hasRetries });
        mine.push(job);
      } else if (kind < 0.35 && name !== undefined) {
        if (
          (await acknowledged(signal, () => sagemaker.send(new StopTrainingJobCommand({ TrainingJobName: name })))) ===
          'done'
        )
          known.stopped.add(name);
      } else if (kind < 0.45 && name !== undefined) {
        // It may take effect even if the response is lost.
        known.disturbed.add(name);
        await acknowledged(signal, () => callTrenio(endpoint, key, 'InterruptTrainingJob', { TrainingJobName: name }));
      } else if (kind < 0.55 && name !== undefined) {
        const Value = `${i}`;
        const ResourceArn = `arn:aws:sagemaker:us-east-1:123456789012:training-job/${name}`;
        const added = () => sagemaker.send(new AddTagsCommand({ ResourceArn, Tags: [{ Key: 'bench', Value }] }));
        if ((await acknowledged(signal, added)) === 'done') known.tagged.set(name, Value);
      } else {
        const Key = `objects/${client}/${i}`;
        const Body = Buffer.alloc(Math.floor(10 ** (2 + 4 * random())), `${client} ${i} `);
        const put = () => s3.send(new PutObjectCommand({ Bucket: 'data', Key, Body }));
        if ((await acknowledged(signal, put)) === 'done') known.objects.set(Key, sha256(Body));
      }
      known.acknowledged++;
      await sleep(100 * random());
    }
  } finally {
    sagemaker.destroy();
    s3.destroy();
  }
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Repeats a request until the server responds; undefined if the load ends first. An error is a response, too. */
async function acknowledged(
  signal: AbortSignal,
  send: () => Promise<unknown>,
): Promise<'done' | 'refused' | undefined> {
  for (;;) {
    try {
      await send();
      return 'done';
    } catch (error) {
      const { name, message } = error as Error;
      // The first request arrived, but its response was lost.
      if (name === 'ResourceInUse') return 'done';
      if (name === 'ValidationException' || message.startsWith('ValidationException')) return 'refused';
      if (signal.aborted) return undefined;
      await sleep(100);
    }
  }
}

/** Compares a job with the clients' knowledge and with the record of its programs. Returns the error of its bill in seconds. */
function checkJob(job: TrainingJob, known: Known, ledger: string, faults: string[]): number {
  const { name, secondary, transitions } = job;
  const wrong = (what: string): void => {
    const states = transitions.map(({ status, startMs }) => `${status} ${startMs}`).join(', ');
    faults.push(`${name}: ${what} (${states})`);
  };
  if (!isFinal(secondary)) {
    wrong(`has not ended: ${secondary}`);
    return 0;
  }
  if (known.stopped.has(name) && job.stopRequestedMs === undefined) wrong('a stop was acknowledged, but lost');
  if (secondary === 'Failed' && !known.disturbed.has(name)) wrong(`failed: ${job.failureReason}`);
  const runs = readdirSync(ledger)
    .filter(file => file.startsWith(`${name}.`))
    .map(file => ({ startMs: Number(file.split('.')[1]) / 1000, endMs: statSync(join(ledger, file)).mtimeMs }))
    .sort((a, b) => a.startMs - b.startMs);
  if (runs.length > 1 && !known.disturbed.has(name)) wrong(`ran ${runs.length} times`);
  if (secondary === 'Completed' && runs.length === 0) wrong('completed without having run');
  runs.forEach((run, i) => {
    const next = runs[i + 1];
    if (next !== undefined && next.startMs < run.endMs) wrong('ran twice at the same time');
  });
  // Each attempt is billed from Downloading on. Its program runs in Training, and in Stopping until it ends.
  let [instanceMs, copyMs, stopMs, since] = [0, 0, 0, undefined as number | undefined];
  for (const { status, startMs, endMs } of transitions) {
    if (status === 'Downloading') since ??= startMs;
    const lastedMs = since === undefined ? 0 : (endMs ?? startMs) - startMs;
    if (status === 'Downloading' || status === 'Uploading') copyMs += lastedMs;
    if (status === 'Stopping') stopMs += lastedMs;
    if (since !== undefined && (status === 'Interrupted' || status === 'Restarting' || isFinal(status))) {
      instanceMs += startMs - since;
      since = undefined;
    }
  }
  if (Math.abs(instanceMs - job.billedMs) > 1) wrong(`billed ${job.billedMs} ms for ${instanceMs} ms on instances`);
  const billed = billableSeconds(job) ?? 0;
  if (Math.abs(billed - (instanceMs * job.priceShare) / 1000) > 1) wrong(`billed ${billed} s for ${instanceMs} ms`);
  const ranMs = runs.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  // Beside the copies and the program: the start of the processes, and what is left of Stopping after the program ended. A busy
  // machine takes long to start them, so that only a bill that lacks time is a fault.
  const otherMs = job.billedMs - copyMs - ranMs;
  const difference = (otherMs > 0 ? Math.max(0, otherMs - stopMs) : otherMs) / 1000;
  const allowed = Math.max(1, runs.length);
  if (difference < -0.2 * allowed)
    wrong(`billed ${job.billedMs} ms: ${copyMs} ms of copies, ${stopMs} ms of stops; the programs ran ${ranMs} ms`);
  return Math.abs(difference) / allowed;
}

async function checkTagsAndObjects(endpoint: string, known: Known, faults: string[]): Promise<void> {
  const config = {
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: key.id, secretAccessKey: key.secret },
  };
  const sagemaker = new SageMakerClient(config);
  const s3 = new S3Client(config);
  for (const [name, value] of known.tagged) {
    const ResourceArn = `arn:aws:sagemaker:us-east-1:123456789012:training-job/${name}`;
    const { Tags = [] } = await sagemaker.send(new ListTagsCommand({ ResourceArn }));
    if (!Tags.some(tag => tag.Key === 'bench' && Number(tag.Value) >= Number(value)))
      faults.push(`${name} has lost its tag ${value}`);
  }
  for (const [Key, hash] of known.objects) {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: 'data', Key }));
    if (sha256((await Body?.transformToByteArray()) ?? new Uint8Array()) !== hash)
      faults.push(`${Key} has the wrong content`);
  }
  sagemaker.destroy();
  s3.destroy();
}

async function checkRemains(folder: string, data: string, faults: string[]): Promise<void> {
  // The last runners remove their folders.
  const runs = join(data, 'runs');
  const folders = (): readonly string[] =>
    readdirSync(runs, { withFileTypes: true })
      .filter(entry => entry.isDirectory())
      .map(({ name }) => name);
  for (let i = 0; i < 50 && (folders().length > 0 || processesOf(folder).length > 0); i++) await sleep(100);
  for (const name of folders()) faults.push(`left: the folder ${name}`);
  for (const name of readdirSync(runs).filter(name => name.endsWith('.log'))) {
    const text = readFileSync(join(runs, name), 'utf8');
    if (text !== '') faults.push(`the runner ${name} printed: ${text.slice(0, 500)}`);
  }
  for (const command of processesOf(folder)) faults.push(`left: the process ${command}`);
  const mounts = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .filter(line => line.includes(folder));
  for (const line of mounts) faults.push(`left: the mount ${line}`);
  for (const group of existsSync('/sys/fs/cgroup/memory') ? readdirSync('/sys/fs/cgroup/memory') : [])
    if (group.startsWith('trenio-') && readFileSync(`/sys/fs/cgroup/memory/${group}/cgroup.procs`, 'utf8') === '')
      faults.push(`left: the control group ${group}`);
  const objects = new ObjectStore(join(data, 'objects'));
  const swept = await objects.sweep();
  if ((await objects.sweep()) !== 0) faults.push('data of incomplete uploads cannot be swept');
  objects.close();
  if (swept > 50) faults.push(`left: the data of ${swept} incomplete uploads`);
}

/** Command lines of processes that name the folder. */
function processesOf(folder: string): readonly string[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap(pid => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
        return command.includes(folder) ? [`${pid} ${command.slice(0, 200)}`] : [];
      } catch {
        return []; // it has just ended
      }
    });
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { count: { type: 'string', default: '100' }, seed: { type: 'string', default: '1' } },
  });
  const result = await serverKills({
    count: Number(values.count),
    seed: Number(values.seed),
    log: line => console.log(line),
  });
  console.log(JSON.stringify(result, null, 2));
  bar({
    what: 'faults after kills of the server',
    unit: 'faults',
    measured: result.faults.length,
    limit: 0,
    kind: 'at most',
  });
  bar({ what: 'error of the bill', unit: 's', measured: result.billingSeconds, limit: 1, kind: 'at most' });
  process.exitCode = result.faults.length === 0 ? 0 : 1;
}
