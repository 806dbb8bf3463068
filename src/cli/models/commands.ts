// The commands of `trenio models`.
import { TrenioError } from '../../base/errors.ts';
import { BUILT_IN_IMAGE } from '../../client/jobs/estimator-options.ts';
import { describeJob } from '../../client/jobs/training-jobs.ts';
import type { CliContext } from '../command/command.ts';
import { fittingTable } from '../command/wide-table.ts';
import { connectTo, pairsOf } from '../server-option.ts';
import type { CommonInput, CreateInput } from './models-options.ts';

export async function listThem({ options }: CommonInput, context: CliContext): Promise<number> {
  const { stdout } = context;
  using server = await connectTo(options, context);
  const models: { name: string; createdAt: string }[] = [];
  let token: string | undefined;
  do {
    const page = await server.services.sagemaker('ListModels', {
      MaxResults: 100,
      ...(token === undefined ? {} : { NextToken: token }),
    });
    for (const { ModelName: name, CreationTime: created } of page.Models)
      models.push({ name, createdAt: new Date(created * 1000).toISOString() });
    token = page.NextToken;
  } while (token !== undefined);
  if (options.json) stdout.write(`${JSON.stringify({ models })}\n`);
  else if (models.length === 0) stdout.write('No models.\n');
  else
    stdout.write(
      `${fittingTable(
        [{ header: 'model' }, { header: 'created' }],
        models.map(({ name, createdAt }) => [name, createdAt]),
        stdout,
      )}\n`,
    );
  return 0;
}

export async function showOne({ options, positionals: [name] }: CommonInput, context: CliContext): Promise<number> {
  using server = await connectTo(options, context);
  const { PrimaryContainer: container, CreationTime: created } = await server.services.sagemaker('DescribeModel', {
    ModelName: name!,
  });
  const shown = {
    name,
    image: container?.Image,
    modelData: container?.ModelDataUrl,
    environment: container?.Environment ?? {},
    createdAt: new Date(created * 1000).toISOString(),
  };
  context.stdout.write(
    options.json
      ? `${JSON.stringify(shown)}\n`
      : `${Object.entries(shown)
          .filter(([, value]) => value !== undefined)
          .map(([title, value]) => `${title.padEnd(11)}  ${typeof value === 'string' ? value : JSON.stringify(value)}`)
          .join('\n')}\n`,
  );
  return 0;
}

export async function createOne({ options, positionals: [name] }: CreateInput, context: CliContext): Promise<number> {
  const { job: jobName, 'model-data': archive } = options;
  if ((jobName === undefined) === (archive === undefined))
    throw new TrenioError('MISSING_ARGUMENT', {
      command: 'models create',
      argument: '--job',
      expected: 'the name of a training job, or --model-data with an archive',
    });
  const environment = await pairsOf('models create', 'env', options.env);
  using server = await connectTo(options, context);
  const job = jobName === undefined ? undefined : await describeJob(server, jobName);
  await server.services.sagemaker('CreateModel', {
    ModelName: name!,
    ExecutionRoleArn: await server.defaultRole(),
    PrimaryContainer: {
      Image: options.image ?? job?.image ?? BUILT_IN_IMAGE,
      ModelDataUrl: archive ?? job!.modelData,
      ...(options.env.length === 0 ? {} : { Environment: environment }),
    },
  });
  context.stdout.write(options.json ? `${JSON.stringify({ name })}\n` : `${name}\n`);
  return 0;
}

export async function deleteThem({ options, positionals }: CommonInput, context: CliContext): Promise<number> {
  using server = await connectTo(options, context);
  for (const name of positionals) {
    await server.services.sagemaker('DeleteModel', { ModelName: name });
    context.stdout.write(options.json ? `${JSON.stringify({ name })}\n` : `deleted ${name}\n`);
  }
  return 0;
}
