// An operation of SageMaker, or of the server's own service, for a page of the console: the same checks, permissions and errors
// as for signed clients.
import { randomUUID } from 'node:crypto';
import type { AwsService } from '../aws/aws-request.ts';
import type { AccessKey } from '../aws/signature/access-keys.ts';

export interface ServiceCaller {
  readonly sagemaker: AwsService;
  readonly trenio: AwsService;
  readonly region: string;
}

/** The operation's answer. @throws {AwsError} */
export async function callService(
  { sagemaker, trenio, region }: ServiceCaller,
  service: 'SageMaker' | 'Trenio',
  key: AccessKey,
  operation: string,
  input: unknown,
): Promise<unknown> {
  const { body } = await (service === 'Trenio' ? trenio : sagemaker).handle({
    head: { method: 'POST', path: '/', query: '', headers: [['x-amz-target', `${service}.${operation}`]] },
    key,
    region,
    requestId: randomUUID(),
    payload: { kind: 'unsigned' },
    body: bytesOf(JSON.stringify(input ?? {})),
    trailers: new Map(),
    signal: new AbortController().signal,
  });
  return typeof body !== 'string' || body === '' ? {} : JSON.parse(body);
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
