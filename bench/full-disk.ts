// Keeps the disk of a job server full, frees it at random, and checks that the server lives and loses nothing acknowledged:
//
//     node bench/full-disk.ts [--minutes 30] [--seed 1] [--mib 64]      (Linux, root: it mounts a small tmpfs)
//
// Clients put and delete objects, create, stop and tag jobs that print, and write log events. A second program takes every free
// byte of the disk, for up to ten seconds at a time, and again whenever some are freed. Sometimes the server is killed while the
// disk is full, and started again. Requests may be refused, with 503 only. In the end, every acknowledged request must have taken
// effect, and the server must accept requests again.
import './help.ts';
import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { closeSync, ftruncateSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  CloudWatchLogsClient,
  CreateLogGroupCommand,
  CreateLogStreamCommand,
  GetLogEventsCommand,
  PutLogEventsCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import {
  AddTagsCommand,
  CreateTrainingJobCommand,
  DescribeTrainingJobCommand,
  ListTagsCommand,
  ListTrainingJobsCommand,
  SageMakerClient,
  StopTrainingJobCommand,
} from '@aws-sdk/client-sagemaker';
import { key, region, type ServerProcess, startServer } from './job-server/server-process.ts';

export interface FullDiskCampaign {
  readonly seconds: number;
  readonly seed: number;
  readonly mebibytes: number;
  readonly log: (line: string) => void;
}

export interface FullDiskResult {
  readonly faults: readonly string[];
  /** How often the disk was filled. */
  readonly fills: number;
  readonly restarts: number;
  readonly acknowledged: number;
  /** Requests that were refused because the disk was full. */
  readonly refused: number;
  readonly states: Readonly<Record<string, number>>;
}

/** A small disk, mounted until it is disposed; undefined if this user may not mount one. */
function smallDisk(mebibytes: number): (Disposable & { readonly folder: string }) | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'trenio-full-disk-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', folder]);
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  if (status !== 0) {
    remove();
    return undefined;
  }
  return {
    folder,
    [Symbol.dispose]: () => {
      spawnSync('umount', ['-l', folder]);
      remove();
    },
  };
}

/** Takes the free bytes of a disk. */
class Filler implements Disposable {
  readonly #file: number;
  #bytes = 0;

  constructor(folder: string) {
    this.#file = openSync(join(folder, 'filler'), 'w');
  }

