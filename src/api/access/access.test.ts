// The file of access keys and the audit log; with a server, src/cli/server-keys/server-keys.system.test.ts.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { AuditLog, auditFolder } from './audit-log.ts';
import { auditPage } from './audit-page.ts';
import { auditText } from './audit-text.ts';
import { KeyFile } from './key-file.ts';
import { KeyUse } from './key-use.ts';
import { readAudit } from './read-audit.ts';

describe('keys.json', () => {
  let data: string;
  beforeAll(() => {
    data = mkdtempSync(join(tmpdir(), 'trenio-keys-'));
  });
  afterAll(() => rmSync(data, { recursive: true }));

  test('is created with an admin key, readable only by its owner; other processes see changes at once', async () => {
    let nowMs = Date.now();
    const [keys, server] = [await KeyFile.open(data), await KeyFile.open(data, () => nowMs)];
    const [first] = keys.list();
    expect(first).toMatchObject({ role: 'admin', id: expect.stringMatching(/^AKIA[A-Z2-7]{16}$/) });
    expect(statSync(join(data, 'keys.json')).mode & 0o777).toBe(0o600);
    expect(server.find(first!.id)?.secret).toBe(first!.secret);
    const made = await keys.create({ role: 'developer', name: 'ci' });
    expect(server.find(made.id)).toMatchObject({ role: 'developer' });
    await keys.setDisabled(made.id, true);
    expect(server.find(made.id)).toBeUndefined();
    await keys.setDisabled(made.id, false);
    const next = await keys.rotate(made.id, 3_600_000);
    expect(next).toMatchObject({ role: 'developer', name: 'ci', replaces: made.id });
    expect(next.secret).not.toBe(made.secret);
    expect([server.find(made.id)?.id, server.find(next.id)?.id]).toEqual([made.id, next.id]);
    // A longer overlap does not extend the lifetime of an old key.
    const third = await keys.rotate(made.id, 7_200_000);
    await keys.remove(third.id);
    nowMs += 3_700_000;
    expect([server.find(made.id)?.id, server.find(next.id)?.id]).toEqual([undefined, next.id]);
    await keys.remove(made.id);
    expect(keys.list().map(({ id }) => id)).toEqual([first!.id, next.id]);
  });

  test('does not contain secrets; a file of an earlier version is encrypted; without its key, the error names it', async () => {
    const old = mkdtempSync(join(tmpdir(), 'trenio-keys-'));
    const seal = join(old, 'elsewhere', 'server.key');
    const file = join(old, 'keys.json');
    vi.stubEnv('TRENIO_KEY_FILE', seal);
    try {
      const key = { id: 'AKIAOLD', secret: 'the secret of an earlier version', role: 'admin' } as const;
      writeFileSync(file, JSON.stringify([key]));
      const keys = await KeyFile.open(old);
      expect(keys.list()).toEqual([key]);
      const made = await keys.create({ role: 'developer' });
      const text = readFileSync(file, 'utf8');
      for (const { secret } of [key, made]) expect(text).not.toContain(secret);
      expect([statSync(seal).mode & 0o777, statSync(join(seal, '..')).mode & 0o777]).toEqual([0o600, 0o700]);
      // A server of another user, or with another HOME, finds the key where it was.
      vi.stubEnv('TRENIO_KEY_FILE', join(old, 'none'));
      expect((await KeyFile.open(old)).find(made.id)).toEqual(made);
      // A secret cannot be moved to another key.
      const content = JSON.parse(text) as { readonly keys: { sealed: string }[] };
      [content.keys[0]!.sealed, content.keys[1]!.sealed] = [content.keys[1]!.sealed, content.keys[0]!.sealed];
      writeFileSync(file, JSON.stringify(content));
      await expect(KeyFile.open(old)).rejects.toMatchObject({ code: 'DATABASE_DAMAGED' });
      writeFileSync(file, text);
      rmSync(seal);
      await expect(KeyFile.open(old)).rejects.toMatchObject({ code: 'ACCESS_KEYS_SEALED' });
      expect(readFileSync(file, 'utf8')).toBe(text);
    } finally {
      vi.unstubAllEnvs();
      rmSync(old, { recursive: true });
    }
  });

  test('rejects removing the last admin key, unknown ids and damaged files', async () => {
    const keys = await KeyFile.open(data);
    const admin = keys.first()!;
    for (const change of [keys.remove(admin.id), keys.setDisabled(admin.id, true)])
      await expect(change).rejects.toThrow('create another one first');
    await expect(keys.remove('AKIANONE')).rejects.toThrow('trenio server keys ls');
    // A key that expires cannot replace the last admin key: after its end there would be no admin.
    const next = await keys.rotate(admin.id, 3_600_000);
    for (const change of [keys.remove(next.id), keys.setDisabled(next.id, true)])
      await expect(change).rejects.toThrow('create another one first');
    expect(keys.find(next.id)).toBeDefined();
    writeFileSync(join(data, 'keys.json'), '[{"id": 1}]');
    expect(() => keys.list()).toThrow('keys.json');
  });
});

