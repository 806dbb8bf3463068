// The audit log of a server: one file per day, DATA/audit/2026-01-31.jsonl, readable only by its owner. A change is logged
// before the client gets its response, so a killed server loses no lines. Reads are not recorded.
import { closeSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../base/make-folder.ts';
import type { AuditEntry } from './audit-entry.ts';

export interface AuditLogOptions {
  readonly data: string;
  /** How long files are kept. */
  readonly days: number;
  readonly now: () => number;
  /** Logs an internal error. */
  readonly log: (line: string) => void;
}

export const DEFAULT_AUDIT_DAYS = 90;
const DAY_MS = 86_400_000;
/** The maximum number of lines per minute for requests without a valid signature, which anyone can send. */
const MAX_STRANGERS_PER_MINUTE = 60;

export const auditFolder = (data: string): string => join(data, 'audit');
export const auditFileName = (ms: number): string => `${new Date(ms).toISOString().slice(0, 10)}.jsonl`;

export class AuditLog {
  readonly #options: AuditLogOptions;
  readonly #folder: string;
  #file: { readonly name: string; readonly descriptor: number } | undefined;
  /** Reported once, until a line is written again. */
  #isFailing = false;
  #minute = 0;
  #strangers = 0;
  #leftOut = 0;

  constructor(options: AuditLogOptions) {
    this.#options = options;
    this.#folder = auditFolder(options.data);
    makeFolder(this.#folder, 0o700);
    this.#expire();
  }

  /** Appends a line. If the log cannot be written, the server reports it and continues. */
  write(entry: Omit<AuditEntry, 'time'>): void {
    const nowMs = this.#options.now();
    try {
      writeSync(this.#open(nowMs), `${JSON.stringify({ time: new Date(nowMs).toISOString(), ...entry })}\n`);
      this.#isFailing = false;
    } catch (error) {
      if (this.#isFailing) return;
      this.#isFailing = true;
      this.#options.log(`the audit log in ${this.#folder} cannot be written: ${(error as Error).message}`);
    }
  }

  /** Like `write`, for a request from an unknown sender. */
  writeStranger(entry: Omit<AuditEntry, 'time'>): void {
    const minute = Math.floor(this.#options.now() / 60_000);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#strangers = 0;
    }
    if (++this.#strangers > MAX_STRANGERS_PER_MINUTE) {
      this.#leftOut++;
      return;
    }
    this.write(this.#leftOut === 0 ? entry : { ...entry, leftOut: this.#leftOut });
    this.#leftOut = 0;
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file.descriptor);
    this.#file = undefined;
  }

  #open(nowMs: number): number {
    const name = auditFileName(nowMs);
    if (this.#file?.name === name) return this.#file.descriptor;
    this.close();
    this.#expire();
    const descriptor = openSync(join(this.#folder, name), 'a', 0o600);
    this.#file = { name, descriptor };
    return descriptor;
  }

  /** Removes expired files. */
  #expire(): void {
    const { now, days } = this.#options;
    const oldest = auditFileName(now() - days * DAY_MS);
    for (const name of readdirSync(this.#folder))
      if (/^\d{4}-\d\d-\d\d\.jsonl$/.test(name) && name < oldest) rmSync(join(this.#folder, name), { force: true });
  }
}
