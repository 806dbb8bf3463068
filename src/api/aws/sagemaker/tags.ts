// Tags of any resource, found by its ARN: arn:aws:sagemaker:REGION:ACCOUNT:KIND/NAME.
import { AwsError } from '../aws-error.ts';
import type { sagemaker } from '../models/sagemaker.ts';
import type { Operations } from '../protocols/json-service.ts';
import { notFound } from './not-found.ts';

export type Tags = Readonly<Record<string, string>>;

/** The tags of the resources of one kind. */
export interface TaggedResource {
  /** Undefined if there is no resource with that name. */
  read(name: string): Tags | undefined;
  change(name: string, change: (tags: Tags) => Tags): void;
}

const MAX_TAGS = 50;

/** The operations on tags. @param kinds by the kind in ARNs, such as `training-job` */
export function tagOperations(kinds: Readonly<Record<string, TaggedResource>>) {
  const find = (arn: string): { readonly kind: TaggedResource; readonly name: string } => {
    const [, word = '', name = ''] = /^arn:aws[a-z-]*:sagemaker:[^:]*:[^:]*:([a-z-]+)\/(.+)$/.exec(arn) ?? [];
    const kind = Object.hasOwn(kinds, word) ? kinds[word] : undefined;
    if (kind?.read(name) === undefined) throw notFound();
    return { kind, name };
  };
  return {
    AddTags: ({ ResourceArn: arn, Tags: added }) => {
      const { kind, name } = find(arn);
      kind.change(name, tags => checked({ ...tags, ...readTags(added) }));
      return { Tags: tagList(kind.read(name)) };
    },
    DeleteTags: ({ ResourceArn: arn, TagKeys: keys }) => {
      const { kind, name } = find(arn);
      kind.change(name, tags => Object.fromEntries(Object.entries(tags).filter(([key]) => !keys.includes(key))));
      return {};
    },
    ListTags: ({ ResourceArn: arn }) => {
      const { kind, name } = find(arn);
      return { Tags: tagList(kind.read(name)) };
    },
  } satisfies Partial<Operations<typeof sagemaker>>;
}

/** Tags in a request. @throws {AwsError} ValidationException */
export function readTags(list: readonly { readonly Key: string; readonly Value: string }[] = []): Tags {
  const tags = Object.fromEntries(list.map(({ Key, Value }) => [Key, Value]));
  if (Object.keys(tags).length < list.length)
    throw new AwsError('ValidationException', 'Duplicate tag keys found: each key of a tag must be unique.');
  const reserved = Object.keys(tags).find(key => /^aws:/i.test(key));
  if (reserved !== undefined)
    throw new AwsError(
      'ValidationException',
      `Tag keys that begin with 'aws:' are reserved for AWS, got '${reserved}'.`,
    );
  return tags;
}

/** Tags in a response. */
export const tagList = (tags: Tags = {}) => Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));

function checked(tags: Tags): Tags {
  if (Object.keys(tags).length > MAX_TAGS)
    throw new AwsError('ValidationException', `A resource has at most ${MAX_TAGS} tags.`);
  return tags;
}
