// CloudWatch Logs: members, types and limits.
import type { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import data from './logs.json' with { type: 'json' };
import type { LogsOperation } from './operations.ts';
import type { AnswersOf, InputsOf } from './sdk-types.ts';
import { modelOf } from './service-model.ts';

export const logs = modelOf<InputsOf<CloudWatchLogs, LogsOperation>>(data);
export type LogsAnswers = AnswersOf<CloudWatchLogs, LogsOperation>;
