// Access keys: the ids and secrets with which requests are signed.

/** The permissions of the holder of a key. */
export const roles = ['admin', 'developer', 'read-only'] as const;
export type Role = (typeof roles)[number];

export interface AccessKey {
  readonly id: string;
  readonly secret: string;
  readonly role: Role;
  /** The allowed actions, such as `sagemaker:Describe*`; undefined: all actions of its role. */
  readonly actions?: readonly string[] | undefined;
}

/** Finds a key by its id. */
export type FindAccessKey = (id: string) => AccessKey | undefined;
