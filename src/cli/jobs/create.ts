// `trenio jobs create`.
import { resolve } from 'node:path';
import type { TrainingInstanceType } from '../../api/aws/models/instance-types.ts';
import { Estimator } from '../../client/jobs/estimator.ts';
import { isS3Uri } from '../../client/s3-uri.ts';
import { localPath } from '../../client/upload.ts';
import type { CliContext } from '../command/command.ts';
import { connectionOf, pairsOf } from '../server-option.ts';
import type { CreateInput } from './jobs-options.ts';

export async function createJob({ options }: CreateInput, context: CliContext): Promise<number> {
  const { stdout, stderr, cwd, signal } = context;
  const pairs = (option: 'hyperparameter' | 'input' | 'metric' | 'env' | 'tag') =>
    pairsOf('jobs create', option, options[option]);
  const [given, inputs, metrics, environment, tags] = await Promise.all([
    pairs('hyperparameter'),
    pairs('input'),
    pairs('metric'),
    pairs('env'),
    pairs('tag'),
  ]);
  const sourceDir = options['source-dir'];
  const entryPoint = options['entry-point'];
  const estimator = new Estimator({
    entryPoint: entryPoint === undefined || sourceDir !== undefined ? entryPoint : resolve(cwd, entryPoint),
    sourceDir:
      sourceDir === undefined || isS3Uri(sourceDir, 'trenio jobs create', '--source-dir')
        ? sourceDir
        : resolve(cwd, sourceDir),
    // The server checks it.
    instanceType: options['instance-type'] as TrainingInstanceType,
    instanceCount: options['instance-count'],
    imageUri: options.image,
    distribution: { torchDistributed: { enabled: options.distributed } },
    hyperparameters: Object.fromEntries(Object.entries(given).map(([name, value]) => [name, numberOrText(value)])),
    metricDefinitions:
      options.metric.length === 0 ? undefined : Object.entries(metrics).map(([name, regex]) => ({ name, regex })),
    environment: options.env.length === 0 ? undefined : environment,
    tags,
    checkpointS3Uri: options.checkpoints,
    outputPath: options.output,
    useSpotInstances: options.spot,
    maxRun: options['max-run'],
    maxWait: options['max-wait'],
    connection: await connectionOf(options, context),
  });
  const channels = Object.entries(inputs).map(([name, data]) => [
    name,
    isS3Uri(data, 'trenio jobs create', `--input ${name}`) ? data : localPath(data, cwd),
  ]);
  const job = await estimator.fit(Object.fromEntries(channels), {
    jobName: options.name,
    wait: false,
    stream: stderr,
    signal,
  });
  if (options.follow && !options.json) {
    await estimator.wait({ stream: stdout, signal });
    return 0;
  }
  stdout.write(options.json ? `${JSON.stringify({ name: job.name, arn: job.arn })}\n` : `${job.name}\n`);
  return 0;
}

/** `3` is a number in hyperparameters.json, as SageMaker's SDK writes it; `a` a text. */
const numberOrText = (value: string): string | number =>
  /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[-+]?\d+)?$/i.test(value) && String(Number(value)) === value ? Number(value) : value;
