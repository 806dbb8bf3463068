// InvokeEndpoint: data in, the model's answer out.
import { encode } from '../../api/aws/signature/request-head.ts';
import { serviceError } from '../wire/service-error.ts';
import { readWhole, type Wire } from '../wire/wire.ts';

/** Options of `Predictor.predict`. */
export interface PredictOptions {
  /** The MIME type of the data. Default: JSON, or `application/octet-stream` for texts and bytes. */
  readonly contentType?: string | undefined;
  /** The MIME type of the answer. Default: the endpoint's own. */
  readonly accept?: string | undefined;
  /** The variant that answers. Default: chosen by weight. */
  readonly targetVariant?: string | undefined;
  /** Stops waiting. */
  readonly signal?: AbortSignal | undefined;
}

/** @throws {SERVICE_REFUSED} */
export async function invokeEndpoint(
  { wire }: { readonly wire: Wire },
  endpoint: string,
  data: unknown,
  { contentType, accept, targetVariant, signal }: PredictOptions,
): Promise<unknown> {
  const isRaw = typeof data === 'string' || data instanceof Uint8Array;
  const answer = await wire.send({
    service: 'sagemaker',
    method: 'POST',
    path: `/endpoints/${encode(endpoint)}/invocations`,
    headers: {
      'content-type': contentType ?? (isRaw ? 'application/octet-stream' : 'application/json'),
      ...(accept === undefined ? {} : { accept }),
      ...(targetVariant === undefined ? {} : { 'x-amzn-sagemaker-target-variant': targetVariant }),
    },
    body: isRaw ? data : JSON.stringify(data),
    signal,
    once: true,
  });
  const body = await readWhole(answer);
  if (answer.status !== 200) throw serviceError('sagemaker', 'InvokeEndpoint', answer, body.toString());
  const type = String(answer.headers['content-type'] ?? '');
  return /^application\/(?:\w+\+)?json\b/.test(type) ? (JSON.parse(body.toString()) as unknown) : body.toString();
}
