// Pages of the audit log, newest first, also while it is written. The position of a line, `2026-01-31:1024`, is the day of its
// file and the offset of its first byte; it never changes, so a reader can continue from it whatever is appended.
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { AuditEntry } from './audit-entry.ts';
import { auditFileName, auditFolder } from './audit-log.ts';
import { type AuditQuery, auditFiles, entryOf, meets } from './read-audit.ts';

export interface PlacedEntry extends AuditEntry {
  readonly place: string;
}

export interface AuditPage {
  readonly entries: readonly PlacedEntry[];
  /** The position at which the next page begins; undefined: there are no older lines. */
  readonly next: string | undefined;
}

const CHUNK_BYTES = 64 * 1024;
/** A page ends after this many bytes were searched, even if it is not full: rare lines must not hold up the server. */
const MAX_SEARCHED_BYTES = 8 * 1024 * 1024;
const MAX_LINE_BYTES = 64 * 1024;
const PLACE = /^(\d{4}-\d\d-\d\d):(\d{1,15})$/;

export const isPlace = (text: string): boolean => PLACE.test(text);

/** The lines that match a query, newest first. @param before only lines before this position */
export async function auditPage(
  data: string,
  query: AuditQuery,
  { before, limit }: { readonly before?: string | undefined; readonly limit: number },
): Promise<AuditPage> {
  const [, day, offset] = PLACE.exec(before ?? '') ?? [];
  const folder = auditFolder(data);
  const first = auditFileName(query.sinceMs);
  const last = day === undefined ? undefined : `${day}.jsonl`;
  const entries: PlacedEntry[] = [];
  let searched = 0;
  for (const name of auditFiles(folder).toReversed()) {
    if (name < first || (last !== undefined && name > last)) continue;
    await using file = await open(join(folder, name), 'r');
    const end = name === last ? Number(offset) : Number.POSITIVE_INFINITY;
    for await (const { line, at } of linesBackward(file, end)) {
      searched += line.length;
      const entry = entryOf(line);
      if (entry === undefined) continue;
      if (Date.parse(entry.time) < query.sinceMs) return { entries, next: undefined };
      const place = `${name.slice(0, 10)}:${at}`;
      if (meets(entry, query)) entries.push({ ...entry, place });
      if (entries.length >= limit || searched >= MAX_SEARCHED_BYTES) return { entries, next: place };
    }
  }
  return { entries, next: undefined };
}

async function* linesBackward(file: FileHandle, end: number): AsyncGenerator<{ line: string; at: number }> {
  let at = Math.min((await file.stat()).size, end);
  let rest: Buffer = Buffer.alloc(0);
  while (at > 0) {
    const size = Math.min(CHUNK_BYTES, at);
    at -= size;
    const chunk = Buffer.alloc(size);
    await file.read(chunk, 0, size, at);
    let bytes = Buffer.concat([chunk, rest]);
    for (let newline = bytes.lastIndexOf(10); newline >= 0; newline = bytes.lastIndexOf(10)) {
      if (newline + 1 < bytes.length) yield { line: bytes.toString('utf8', newline + 1), at: at + newline + 1 };
      bytes = bytes.subarray(0, newline);
    }
    // Longer than any line: the file is damaged here.
    rest = bytes.length > MAX_LINE_BYTES ? Buffer.alloc(0) : bytes;
  }
  if (rest.length > 0) yield { line: rest.toString('utf8'), at: 0 };
}
