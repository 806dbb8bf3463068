// A line of the audit log: who did, or tried, what, and what came of it. Never a secret, a signature or a body.
import * as z from 'zod';

export const auditEntrySchema = z.object({
  time: z.iso.datetime(),
  /** The id of the access key; of an unknown one only its start, in case it is a secret in the wrong place; or a local user. */
  key: z.string(),
  role: z.string().optional(),
  /** The address of the client; `console`, or `command`. */
  from: z.string(),
  /** Such as `sagemaker:CreateTrainingJob`. */
  action: z.string(),
  resource: z.string().optional(),
  result: z.enum(['done', 'refused', 'failed']),
  /** The code of the error. */
  code: z.string().optional(),
  status: z.number().optional(),
  request: z.string().optional(),
  /** Refusals that were left out before this one, since there were too many at a time. */
  leftOut: z.number().optional(),
});
export type AuditEntry = Readonly<z.output<typeof auditEntrySchema>>;

/** A client's text, cut, and without control characters. */
export const shortened = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, '?').slice(0, 256);
