// The permissions of the roles of access keys.
import type { Role } from './signature/access-keys.ts';

/** Reading; changing jobs, data and endpoints; changing the server itself, such as its keys. */
export type Action = 'read' | 'write' | 'administer';

const allowed: Readonly<Record<Role, readonly Action[]>> = {
  admin: ['read', 'write', 'administer'],
  developer: ['read', 'write'],
  'read-only': ['read'],
};

export const allows = (role: Role, action: Action): boolean => allowed[role].includes(action);
