// Calls an operation of SageMaker, or of the server's own service, for a page of the console, with the same checks, permissions
// and errors as for signed clients.
import { randomUUID } from 'node:crypto';
import type { AuditLog } from '../access/audit-log.ts';
import { recordRequest } from '../access/audited.ts';
import { AwsError } from '../aws/aws-error.ts';
import type { AwsReply, AwsRequest, AwsService } from '../aws/aws-request.ts';
import { bodyOfBytes } from '../aws/request-body.ts';
import type { AccessKey } from '../aws/signature/access-keys.ts';

export interface ServiceCaller {
  readonly sagemaker: AwsService;
  readonly trenio: AwsService;
  readonly region: string;
  readonly audit: AuditLog;
}

/** The operation's response. @throws {AwsError} */
export async function callService(
  caller: ServiceCaller,
  service: 'SageMaker' | 'Trenio',
  key: AccessKey,
  operation: string,
  input: unknown,
): Promise<unknown> {
  const { body } = await askAudited(caller, service === 'Trenio' ? caller.trenio : caller.sagemaker, {
    head: { method: 'POST', path: '/', query: '', headers: [['x-amz-target', `${service}.${operation}`]] },
    key,
    body: bodyOfBytes(Buffer.from(JSON.stringify(input ?? {}))),
  });
  return typeof body !== 'string' || body === '' ? {} : JSON.parse(body);
}

/** A request of the console to a service, recorded in the audit log like those of clients. @throws {AwsError} */
export async function askAudited(
  { audit, region }: Pick<ServiceCaller, 'audit' | 'region'>,
  service: AwsService,
  asked: Pick<AwsRequest, 'head' | 'key' | 'body'>,
): Promise<AwsReply> {
  const note = {};
  const requestId = randomUUID();
  const record = (status: number, code?: string): void =>
    recordRequest(audit, { key: asked.key, note, from: 'console', requestId, status, code });
  try {
    const reply = await service.handle({
      ...asked,
      region,
      requestId,
      payload: { kind: 'unsigned' },
      trailers: new Map(),
      signal: new AbortController().signal,
      note,
    });
    record(reply.status);
    return reply;
  } catch (error) {
    if (error instanceof AwsError) record(error.status, error.code);
    else record(500);
    throw error;
  }
}
