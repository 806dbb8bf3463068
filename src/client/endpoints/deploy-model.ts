// Deploys a model archive as an endpoint: creates a model, a configuration and an endpoint with the same name. If one of them is
// rejected, those created before are removed.
import { refuseUnknownOptions } from '../../base/known-options.ts';
import { TaskProgress } from '../../base/task-progress.ts';
import type { JobServerClient } from '../job-server.ts';
import { type DeployEstimatorOptions, deployOptionNames } from './deploy-options.ts';
import { waitUntilInService } from './endpoints.ts';

export interface ModelSource {
  readonly image: string;
  /** `s3://…/model.tar.gz` */
  readonly modelData: string;
  readonly role: string;
}

/** @throws {DEPLOYMENT_FAILED} */
export async function deployModelData(
  server: JobServerClient,
  { image, modelData, role }: ModelSource,
  name: string,
  options: DeployEstimatorOptions,
): Promise<void> {
  refuseUnknownOptions('deploy', options, deployOptionNames);
  const { services } = server;
  const { environment, tags = {}, wait = true, stream = process.stdout, signal } = options;
  await using undo = new AsyncDisposableStack();
  await services.sagemaker('CreateModel', {
    ModelName: name,
    ExecutionRoleArn: role,
    PrimaryContainer: {
      Image: options.imageUri ?? image,
      ModelDataUrl: modelData,
      ...(environment === undefined ? {} : { Environment: environment }),
    },
  });
  undo.defer(() => services.sagemaker('DeleteModel', { ModelName: name }).then(() => undefined));
  await services.sagemaker('CreateEndpointConfig', {
    EndpointConfigName: name,
    ProductionVariants: [
      {
        VariantName: 'AllTraffic',
        ModelName: name,
        InitialInstanceCount: options.initialInstanceCount ?? 1,
        InstanceType: options.instanceType,
      },
    ],
  });
  undo.defer(() => services.sagemaker('DeleteEndpointConfig', { EndpointConfigName: name }).then(() => undefined));
  await services.sagemaker('CreateEndpoint', {
    EndpointName: name,
    EndpointConfigName: name,
    Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
  });
  // From here on the endpoint exists, and its description reports problems.
  undo.move();
  if (!wait) return;
  using progress = new TaskProgress({ stream });
  await waitUntilInService(server, name, progress, signal);
}
