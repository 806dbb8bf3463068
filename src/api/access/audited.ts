// Converts requests to lines of the audit log, and decides which are recorded.

import type { RequestNote } from '../aws/aws-request.ts';
import type { AccessKey } from '../aws/signature/access-keys.ts';
import { shortened } from './audit-entry.ts';
import type { AuditLog } from './audit-log.ts';

export interface Answered {
  /** Undefined if the sender is unknown. */
  readonly key: AccessKey | undefined;
  /** Whether the key is that of a session in whose name anyone could send the request. */
  readonly isUnproven?: boolean | undefined;
  /** The key id in the request, whether the key exists or not. */
  readonly claimedId?: string | undefined;
  readonly note: RequestNote;
  /** The origin of the request: an address, or `console`. */
  readonly from: string;
  readonly requestId: string;
  readonly status: number;
  /** The error's code. */
  readonly code?: string | undefined;
}

const SHOWN_OF_UNKNOWN = 4;

/** Records a request that changed something, tried to, or was rejected. */
export function recordRequest(audit: AuditLog, answered: Answered): void {
  const { key, isUnproven, claimedId, note, from, requestId: request, status, code } = answered;
  const { attempt } = note;
  const isRefused = key === undefined || status === 401 || status === 403 || REFUSALS.has(code ?? '');
  if (!isRefused && (attempt === undefined || attempt.kind === 'read' || attempt.isFrequent === true)) return;
  const resource = note.resource ?? attempt?.resource;
  const entry = {
    key: key?.id ?? (claimedId === undefined ? 'none' : `${shortened(claimedId.slice(0, SHOWN_OF_UNKNOWN))}…`),
    ...(key === undefined ? {} : { role: key.role }),
    from,
    action: shortened(attempt?.action ?? 'unknown'),
    ...(resource === undefined ? {} : { resource: shortened(resource) }),
    result: isRefused ? ('refused' as const) : status < 400 ? ('done' as const) : ('failed' as const),
    ...(code === undefined ? {} : { code }),
    status,
    request,
  };
  if (key === undefined || isUnproven === true) audit.writeStranger(entry);
  else audit.write(entry);
}

const REFUSALS: ReadonlySet<string> = new Set(['AccessDeniedException']);
