// The commands of `trenio endpoints`.
import { randomBytes } from 'node:crypto';
import type { EndpointInstanceType } from '../../api/aws/models/instance-types.ts';
import { TrenioError } from '../../base/errors.ts';
import { TaskProgress } from '../../base/task-progress.ts';
import { waitUntilInService } from '../../client/endpoints/endpoints.ts';
import { invokeEndpoint } from '../../client/endpoints/invoke.ts';
import { Predictor } from '../../client/endpoints/predictor.ts';
import type { JobServerClient } from '../../client/job-server.ts';
import type { CliContext } from '../command/command.ts';
import { fittingTable } from '../command/wide-table.ts';
import { connectionOf, connectTo } from '../server-option.ts';
import type { CommonInput, FleetInput, InvokeInput } from './endpoints-options.ts';

const time = (seconds: number): string => new Date(seconds * 1000).toISOString();

export async function listThem({ options }: CommonInput, context: CliContext): Promise<number> {
  const { stdout } = context;
  using server = await connectTo(options, context);
  const endpoints: { name: string; status: string; createdAt: string }[] = [];
  let token: string | undefined;
  do {
    const page = await server.services.sagemaker('ListEndpoints', {
      MaxResults: 100,
      ...(token === undefined ? {} : { NextToken: token }),
    });
    for (const { EndpointName: name, EndpointStatus: status, CreationTime: created } of page.Endpoints)
      endpoints.push({ name, status, createdAt: time(created) });
    token = page.NextToken;
  } while (token !== undefined);
  if (options.json) stdout.write(`${JSON.stringify({ endpoints })}\n`);
  else if (endpoints.length === 0) stdout.write('No endpoints.\n');
  else
    stdout.write(
      `${fittingTable(
        [{ header: 'endpoint' }, { header: 'status' }, { header: 'created' }],
        endpoints.map(({ name, status, createdAt }) => [name, status, createdAt]),
        stdout,
      )}\n`,
    );
  return 0;
}

export async function showOne({ options, positionals: [name] }: CommonInput, context: CliContext): Promise<number> {
  using server = await connectTo(options, context);
  const endpoint = await server.services.sagemaker('DescribeEndpoint', { EndpointName: name! });
  const config = await server.services.sagemaker('DescribeEndpointConfig', {
    EndpointConfigName: endpoint.EndpointConfigName ?? name!,
  });
  const shown = {
    name: endpoint.EndpointName,
    status: endpoint.EndpointStatus,
    ...(endpoint.FailureReason === undefined ? {} : { reason: endpoint.FailureReason }),
    created: time(endpoint.CreationTime),
    variants: config.ProductionVariants.map(
      ({ VariantName: variant, ModelName: model, InstanceType: instanceType }) => {
        const state = endpoint.ProductionVariants?.find(one => one.VariantName === variant);
        return { variant, model, instanceType, instances: state?.CurrentInstanceCount, weight: state?.CurrentWeight };
      },
    ),
  };
  if (options.json) context.stdout.write(`${JSON.stringify(shown)}\n`);
  else {
    const { variants, ...rest } = shown;
    const lines = Object.entries(rest).map(([title, value]) => `${title.padEnd(8)}  ${value}`);
    const table = fittingTable(
      [{ header: 'variant' }, { header: 'model' }, { header: 'instances' }, { header: 'weight', align: 'right' }],
      variants.map(({ variant, model = '-', instanceType = '-', instances, weight }) => [
        variant,
        model,
        `${instances ?? 0} × ${instanceType}`,
        `${weight ?? '-'}`,
      ]),
      context.stdout,
    );
    context.stdout.write(`${lines.join('\n')}\n\n${table}\n`);
  }
  return 0;
}

export const createOne = (input: FleetInput, context: CliContext): Promise<number> =>
  deployed(input, context, 'endpoints create', (server, name, config) =>
    server.services.sagemaker('CreateEndpoint', { EndpointName: name, EndpointConfigName: config }),
  );

export const updateOne = (input: FleetInput, context: CliContext): Promise<number> =>
  deployed(input, context, 'endpoints update', async (server, name, config) => {
    const { services } = server;
    const { EndpointConfigName: before } = await services.sagemaker('DescribeEndpoint', { EndpointName: name });
    await services.sagemaker('UpdateEndpoint', { EndpointName: name, EndpointConfigName: config });
    return before;
  });

/** Makes a configuration, and removes it again if it is refused. */
async function deployed(
  { options, positionals: [name] }: FleetInput,
  context: CliContext,
  command: string,
  use: (server: JobServerClient, name: string, config: string) => Promise<unknown>,
): Promise<number> {
  const { stdout, stderr, signal } = context;
  const { model } = options;
  if (model === undefined)
    throw new TrenioError('MISSING_ARGUMENT', { command, argument: '--model', expected: 'the name of a model' });
  using server = await connectTo(options, context);
  const { services } = server;
  const config = `${name!.slice(0, 54)}-${randomBytes(4).toString('hex')}`;
  await services.sagemaker('CreateEndpointConfig', {
    EndpointConfigName: config,
    ProductionVariants: [
      {
        VariantName: 'AllTraffic',
        ModelName: model,
        InitialInstanceCount: options['instance-count'],
        // The server checks it.
        InstanceType: options['instance-type'] as EndpointInstanceType,
      },
    ],
  });
  try {
    await use(server, name!, config);
  } catch (error) {
    await services.sagemaker('DeleteEndpointConfig', { EndpointConfigName: config });
    throw error;
  }
  if (!options['no-wait']) {
    using progress = new TaskProgress({ stream: stderr, quiet: options.json });
    await waitUntilInService(server, name!, progress, signal);
    const { EndpointConfigName: active } = await services.sagemaker('DescribeEndpoint', { EndpointName: name! });
    if (active !== config)
      throw new TrenioError('DEPLOYMENT_FAILED', {
        endpoint: name!,
        status: 'rolled back',
        reason: 'the new replicas did not start; the old ones continue to serve',
      });
  }
  stdout.write(options.json ? `${JSON.stringify({ name, model, config })}\n` : `${name} serves ${model}\n`);
  return 0;
}

export async function invokeOne({ options, positionals: [name] }: InvokeInput, context: CliContext): Promise<number> {
  const { stdin, stdout, signal } = context;
  using server = await connectTo(options, context);
  const body = options.body ?? (await textOf(stdin));
  const answer = await invokeEndpoint(server, name!, body, {
    contentType: options['content-type'],
    accept: options.accept,
    targetVariant: options.variant,
    signal,
  });
  stdout.write(typeof answer === 'string' ? answer : `${JSON.stringify(answer)}\n`);
  return 0;
}

export async function deleteThem({ options, positionals }: CommonInput, context: CliContext): Promise<number> {
  const connection = await connectionOf(options, context);
  for (const name of positionals) {
    await new Predictor(name, { connection }).deleteEndpoint();
    context.stdout.write(options.json ? `${JSON.stringify({ name })}\n` : `deleted ${name}\n`);
  }
  return 0;
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString();
}