  /** Every free byte, now. */
  fill(): void {
    for (let chunk = 1 << 20; chunk >= 1; chunk >>= 1)
      try {
        for (;;) this.#bytes += writeSync(this.#file, Buffer.alloc(chunk, 1), 0, chunk, this.#bytes);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
  }

  free(): void {
    ftruncateSync(this.#file, 0);
    this.#bytes = 0;
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }
}

function randomOf(seed: number): () => number {
  let counter = 0;
  return () => createHash('sha256').update(`${seed} ${counter++}`).digest().readUInt32BE(0) / 2 ** 32;
}

/** The acknowledged requests. An operation that failed may have taken effect: its subject is then unknown. */
interface Known {
  /** The hash of each object; undefined: deleted. */
  readonly objects: Map<string, string | undefined>;
  readonly jobs: Set<string>;
  readonly stopped: Set<string>;
  readonly tags: Map<string, string>;
  readonly events: Set<string>;
  readonly unknown: Set<string>;
}

const clientsOf = ({ url }: ServerProcess) => {
  const options = {
    endpoint: url,
    region,
    maxAttempts: 1,
    credentials: { accessKeyId: key.id, secretAccessKey: key.secret },
  };
  return { s3: new S3Client(options), jobs: new SageMakerClient(options), logs: new CloudWatchLogsClient(options) };
};
type Clients = ReturnType<typeof clientsOf>;

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const [Bucket, logGroupName, logStreamName] = ['data', 'events', 'stream'];

/** Undefined if small disks cannot be mounted here. */
export async function fullDisk({
  seconds,
  seed,
  mebibytes,
  log,
}: FullDiskCampaign): Promise<FullDiskResult | undefined> {
  using disk = smallDisk(mebibytes);
  if (disk === undefined) return undefined;
  const work = mkdtempSync(join(tmpdir(), 'trenio-full-disk-work-'));
  const data = join(disk.folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(
    join(work, 'images.json'),
    JSON.stringify({
      'bench:1': {
        kind: 'command',
        train: ['sh', '-c', 'for i in 1 2 3 4; do seq 1 200; sleep 0.2; done; echo loss=$i'],
      },
    }),
  );
  writeFileSync(
    join(work, 'pool.json'),
    JSON.stringify({ instances: [{ type: 'ml.trn1.2xlarge', count: 2, cores: 1 }] }),
  );
  const faults: string[] = [];
  const options = ['--images', join(work, 'images.json'), '--pool', join(work, 'pool.json')];
  const start = (): Promise<ServerProcess> => startServer(data, options);
  const random = randomOf(seed);
  const known: Known = {
    objects: new Map(),
    jobs: new Set(),
    stopped: new Set(),
    tags: new Map(),
    events: new Set(),
    unknown: new Set(),
  };
  const counts = { fills: 0, restarts: 0, acknowledged: 0, refused: 0 };
  let server = await start();
  let clients = clientsOf(server);
  let isRestarting = false;
  const stop = new AbortController();
  try {
    using filler = new Filler(disk.folder);
    await clients.s3.send(new CreateBucketCommand({ Bucket }));
    await clients.logs.send(new CreateLogGroupCommand({ logGroupName }));
    await clients.logs.send(new CreateLogStreamCommand({ logGroupName, logStreamName }));
    const load = [0, 1, 2].map(async index => {
      const own = randomOf(seed * 1000 + index);
      for (let i = 0; !stop.signal.aborted; i++) {
        await sleep(20 + 100 * own());
        if (isRestarting) continue;
        const subject = await request(clients, own, `${index}-${i}`, known).then(
          () => {
            counts.acknowledged++;
            return undefined;
          },
          (error: Refused) => error,
        );
        if (subject === undefined) continue;
        known.unknown.add(subject.subject);
        if (subject.status === 503) counts.refused++;
        // While the server is killed, connections end.
        else if (subject.status !== undefined) faults.push(`${subject.subject}: ${subject.status} ${subject.message}`);
      }
    });
    const endMs = performance.now() + seconds * 1000;
    while (performance.now() < endMs) {
      await sleep(3000 * random());
      const fullMs = performance.now() + 10_000 * random();
      counts.fills++;
      while (performance.now() < Math.min(fullMs, endMs)) {
        filler.fill();
        await sleep(20);
      }
      if (random() < 0.2) {
        isRestarting = true;
        process.kill(server.pid, 'SIGKILL');
        await sleep(200);
        server = await start();
        clients = clientsOf(server);
        isRestarting = false;
        counts.restarts++;
      }
      filler.free();
      if (counts.fills % 10 === 0) log(`${counts.fills} times full, ${JSON.stringify(counts)}`);
    }
    filler.free();
    stop.abort();
    await Promise.all(load);
    await sleep(1500);
    const states = await check(clients, known, faults);
    return { faults, ...counts, states };
  } catch (error) {
    faults.push(`the server: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    return { faults, ...counts, states: {} };
  } finally {
    stop.abort();
    await server[Symbol.asyncDispose]();
    rmSync(work, { recursive: true, force: true });
  }
}

/** A request that was not acknowledged. `status`: undefined if there was no answer. */
class Refused extends Error {
  readonly subject: string;
  readonly status: number | undefined;

  constructor(subject: string, error: unknown) {
    super(String(error));
    this.subject = subject;
    this.status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
  }
}

async function request({ s3, jobs, logs }: Clients, random: () => number, id: string, known: Known): Promise<void> {
  const kind = random();
  const pick = (names: Iterable<string>): string | undefined => {
    const all = [...names];
    return all[Math.floor(random() * all.length)];
  };
  const acknowledged = async (subject: string, send: Promise<unknown>, effect: () => void): Promise<void> => {
    try {
      await send;
    } catch (error) {
      throw new Refused(subject, error);
    }
    effect();
  };
  if (kind < 0.4) {
    const Body = randomBytes(Math.floor(random() * 200_000));
    await acknowledged(id, s3.send(new PutObjectCommand({ Bucket, Key: id, Body })), () =>
      known.objects.set(id, sha256(Body)),
    );
  } else if (kind < 0.7) {
    const Key = pick(known.objects.keys());
    if (Key === undefined || known.unknown.has(Key)) return;
    await acknowledged(Key, s3.send(new DeleteObjectCommand({ Bucket, Key })), () => known.objects.set(Key, undefined));
  } else if (kind < 0.75) {
    const created = new CreateTrainingJobCommand({
      TrainingJobName: `job-${id}`,
      AlgorithmSpecification: {
        TrainingImage: 'bench:1',
        TrainingInputMode: 'File',
        MetricDefinitions: [{ Name: 'loss', Regex: 'loss=(\\d+)' }],
      },
      RoleArn: 'arn:aws:iam::123456789012:role/bench',
      OutputDataConfig: { S3OutputPath: `s3://${Bucket}/out` },
      ResourceConfig: { InstanceType: 'ml.trn1.2xlarge', InstanceCount: 1, VolumeSizeInGB: 1 },
      StoppingCondition: { MaxRuntimeInSeconds: 600 },
    });
    await acknowledged(`job-${id}`, jobs.send(created), () => known.jobs.add(`job-${id}`));
  } else if (kind < 0.78) {
    const name = pick(known.jobs);
    if (name === undefined) return;
    try {
      await jobs.send(new StopTrainingJobCommand({ TrainingJobName: name }));
      known.stopped.add(name);
    } catch (error) {
      // It has ended.
      if ((error as Error).name !== 'ValidationException') throw new Refused(`stop of ${name}`, error);
    }
  } else if (kind < 0.85) {
    const name = pick(known.jobs);
    if (name === undefined || known.unknown.has(`tag of ${name}`)) return;
    const ResourceArn = `arn:aws:sagemaker:${region}:123456789012:training-job/${name}`;
    const send = jobs.send(new AddTagsCommand({ ResourceArn, Tags: [{ Key: 'k', Value: id }] }));
    await acknowledged(`tag of ${name}`, send, () => known.tags.set(name, id));
  } else {
    const logEvents = [{ timestamp: Date.now(), message: id }];
    await acknowledged(
      `event ${id}`,
      logs.send(new PutLogEventsCommand({ logGroupName, logStreamName, logEvents })),
      () => known.events.add(id),
    );
  }
}

/** Compares the server with what was acknowledged; returns the number of jobs by state. */
async function check({ s3, jobs, logs }: Clients, known: Known, faults: string[]): Promise<Record<string, number>> {
  await s3.send(new PutObjectCommand({ Bucket, Key: 'after', Body: 'x' }));
  for (const [Key, hash] of known.objects) {
    if (known.unknown.has(Key)) continue;
    try {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
      if (hash === undefined) faults.push(`${Key} was deleted, but exists`);
      else if (sha256(await Body!.transformToByteArray()) !== hash) faults.push(`${Key} has other content`);
    } catch (error) {
      if (hash !== undefined) faults.push(`${Key}: ${(error as Error).name}`);
    }
  }
  const deadline = performance.now() + 600_000;
  const active = async (): Promise<boolean> =>
    (await jobs.send(new ListTrainingJobsCommand({ StatusEquals: 'InProgress' }))).TrainingJobSummaries!.length > 0;
  while ((await active()) && performance.now() < deadline) await sleep(500);
  const states: Record<string, number> = {};
  for (const name of known.jobs) {
    const job = await jobs.send(new DescribeTrainingJobCommand({ TrainingJobName: name })).catch(() => undefined);
    const status = job?.TrainingJobStatus ?? 'lost';
    states[status] = (states[status] ?? 0) + 1;
    if (job === undefined) faults.push(`${name} was created, but does not exist`);
    else if (status === 'InProgress') faults.push(`${name} is still ${job.SecondaryStatus}`);
    else if (known.stopped.has(name) && status === 'Failed') faults.push(`${name} was stopped, but failed`);
    if (status === 'Failed') faults.push(`${name} failed: ${job?.FailureReason}`);
    const tag = known.tags.get(name);
    if (tag === undefined || known.unknown.has(`tag of ${name}`)) continue;
    const { Tags } = await jobs.send(new ListTagsCommand({ ResourceArn: job?.TrainingJobArn }));
    if (Tags?.[0]?.Value !== tag) faults.push(`the tag of ${name} is ${Tags?.[0]?.Value}, not ${tag}`);
  }
  const found = new Set<string>();
  for (let nextToken: string | undefined, before = ''; ; ) {
    const page = await logs.send(
      new GetLogEventsCommand({ logGroupName, logStreamName, startFromHead: true, nextToken }),
    );
    for (const { message } of page.events ?? []) found.add(message!);
    nextToken = page.nextForwardToken;
    if (nextToken === before || nextToken === undefined) break;
    before = nextToken;
  }
  for (const id of known.events) if (!found.has(id)) faults.push(`the event ${id} is lost`);
  return states;
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '30' },
      seed: { type: 'string', default: '1' },
      mib: { type: 'string', default: '64' },
    },
  });
  const result = await fullDisk({
    seconds: Number(values.minutes) * 60,
    seed: Number(values.seed),
    mebibytes: Number(values.mib),
    log: line => console.log(line),
  });
  if (result === undefined) console.log('mounting a small disk needs root');
  else {
    const { faults, ...counts } = result;
    for (const fault of faults) console.log(fault);
    console.log(JSON.stringify(counts));
    process.exitCode = faults.length === 0 ? 0 : 1;
  }
}
