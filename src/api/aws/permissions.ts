// The permissions of access keys: those of the key's role, and of its list of actions if it has one.
import type { Action, Attempt } from './attempt.ts';
import type { AwsRequest } from './aws-request.ts';
import type { AccessKey, Role } from './signature/access-keys.ts';

const allowed: Readonly<Record<Role, readonly Action[]>> = {
  admin: ['read', 'write', 'administer'],
  developer: ['read', 'write'],
  'read-only': ['read'],
};

export const allows = (role: Role, action: Action): boolean => allowed[role].includes(action);

/** Whether the sender of a request may perform the action. The attempt is recorded for the audit log. */
export function mayDo({ key, note }: Pick<AwsRequest, 'key' | 'note'>, attempt: Attempt): boolean {
  note.attempt = attempt;
  return allows(key.role, attempt.kind) && covers(key, attempt.action);
}

/** Whether the key's own list contains an action. */
export const covers = ({ actions }: AccessKey, action: string): boolean =>
  actions === undefined || actions.some(pattern => matches(pattern, action));

/** `*` matches any text; case is ignored. */
function matches(pattern: string, action: string): boolean {
  const [first, ...rest] = pattern.toLowerCase().split('*');
  const text = action.toLowerCase();
  if (rest.length === 0) return text === first;
  if (!text.startsWith(first!)) return false;
  const last = rest.pop()!;
  let at = first!.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

/** Such as `sagemaker:Describe*`. */
export const isActionPattern = (text: string): boolean => /^[a-z0-9-]+:[A-Za-z0-9*]+$|^\*$/.test(text);
