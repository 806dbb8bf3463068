// Members and types of logs's responses that do not occur in its inputs.
// Written by scripts/write-aws-models.ts; not edited by hand.
import type { AnswerModel } from './service-model.ts';

export const logsAnswers = {
  operations: {
    CreateLogGroup: null,
    CreateLogStream: null,
    DeleteLogGroup: null,
    DeleteLogStream: null,
    DeleteRetentionPolicy: null,
    DescribeLogGroups: 'DescribeLogGroupsResponse',
    DescribeLogStreams: 'DescribeLogStreamsResponse',
    FilterLogEvents: 'FilterLogEventsResponse',
    GetLogEvents: 'GetLogEventsResponse',
    ListTagsForResource: 'ListTagsForResourceResponse',
    ListTagsLogGroup: 'ListTagsLogGroupResponse',
    PutLogEvents: 'PutLogEventsResponse',
    PutRetentionPolicy: null,
    StartLiveTail: 'StartLiveTailResponse',
    TagLogGroup: null,
    TagResource: null,
    UntagLogGroup: null,
    UntagResource: null,
  },
  shapes: {
    Arn: {
      type: 'string',
    },
    BearerTokenAuthenticationEnabled: {
      type: 'boolean',
    },
    DataProtectionStatus: {
      type: 'string',
      enum: ['ACTIVATED', 'DELETED', 'ARCHIVED', 'DISABLED'],
    },
    DescribeLogGroupsResponse: {
      type: 'structure',
      members: {
        logGroups: 'LogGroups',
        nextToken: 'NextToken',
      },
      required: [],
    },
    DescribeLogStreamsResponse: {
      type: 'structure',
      members: {
        logStreams: 'LogStreams',
        nextToken: 'NextToken',
      },
      required: [],
    },
    EntityRejectionErrorType: {
      type: 'string',
      enum: [
        'InvalidEntity',
        'InvalidTypeValue',
        'InvalidKeyAttributes',
        'InvalidAttributes',
        'EntitySizeTooLarge',
        'UnsupportedLogGroupType',
        'MissingRequiredFields',
      ],
    },
    EventId: {
      type: 'string',
    },
    FilterCount: {
      type: 'integer',
    },
    FilterLogEventsResponse: {
      type: 'structure',
      members: {
        events: 'FilteredLogEvents',
        searchedLogStreams: 'SearchedLogStreams',
        nextToken: 'NextToken',
      },
      required: [],
    },
    FilteredLogEvent: {
      type: 'structure',
      members: {
        logStreamName: 'LogStreamName',
        timestamp: 'Timestamp',
        message: 'EventMessage',
        ingestionTime: 'Timestamp',
        eventId: 'EventId',
      },
      required: [],
    },
    FilteredLogEvents: {
      type: 'list',
      of: 'FilteredLogEvent',
    },
    GetLogEventsResponse: {
      type: 'structure',
      members: {
        events: 'OutputLogEvents',
        nextForwardToken: 'NextToken',
        nextBackwardToken: 'NextToken',
      },
      required: [],
    },
    InheritedProperties: {
      type: 'list',
      of: 'InheritedProperty',
    },
    InheritedProperty: {
      type: 'string',
      enum: ['ACCOUNT_DATA_PROTECTION'],
    },
    IsSampled: {
      type: 'boolean',
    },
    ListTagsForResourceResponse: {
      type: 'structure',
      members: {
        tags: 'Tags',
      },
      required: [],
    },
    ListTagsLogGroupResponse: {
      type: 'structure',
      members: {
        tags: 'Tags',
      },
      required: [],
    },
    LiveTailSessionLogEvent: {
      type: 'structure',
      members: {
        logStreamName: 'LogStreamName',
        logGroupIdentifier: 'LogGroupIdentifier',
        message: 'EventMessage',
        timestamp: 'Timestamp',
        ingestionTime: 'Timestamp',
      },
      required: [],
    },
    LiveTailSessionMetadata: {
      type: 'structure',
      members: {
        sampled: 'IsSampled',
      },
      required: [],
    },
    LiveTailSessionResults: {
      type: 'list',
      of: 'LiveTailSessionLogEvent',
    },
    LiveTailSessionStart: {
      type: 'structure',
      members: {
        requestId: 'RequestId',
        sessionId: 'SessionId',
        logGroupIdentifiers: 'StartLiveTailLogGroupIdentifiers',
        logStreamNames: 'InputLogStreamNames',
        logStreamNamePrefixes: 'InputLogStreamNames',
        logEventFilterPattern: 'FilterPattern',
      },
      required: [],
    },
    LiveTailSessionUpdate: {
      type: 'structure',
      members: {
        sessionMetadata: 'LiveTailSessionMetadata',
        sessionResults: 'LiveTailSessionResults',
      },
      required: [],
    },
    LogEventIndex: {
      type: 'integer',
    },
    LogGroup: {
      type: 'structure',
      members: {
        logGroupName: 'LogGroupName',
        creationTime: 'Timestamp',
        retentionInDays: 'Days',
        metricFilterCount: 'FilterCount',
        arn: 'Arn',
        storedBytes: 'StoredBytes',
        kmsKeyId: 'KmsKeyId',
        dataProtectionStatus: 'DataProtectionStatus',
        inheritedProperties: 'InheritedProperties',
        logGroupClass: 'LogGroupClass',
        logGroupArn: 'Arn',
        deletionProtectionEnabled: 'DeletionProtectionEnabled',
        bearerTokenAuthenticationEnabled: 'BearerTokenAuthenticationEnabled',
      },
      required: [],
    },
    LogGroups: {
      type: 'list',
      of: 'LogGroup',
    },
    LogStream: {
      type: 'structure',
      members: {
        logStreamName: 'LogStreamName',
        creationTime: 'Timestamp',
        firstEventTimestamp: 'Timestamp',
        lastEventTimestamp: 'Timestamp',
        lastIngestionTime: 'Timestamp',
        uploadSequenceToken: 'SequenceToken',
        arn: 'Arn',
        storedBytes: 'StoredBytes',
      },
      required: [],
    },
    LogStreamSearchedCompletely: {
      type: 'boolean',
    },
    LogStreams: {
      type: 'list',
      of: 'LogStream',
    },
    Message: {
      type: 'string',
    },
    OutputLogEvent: {
      type: 'structure',
      members: {
        timestamp: 'Timestamp',
        message: 'EventMessage',
        ingestionTime: 'Timestamp',
      },
      required: [],
    },
    OutputLogEvents: {
      type: 'list',
      of: 'OutputLogEvent',
    },
    PutLogEventsResponse: {
      type: 'structure',
      members: {
        nextSequenceToken: 'SequenceToken',
        rejectedLogEventsInfo: 'RejectedLogEventsInfo',
        rejectedEntityInfo: 'RejectedEntityInfo',
      },
      required: [],
    },
    RejectedEntityInfo: {
      type: 'structure',
      members: {
        errorType: 'EntityRejectionErrorType',
      },
      required: ['errorType'],
    },
    RejectedLogEventsInfo: {
      type: 'structure',
      members: {
        tooNewLogEventStartIndex: 'LogEventIndex',
        tooOldLogEventEndIndex: 'LogEventIndex',
        expiredLogEventEndIndex: 'LogEventIndex',
      },
      required: [],
    },
    RequestId: {
      type: 'string',
    },
    SearchedLogStream: {
      type: 'structure',
      members: {
        logStreamName: 'LogStreamName',
        searchedCompletely: 'LogStreamSearchedCompletely',
      },
      required: [],
    },
    SearchedLogStreams: {
      type: 'list',
      of: 'SearchedLogStream',
    },
    SessionId: {
      type: 'string',
    },
    SessionStreamingException: {
      type: 'structure',
      members: {
        message: 'Message',
      },
      required: [],
    },
    SessionTimeoutException: {
      type: 'structure',
      members: {
        message: 'Message',
      },
      required: [],
    },
    StartLiveTailResponse: {
      type: 'structure',
      members: {
        responseStream: 'StartLiveTailResponseStream',
      },
      required: [],
    },
    StartLiveTailResponseStream: {
      type: 'structure',
      members: {
        sessionStart: 'LiveTailSessionStart',
        sessionUpdate: 'LiveTailSessionUpdate',
        SessionTimeoutException: 'SessionTimeoutException',
        SessionStreamingException: 'SessionStreamingException',
      },
      required: [],
    },
    StoredBytes: {
      type: 'long',
    },
  },
} as const satisfies AnswerModel;
