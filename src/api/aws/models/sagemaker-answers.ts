// Members and types of sagemaker's answers: what the shapes of its inputs do not have.
// Written by scripts/write-aws-models.ts; not edited by hand.
import type { AnswerModel } from './service-model.ts';

export const sagemakerAnswers = {
  operations: {
    AddTags: 'AddTagsOutput',
    CreateTrainingJob: 'CreateTrainingJobResponse',
    DeleteTags: 'DeleteTagsOutput',
    DeleteTrainingJob: null,
    DescribeTrainingJob: 'DescribeTrainingJobResponse',
    ListTags: 'ListTagsOutput',
    ListTrainingJobs: 'ListTrainingJobsResponse',
    StopTrainingJob: null,
  },
  shapes: {
    AddTagsOutput: {
      type: 'structure',
      members: {
        Tags: 'TagList',
      },
      required: [],
    },
    AutoMLJobArn: {
      type: 'string',
    },
    BillableTimeInSeconds: {
      type: 'integer',
    },
    BillableTokenCount: {
      type: 'long',
    },
    CreateTrainingJobResponse: {
      type: 'structure',
      members: {
        TrainingJobArn: 'TrainingJobArn',
      },
      required: ['TrainingJobArn'],
    },
    DebugRuleEvaluationStatus: {
      type: 'structure',
      members: {
        RuleConfigurationName: 'RuleConfigurationName',
        RuleEvaluationJobArn: 'ProcessingJobArn',
        RuleEvaluationStatus: 'RuleEvaluationStatus',
        StatusDetails: 'StatusDetails',
        LastModifiedTime: 'Timestamp',
      },
      required: [],
    },
    DebugRuleEvaluationStatuses: {
      type: 'list',
      of: 'DebugRuleEvaluationStatus',
    },
    DeleteTagsOutput: {
      type: 'structure',
      members: {},
      required: [],
    },
    DescribeTrainingJobResponse: {
      type: 'structure',
      members: {
        TrainingJobName: 'TrainingJobName',
        TrainingJobArn: 'TrainingJobArn',
        TuningJobArn: 'HyperParameterTuningJobArn',
        LabelingJobArn: 'LabelingJobArn',
        AutoMLJobArn: 'AutoMLJobArn',
        ModelArtifacts: 'ModelArtifacts',
        TrainingJobStatus: 'TrainingJobStatus',
        SecondaryStatus: 'SecondaryStatus',
        FailureReason: 'FailureReason',
        HyperParameters: 'HyperParameters',
        AlgorithmSpecification: 'AlgorithmSpecification',
        RoleArn: 'RoleArn',
        InputDataConfig: 'InputDataConfig',
        OutputDataConfig: 'OutputDataConfig',
        ResourceConfig: 'ResourceConfig',
        WarmPoolStatus: 'WarmPoolStatus',
        VpcConfig: 'VpcConfig',
        StoppingCondition: 'StoppingCondition',
        CreationTime: 'Timestamp',
        TrainingStartTime: 'Timestamp',
        TrainingEndTime: 'Timestamp',
        LastModifiedTime: 'Timestamp',
        SecondaryStatusTransitions: 'SecondaryStatusTransitions',
        FinalMetricDataList: 'FinalMetricDataList',
        EnableNetworkIsolation: 'Boolean',
        EnableInterContainerTrafficEncryption: 'Boolean',
        EnableManagedSpotTraining: 'Boolean',
        CheckpointConfig: 'CheckpointConfig',
        TrainingTimeInSeconds: 'TrainingTimeInSeconds',
        BillableTimeInSeconds: 'BillableTimeInSeconds',
        BillableTokenCount: 'BillableTokenCount',
        DebugHookConfig: 'DebugHookConfig',
        ExperimentConfig: 'ExperimentConfig',
        DebugRuleConfigurations: 'DebugRuleConfigurations',
        TensorBoardOutputConfig: 'TensorBoardOutputConfig',
        DebugRuleEvaluationStatuses: 'DebugRuleEvaluationStatuses',
        ProfilerConfig: 'ProfilerConfig',
        ProfilerRuleConfigurations: 'ProfilerRuleConfigurations',
        ProfilerRuleEvaluationStatuses: 'ProfilerRuleEvaluationStatuses',
        ProfilingStatus: 'ProfilingStatus',
        Environment: 'TrainingEnvironmentMap',
        RetryStrategy: 'RetryStrategy',
        RemoteDebugConfig: 'RemoteDebugConfig',
        InfraCheckConfig: 'InfraCheckConfig',
        ServerlessJobConfig: 'ServerlessJobConfig',
        MlflowConfig: 'MlflowConfig',
        ModelPackageConfig: 'ModelPackageConfig',
        MlflowDetails: 'MlflowDetails',
        ProgressInfo: 'TrainingProgressInfo',
        OutputModelPackageArn: 'ModelPackageArn',
      },
      required: [
        'TrainingJobName',
        'TrainingJobArn',
        'ModelArtifacts',
        'TrainingJobStatus',
        'SecondaryStatus',
        'StoppingCondition',
        'CreationTime',
      ],
    },
    FailureReason: {
      type: 'string',
    },
    FinalMetricDataList: {
      type: 'list',
      of: 'MetricData',
    },
    Float: {
      type: 'float',
    },
    HyperParameterTuningJobArn: {
      type: 'string',
    },
    LabelingJobArn: {
      type: 'string',
    },
    ListTagsOutput: {
      type: 'structure',
      members: {
        Tags: 'TagList',
        NextToken: 'NextToken',
      },
      required: [],
    },
    ListTrainingJobsResponse: {
      type: 'structure',
      members: {
        TrainingJobSummaries: 'TrainingJobSummaries',
        NextToken: 'NextToken',
      },
      required: ['TrainingJobSummaries'],
    },
    MetricData: {
      type: 'structure',
      members: {
        MetricName: 'MetricName',
        Value: 'Float',
        Timestamp: 'Timestamp',
      },
      required: [],
    },
    MlflowDetails: {
      type: 'structure',
      members: {
        MlflowExperimentId: 'MlflowExperimentId',
        MlflowRunId: 'MlflowRunId',
      },
      required: [],
    },
    MlflowExperimentId: {
      type: 'string',
    },
    MlflowRunId: {
      type: 'string',
    },
    ModelArtifacts: {
      type: 'structure',
      members: {
        S3ModelArtifacts: 'S3Uri',
      },
      required: ['S3ModelArtifacts'],
    },
    ProcessingJobArn: {
      type: 'string',
    },
    ProfilerRuleEvaluationStatus: {
      type: 'structure',
      members: {
        RuleConfigurationName: 'RuleConfigurationName',
        RuleEvaluationJobArn: 'ProcessingJobArn',
        RuleEvaluationStatus: 'RuleEvaluationStatus',
        StatusDetails: 'StatusDetails',
        LastModifiedTime: 'Timestamp',
      },
      required: [],
    },
    ProfilerRuleEvaluationStatuses: {
      type: 'list',
      of: 'ProfilerRuleEvaluationStatus',
    },
    ProfilingStatus: {
      type: 'string',
      enum: ['Enabled', 'Disabled'],
    },
    ResourceRetainedBillableTimeInSeconds: {
      type: 'integer',
    },
    RuleEvaluationStatus: {
      type: 'string',
      enum: ['InProgress', 'NoIssuesFound', 'IssuesFound', 'Error', 'Stopping', 'Stopped'],
    },
    SecondaryStatus: {
      type: 'string',
      enum: [
        'Starting',
        'LaunchingMLInstances',
        'PreparingTrainingStack',
        'Downloading',
        'DownloadingTrainingImage',
        'Training',
        'Uploading',
        'Stopping',
        'Stopped',
        'MaxRuntimeExceeded',
        'Completed',
        'Failed',
        'Interrupted',
        'MaxWaitTimeExceeded',
        'Updating',
        'Restarting',
        'Pending',
      ],
    },
    SecondaryStatusTransition: {
      type: 'structure',
      members: {
        Status: 'SecondaryStatus',
        StartTime: 'Timestamp',
        EndTime: 'Timestamp',
        StatusMessage: 'StatusMessage',
      },
      required: ['Status', 'StartTime'],
    },
    SecondaryStatusTransitions: {
      type: 'list',
      of: 'SecondaryStatusTransition',
    },
    StatusDetails: {
      type: 'string',
    },
    StatusMessage: {
      type: 'string',
    },
    TotalStepCountPerEpoch: {
      type: 'long',
    },
    TrainingEpochCount: {
      type: 'long',
    },
    TrainingEpochIndex: {
      type: 'long',
    },
    TrainingJobArn: {
      type: 'string',
    },
    TrainingJobSummaries: {
      type: 'list',
      of: 'TrainingJobSummary',
    },
    TrainingJobSummary: {
      type: 'structure',
      members: {
        TrainingJobName: 'TrainingJobName',
        TrainingJobArn: 'TrainingJobArn',
        CreationTime: 'Timestamp',
        TrainingEndTime: 'Timestamp',
        LastModifiedTime: 'Timestamp',
        TrainingJobStatus: 'TrainingJobStatus',
        SecondaryStatus: 'SecondaryStatus',
        WarmPoolStatus: 'WarmPoolStatus',
        TrainingPlanArn: 'TrainingPlanArn',
      },
      required: ['TrainingJobName', 'TrainingJobArn', 'CreationTime', 'TrainingJobStatus'],
    },
    TrainingProgressInfo: {
      type: 'structure',
      members: {
        TotalStepCountPerEpoch: 'TotalStepCountPerEpoch',
        CurrentStep: 'TrainingStepIndex',
        CurrentEpoch: 'TrainingEpochIndex',
        MaxEpoch: 'TrainingEpochCount',
      },
      required: [],
    },
    TrainingStepIndex: {
      type: 'long',
    },
    TrainingTimeInSeconds: {
      type: 'integer',
    },
    WarmPoolStatus: {
      type: 'structure',
      members: {
        Status: 'WarmPoolResourceStatus',
        ResourceRetainedBillableTimeInSeconds: 'ResourceRetainedBillableTimeInSeconds',
        ReusedByJob: 'TrainingJobName',
      },
      required: ['Status'],
    },
  },
} as const satisfies AnswerModel;
