// For tests, benchmarks and screenshots: a month of training jobs of a team, generated from a seed.
import { costOf, type MicroUsd } from '../../base/money.ts';
import { priceOf } from '../../hardware/index.ts';
import type { LogStore } from '../../jobs/logs/log-store.ts';
import type { MetricPoint, MetricStore } from '../../jobs/metrics/metric-store.ts';
import type { JobStore } from '../../jobs/store/job-store.ts';
import { LOG_GROUP } from '../../jobs/training/attempt-record.ts';
import { spotPriceShare } from '../../jobs/training/billing.ts';
import type { SecondaryStatus } from '../../jobs/training/state-machine.ts';
import { statusMessages } from '../../jobs/training/state-machine.ts';
import type { StatusTransition, TrainingJob } from '../../jobs/training/training-job.ts';

export interface SampleStores {
  readonly jobs: JobStore;
  readonly logs: LogStore;
  readonly metrics: MetricStore;
}

/** Seeded random numbers in [0, 1) (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const models = ['bert-base', 'bert-large', 'llama3-1b', 'vit-base', 'gpt2-medium', 'whisper-small'];
const tasks = ['pretrain', 'polarity', 'summaries', 'retrieval', 'ablation', 'lr-sweep'];
const types = [
  ['ml.trn1.2xlarge', 1],
  ['ml.trn1.32xlarge', 2],
  ['ml.trn1.32xlarge', 4],
  ['ml.p4d.24xlarge', 1],
  ['ml.p5.48xlarge', 1],
  ['ml.trn2.48xlarge', 1],
] as const;
const failures = [
  'AlgorithmError: RuntimeError: the loss is not finite at step 412 (loss=nan); gradients overflowed in encoder.layer.7, exit code: 1',
  'ClientError: No such object: s3://corpora/wiki/shard-0113.jsonl.gz',
  'AlgorithmError: ValueError: batch size 4096 does not fit in 32 GiB of device memory, exit code: 1',
];
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** @param nowMs the newest jobs end shortly before */
export function addSampleJobs(stores: SampleStores, count: number, nowMs: number, seed = 7): readonly TrainingJob[] {
  const next = random(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
  const made = Array.from({ length: count }, (_, i) => {
    const model = pick(models);
    const [instanceType, instanceCount] = pick(types);
    const createdMs = Math.round(nowMs - (1 - i / count) ** 1.5 * 28 * DAY - 20 * MINUTE - next() * 10 * MINUTE);
    const waitMs = Math.round(next() ** 3 * 20 * MINUTE);
    const longest = Math.max(2 * MINUTE, nowMs - createdMs - waitMs - 5 * MINUTE);
    const runMs = Math.round(Math.min(longest, (2 + next() ** 2 * 300) * MINUTE));
    const end = next();
    const outcome: SecondaryStatus = end < 0.82 ? 'Completed' : end < 0.93 ? 'Failed' : 'Stopped';
    const lr = pick(['1e-4', '3e-4', '5e-5', '2e-5']);
    const job = jobOf({
      name: `${model}-${pick(tasks)}-${String(i).padStart(4, '0')}`,
      hyperparameters: {
        lr,
        epochs: String(1 + Math.floor(next() * 4)),
        batch_size: pick(['32', '64', '128']),
        warmup_steps: pick(['100', '500']),
        optimizer: pick(['adamw', 'lamb']),
        seed: String(Math.floor(next() * 100)),
      },
      ...{ instanceType, instanceCount, createdMs, waitMs, runMs, outcome },
      isSpot: next() < 0.3,
      failure: outcome === 'Failed' ? pick(failures) : undefined,
      accuracy: 0.78 + next() * 0.16,
      loss: 0.12 + next() * 0.5,
    });
    stores.jobs.training.add(job);
    return job;
  });
  // Pages show the newest ones in full.
  for (const job of made.slice(-12)) addSampleCourse(stores, job, next);
  return made;
}

interface SampleJob {
  readonly name: string;
  readonly hyperparameters: Readonly<Record<string, string>>;
  readonly instanceType: string;
  readonly instanceCount: number;
  readonly createdMs: number;
  readonly waitMs: number;
  readonly runMs: number;
  readonly outcome: SecondaryStatus;
  readonly isSpot: boolean;
  readonly failure: string | undefined;
  readonly accuracy: number;
  readonly loss: number;
}

function jobOf(sample: SampleJob): TrainingJob {
  const { name, createdMs, waitMs, runMs, outcome, instanceType, instanceCount } = sample;
  const startMs = createdMs + waitMs;
  const endMs = startMs + runMs;
  const steps: readonly (readonly [SecondaryStatus, number])[] = [
    ['Starting', createdMs],
    ['Downloading', startMs],
    ['Training', startMs + Math.min(90_000, runMs * 0.05)],
    ...(outcome === 'Completed' ? [['Uploading', endMs - Math.min(30_000, runMs * 0.03)] as const] : []),
    [outcome, endMs],
  ];
  const transitions = steps.map(
    ([status, from], i): StatusTransition => ({
      status,
      startMs: Math.round(from),
      endMs: Math.round(steps[i + 1]?.[1] ?? from),
      message: statusMessages[status],
    }),
  );
  const metric = (metricName: string, value: number) => ({ name: metricName, value, timeMs: endMs });
  return {
    name,
    arn: `arn:aws:sagemaker:us-east-1:123456789012:training-job/${name}`,
    spec: {
      image: 'trenio',
      entrypoint: undefined,
      arguments: [],
      hyperparameters: { ...sample.hyperparameters, sagemaker_program: 'train.ts' },
      environment: { HF_TOKEN: 'a secret that no page shows', TOKENIZERS_PARALLELISM: 'false' },
      channels: [
        {
          name: 'train',
          bucket: 'corpora',
          prefix: 'wiki/',
          contentType: undefined,
          distribution: 'ShardedByS3Key',
          gzip: true,
        },
      ],
      output: { bucket: 'models', prefix: 'runs/', compressed: true },
      checkpoints: { bucket: 'models', prefix: `checkpoints/${name}/` },
      instanceType,
      instanceCount,
      maxRuntimeSeconds: 24 * 3600,
      maxWaitSeconds: sample.isSpot ? 48 * 3600 : undefined,
      maxPendingSeconds: undefined,
      retryAttempts: 0,
      isSpot: sample.isSpot,
      hasNetwork: true,
      metrics: [],
    },
    request: {
      TrainingJobName: name,
      AlgorithmSpecification: { TrainingImage: 'trenio', TrainingInputMode: 'File' },
      RoleArn: 'arn:aws:iam::123456789012:role/trainer',
      OutputDataConfig: { S3OutputPath: 's3://models/runs/' },
      ResourceConfig: { InstanceType: instanceType, InstanceCount: instanceCount, VolumeSizeInGB: 50 },
      StoppingCondition: { MaxRuntimeInSeconds: 24 * 3600 },
      HyperParameters: sample.hyperparameters,
      Environment: { HF_TOKEN: 'a secret that no page shows', TOKENIZERS_PARALLELISM: 'false' },
    },
    tags: { team: 'language', project: 'encoders' },
    secondary: outcome,
    transitions,
    createdMs,
    modifiedMs: endMs,
    trainingStartMs: startMs,
    trainingEndMs: endMs,
    billedMs: runMs,
    instancesSinceMs: undefined,
    failureReason: sample.failure,
    finalMetrics: outcome === 'Completed' ? [metric('loss', sample.loss), metric('accuracy', sample.accuracy)] : [],
    ...(outcome === 'Completed' ? estimatesOf(runMs, priceOf(instanceType)?.value) : {}),
    attempt: 1,
    retries: 0,
    interruptRequestedMs: undefined,
    priceShare: sample.isSpot ? spotPriceShare(instanceType) : 1,
    stopRequestedMs: undefined,
    runner: undefined,
  };
}

const STEPS = 1500;
const estimatesOf = (runMs: number, price: MicroUsd | undefined): Pick<TrainingJob, 'measured' | 'predicted'> => ({
  measured: {
    steps: STEPS,
    stepSeconds: (runMs * 0.92) / STEPS / 1000,
    communication: {
      collectives: [
        { at: 'train.py:41', kind: 'all_reduce', devices: 8, count: 14, bytes: 3 << 20 },
        { at: 'train.py:52', kind: 'all_gather', devices: 2, count: 4, bytes: 1 << 20 },
      ],
      replicated: [
        "every rank computes the gather at train.py:52 whole: withShardingConstraint(x, [null, 'tp']) keeps it divided",
      ],
      exposedMs: 4.2,
    },
  },
  predicted: {
    kind: 'predicted',
    stepSeconds: (runMs * 0.11) / STEPS / 1000,
    samplesPerSecond: (64 * STEPS * 1000) / (runMs * 0.11),
    seconds: (runMs * 0.11) / 1000,
    usd: price && costOf(price, (runMs * 0.11) / 1000),
    fits: true,
    assumptions: ['Start-up, data loading and evaluation are not counted.'],
  },
});

/** Typical metrics and log lines of a job. */
function addSampleCourse({ logs, metrics }: SampleStores, job: TrainingJob, next: () => number): void {
  const steps = STEPS;
  const startMs = job.trainingStartMs!;
  const stepMs = job.billedMs / steps;
  const [floor, speed] = [job.finalMetrics[0]?.value ?? 0.6, 150 + next() * 300];
  const series = (of: (i: number) => number): readonly MetricPoint[] =>
    Array.from({ length: steps }, (_, i) => ({ timeMs: Math.round(startMs + i * stepMs), value: of(i) }));
  const noise = (size: number): number => (next() + next() + next() - 1.5) * size;
  const loss = series(i => Math.max(0.02, floor + (2.6 - floor) * Math.exp(-i / speed) + noise(0.12)));
  metrics.append(job.name, 'loss', loss);
  metrics.append(
    job.name,
    'accuracy',
    series(i => Math.min(0.99, 0.5 + 0.42 * (1 - Math.exp(-i / (speed * 1.3))) + noise(0.015))),
  );
  metrics.append(
    job.name,
    'learning rate',
    series(i => 3e-4 * Math.min(1, i / 150) * 0.5 * (1 + Math.cos((Math.PI * i) / steps))),
  );
  metrics.append(
    job.name,
    'samples per second',
    series(i => (i < 20 ? 100 + i * 40 : 940) + noise(40)),
  );
  for (let host = 1; host <= job.spec.instanceCount; host++) {
    const stream = `${job.name}/algo-${host}-${Math.floor(startMs / 1000)}`;
    const lines = loss.flatMap(({ timeMs, value }, i) => {
      const line = (message: string) => ({ timeMs, message });
      const progress = line(
        `\u001b[2mstep\u001b[0m ${String(i).padStart(5)}  \u001b[36mloss\u001b[0m=${value.toFixed(4)}  lr=${(3e-4).toExponential(1)}  ${(900 + noise(60)).toFixed(0)} samples/s`,
      );
      if (i === 0) return [line(`\u001b[1mtrenio\u001b[0m 0.1.0, rank ${host - 1}, 16 cores`), progress];
      if (i === 3) return [line('\u001b[33mwarning:\u001b[0m compiled the training step: 2.4 s, 1 program'), progress];
      if (i % 500 === 499) return [progress, line('\u001b[32mcheckpoint\u001b[0m saved to /opt/ml/checkpoints')];
      return i % 5 === 0 ? [progress] : [];
    });
    if (job.failureReason !== undefined)
      lines.push({ timeMs: startMs, message: `\u001b[31m${job.failureReason}\u001b[0m` });
    logs.append(LOG_GROUP, stream, lines, startMs);
  }
}
