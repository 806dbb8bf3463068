// The tags of an object.
import type { ObjectStore } from '../../../objects/object-store.ts';
import { AwsError } from '../aws-error.ts';
import type { AwsReply, AwsRequest } from '../aws-request.ts';
import { children, type ParsedXml, textOf } from '../xml.ts';
import { readDocument, rootOf } from './read-document.ts';
import { emptyReply, xmlReply } from './s3-reply.ts';
import { type S3Address, uniqueTags } from './s3-request.ts';

const MAX_DOCUMENT_BYTES = 64 * 1024;

/** @throws {AwsError} MalformedXML, MethodNotAllowed */
export async function tagging(store: ObjectStore, request: AwsRequest, { bucket, key }: S3Address): Promise<AwsReply> {
  switch (request.head.method) {
    case 'GET': {
      const { tags = {} } = store.head(bucket, key).attributes;
      return xmlReply({
        Tagging: { TagSet: { Tag: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })) } },
      });
    }
    case 'PUT':
      store.setTags(bucket, key, tagsIn(await readDocument(request, 'Tagging', MAX_DOCUMENT_BYTES)));
      return emptyReply(200);
    case 'DELETE':
      store.setTags(bucket, key, {});
      return emptyReply(204);
  }
  throw new AwsError('MethodNotAllowed', 'The specified method is not allowed against this resource.', 405);
}

/** The tags in a Tagging document. @throws {AwsError} MalformedXML, InvalidTag */
export const tagsInDocument = (xml: string): Readonly<Record<string, string>> => tagsIn(rootOf(xml, 'Tagging'));

function tagsIn(root: ParsedXml | undefined): Readonly<Record<string, string>> {
  const [set] = children(root, 'TagSet');
  if (set === undefined) throw new AwsError('MalformedXML', 'A Tagging needs a TagSet.');
  const pairs = children(set, 'Tag').map(tag => {
    const [key, value] = [textOf(tag, 'Key'), textOf(tag, 'Value')];
    if (key === undefined || value === undefined)
      throw new AwsError('MalformedXML', 'Each Tag needs a Key and a Value.');
    return [key, value] as const;
  });
  return uniqueTags(pairs);
}
