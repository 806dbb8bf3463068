// Exports the audit log as CSV for spreadsheets, or as a JSON array. Streamed, because a log may be larger than memory.
import type { AuditEntry } from './audit-entry.ts';

const columns = [
  'time',
  'key',
  'role',
  'from',
  'action',
  'resource',
  'result',
  'code',
  'status',
  'request',
  'leftOut',
] as const satisfies readonly (keyof AuditEntry)[];

export async function* auditText(entries: AsyncIterable<AuditEntry>, format: 'csv' | 'json'): AsyncGenerator<string> {
  if (format === 'csv') {
    yield `${columns.join(',')}\r\n`;
    for await (const entry of entries) yield `${columns.map(name => cell(entry[name])).join(',')}\r\n`;
    return;
  }
  let before = '[\n';
  for await (const entry of entries) {
    yield before + JSON.stringify(entry);
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

/**
 * Quoted as in RFC 4180. Spreadsheets execute cells that begin like a formula, and clients choose names, so such cells get a '.
 */
function cell(value: string | number | undefined): string {
  const text = String(value ?? '');
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
