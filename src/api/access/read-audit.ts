// Reads the audit log of a server, also while it is being written.
import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expectFileError } from '../../base/file-error.ts';
import { type AuditEntry, auditEntrySchema } from './audit-entry.ts';
import { auditFileName, auditFolder } from './audit-log.ts';

export interface AuditQuery {
  readonly sinceMs: number;
  /** Only entries of this key. */
  readonly key?: string | undefined;
  /** Only entries with this text in the action or the resource, ignoring case. */
  readonly contains?: string | undefined;
  readonly result?: AuditEntry['result'] | undefined;
}

/** The lines that match a query, oldest first. Incomplete lines are skipped. */
export async function* readAudit(data: string, query: AuditQuery): AsyncGenerator<AuditEntry> {
  const folder = auditFolder(data);
  const first = auditFileName(query.sinceMs);
  for (const name of auditFiles(folder).filter(one => one >= first))
    for await (const line of createInterface({ input: createReadStream(join(folder, name)) })) {
      const entry = entryOf(line);
      if (entry !== undefined && meets(entry, query)) yield entry;
    }
}

/** The names of a log's files, oldest first. */
export function auditFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter(name => /^\d{4}-\d\d-\d\d\.jsonl$/.test(name))
      .sort();
  } catch (error) {
    expectFileError(error, 'ENOENT');
    return [];
  }
}

/** Undefined: a line that is being written, or was cut by a crash. */
export function entryOf(line: string): AuditEntry | undefined {
  try {
    return auditEntrySchema.safeParse(JSON.parse(line)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export function meets({ time, key, action, resource, result }: AuditEntry, query: AuditQuery): boolean {
  const { contains } = query;
  return (
    Date.parse(time) >= query.sinceMs &&
    (query.key === undefined || key === query.key) &&
    (query.result === undefined || result === query.result) &&
    (contains === undefined || `${action} ${resource ?? ''}`.toLowerCase().includes(contains.toLowerCase()))
  );
}
