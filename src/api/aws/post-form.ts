// An upload by a browser's form: fields, then one file, which is streamed. The fields are parsed by Node's own parser.
// https://docs.aws.amazon.com/AmazonS3/latest/API/RESTObjectPOST.html
//
//   --boundary field … --boundary field … --boundary file, its headers │ bytes … --boundary--
//   └────────────────────────── read as a whole ───────────────────────┘ streamed
import { AwsError } from './aws-error.ts';
import { tooSlow } from './request-body.ts';
import { header, type RequestHead } from './signature/request-head.ts';

export interface PostForm {
  /** By names in lower case. */
  readonly fields: ReadonlyMap<string, string>;
  /** Without folders. */
  readonly fileName: string;
  readonly file: AsyncIterable<Uint8Array>;
}

/** AWS's limit of all that is in front of the file is 20 kB. */
const MAX_FIELDS_BYTES = 64 * 1024;

export const isPostForm = (head: RequestHead): boolean =>
  head.method === 'POST' && /^multipart\/form-data\b/i.test(header(head, 'content-type') ?? '');

/**
 * Reads the fields of a form.
 * @param timeoutMs how long they may take to arrive
 * @throws {AwsError} MalformedPOSTRequest, MaxPostPreDataLengthExceeded, InvalidArgument
 */
export async function readPostForm(
  head: RequestHead,
  body: AsyncIterable<Uint8Array>,
  timeoutMs: number,
): Promise<PostForm> {
  const type = header(head, 'content-type') ?? '';
  const [, quoted, plain] = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(type) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw malformed();
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const chunks = body[Symbol.asyncIterator]();
  const next = async (late?: Promise<never>): Promise<Uint8Array | undefined> => {
    const { done, value } = await (late === undefined ? chunks.next() : Promise.race([chunks.next(), late]));
    return done === true ? undefined : value;
  };
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(tooSlow(timeoutMs)), timeoutMs);
  late.promise.catch(() => {});
  // The first boundary has no line in front of it.
  let start = Buffer.from('\r\n');
  try {
    for (;;) {
      const file = filePart(start, delimiter);
      if ((file?.headersAt ?? start.length) > MAX_FIELDS_BYTES) throw tooMuch();
      if (file !== undefined) {
        const { headersAt, bytesAt, fileName } = file;
        const fields = await fieldsIn(Buffer.concat([start.subarray(2, headersAt), Buffer.from('--\r\n')]), type);
        return { fields, fileName, file: fileBytes(start.subarray(bytesAt), () => next(), delimiter) };
      }
      const chunk = await next(late.promise);
      if (chunk === undefined) {
        if (!start.includes(`${delimiter}--`)) throw malformed();
        throw new AwsError('InvalidArgument', 'POST requires exactly one file upload per request.');
      }
      start = Buffer.concat([start, chunk]);
    }
  } finally {
    clearTimeout(timer);
  }
}

interface FilePart {
  /** The end of the delimiter in front of the part. */
  readonly headersAt: number;
  readonly bytesAt: number;
  readonly fileName: string;
}

/** The part named `file`; undefined if its headers have not arrived. */
function filePart(start: Buffer, delimiter: Buffer): FilePart | undefined {
  for (let at = start.indexOf(delimiter); at >= 0; ) {
    const headersAt = at + delimiter.length;
    const end = start.indexOf('\r\n\r\n', headersAt);
    if (end < 0) return undefined;
    const headers = start.toString('utf8', headersAt, end);
    const disposition = /^content-disposition:(.*)$/im.exec(headers)?.[1] ?? '';
    if (/;\s*name="?file"?\s*(?:;|$)/i.test(disposition)) {
      const name = /;\s*filename="((?:[^"\\]|\\.)*)"/i.exec(disposition)?.[1] ?? '';
      return { headersAt, bytesAt: end + 4, fileName: name.replace(/^.*[/\\]/, '') };
    }
    at = start.indexOf(delimiter, end + 2);
  }
  return undefined;
}

/** @throws {AwsError} MalformedPOSTRequest */
async function fieldsIn(form: Buffer, type: string): Promise<ReadonlyMap<string, string>> {
  if (!form.toString('latin1').includes('\r\n\r\n')) return new Map();
  const data = await new Response(new Uint8Array(form), { headers: { 'content-type': type } })
    .formData()
    .catch(() => undefined);
  if (data === undefined) throw malformed();
  const fields = new Map<string, string>();
  for (const [name, value] of data) {
    if (typeof value !== 'string' || fields.has(name.toLowerCase())) throw malformed();
    fields.set(name.toLowerCase(), value);
  }
  return fields;
}

/** The bytes up to the delimiter; what follows is read and ignored. */
async function* fileBytes(
  first: Buffer,
  next: () => Promise<Uint8Array | undefined>,
  delimiter: Buffer,
): AsyncGenerator<Uint8Array> {
  // The end of the bytes that have arrived, which may be the beginning of a delimiter.
  let kept = first;
  for (;;) {
    const end = kept.indexOf(delimiter);
    if (end >= 0) {
      if (end > 0) yield kept.subarray(0, end);
      while ((await next()) !== undefined);
      return;
    }
    const sure = Math.max(0, kept.length - delimiter.length);
    if (sure > 0) yield kept.subarray(0, sure);
    const chunk = await next();
    if (chunk === undefined) throw malformed();
    kept = Buffer.concat([kept.subarray(sure), chunk]);
  }
}

const malformed = (): AwsError =>
  new AwsError('MalformedPOSTRequest', 'The body of your POST request is not well-formed multipart/form-data.');

const tooMuch = (): AwsError =>
  new AwsError('MaxPostPreDataLengthExceeded', 'Your POST request fields preceding the upload file were too large.');
