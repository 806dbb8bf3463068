// A line of the audit log: who did or tried what, with which result. It never contains secrets, signatures or bodies.
import * as z from 'zod';

export const auditEntrySchema = z.object({
  time: z.iso.datetime(),
  /** The id of the access key, or a local user. Only the start of an unknown id, in case it is a secret in the wrong place. */
  key: z.string(),
  role: z.string().optional(),
  /** The address of the client; `console`, or `command`. */
  from: z.string(),
  /** Such as `sagemaker:CreateTrainingJob`. */
  action: z.string(),
  resource: z.string().optional(),
  result: z.enum(['done', 'refused', 'failed']),
  /** The error code. */
  code: z.string().optional(),
  status: z.number().optional(),
  request: z.string().optional(),
  /** The number of rejected requests that were not recorded before this one, because there were too many. */
  leftOut: z.number().optional(),
});
export type AuditEntry = Readonly<z.output<typeof auditEntrySchema>>;

/** A client's text, truncated and without control characters. */
export const shortened = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, '?').slice(0, 256);
