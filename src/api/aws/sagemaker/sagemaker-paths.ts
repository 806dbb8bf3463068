// SageMaker, its runtime and its metrics, which share a name in signatures: requests of the latter two are recognized
// by their paths.
import type { AwsReply, AwsRequest, AwsService } from '../aws-request.ts';
import { isMetricsPath } from '../metrics/metrics-service.ts';
import { jsonErrorReply, jsonSignatureError } from '../protocols/json.ts';
import { isRuntimePath, type RuntimeService } from '../runtime/runtime-service.ts';

export class SagemakerPaths implements AwsService {
  readonly maxBodyBytes: number;
  readonly errorReply = jsonErrorReply;
  readonly signatureError = jsonSignatureError;
  readonly #control: AwsService;
  readonly #runtime: RuntimeService;
  readonly #metrics: AwsService;

  /** @param control the service whose operations are named in X-Amz-Target */
  constructor(control: AwsService, runtime: RuntimeService, metrics: AwsService) {
    this.#control = control;
    this.#runtime = runtime;
    this.#metrics = metrics;
    // The control plane checks its own smaller limit.
    this.maxBodyBytes = runtime.maxBodyBytes;
  }

  handle(request: AwsRequest): Promise<AwsReply> {
    const { path } = request.head;
    if (isRuntimePath(path)) return this.#runtime.handle(request);
    return (isMetricsPath(path) ? this.#metrics : this.#control).handle(request);
  }
}
