// The data of the endpoint pages, and test requests to endpoints.
import type { Serving } from '../../serving/fleet/serving.ts';
import type { VariantMinute } from '../../serving/fleet/traffic.ts';
import { bodyOfBytes } from '../aws/request-body.ts';
import type { AccessKey } from '../aws/signature/access-keys.ts';
import type { EndpointDetail, EndpointRow, TriedAnswer } from './messages.ts';
import { askAudited, type ServiceCaller } from './service-call.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** The maximum length of a displayed response, in characters. */
const MAX_SHOWN = 100_000;

export function endpointRows(serving: Serving, nowMs: number): readonly EndpointRow[] {
  return serving.store.endpoints.all().map(({ name, status, configName, createdMs, modifiedMs }) => {
    const traffic = serving.traffic(name, nowMs - HOUR_MS);
    const variants = traffic?.variants ?? [];
    const minutes = variants.flatMap(variant => variant.minutes);
    return {
      name,
      status,
      configName,
      createdMs,
      modifiedMs,
      variants: variants.map(({ name: variant, modelName, instanceType }) => ({
        name: variant,
        modelName,
        instanceType,
      })),
      ready: variants.reduce((sum, { replicas }) => sum + replicas.filter(one => one.status === 'ready').length, 0),
      desired: variants.reduce((sum, { desiredCount }) => sum + desiredCount, 0),
      invocations: sumOf(minutes, one => one.invocations),
      errors: sumOf(minutes, errorsOf),
      p99Ms: Math.max(0, ...minutes.map(one => one.modelMs?.p99 ?? 0)) || null,
    };
  });
}

const sumOf = (minutes: readonly VariantMinute[], read: (minute: VariantMinute) => number): number =>
  minutes.reduce((sum, minute) => sum + read(minute), 0);
const errorsOf = ({ modelErrors, failures }: VariantMinute): number => modelErrors + failures;

/** Undefined if no endpoint has this name. */
export function endpointDetail(
  serving: Serving,
  name: string,
  minutes: number,
  nowMs: number,
): EndpointDetail | undefined {
  const endpoint = serving.store.endpoints.get(name);
  const traffic = serving.traffic(name, nowMs - minutes * MINUTE_MS);
  if (endpoint === undefined || traffic === undefined) return undefined;
  return {
    name,
    arn: endpoint.arn,
    status: endpoint.status,
    configName: endpoint.configName,
    createdMs: endpoint.createdMs,
    modifiedMs: endpoint.modifiedMs,
    backlog: traffic.backlog,
    variants: traffic.variants.map(variant => ({
      ...variant,
      replicas: variant.replicas.map(one => ({ ...one, readyMs: one.readyMs ?? null })),
      minutes: variant.minutes.map(minute => ({
        startMs: minute.startMs,
        invocations: minute.invocations,
        clientErrors: minute.clientErrors,
        errors: errorsOf(minute),
        p50Ms: minute.modelMs?.p50 ?? null,
        p99Ms: minute.modelMs?.p99 ?? null,
        overheadMs: minute.overheadMs?.p50 ?? null,
        concurrency: minute.concurrency,
        batchSize: minute.batches === 0 ? null : minute.batchItems / minute.batches,
      })),
    })),
  };
}

/** An invocation through the runtime service, with its checks, permissions and errors. @throws {AwsError} */
export async function tryEndpoint(
  caller: ServiceCaller,
  key: AccessKey,
  name: string,
  { contentType, body }: { readonly contentType: string; readonly body: string },
): Promise<TriedAnswer> {
  const startMs = performance.now();
  const reply = await askAudited(caller, caller.sagemaker, {
    head: {
      method: 'POST',
      path: `/endpoints/${encodeURIComponent(name)}/invocations`,
      query: '',
      headers: [['content-type', contentType]],
    },
    key,
    body: bodyOfBytes(Buffer.from(body)),
  });
  const text = typeof reply.body === 'string' ? reply.body : Buffer.from((reply.body ?? []) as Uint8Array).toString();
  return {
    ms: performance.now() - startMs,
    contentType: reply.headers['content-type'] ?? '',
    body: text.slice(0, MAX_SHOWN),
  };
}
