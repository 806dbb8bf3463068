// Members, types and limits of application-autoscaling.
// Written by scripts/write-aws-models.ts; not edited by hand.
import type { ServiceModel } from './service-model.ts';

export const applicationAutoscaling = {
  version: '2016-02-06',
  targetPrefix: 'AnyScaleFrontendService',
  operations: {
    DeleteScalingPolicy: 'DeleteScalingPolicyRequest',
    DeregisterScalableTarget: 'DeregisterScalableTargetRequest',
    DescribeScalableTargets: 'DescribeScalableTargetsRequest',
    DescribeScalingActivities: 'DescribeScalingActivitiesRequest',
    DescribeScalingPolicies: 'DescribeScalingPoliciesRequest',
    PutScalingPolicy: 'PutScalingPolicyRequest',
    RegisterScalableTarget: 'RegisterScalableTargetRequest',
  },
  shapes: {
    AdjustmentType: {
      type: 'string',
      enum: ['ChangeInCapacity', 'PercentChangeInCapacity', 'ExactCapacity'],
    },
    Cooldown: {
      type: 'integer',
    },
    CustomizedMetricSpecification: {
      type: 'structure',
      members: {
        MetricName: 'MetricName',
        Namespace: 'MetricNamespace',
        Dimensions: 'MetricDimensions',
        Statistic: 'MetricStatistic',
        Unit: 'MetricUnit',
        Metrics: 'TargetTrackingMetricDataQueries',
      },
      required: [],
    },
    DeleteScalingPolicyRequest: {
      type: 'structure',
      members: {
        PolicyName: 'ResourceIdMaxLen1600',
        ServiceNamespace: 'ServiceNamespace',
        ResourceId: 'ResourceIdMaxLen1600',
        ScalableDimension: 'ScalableDimension',
      },
      required: ['PolicyName', 'ServiceNamespace', 'ResourceId', 'ScalableDimension'],
    },
    DeregisterScalableTargetRequest: {
      type: 'structure',
      members: {
        ServiceNamespace: 'ServiceNamespace',
        ResourceId: 'ResourceIdMaxLen1600',
        ScalableDimension: 'ScalableDimension',
      },
      required: ['ServiceNamespace', 'ResourceId', 'ScalableDimension'],
    },
    DescribeScalableTargetsRequest: {
      type: 'structure',
      members: {
        ServiceNamespace: 'ServiceNamespace',
        ResourceIds: 'ResourceIdsMaxLen1600',
        ScalableDimension: 'ScalableDimension',
        MaxResults: 'MaxResults',
        NextToken: 'XmlString',
      },
      required: ['ServiceNamespace'],
    },
    DescribeScalingActivitiesRequest: {
      type: 'structure',
      members: {
        ServiceNamespace: 'ServiceNamespace',
        ResourceId: 'ResourceIdMaxLen1600',
        ScalableDimension: 'ScalableDimension',
        MaxResults: 'MaxResults',
        NextToken: 'XmlString',
        IncludeNotScaledActivities: 'IncludeNotScaledActivities',
      },
      required: ['ServiceNamespace'],
    },
    DescribeScalingPoliciesRequest: {
      type: 'structure',
      members: {
        PolicyNames: 'ResourceIdsMaxLen1600',
        ServiceNamespace: 'ServiceNamespace',
        ResourceId: 'ResourceIdMaxLen1600',
        ScalableDimension: 'ScalableDimension',
        MaxResults: 'MaxResults',
        NextToken: 'XmlString',
      },
      required: ['ServiceNamespace'],
    },
    DisableScaleIn: {
      type: 'boolean',
    },
    Expression: {
      type: 'string',
      min: 1,
      max: 2048,
      pattern: '[\\u0020-\\uD7FF\\uE000-\\uFFFD\\uD800\\uDC00-\\uDBFF\\uDFFF\\r\\n\\t]*',
    },
    Id: {
      type: 'string',
      min: 1,
      max: 255,
      pattern: '[\\u0020-\\uD7FF\\uE000-\\uFFFD\\uD800\\uDC00-\\uDBFF\\uDFFF\\r\\n\\t]*',
    },
    IncludeNotScaledActivities: {
      type: 'boolean',
    },
    MaxResults: {
      type: 'integer',
    },
    MetricAggregationType: {
      type: 'string',
      enum: ['Average', 'Minimum', 'Maximum'],
    },
    MetricDimension: {
      type: 'structure',
      members: {
        Name: 'MetricDimensionName',
        Value: 'MetricDimensionValue',
      },
      required: ['Name', 'Value'],
    },
    MetricDimensionName: {
      type: 'string',
    },
    MetricDimensionValue: {
      type: 'string',
    },
    MetricDimensions: {
      type: 'list',
      of: 'MetricDimension',
    },
    MetricName: {
      type: 'string',
    },
    MetricNamespace: {
      type: 'string',
    },
    MetricScale: {
      type: 'double',
    },
    MetricStatistic: {
      type: 'string',
      enum: ['Average', 'Minimum', 'Maximum', 'SampleCount', 'Sum'],
    },
    MetricType: {
      type: 'string',
      enum: [
        'DynamoDBReadCapacityUtilization',
        'DynamoDBWriteCapacityUtilization',
        'ALBRequestCountPerTarget',
        'RDSReaderAverageCPUUtilization',
        'RDSReaderAverageDatabaseConnections',
        'EC2SpotFleetRequestAverageCPUUtilization',
        'EC2SpotFleetRequestAverageNetworkIn',
        'EC2SpotFleetRequestAverageNetworkOut',
        'SageMakerVariantInvocationsPerInstance',
        'ECSServiceAverageCPUUtilization',
        'ECSServiceAverageMemoryUtilization',
        'AppStreamAverageCapacityUtilization',
        'ComprehendInferenceUtilization',
        'LambdaProvisionedConcurrencyUtilization',
        'CassandraReadCapacityUtilization',
        'CassandraWriteCapacityUtilization',
        'KafkaBrokerStorageUtilization',
        'ElastiCacheEngineCPUUtilization',
        'ElastiCacheDatabaseMemoryUsagePercentage',
        'ElastiCachePrimaryEngineCPUUtilization',
        'ElastiCacheReplicaEngineCPUUtilization',
        'ElastiCacheDatabaseMemoryUsageCountedForEvictPercentage',
        'NeptuneReaderAverageCPUUtilization',
        'SageMakerVariantProvisionedConcurrencyUtilization',
        'ElastiCacheDatabaseCapacityUsageCountedForEvictPercentage',
        'SageMakerInferenceComponentInvocationsPerCopy',
        'WorkSpacesAverageUserSessionsCapacityUtilization',
        'SageMakerInferenceComponentConcurrentRequestsPerCopyHighResolution',
        'SageMakerVariantConcurrentRequestsPerModelHighResolution',
        'ECSServiceAverageCPUUtilizationHighResolution',
        'ECSServiceAverageMemoryUtilizationHighResolution',
      ],
    },
    MetricUnit: {
      type: 'string',
    },
    MinAdjustmentMagnitude: {
      type: 'integer',
    },
    PolicyName: {
      type: 'string',
      min: 1,
      max: 256,
      pattern: '\\p{Print}+',
    },
    PolicyType: {
      type: 'string',
      enum: ['StepScaling', 'TargetTrackingScaling', 'PredictiveScaling'],
    },
    PredefinedMetricSpecification: {
      type: 'structure',
      members: {
        PredefinedMetricType: 'MetricType',
        ResourceLabel: 'ResourceLabel',
      },
      required: ['PredefinedMetricType'],
    },
    PredictiveScalingCustomizedMetricSpecification: {
      type: 'structure',
      members: {
        MetricDataQueries: 'PredictiveScalingMetricDataQueries',
      },
      required: ['MetricDataQueries'],
    },
    PredictiveScalingMaxCapacityBreachBehavior: {
      type: 'string',
      enum: ['HonorMaxCapacity', 'IncreaseMaxCapacity'],
    },
    PredictiveScalingMaxCapacityBuffer: {
      type: 'integer',
      min: 0,
      max: 100,
    },
    PredictiveScalingMetric: {
      type: 'structure',
      members: {
        Dimensions: 'PredictiveScalingMetricDimensions',
        MetricName: 'PredictiveScalingMetricName',
        Namespace: 'PredictiveScalingMetricNamespace',
      },
      required: [],
    },
    PredictiveScalingMetricDataQueries: {
      type: 'list',
      of: 'PredictiveScalingMetricDataQuery',
    },
    PredictiveScalingMetricDataQuery: {
      type: 'structure',
      members: {
        Id: 'Id',
        Expression: 'Expression',
        MetricStat: 'PredictiveScalingMetricStat',
        Label: 'XmlString',
        ReturnData: 'ReturnData',
      },
      required: ['Id'],
    },
    PredictiveScalingMetricDimension: {
      type: 'structure',
      members: {
        Name: 'PredictiveScalingMetricDimensionName',
        Value: 'PredictiveScalingMetricDimensionValue',
      },
      required: ['Name', 'Value'],
    },
    PredictiveScalingMetricDimensionName: {
      type: 'string',
      min: 1,
      max: 255,
      pattern: '[\\u0020-\\uD7FF\\uE000-\\uFFFD\\uD800\\uDC00-\\uDBFF\\uDFFF\\r\\n\\t]*',
    },
    PredictiveScalingMetricDimensionValue: {
      type: 'string',
      min: 1,
      max: 1024,
      pattern: '[\\u0020-\\uD7FF\\uE000-\\uFFFD\\uD800\\uDC00-\\uDBFF\\uDFFF\\r\\n\\t]*',
    },
    PredictiveScalingMetricDimensions: {
      type: 'list',
      of: 'PredictiveScalingMetricDimension',
    },
    PredictiveScalingMetricName: {
      type: 'string',
      min: 1,
      max: 255,
      pattern: '[\\u0020-\\uD7FF\\uE000-\\uFFFD\\uD800\\uDC00-\\uDBFF\\uDFFF\\r\\n\\t]*',
    },
    PredictiveScalingMetricNamespace: {
      type: 'string',
      min: 1,
      max: 255,
      pattern: '[\\u0020-\\uD7FF\\uE000-\\uFFFD\\uD800\\uDC00-\\uDBFF\\uDFFF\\r\\n\\t]*',
    },
    PredictiveScalingMetricSpecification: {
      type: 'structure',
      members: {
        TargetValue: 'MetricScale',
        PredefinedMetricPairSpecification: 'PredictiveScalingPredefinedMetricPairSpecification',
        PredefinedScalingMetricSpecification: 'PredictiveScalingPredefinedScalingMetricSpecification',
        PredefinedLoadMetricSpecification: 'PredictiveScalingPredefinedLoadMetricSpecification',
        CustomizedScalingMetricSpecification: 'PredictiveScalingCustomizedMetricSpecification',
        CustomizedLoadMetricSpecification: 'PredictiveScalingCustomizedMetricSpecification',
        CustomizedCapacityMetricSpecification: 'PredictiveScalingCustomizedMetricSpecification',
      },
      required: ['TargetValue'],
    },
    PredictiveScalingMetricSpecifications: {
      type: 'list',
      of: 'PredictiveScalingMetricSpecification',
    },
    PredictiveScalingMetricStat: {
      type: 'structure',
      members: {
        Metric: 'PredictiveScalingMetric',
        Stat: 'XmlString',
        Unit: 'PredictiveScalingMetricUnit',
      },
      required: ['Metric', 'Stat'],
    },
    PredictiveScalingMetricType: {
      type: 'string',
      min: 1,
      max: 128,
    },
    PredictiveScalingMetricUnit: {
      type: 'string',
      min: 1,
      max: 1023,
      pattern: '[\\u0020-\\uD7FF\\uE000-\\uFFFD\\uD800\\uDC00-\\uDBFF\\uDFFF\\r\\n\\t]*',
    },
    PredictiveScalingMode: {
      type: 'string',
      enum: ['ForecastOnly', 'ForecastAndScale'],
    },
    PredictiveScalingPolicyConfiguration: {
      type: 'structure',
      members: {
        MetricSpecifications: 'PredictiveScalingMetricSpecifications',
        Mode: 'PredictiveScalingMode',
        SchedulingBufferTime: 'PredictiveScalingSchedulingBufferTime',
        MaxCapacityBreachBehavior: 'PredictiveScalingMaxCapacityBreachBehavior',
        MaxCapacityBuffer: 'PredictiveScalingMaxCapacityBuffer',
      },
      required: ['MetricSpecifications'],
    },
    PredictiveScalingPredefinedLoadMetricSpecification: {
      type: 'structure',
      members: {
        PredefinedMetricType: 'PredictiveScalingMetricType',
        ResourceLabel: 'ResourceLabel',
      },
      required: ['PredefinedMetricType'],
    },
    PredictiveScalingPredefinedMetricPairSpecification: {
      type: 'structure',
      members: {
        PredefinedMetricType: 'PredictiveScalingMetricType',
        ResourceLabel: 'ResourceLabel',
      },
      required: ['PredefinedMetricType'],
    },
    PredictiveScalingPredefinedScalingMetricSpecification: {
      type: 'structure',
      members: {
        PredefinedMetricType: 'PredictiveScalingMetricType',
        ResourceLabel: 'ResourceLabel',
      },
      required: ['PredefinedMetricType'],
    },
    PredictiveScalingSchedulingBufferTime: {
      type: 'integer',
      min: 0,
      max: 3600,
    },
    PutScalingPolicyRequest: {
      type: 'structure',
      members: {
        PolicyName: 'PolicyName',
        ServiceNamespace: 'ServiceNamespace',
        ResourceId: 'ResourceIdMaxLen1600',
        ScalableDimension: 'ScalableDimension',
        PolicyType: 'PolicyType',
        StepScalingPolicyConfiguration: 'StepScalingPolicyConfiguration',
        TargetTrackingScalingPolicyConfiguration: 'TargetTrackingScalingPolicyConfiguration',
        PredictiveScalingPolicyConfiguration: 'PredictiveScalingPolicyConfiguration',
      },
      required: ['PolicyName', 'ServiceNamespace', 'ResourceId', 'ScalableDimension'],
    },
    RegisterScalableTargetRequest: {
      type: 'structure',
      members: {
        ServiceNamespace: 'ServiceNamespace',
        ResourceId: 'ResourceIdMaxLen1600',
        ScalableDimension: 'ScalableDimension',
        MinCapacity: 'ResourceCapacity',
        MaxCapacity: 'ResourceCapacity',
        RoleARN: 'ResourceIdMaxLen1600',
        SuspendedState: 'SuspendedState',
        Tags: 'TagMap',
      },
      required: ['ServiceNamespace', 'ResourceId', 'ScalableDimension'],
    },
    ResourceCapacity: {
      type: 'integer',
    },
    ResourceIdMaxLen1600: {
      type: 'string',
      min: 1,
      max: 1600,
      pattern: '[\\u0020-\\uD7FF\\uE000-\\uFFFD\\uD800\\uDC00-\\uDBFF\\uDFFF\\r\\n\\t]*',
    },
    ResourceIdsMaxLen1600: {
      type: 'list',
      of: 'ResourceIdMaxLen1600',
      max: 50,
    },
    ResourceLabel: {
      type: 'string',
      min: 1,
      max: 1023,
    },
    ReturnData: {
      type: 'boolean',
    },
    ScalableDimension: {
      type: 'string',
      enum: [
        'ecs:service:DesiredCount',
        'ec2:spot-fleet-request:TargetCapacity',
        'elasticmapreduce:instancegroup:InstanceCount',
        'appstream:fleet:DesiredCapacity',
        'dynamodb:table:ReadCapacityUnits',
        'dynamodb:table:WriteCapacityUnits',
        'dynamodb:index:ReadCapacityUnits',
        'dynamodb:index:WriteCapacityUnits',
        'rds:cluster:ReadReplicaCount',
        'sagemaker:variant:DesiredInstanceCount',
        'custom-resource:ResourceType:Property',
        'comprehend:document-classifier-endpoint:DesiredInferenceUnits',
        'comprehend:entity-recognizer-endpoint:DesiredInferenceUnits',
        'lambda:function:ProvisionedConcurrency',
        'cassandra:table:ReadCapacityUnits',
        'cassandra:table:WriteCapacityUnits',
        'kafka:broker-storage:VolumeSize',
        'elasticache:cache-cluster:Nodes',
        'elasticache:replication-group:NodeGroups',
        'elasticache:replication-group:Replicas',
        'neptune:cluster:ReadReplicaCount',
        'sagemaker:variant:DesiredProvisionedConcurrency',
        'sagemaker:inference-component:DesiredCopyCount',
        'workspaces:workspacespool:DesiredUserSessions',
      ],
    },
    ScalingAdjustment: {
      type: 'integer',
    },
    ScalingSuspended: {
      type: 'boolean',
    },
    ServiceNamespace: {
      type: 'string',
      enum: [
        'ecs',
        'elasticmapreduce',
        'ec2',
        'appstream',
        'dynamodb',
        'rds',
        'sagemaker',
        'custom-resource',
        'comprehend',
        'lambda',
        'cassandra',
        'kafka',
        'elasticache',
        'neptune',
        'workspaces',
      ],
    },
    StepAdjustment: {
      type: 'structure',
      members: {
        MetricIntervalLowerBound: 'MetricScale',
        MetricIntervalUpperBound: 'MetricScale',
        ScalingAdjustment: 'ScalingAdjustment',
      },
      required: ['ScalingAdjustment'],
    },
    StepAdjustments: {
      type: 'list',
      of: 'StepAdjustment',
    },
    StepScalingPolicyConfiguration: {
      type: 'structure',
      members: {
        AdjustmentType: 'AdjustmentType',
        StepAdjustments: 'StepAdjustments',
        MinAdjustmentMagnitude: 'MinAdjustmentMagnitude',
        Cooldown: 'Cooldown',
        MetricAggregationType: 'MetricAggregationType',
      },
      required: [],
    },
    SuspendedState: {
      type: 'structure',
      members: {
        DynamicScalingInSuspended: 'ScalingSuspended',
        DynamicScalingOutSuspended: 'ScalingSuspended',
        ScheduledScalingSuspended: 'ScalingSuspended',
      },
      required: [],
    },
    TagKey: {
      type: 'string',
      min: 1,
      max: 128,
    },
    TagMap: {
      type: 'map',
      key: 'TagKey',
      value: 'TagValue',
    },
    TagValue: {
      type: 'string',
      min: 0,
      max: 256,
    },
    TargetTrackingMetric: {
      type: 'structure',
      members: {
        Dimensions: 'TargetTrackingMetricDimensions',
        MetricName: 'TargetTrackingMetricName',
        Namespace: 'TargetTrackingMetricNamespace',
      },
      required: [],
    },
    TargetTrackingMetricDataQueries: {
      type: 'list',
      of: 'TargetTrackingMetricDataQuery',
    },
    TargetTrackingMetricDataQuery: {
      type: 'structure',
      members: {
        Expression: 'Expression',
        Id: 'Id',
        Label: 'XmlString',
        MetricStat: 'TargetTrackingMetricStat',
        ReturnData: 'ReturnData',
      },
      required: ['Id'],
    },
    TargetTrackingMetricDimension: {
      type: 'structure',
      members: {
        Name: 'TargetTrackingMetricDimensionName',
        Value: 'TargetTrackingMetricDimensionValue',
      },
      required: ['Name', 'Value'],
    },
    TargetTrackingMetricDimensionName: {
      type: 'string',
      min: 1,
      max: 255,
      pattern: '[\\u0020-\\uD7FF\\uE000-\\uFFFD\\uD800\\uDC00-\\uDBFF\\uDFFF\\r\\n\\t]*',
    },
    TargetTrackingMetricDimensionValue: {
      type: 'string',
      min: 1,
      max: 1024,
      pattern: '[\\u0020-\\uD7FF\\uE000-\\uFFFD\\uD800\\uDC00-\\uDBFF\\uDFFF\\r\\n\\t]*',
    },
    TargetTrackingMetricDimensions: {
      type: 'list',
      of: 'TargetTrackingMetricDimension',
    },
    TargetTrackingMetricName: {
      type: 'string',
      min: 1,
      max: 255,
      pattern: '[\\u0020-\\uD7FF\\uE000-\\uFFFD\\uD800\\uDC00-\\uDBFF\\uDFFF\\r\\n\\t]*',
    },
    TargetTrackingMetricNamespace: {
      type: 'string',
      min: 1,
      max: 255,
      pattern: '[\\u0020-\\uD7FF\\uE000-\\uFFFD\\uD800\\uDC00-\\uDBFF\\uDFFF\\r\\n\\t]*',
    },
    TargetTrackingMetricStat: {
      type: 'structure',
      members: {
        Metric: 'TargetTrackingMetric',
        Stat: 'XmlString',
        Unit: 'TargetTrackingMetricUnit',
      },
      required: ['Metric', 'Stat'],
    },
    TargetTrackingMetricUnit: {
      type: 'string',
      min: 1,
      max: 1023,
      pattern: '[\\u0020-\\uD7FF\\uE000-\\uFFFD\\uD800\\uDC00-\\uDBFF\\uDFFF\\r\\n\\t]*',
    },
    TargetTrackingScalingPolicyConfiguration: {
      type: 'structure',
      members: {
        TargetValue: 'MetricScale',
        PredefinedMetricSpecification: 'PredefinedMetricSpecification',
        CustomizedMetricSpecification: 'CustomizedMetricSpecification',
        ScaleOutCooldown: 'Cooldown',
        ScaleInCooldown: 'Cooldown',
        DisableScaleIn: 'DisableScaleIn',
      },
      required: ['TargetValue'],
    },
    XmlString: {
      type: 'string',
      pattern: '[\\u0020-\\uD7FF\\uE000-\\uFFFD\\uD800\\uDC00-\\uDBFF\\uDFFF\\r\\n\\t]*',
    },
  },
} as const satisfies ServiceModel;
