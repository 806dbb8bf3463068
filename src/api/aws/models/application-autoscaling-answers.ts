// Members and types of application-autoscaling's responses that do not occur in its inputs.
// Written by scripts/write-aws-models.ts; not edited by hand.
import type { AnswerModel } from './service-model.ts';

export const applicationAutoscalingAnswers = {
  operations: {
    DeleteScalingPolicy: 'DeleteScalingPolicyResponse',
    DeregisterScalableTarget: 'DeregisterScalableTargetResponse',
    DescribeScalableTargets: 'DescribeScalableTargetsResponse',
    DescribeScalingActivities: 'DescribeScalingActivitiesResponse',
    DescribeScalingPolicies: 'DescribeScalingPoliciesResponse',
    PutScalingPolicy: 'PutScalingPolicyResponse',
    RegisterScalableTarget: 'RegisterScalableTargetResponse',
  },
  shapes: {
    Alarm: {
      type: 'structure',
      members: {
        AlarmName: 'ResourceId',
        AlarmARN: 'ResourceId',
      },
      required: ['AlarmName', 'AlarmARN'],
    },
    Alarms: {
      type: 'list',
      of: 'Alarm',
    },
    DeleteScalingPolicyResponse: {
      type: 'structure',
      members: {},
      required: [],
    },
    DeregisterScalableTargetResponse: {
      type: 'structure',
      members: {},
      required: [],
    },
    DescribeScalableTargetsResponse: {
      type: 'structure',
      members: {
        ScalableTargets: 'ScalableTargets',
        NextToken: 'XmlString',
      },
      required: [],
    },
    DescribeScalingActivitiesResponse: {
      type: 'structure',
      members: {
        ScalingActivities: 'ScalingActivities',
        NextToken: 'XmlString',
      },
      required: [],
    },
    DescribeScalingPoliciesResponse: {
      type: 'structure',
      members: {
        ScalingPolicies: 'ScalingPolicies',
        NextToken: 'XmlString',
      },
      required: [],
    },
    NotScaledReason: {
      type: 'structure',
      members: {
        Code: 'XmlString',
        MaxCapacity: 'ResourceCapacity',
        MinCapacity: 'ResourceCapacity',
        CurrentCapacity: 'ResourceCapacity',
      },
      required: ['Code'],
    },
    NotScaledReasons: {
      type: 'list',
      of: 'NotScaledReason',
    },
    PutScalingPolicyResponse: {
      type: 'structure',
      members: {
        PolicyARN: 'ResourceIdMaxLen1600',
        Alarms: 'Alarms',
      },
      required: ['PolicyARN'],
    },
    RegisterScalableTargetResponse: {
      type: 'structure',
      members: {
        ScalableTargetARN: 'XmlString',
      },
      required: [],
    },
    ResourceId: {
      type: 'string',
    },
    ScalableTarget: {
      type: 'structure',
      members: {
        ServiceNamespace: 'ServiceNamespace',
        ResourceId: 'ResourceIdMaxLen1600',
        ScalableDimension: 'ScalableDimension',
        MinCapacity: 'ResourceCapacity',
        MaxCapacity: 'ResourceCapacity',
        PredictedCapacity: 'ResourceCapacity',
        RoleARN: 'ResourceIdMaxLen1600',
        CreationTime: 'TimestampType',
        SuspendedState: 'SuspendedState',
        ScalableTargetARN: 'XmlString',
      },
      required: [
        'ServiceNamespace',
        'ResourceId',
        'ScalableDimension',
        'MinCapacity',
        'MaxCapacity',
        'RoleARN',
        'CreationTime',
      ],
    },
    ScalableTargets: {
      type: 'list',
      of: 'ScalableTarget',
    },
    ScalingActivities: {
      type: 'list',
      of: 'ScalingActivity',
    },
    ScalingActivity: {
      type: 'structure',
      members: {
        ActivityId: 'ResourceId',
        ServiceNamespace: 'ServiceNamespace',
        ResourceId: 'ResourceIdMaxLen1600',
        ScalableDimension: 'ScalableDimension',
        Description: 'XmlString',
        Cause: 'XmlString',
        StartTime: 'TimestampType',
        EndTime: 'TimestampType',
        StatusCode: 'ScalingActivityStatusCode',
        StatusMessage: 'XmlString',
        Details: 'XmlString',
        NotScaledReasons: 'NotScaledReasons',
      },
      required: [
        'ActivityId',
        'ServiceNamespace',
        'ResourceId',
        'ScalableDimension',
        'Description',
        'Cause',
        'StartTime',
        'StatusCode',
      ],
    },
    ScalingActivityStatusCode: {
      type: 'string',
      enum: ['Pending', 'InProgress', 'Successful', 'Overridden', 'Unfulfilled', 'Failed'],
    },
    ScalingPolicies: {
      type: 'list',
      of: 'ScalingPolicy',
    },
    ScalingPolicy: {
      type: 'structure',
      members: {
        PolicyARN: 'ResourceIdMaxLen1600',
        PolicyName: 'PolicyName',
        ServiceNamespace: 'ServiceNamespace',
        ResourceId: 'ResourceIdMaxLen1600',
        ScalableDimension: 'ScalableDimension',
        PolicyType: 'PolicyType',
        StepScalingPolicyConfiguration: 'StepScalingPolicyConfiguration',
        TargetTrackingScalingPolicyConfiguration: 'TargetTrackingScalingPolicyConfiguration',
        PredictiveScalingPolicyConfiguration: 'PredictiveScalingPolicyConfiguration',
        Alarms: 'Alarms',
        CreationTime: 'TimestampType',
      },
      required: [
        'PolicyARN',
        'PolicyName',
        'ServiceNamespace',
        'ResourceId',
        'ScalableDimension',
        'PolicyType',
        'CreationTime',
      ],
    },
    TimestampType: {
      type: 'timestamp',
    },
  },
} as const satisfies AnswerModel;
