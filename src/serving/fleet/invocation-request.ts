// A request to an endpoint, independent of the transport.

export interface InvocationRequest {
  readonly endpoint: string;
  readonly body: Uint8Array;
  readonly contentType: string | undefined;
  readonly accept: string | undefined;
  readonly customAttributes: string | undefined;
  readonly variant: string | undefined;
  readonly inferenceId: string | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}