describe('the audit log', () => {
  test('one file per day, readable only by its owner; old files are removed; unauthenticated requests are rate-limited', async () => {
    const data = mkdtempSync(join(tmpdir(), 'trenio-audit-'));
    try {
      mkdirSync(auditFolder(data), { mode: 0o700 });
      writeFileSync(join(auditFolder(data), '2026-01-01.jsonl'), '');
      let nowMs = Date.parse('2026-01-10T23:59:59Z');
      const log: string[] = [];
      const audit = new AuditLog({ data, days: 2, now: () => nowMs, log: line => log.push(line) });
      expect(readdirSync(auditFolder(data))).toEqual([]);
      const entry = { key: 'a', from: 'x', action: 's3:PutObject', result: 'done' } as const;
      audit.write(entry);
      nowMs += 2000;
      for (let i = 0; i < 100; i++) audit.writeStranger({ ...entry, key: 'none', result: 'refused' });
      nowMs += 60_000;
      audit.writeStranger({ ...entry, key: 'none', result: 'refused' });
      expect(readdirSync(auditFolder(data)).sort()).toEqual(['2026-01-10.jsonl', '2026-01-11.jsonl']);
      expect(statSync(join(auditFolder(data), '2026-01-11.jsonl')).mode & 0o777).toBe(0o600);
      // An incomplete line, as after a crash.
      writeFileSync(join(auditFolder(data), '2026-01-11.jsonl'), '{"time": "2026-0', { flag: 'a' });
      const found = await Array.fromAsync(readAudit(data, { sinceMs: Date.parse('2026-01-10T00:00:00Z') }));
      expect([found.length, found[0]?.key, found.at(-1)?.leftOut]).toEqual([62, 'a', 40]);
      nowMs += 3 * 86_400_000;
      audit.write(entry);
      expect(readdirSync(auditFolder(data))).toEqual(['2026-01-14.jsonl']);
      audit.close();
      expect(log).toEqual([]);
    } finally {
      rmSync(data, { recursive: true });
    }
  });
});

describe('pages and files of the audit log', () => {
  test('continue across days, incomplete lines and lines that are longer than a chunk', async () => {
    const data = mkdtempSync(join(tmpdir(), 'trenio-audit-'));
    try {
      mkdirSync(auditFolder(data), { mode: 0o700 });
      const lineOf = (time: string, resource: string): string =>
        `${JSON.stringify({ time, key: 'a', from: 'x', action: 's3:PutObject', resource, result: 'done' })}\n`;
      const day = (date: string, count: number): string =>
        Array.from({ length: count }, (_, i) => lineOf(`${date}T10:00:00Z`, `${date} ${i} é`)).join('');
      writeFileSync(join(auditFolder(data), '2026-01-10.jsonl'), day('2026-01-10', 700));
      writeFileSync(
        join(auditFolder(data), '2026-01-11.jsonl'),
        `${day('2026-01-11', 3)}${'x'.repeat(200_000)}\n${day('2026-01-11', 2)}{"time": "2026-0`,
      );
      writeFileSync(join(auditFolder(data), 'note.txt'), 'not a log');
      const found: string[] = [];
      let before: string | undefined;
      do {
        const page = await auditPage(data, { sinceMs: 0 }, { before, limit: 64 });
        found.push(...page.entries.map(({ resource }) => resource!));
        before = page.next;
      } while (before !== undefined);
      const forward = await Array.fromAsync(readAudit(data, { sinceMs: 0 }), ({ resource }) => resource!);
      expect(found.length).toBe(705);
      expect(found.toReversed()).toEqual(forward);
    } finally {
      rmSync(data, { recursive: true });
    }
  });

  test('cells that spreadsheets would execute begin with an apostrophe', async () => {
    async function* entries() {
      const entry = { time: '2026-01-10T00:00:00Z', key: 'a', from: 'x', result: 'failed', status: 400 } as const;
      yield { ...entry, action: 's3:PutObject', resource: '=HYPERLINK("http://evil","x")' };
    }
    const text = (await Array.fromAsync(auditText(entries(), 'csv'))).join('');
    expect(text.split('\r\n')[1]).toBe(
      `2026-01-10T00:00:00Z,a,,x,s3:PutObject,"'=HYPERLINK(""http://evil"",""x"")",failed,,400,,`,
    );
  });
});

describe('the last use of keys', () => {
  test('is kept across restarts; a damaged file is logged and replaced', async () => {
    const data = mkdtempSync(join(tmpdir(), 'trenio-key-use-'));
    try {
      let nowMs = 1000;
      const log: string[] = [];
      const open = (): KeyUse => new KeyUse({ data, now: () => nowMs, log: line => log.push(line) });
      const first = open();
      first.note('a');
      nowMs += 70_000;
      first.note('b');
      nowMs += 10;
      first.note('b');
      first.forget('a');
      await first.close();
      const second = open();
      expect([second.lastMs('a'), second.lastMs('b')]).toEqual([undefined, 71_010]);
      expect(statSync(join(data, 'key-use.json')).mode & 0o777).toBe(0o600);
      writeFileSync(join(data, 'key-use.json'), '{"a": "yesterday"}');
      expect(open().lastMs('a')).toBeUndefined();
      expect(log).toEqual([expect.stringContaining('key-use.json is damaged')]);
    } finally {
      rmSync(data, { recursive: true });
    }
  });
});
