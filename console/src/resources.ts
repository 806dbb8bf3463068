// The resources that the console lists besides training jobs and endpoints: how each is listed, described, stopped and removed by
// the operations of SageMaker. A page of the console is a row of this table.

export interface Column {
  readonly title: string;
  readonly member: string;
  readonly kind?: 'time' | 'state';
}
export interface ResourceKind {
  /** The path of its page. */
  readonly path: string;
  readonly title: string;
  readonly note: string;
  /** The member that identifies one. */
  readonly id: string;
  readonly list: { readonly operation: string; readonly rows: string };
  readonly describe: string;
  readonly columns: readonly Column[];
  /** Ends one that is in progress. */
  readonly stop?: string;
  readonly remove?: string;
  /** The command that creates the first one, for an empty list. */
  readonly command: string;
}

const ROLE = '--role-arn arn:aws:iam::123456789012:role/me';

const jobColumns = (kind: 'Processing' | 'Transform'): readonly Column[] => [
  { title: 'State', member: `${kind}JobStatus`, kind: 'state' },
  { title: 'Created', member: 'CreationTime', kind: 'time' },
  { title: 'Ended', member: `${kind}EndTime`, kind: 'time' },
  { title: 'Reason', member: 'FailureReason' },
];

export const processing: ResourceKind = {
  path: '/processing',
  title: 'Processing',
  note: 'Jobs that prepare data or evaluate models',
  id: 'ProcessingJobName',
  list: { operation: 'ListProcessingJobs', rows: 'ProcessingJobSummaries' },
  describe: 'DescribeProcessingJob',
  columns: jobColumns('Processing'),
  stop: 'StopProcessingJob',
  command: `aws sagemaker create-processing-job --processing-job-name prepare ${ROLE} \\
  --app-specification ImageUri=local/prepare:1 \\
  --processing-resources ClusterConfig='{InstanceCount=1,InstanceType=ml.c5.xlarge,VolumeSizeInGB=1}'`,
};

export const transform: ResourceKind = {
  path: '/transform',
  title: 'Transform',
  note: 'Jobs that apply a model to the files of a folder',
  id: 'TransformJobName',
  list: { operation: 'ListTransformJobs', rows: 'TransformJobSummaries' },
  describe: 'DescribeTransformJob',
  columns: jobColumns('Transform'),
  stop: 'StopTransformJob',
  command: `aws sagemaker create-transform-job --transform-job-name score --model-name polarity \\
  --transform-input DataSource='{S3DataSource={S3DataType=S3Prefix,S3Uri=s3://data/in/}}',ContentType=application/json \\
  --transform-output S3OutputPath=s3://data/out --transform-resources InstanceType=ml.c5.xlarge,InstanceCount=1`,
};

export const models: ResourceKind = {
  path: '/models',
  title: 'Models',
  note: 'What endpoints and transform jobs serve',
  id: 'ModelName',
  list: { operation: 'ListModels', rows: 'Models' },
  describe: 'DescribeModel',
  columns: [{ title: 'Created', member: 'CreationTime', kind: 'time' }],
  remove: 'DeleteModel',
  command: `aws sagemaker create-model --model-name polarity --execution-role-arn arn:aws:iam::123456789012:role/me \\
  --primary-container Image=trenio,ModelDataUrl=s3://models/runs/NAME/output/model.tar.gz`,
};

export const endpointConfigs: ResourceKind = {
  path: '/endpoint-configs',
  title: 'Configurations',
  note: 'Which models an endpoint serves, and on what',
  id: 'EndpointConfigName',
  list: { operation: 'ListEndpointConfigs', rows: 'EndpointConfigs' },
  describe: 'DescribeEndpointConfig',
  columns: [{ title: 'Created', member: 'CreationTime', kind: 'time' }],
  remove: 'DeleteEndpointConfig',
  command: `aws sagemaker create-endpoint-config --endpoint-config-name polarity \\
  --production-variants VariantName=all,ModelName=polarity,InstanceType=ml.c5.large,InitialInstanceCount=1`,
};
