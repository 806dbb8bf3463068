// A server with models, and the clients of endpoints, for tests.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  CreateEndpointCommand,
  CreateEndpointConfigCommand,
  type CreateEndpointConfigCommandInput,
  CreateModelCommand,
  type CreateModelCommandInput,
  DeleteEndpointCommand,
  DescribeEndpointCommand,
  type DescribeEndpointCommandOutput,
  type EndpointStatus,
  ListEndpointsCommand,
  SageMakerClient,
} from '@aws-sdk/client-sagemaker';
import {
  InvokeEndpointCommand,
  type InvokeEndpointCommandInput,
  type InvokeEndpointCommandOutput,
  SageMakerRuntimeClient,
} from '@aws-sdk/client-sagemaker-runtime';
import { create } from 'tar';
import { adminKey, startTestServer, type TestServer } from '../aws-server.testing.ts';

const program = fileURLToPath(new URL('./fixtures/serve.mjs', import.meta.url));
export const ROLE = 'arn:aws:iam::123456789012:role/server';

export class ServingTest {
  readonly server: TestServer;
  readonly sagemaker: SageMakerClient;
  readonly runtime: SageMakerRuntimeClient;

  private constructor(server: TestServer) {
    this.server = server;
    const config = {
      endpoint: server.url,
      region: 'us-east-1',
      credentials: { accessKeyId: adminKey.id, secretAccessKey: adminKey.secret },
      maxAttempts: 1,
    };
    this.sagemaker = new SageMakerClient(config);
    this.runtime = new SageMakerRuntimeClient(config);
  }

  static async start(pool?: object): Promise<ServingTest> {
    const server = await startTestServer({
      images: {
        'local/serve:1': { kind: 'command', serve: [process.execPath, program], environment: { ROOM: 'a room' } },
        'local/train-only:1': { kind: 'command', train: ['true'] },
      },
      ...(pool === undefined ? {} : { pool }),
    });
    server.service.objects.createBucket('models');
    return new ServingTest(server);
  }

  /** After a restart of the server. */
  static of(server: TestServer): ServingTest {
    return new ServingTest(server);
  }

  /** Stores an archive with these files as models/NAME.tar.gz. */
  async putModel(name: string, files: Readonly<Record<string, string>>): Promise<string> {
    const folder = mkdtempSync(join(tmpdir(), 'trenio-model-'));
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
    const archive = create({ cwd: folder, gzip: true, portable: true }, ['.']);
    await this.server.service.objects.put('models', `${name}.tar.gz`, Readable.from(archive));
    rmSync(folder, { recursive: true });
    return `s3://models/${name}.tar.gz`;
  }

  /** A model whose program answers with its name. */
  async createModel(name: string, changes: Partial<CreateModelCommandInput> = {}): Promise<void> {
    const PrimaryContainer = changes.PrimaryContainer ?? {
      Image: 'local/serve:1',
      ModelDataUrl: await this.putModel(name, { 'name.txt': name }),
    };
    await this.sagemaker.send(
      new CreateModelCommand({ ModelName: name, ExecutionRoleArn: ROLE, ...changes, PrimaryContainer }),
    );
  }

  async createConfig(
    name: string,
    variants: readonly (readonly [variant: string, model: string, count: number, weight?: number])[],
    changes: Partial<CreateEndpointConfigCommandInput> = {},
  ): Promise<void> {
    const ProductionVariants = variants.map(([VariantName, ModelName, InitialInstanceCount, InitialVariantWeight]) => ({
      VariantName,
      ModelName,
      InitialInstanceCount,
      InstanceType: 'ml.c5.xlarge' as const,
      ...(InitialVariantWeight === undefined ? {} : { InitialVariantWeight }),
    }));
    await this.sagemaker.send(
      new CreateEndpointConfigCommand({ EndpointConfigName: name, ProductionVariants, ...changes }),
    );
  }

  /** Creates a model, a configuration and an endpoint with the same name, and waits until it is in service. */
  async deploy(name: string, count = 1): Promise<void> {
    await this.createModel(name);
    await this.createConfig(name, [['AllTraffic', name, count]]);
    await this.createEndpoint(name, name);
    await this.settled(name, 'InService');
  }

  async createEndpoint(EndpointName: string, EndpointConfigName: string): Promise<void> {
    await this.sagemaker.send(new CreateEndpointCommand({ EndpointName, EndpointConfigName }));
  }

  show(EndpointName: string): Promise<DescribeEndpointCommandOutput> {
    return this.sagemaker.send(new DescribeEndpointCommand({ EndpointName }));
  }

  /** Resolves when the endpoint is not in a transient state. */
  async settled(name: string, expected: EndpointStatus): Promise<DescribeEndpointCommandOutput> {
    for (;;) {
      const endpoint = await this.show(name);
      const { EndpointStatus: status = 'Failed' } = endpoint;
      if (status === expected) return endpoint;
      if (!['Creating', 'Updating', 'RollingBack', 'Deleting'].includes(status))
        throw new Error(`${name} is ${status}: ${endpoint.FailureReason}\n${this.lines(name).join('\n')}`);
      await sleep(50);
    }
  }

  /** The output of its programs. */
  lines(name: string): readonly string[] {
    const all = { streams: undefined, fromMs: undefined, toMs: undefined, contains: [], limit: 100 };
    return this.server.service.logs.events(`/aws/sagemaker/Endpoints/${name}`, all).map(({ message }) => message);
  }

  invoke(
    EndpointName: string,
    Body = 'hello',
    changes: Partial<InvokeEndpointCommandInput> = {},
  ): Promise<InvokeEndpointCommandOutput> {
    return this.runtime.send(new InvokeEndpointCommand({ EndpointName, Body, ContentType: 'text/plain', ...changes }));
  }

  async text(name: string, body?: string, changes?: Partial<InvokeEndpointCommandInput>): Promise<string> {
    return Buffer.from((await this.invoke(name, body, changes)).Body!).toString();
  }

  /** Deletes the endpoint, and waits until its replicas have ended. */
  async delete(EndpointName: string): Promise<void> {
    await this.sagemaker.send(new DeleteEndpointCommand({ EndpointName }));
    while (this.server.service.serving.store.endpoints.get(EndpointName) !== undefined) await sleep(50);
  }

  /** Deletes all endpoints and stops the server. */
  async stop(): Promise<void> {
    for (;;) {
      const { Endpoints = [] } = await this.sagemaker.send(new ListEndpointsCommand({ MaxResults: 100 }));
      if (Endpoints.length === 0) break;
      for (const { EndpointName: name, EndpointStatus: status } of Endpoints)
        if (status === 'InService' || status === 'Failed')
          await this.sagemaker.send(new DeleteEndpointCommand({ EndpointName: name }));
      await sleep(50);
    }
    this.close();
    await this.server[Symbol.asyncDispose]();
  }

  close(): void {
    this.sagemaker.destroy();
    this.runtime.destroy();
  }
}

export const errorOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'no error',
    (error: Error) => `${error.name}: ${error.message}`,
  );
