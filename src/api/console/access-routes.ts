// Access keys and the audit log, for the console's page "Access". For admins only. A secret is returned only when it is created.
// Changes and reads are recorded in the audit log with the console as their origin.
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import * as z from 'zod';
import { isTrenioError } from '../../base/errors.ts';
import type { AuditLog } from '../access/audit-log.ts';
import { auditPage, isPlace } from '../access/audit-page.ts';
import { auditText } from '../access/audit-text.ts';
import { recordRequest } from '../access/audited.ts';
import { isLasting, isUsable, type KeyFile, type StoredKey } from '../access/key-file.ts';
import type { KeyUse } from '../access/key-use.ts';
import { type AuditQuery, readAudit } from '../access/read-audit.ts';
import type { Attempt } from '../aws/attempt.ts';
import type { RequestNote } from '../aws/aws-request.ts';
import { isActionPattern } from '../aws/permissions.ts';
import { type AccessKey, roles } from '../aws/signature/access-keys.ts';
import { toWireError } from '../http-errors.ts';
import { checked } from './checked.ts';
import type { AccessKeyRow, AccessKeyState, AuditRows, MadeKey } from './messages.ts';
import type { ConsoleRouter } from './route-table.ts';

export interface AccessOptions {
  readonly keys: KeyFile;
  /** Keys that the server was given when it was started. */
  readonly fixedKeys: readonly AccessKey[];
  readonly keyUse: KeyUse;
  readonly audit: AuditLog;
  /** The server's folder. */
  readonly data: string;
  readonly now: () => number;
}

type Query = Readonly<Record<string, string | undefined>>;
const HOUR_MS = 3_600_000;
const MAX_ROWS = 500;
/** A page reads again every few seconds; the reads of a key within this time are recorded as one. */
const READ_AGAIN_MS = HOUR_MS;

