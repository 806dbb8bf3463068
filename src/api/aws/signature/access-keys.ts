// Access keys: who may sign requests, and with which secret.

/** The permissions of the holder of a key. */
export const roles = ['admin', 'developer', 'read-only'] as const;
export type Role = (typeof roles)[number];

export interface AccessKey {
  readonly id: string;
  readonly secret: string;
  readonly role: Role;
  /** It may do no more than these, such as `sagemaker:Describe*`; undefined: all that its role may do. */
  readonly actions?: readonly string[] | undefined;
}

/** Finds a key by its id. */
export type FindAccessKey = (id: string) => AccessKey | undefined;
