// An action that a request is about to perform, as permissions and the audit log see it.

/** Reading; changing jobs, data and endpoints; changing the server itself, such as its keys. */
export type Action = 'read' | 'write' | 'administer';

export interface Attempt {
  /** Such as `sagemaker:CreateTrainingJob`. */
  readonly action: string;
  readonly kind: Action;
  readonly resource?: string | undefined;
  /** Whether the action is frequent, such as requests to an endpoint: only rejected ones are recorded. */
  readonly isFrequent?: boolean | undefined;
}