export function registerAccess(router: ConsoleRouter, options: AccessOptions): void {
  const { keys, keyUse, audit, data, now } = options;

  /** Performs an action of an admin, and records it. */
  const administered = async <T>(
    key: AccessKey,
    attempt: Attempt,
    act: (note: RequestNote) => Promise<T> | T,
  ): Promise<T> => {
    const note: RequestNote = { attempt };
    const record = (status: number, code?: string): void =>
      recordRequest(audit, { key, note, from: 'console', requestId: randomUUID(), status, code });
    try {
      const answer = await act(note);
      record(200);
      return answer;
    } catch (error) {
      record(toWireError(error).status, isTrenioError(error) ? error.code : undefined);
      throw error;
    }
  };
  const change = (
    name: 'Rotate' | 'Disable' | 'Enable' | 'Remove',
    act: (id: string, body: unknown) => Promise<StoredKey | undefined>,
  ): void => {
    const path = name.toLowerCase() as Lowercase<typeof name>;
    router.on(`POST access/keys/:id/${path}`, async ({ params, body }, key) => {
      const id = params.id!;
      return administered(key, attemptOf(`${name}Key`, id), async note => {
        const made = await act(id, body);
        if (made !== undefined) note.resource = `${id} ${made.id}`;
        return madeOf(made);
      });
    });
  };
  const recordedMs = new Map<string, number>();
  const read = (
    path: 'keys' | 'audit' | 'audit/file',
    answer: (query: Query, reply: FastifyReply) => unknown,
  ): void => {
    router.on(`GET access/${path}`, ({ query }, key, reply) => {
      const id = `${key.id} ${path}`;
      if (now() - (recordedMs.get(id) ?? Number.NEGATIVE_INFINITY) < READ_AGAIN_MS) return answer(query, reply);
      recordedMs.set(id, now());
      return administered(key, attemptOf('ReadAccess', path), () => answer(query, reply));
    });
  };

  read('keys', () => keyRows(options));
  router.on('POST access/keys', ({ body }, key) =>
    administered(key, attemptOf('CreateKey'), async note => {
      const made = await keys.create(checked(newKey, body));
      note.resource = made.id;
      return madeOf(made);
    }),
  );
  change('Rotate', (id, body) => keys.rotate(id, checked(rotation, body).overlapHours * HOUR_MS));
  change('Disable', id => keys.setDisabled(id, true));
  change('Enable', id => keys.setDisabled(id, false));
  change('Remove', async id => {
    await keys.remove(id);
    keyUse.forget(id);
    return undefined;
  });

  read('audit', async (query): Promise<AuditRows> => {
    const { before, limit, ...rest } = checked(pageQuery, query);
    const { entries, next } = await auditPage(data, auditQuery(rest), { before, limit });
    return { entries, next: next ?? null };
  });
  read('audit/file', (query, reply) => {
    const { format, ticket: _, ...rest } = checked(fileQuery, query);
    const day = new Date(now()).toISOString().slice(0, 10);
    return reply
      .type(format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json')
      .header('content-disposition', `attachment; filename="audit-${day}.${format}"`)
      .send(Readable.from(auditText(readAudit(data, auditQuery(rest)), format), { objectMode: false }));
  });
}

const attemptOf = (name: string, resource?: string): Attempt => ({
  action: `server:${name}`,
  kind: 'administer',
  resource,
});

const madeOf = (key: StoredKey | undefined): MadeKey | Record<string, never> =>
  key === undefined ? {} : { id: key.id, secret: key.secret };

function keyRows({ keys, fixedKeys, keyUse, now }: AccessOptions): readonly AccessKeyRow[] {
  const stored = keys.list();
  const nowMs = now();
  const lasting = stored.filter(isLasting);
  const row = (key: StoredKey, isFixed: boolean): AccessKeyRow => ({
    id: key.id,
    name: key.name ?? null,
    role: key.role,
    actions: key.actions ?? null,
    createdMs: key.createdAt === undefined ? null : Date.parse(key.createdAt),
    expiresMs: key.expiresAt === undefined ? null : Date.parse(key.expiresAt),
    lastUsedMs: keyUse.lastMs(key.id) ?? null,
    replaces: key.replaces ?? null,
    state: stateOf(key, nowMs),
    isFixed,
    isLastAdmin: !isFixed && lasting.length === 1 && lasting[0] === key,
  });
  return [
    ...fixedKeys.map(key => row({ ...key, actions: key.actions && [...key.actions] }, true)),
    ...stored.map(key => row(key, false)),
  ];
}

function stateOf(key: StoredKey, nowMs: number): AccessKeyState {
  if (key.isDisabled === true) return 'disabled';
  if (key.expiresAt === undefined) return 'usable';
  return isUsable(key, nowMs) ? 'ending' : 'expired';
}

const newKey = z.strictObject({
  role: z.enum(roles),
  name: z.string().trim().min(1).max(100).optional(),
  actions: z
    .array(z.string().refine(isActionPattern, "an action such as 's3:GetObject' or 'sagemaker:*'"))
    .min(1)
    .max(100)
    .optional(),
});
const rotation = z.strictObject({ overlapHours: z.int().min(0).max(8760) });

const queryParts = {
  key: z.string().min(1).max(200).optional(),
  contains: z.string().min(1).max(200).optional(),
  result: z.enum(['done', 'refused', 'failed']).optional(),
  sinceMs: z.coerce.number().int().nonnegative().default(0),
};
const pageQuery = z.strictObject({
  ...queryParts,
  before: z.string().refine(isPlace, 'the position of a line').optional(),
  limit: z.coerce.number().int().min(1).max(MAX_ROWS).default(100),
});
const fileQuery = z.strictObject({ ...queryParts, format: z.enum(['csv', 'json']), ticket: z.string().optional() });

const auditQuery = ({ sinceMs, key, contains, result }: AuditQuery): AuditQuery => ({ sinceMs, key, contains, result });
