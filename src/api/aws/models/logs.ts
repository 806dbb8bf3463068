// Members, types and limits of logs.
// Written by scripts/write-aws-models.ts; not edited by hand.
import type { ServiceModel } from './service-model.ts';

export const logs = {
  version: '2014-03-28',
  targetPrefix: 'Logs_20140328',
  operations: {
    DescribeLogGroups: 'DescribeLogGroupsRequest',
    DescribeLogStreams: 'DescribeLogStreamsRequest',
    FilterLogEvents: 'FilterLogEventsRequest',
    GetLogEvents: 'GetLogEventsRequest',
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
    InputLogStreamNames: {
      type: 'list',
      of: 'LogStreamName',
      min: 1,
      max: 100,
    },
    Interleaved: {
      type: 'boolean',
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
    StartFromHead: {
      type: 'boolean',
    },
    Timestamp: {
      type: 'long',
      min: 0,
    },
    Unmask: {
      type: 'boolean',
    },
  },
} as const satisfies ServiceModel;
