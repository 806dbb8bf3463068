// Members, types and limits of logs.
// Written by scripts/write-aws-models.ts; not edited by hand.
import type { ServiceModel } from './service-model.ts';

export const logs = {
  version: '2014-03-28',
  targetPrefix: 'Logs_20140328',
  operations: {
    CreateLogGroup: 'CreateLogGroupRequest',
    CreateLogStream: 'CreateLogStreamRequest',
    DeleteLogGroup: 'DeleteLogGroupRequest',
    DeleteLogStream: 'DeleteLogStreamRequest',
    DeleteRetentionPolicy: 'DeleteRetentionPolicyRequest',
    DescribeLogGroups: 'DescribeLogGroupsRequest',
    DescribeLogStreams: 'DescribeLogStreamsRequest',
    FilterLogEvents: 'FilterLogEventsRequest',
    GetLogEvents: 'GetLogEventsRequest',
    ListTagsForResource: 'ListTagsForResourceRequest',
    ListTagsLogGroup: 'ListTagsLogGroupRequest',
    PutLogEvents: 'PutLogEventsRequest',
    PutRetentionPolicy: 'PutRetentionPolicyRequest',
    StartLiveTail: 'StartLiveTailRequest',
    TagLogGroup: 'TagLogGroupRequest',
    TagResource: 'TagResourceRequest',
    UntagLogGroup: 'UntagLogGroupRequest',
    UntagResource: 'UntagResourceRequest',
  },
  shapes: {
    AccountId: {
      type: 'string',
      min: 12,
      max: 12,
      pattern: '^\\d{12}$',
    },
    AccountIds: {
      type: 'list',
      of: 'AccountId',
      min: 0,
      max: 20,
    },
    AmazonResourceName: {
      type: 'string',
      min: 1,
      max: 1011,
      pattern: '[\\w+=/:,.@-]*',
    },
    CreateLogGroupRequest: {
      type: 'structure',
      members: {
        logGroupName: 'LogGroupName',
        kmsKeyId: 'KmsKeyId',
        tags: 'Tags',
        logGroupClass: 'LogGroupClass',
        deletionProtectionEnabled: 'DeletionProtectionEnabled',
      },
      required: ['logGroupName'],
    },
    CreateLogStreamRequest: {
      type: 'structure',
      members: {
        logGroupName: 'LogGroupName',
        logStreamName: 'LogStreamName',
      },
      required: ['logGroupName', 'logStreamName'],
    },
    Days: {
      type: 'integer',
    },
    DeleteLogGroupRequest: {
      type: 'structure',
      members: {
        logGroupName: 'LogGroupName',
      },
      required: ['logGroupName'],
    },
    DeleteLogStreamRequest: {
      type: 'structure',
      members: {
        logGroupName: 'LogGroupName',
        logStreamName: 'LogStreamName',
      },
      required: ['logGroupName', 'logStreamName'],
    },
    DeleteRetentionPolicyRequest: {
      type: 'structure',
      members: {
        logGroupName: 'LogGroupName',
      },
      required: ['logGroupName'],
    },
    DeletionProtectionEnabled: {
      type: 'boolean',
    },
    Descending: {
      type: 'boolean',
    },
    DescribeLimit: {
      type: 'integer',
      min: 1,
      max: 50,
    },
    DescribeLogGroupsLogGroupIdentifiers: {
      type: 'list',
      of: 'LogGroupIdentifier',
      min: 1,
      max: 50,
    },
    DescribeLogGroupsRequest: {
      type: 'structure',
      members: {
        accountIdentifiers: 'AccountIds',
        logGroupNamePrefix: 'LogGroupName',
        logGroupNamePattern: 'LogGroupNamePattern',
        nextToken: 'NextToken',
        limit: 'DescribeLimit',
        includeLinkedAccounts: 'IncludeLinkedAccounts',
        logGroupClass: 'LogGroupClass',
        logGroupIdentifiers: 'DescribeLogGroupsLogGroupIdentifiers',
      },
      required: [],
    },
    DescribeLogStreamsRequest: {
      type: 'structure',
      members: {
        logGroupName: 'LogGroupName',
        logGroupIdentifier: 'LogGroupIdentifier',
        logStreamNamePrefix: 'LogStreamName',
        orderBy: 'OrderBy',
        descending: 'Descending',
        nextToken: 'NextToken',
        limit: 'DescribeLimit',
      },
      required: [],
    },
    Entity: {
      type: 'structure',
      members: {
        keyAttributes: 'EntityKeyAttributes',
        attributes: 'EntityAttributes',
      },
      required: [],
    },
    EntityAttributes: {
      type: 'map',
      key: 'EntityAttributesKey',
      value: 'EntityAttributesValue',
      min: 0,
      max: 10,
    },
    EntityAttributesKey: {
      type: 'string',
      min: 1,
      max: 256,
    },
    EntityAttributesValue: {
      type: 'string',
      min: 1,
      max: 512,
    },
    EntityKeyAttributes: {
      type: 'map',
      key: 'EntityKeyAttributesKey',
      value: 'EntityKeyAttributesValue',
      min: 2,
      max: 4,
    },
    EntityKeyAttributesKey: {
      type: 'string',
      min: 1,
      max: 32,
    },
    EntityKeyAttributesValue: {
      type: 'string',
      min: 1,
      max: 512,
    },
    EventMessage: {
      type: 'string',
      min: 1,
    },
    EventsLimit: {
      type: 'integer',
      min: 1,
      max: 10000,
    },
    FilterLogEventsRequest: {
      type: 'structure',
      members: {
        logGroupName: 'LogGroupName',
        logGroupIdentifier: 'LogGroupIdentifier',
        logStreamNames: 'InputLogStreamNames',
        logStreamNamePrefix: 'LogStreamName',
        startTime: 'Timestamp',
        endTime: 'Timestamp',
        filterPattern: 'FilterPattern',
        nextToken: 'NextToken',
        limit: 'EventsLimit',
        startFromHead: 'StartFromHead',
        interleaved: 'Interleaved',
        unmask: 'Unmask',
      },
      required: [],
    },
    FilterPattern: {
      type: 'string',
      min: 0,
      max: 1024,
    },
    GetLogEventsRequest: {
      type: 'structure',
      members: {
        logGroupName: 'LogGroupName',
        logGroupIdentifier: 'LogGroupIdentifier',
        logStreamName: 'LogStreamName',
        startTime: 'Timestamp',
        endTime: 'Timestamp',
        nextToken: 'NextToken',
        limit: 'EventsLimit',
        startFromHead: 'StartFromHead',
        unmask: 'Unmask',
      },
      required: ['logStreamName'],
    },
    IncludeLinkedAccounts: {
      type: 'boolean',
    },
    InputLogEvent: {
      type: 'structure',
      members: {
        timestamp: 'Timestamp',
        message: 'EventMessage',
      },
      required: ['timestamp', 'message'],
    },
    InputLogEvents: {
      type: 'list',
      of: 'InputLogEvent',
      min: 1,
      max: 10000,
    },
    InputLogStreamNames: {
      type: 'list',
      of: 'LogStreamName',
      min: 1,
      max: 100,
    },
    Interleaved: {
      type: 'boolean',
    },
    KmsKeyId: {
      type: 'string',
      max: 256,
    },
    ListTagsForResourceRequest: {
      type: 'structure',
      members: {
        resourceArn: 'AmazonResourceName',
      },
      required: ['resourceArn'],
    },
    ListTagsLogGroupRequest: {
      type: 'structure',
      members: {
        logGroupName: 'LogGroupName',
      },
      required: ['logGroupName'],
    },
    LogGroupClass: {
      type: 'string',
      enum: ['STANDARD', 'INFREQUENT_ACCESS', 'DELIVERY'],
    },
    LogGroupIdentifier: {
      type: 'string',
      min: 1,
      max: 2048,
      pattern: '[\\w#+=/:,.@-]*',
    },
    LogGroupName: {
      type: 'string',
      min: 1,
      max: 512,
      pattern: '[\\.\\-_/#A-Za-z0-9]+',
    },
    LogGroupNamePattern: {
      type: 'string',
      min: 0,
      max: 512,
      pattern: '[\\.\\-_/#A-Za-z0-9]*',
    },
    LogStreamName: {
      type: 'string',
      min: 1,
      max: 512,
      pattern: '[^:*]*',
    },
    NextToken: {
      type: 'string',
      min: 1,
    },
    OrderBy: {
      type: 'string',
      enum: ['LogStreamName', 'LastEventTime'],
    },
    PutLogEventsRequest: {
      type: 'structure',
      members: {
        logGroupName: 'LogGroupName',
        logStreamName: 'LogStreamName',
        logEvents: 'InputLogEvents',
        sequenceToken: 'SequenceToken',
        entity: 'Entity',
      },
      required: ['logGroupName', 'logStreamName', 'logEvents'],
    },
    PutRetentionPolicyRequest: {
      type: 'structure',
      members: {
        logGroupName: 'LogGroupName',
        retentionInDays: 'Days',
      },
      required: ['logGroupName', 'retentionInDays'],
    },
    SequenceToken: {
      type: 'string',
      min: 1,
    },
    StartFromHead: {
      type: 'boolean',
    },
    StartLiveTailLogGroupIdentifiers: {
      type: 'list',
      of: 'LogGroupIdentifier',
      min: 1,
      max: 10,
    },
    StartLiveTailRequest: {
      type: 'structure',
      members: {
        logGroupIdentifiers: 'StartLiveTailLogGroupIdentifiers',
        logStreamNames: 'InputLogStreamNames',
        logStreamNamePrefixes: 'InputLogStreamNames',
        logEventFilterPattern: 'FilterPattern',
      },
      required: ['logGroupIdentifiers'],
    },
    TagKey: {
      type: 'string',
      min: 1,
      max: 128,
      pattern: '^([\\p{L}\\p{Z}\\p{N}_.:/=+\\-@]+)$',
    },
    TagKeyList: {
      type: 'list',
      of: 'TagKey',
      min: 0,
      max: 50,
    },
    TagList: {
      type: 'list',
      of: 'TagKey',
      min: 1,
    },
    TagLogGroupRequest: {
      type: 'structure',
      members: {
        logGroupName: 'LogGroupName',
        tags: 'Tags',
      },
      required: ['logGroupName', 'tags'],
    },
    TagResourceRequest: {
      type: 'structure',
      members: {
        resourceArn: 'AmazonResourceName',
        tags: 'Tags',
      },
      required: ['resourceArn', 'tags'],
    },
    TagValue: {
      type: 'string',
      max: 256,
      pattern: '^([\\p{L}\\p{Z}\\p{N}_.:/=+\\-@]*)$',
    },
    Tags: {
      type: 'map',
      key: 'TagKey',
      value: 'TagValue',
      min: 1,
      max: 50,
    },
    Timestamp: {
      type: 'long',
      min: 0,
    },
    Unmask: {
      type: 'boolean',
    },
    UntagLogGroupRequest: {
      type: 'structure',
      members: {
        logGroupName: 'LogGroupName',
        tags: 'TagList',
      },
      required: ['logGroupName', 'tags'],
    },
    UntagResourceRequest: {
      type: 'structure',
      members: {
        resourceArn: 'AmazonResourceName',
        tagKeys: 'TagKeyList',
      },
      required: ['resourceArn', 'tagKeys'],
    },
  },
} as const satisfies ServiceModel;
