// Tags of log groups: the operations on ARNs, and the older ones on names.
// https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_TagResource.html
import type { LogStore } from '../../../jobs/logs/log-store.ts';
import { AwsError } from '../aws-error.ts';
import type { logs } from '../models/logs.ts';
import type { Operations } from '../protocols/json-service.ts';
import { groupOf } from './find-logs.ts';

type Tags = Readonly<Record<string, string>>;

const MAX_TAGS = 50;

export function tagOperations(store: LogStore) {
  const add = (group: string, added: Tags): undefined => {
    const tags = { ...store.tags(group), ...added };
    checkTags(tags);
    store.setTags(group, tags);
  };
  const remove = (group: string, keys: readonly string[]): undefined => {
    const kept = Object.entries(store.tags(group)).filter(([key]) => !keys.includes(key));
    store.setTags(group, Object.fromEntries(kept));
  };
  const named = (name: string): string => groupOf(store, name, undefined);
  const ofArn = (arn: string): string => {
    if (!/^arn:aws[a-z-]*:logs:[^:]*:\d*:log-group:/.test(arn))
      throw new AwsError('InvalidParameterException', `resourceArn must be the ARN of a log group, got '${arn}'.`);
    return groupOf(store, undefined, arn);
  };
  return {
    ListTagsForResource: ({ resourceArn: arn }) => ({ tags: store.tags(ofArn(arn)) }),
    TagResource: ({ resourceArn: arn, tags }) => add(ofArn(arn), tags),
    UntagResource: ({ resourceArn: arn, tagKeys }) => remove(ofArn(arn), tagKeys),
    ListTagsLogGroup: ({ logGroupName: name }) => ({ tags: store.tags(named(name)) }),
    TagLogGroup: ({ logGroupName: name, tags }) => add(named(name), tags),
    UntagLogGroup: ({ logGroupName: name, tags }) => remove(named(name), tags),
  } satisfies Partial<Operations<typeof logs>>;
}

/** @throws {AwsError} TooManyTagsException, or InvalidParameterException for a reserved key */
export function checkTags(tags: Tags): void {
  if (Object.keys(tags).length > MAX_TAGS)
    throw new AwsError('TooManyTagsException', `A log group has at most ${MAX_TAGS} tags.`);
  const reserved = Object.keys(tags).find(key => /^aws:/i.test(key));
  if (reserved !== undefined)
    throw new AwsError('InvalidParameterException', `Tag keys that begin with 'aws:' are reserved, got '${reserved}'.`);
}
