// Creation from the console: training jobs, models, and endpoints of models. Each is one request of SageMaker, or two.

import type { PoolRow } from '../../../src/api/console/messages.ts';
import { get, sagemaker, session } from '../api.ts';
import { useLoaded } from '../hooks.ts';
import { go } from '../router.ts';
import { say } from './basics.tsx';
import { type Field, FormDialog, pairsOf } from './form-dialog.tsx';

type Close = { readonly onClose: () => void };

/** A field with an address that was filled in. */
const uri = (text = ''): string | undefined => (/^s3:\/\/./.test(text) ? text : undefined);

const roleArn = (): string => `arn:aws:iam::${session.value?.account ?? '123456789012'}:role/console`;

/** The instance types that this server has. */
function useInstanceTypes(): readonly string[] {
  const { data } = useLoaded(signal => get<readonly PoolRow[]>('pool', signal), []);
  return (data ?? []).map(({ instanceType }) => instanceType);
}

export function CreateJobDialog({ onClose }: Close) {
  const fields: readonly Field[] = [
    { name: 'name', label: 'Name' },
    { name: 'image', label: 'Image', initial: 'trenio', hint: 'trenio, or one of --images' },
    { name: 'script', label: 'Script', initial: 'train.ts', isOptional: true, hint: 'For the image trenio' },
    { name: 'code', label: 'Code', initial: 's3://', isOptional: true, hint: 'A .tar.gz with the script' },
    { name: 'data', label: 'Training data', initial: 's3://', isOptional: true, hint: 'A folder, the channel "train"' },
    { name: 'output', label: 'Output', initial: 's3://' },
    { name: 'type', label: 'Instance type', suggestions: useInstanceTypes() },
    { name: 'instances', label: 'Instances', kind: 'number', initial: '1' },
    { name: 'minutes', label: 'Maximum run time, in minutes', kind: 'number', initial: '60' },
    {
      name: 'hyperparameters',
      label: 'Hyperparameters',
      kind: 'lines',
      isOptional: true,
      hint: 'One a line: learning-rate=0.001',
    },
  ];
  const submit = async (values: Readonly<Record<string, string>>): Promise<void> => {
    const {
      name = '',
      image,
      script = '',
      code,
      data,
      output,
      type,
      instances,
      minutes,
      hyperparameters = '',
    } = values;
    await sagemaker('CreateTrainingJob', {
      TrainingJobName: name,
      RoleArn: roleArn(),
      AlgorithmSpecification: { TrainingImage: image, TrainingInputMode: 'File' },
      HyperParameters: {
        ...(script === '' || uri(code) === undefined ? {} : { sagemaker_program: script }),
        ...(uri(code) === undefined ? {} : { sagemaker_submit_directory: code }),
        ...pairsOf(hyperparameters),
      },
      ...(uri(data) === undefined
        ? {}
        : {
            InputDataConfig: [
              { ChannelName: 'train', DataSource: { S3DataSource: { S3DataType: 'S3Prefix', S3Uri: data } } },
            ],
          }),
      OutputDataConfig: { S3OutputPath: output },
      ResourceConfig: { InstanceType: type, InstanceCount: Number(instances), VolumeSizeInGB: 1 },
      StoppingCondition: { MaxRuntimeInSeconds: 60 * Number(minutes) },
    });
    say(`Created ${name}`);
    go(`/jobs/${encodeURIComponent(name)}`);
  };
  return (
    <FormDialog title="New training job" fields={fields} action="Create the job" submit={submit} onClose={onClose} />
  );
}

/** @param data the artifact that is served, if it is known */
export function CreateModelDialog({
  data = 's3://',
  onClose,
  onCreated,
}: Close & { readonly data?: string; readonly onCreated: () => void }) {
  const fields: readonly Field[] = [
    { name: 'name', label: 'Name' },
    { name: 'image', label: 'Image', initial: 'trenio', hint: 'trenio, or one of --images' },
    { name: 'data', label: 'Model data', initial: data, isOptional: true, hint: 'The model.tar.gz of a training job' },
    { name: 'environment', label: 'Environment', kind: 'lines', isOptional: true, hint: 'One a line: NAME=value' },
  ];
  const submit = async ({
    name = '',
    image,
    data: url,
    environment = '',
  }: Readonly<Record<string, string>>): Promise<void> => {
    await sagemaker('CreateModel', {
      ModelName: name,
      ExecutionRoleArn: roleArn(),
      PrimaryContainer: {
        Image: image,
        ...(uri(url) === undefined ? {} : { ModelDataUrl: url }),
        Environment: pairsOf(environment),
      },
    });
    say(`Created ${name}`);
    onCreated();
  };
  return <FormDialog title="New model" fields={fields} action="Create the model" submit={submit} onClose={onClose} />;
}

/** Deploys a model: a configuration with one variant, and an endpoint with the same name. */
export function DeployDialog({ model, onClose }: Close & { readonly model: string }) {
  const fields: readonly Field[] = [
    { name: 'name', label: 'Endpoint', initial: model },
    { name: 'model', label: 'Model', initial: model },
    { name: 'type', label: 'Instance type', suggestions: useInstanceTypes() },
    { name: 'instances', label: 'Instances', kind: 'number', initial: '1' },
  ];
  const submit = async ({
    name = '',
    model: served,
    type,
    instances,
  }: Readonly<Record<string, string>>): Promise<void> => {
    // Each deployment has a configuration of its own, as they cannot be changed.
    const config = `${name.slice(0, 48)}-${Date.now().toString(36)}`;
    const variant = {
      VariantName: 'all',
      ModelName: served,
      InstanceType: type,
      InitialInstanceCount: Number(instances),
    };
    await sagemaker('CreateEndpointConfig', { EndpointConfigName: config, ProductionVariants: [variant] });
    await sagemaker('CreateEndpoint', { EndpointName: name, EndpointConfigName: config });
    say(`Creating the endpoint ${name}`);
    go(`/endpoints?name=${encodeURIComponent(name)}`);
  };
  return <FormDialog title={`Deploy ${model}`} fields={fields} action="Deploy" submit={submit} onClose={onClose} />;
}
