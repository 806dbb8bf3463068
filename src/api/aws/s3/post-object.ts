// An object from a form, with the fields that the signer of its policy allowed.
import type { ObjectStore } from '../../../objects/object-store.ts';
import { AwsError } from '../aws-error.ts';
import type { AwsReply, AwsRequest } from '../aws-request.ts';
import type { PostForm } from '../post-form.ts';
import { encode, header, type RequestHead } from '../signature/request-head.ts';
import { writeXml } from '../xml.ts';
import { checkAcl } from './access-lists.ts';
import { checkHeaders } from './header-effects.ts';
import { tagsInDocument } from './object-tags.ts';
import { checkPolicy, type FileSizes } from './post-policy.ts';
import { emptyReply, quoted } from './s3-reply.ts';
import { attributesOf, checksumAlgorithmOf, expectedBytes } from './s3-request.ts';

/** Bytes above the limit that are read, so that the client can read the error. */
const MAX_DISCARDED_BYTES = 8 * 1024 * 1024;

/** The key of the object in a form. @throws {AwsError} InvalidArgument */
export function keyOfForm({ fields, fileName }: PostForm): string {
  const key = fields.get('key');
  if (key === undefined)
    throw new AwsError(
      'InvalidArgument',
      "Bucket POST must contain a field named 'key'. If it is specified, please check the order of the fields.",
    );
  return key.replace(/\$\{filename\}/g, () => fileName);
}

/** @throws {AwsError} AccessDenied, EntityTooLarge, EntityTooSmall */
export async function postObject(
  store: ObjectStore,
  request: AwsRequest,
  bucket: string,
  form: PostForm,
  nowMs: number,
): Promise<AwsReply> {
  const key = keyOfForm(form);
  const fields = new Map([...form.fields, ['key', key], ['bucket', bucket]]);
  const sizes = checkPolicy(fields.get('policy') ?? '', fields, nowMs);
  // The fields have the names of the headers of an upload.
  const head: RequestHead = { ...request.head, query: '', headers: [...form.fields] };
  checkHeaders(head);
  const acl = fields.get('acl');
  if (acl !== undefined) checkAcl({ ...head, headers: [['x-amz-acl', acl]] });
  const tagging = fields.get('tagging');
  const { etag } = await store.put(bucket, key, within(form.file, sizes), {
    attributes: { ...attributesOf(head), ...(tagging === undefined ? {} : { tags: tagsInDocument(tagging) }) },
    expected: expectedBytes({ ...request, head }),
    checksum: checksumAlgorithmOf(head),
  });
  const path = `/${bucket}/${key.split('/').map(encode).join('/')}`;
  const location = `http://${header(request.head, 'host') ?? ''}${path}`;
  const redirect = redirectOf(fields.get('success_action_redirect') ?? fields.get('redirect'));
  if (redirect !== undefined) {
    for (const [name, value] of Object.entries({ bucket, key, etag: quoted(etag) }))
      redirect.searchParams.append(name, value);
    return emptyReply(303, { etag: quoted(etag), location: redirect.href });
  }
  const headers = { etag: quoted(etag), location };
  switch (fields.get('success_action_status')) {
    case '200':
      return emptyReply(200, headers);
    case '201':
      return {
        status: 201,
        headers: { ...headers, 'content-type': 'application/xml' },
        body: writeXml({ PostResponse: { Location: location, Bucket: bucket, Key: key, ETag: quoted(etag) } }),
      };
    default:
      return emptyReply(204, headers);
  }
}

/** An invalid address is ignored. */
function redirectOf(address: string | undefined): URL | undefined {
  const url = address === undefined ? null : URL.parse(address);
  return url !== null && /^https?:$/.test(url.protocol) ? url : undefined;
}

async function* within(file: AsyncIterable<Uint8Array>, { min, max }: FileSizes): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const bytes of file) {
    size += bytes.length;
    if (size <= max) yield bytes;
    else if (size > max + MAX_DISCARDED_BYTES) break;
  }
  if (size > max)
    throw new AwsError('EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size', 400, {
      MaxSizeAllowed: String(max),
    });
  if (size < min)
    throw new AwsError('EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed size', 400, {
      ProposedSize: String(size),
      MinSizeAllowed: String(min),
    });
}
