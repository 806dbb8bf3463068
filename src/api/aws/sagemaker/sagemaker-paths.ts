// SageMaker and its runtime, which share the name that requests are signed for: the runtime's requests are known by their paths.
import type { AwsReply, AwsRequest, AwsService } from '../aws-request.ts';
import { jsonErrorReply, jsonSignatureError } from '../protocols/json.ts';
import { isRuntimePath, type RuntimeService } from '../runtime/runtime-service.ts';

export class SagemakerPaths implements AwsService {
  readonly maxBodyBytes: number;
  readonly errorReply = jsonErrorReply;
  readonly signatureError = jsonSignatureError;
  readonly #control: AwsService;
  readonly #runtime: RuntimeService;

  /** @param control the service whose operations are named in X-Amz-Target */
  constructor(control: AwsService, runtime: RuntimeService) {
    this.#control = control;
    this.#runtime = runtime;
    // The control plane checks its own, smaller limit.
    this.maxBodyBytes = runtime.maxBodyBytes;
  }

  handle(request: AwsRequest): Promise<AwsReply> {
    return isRuntimePath(request.head.path) ? this.#runtime.handle(request) : this.#control.handle(request);
  }
}
