// The file of access keys and the audit log; with a server, src/cli/server-keys/server-keys.test.ts.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AuditLog, auditFolder } from './audit-log.ts';
import { KeyFile } from './key-file.ts';
import { readAudit } from './read-audit.ts';

describe('keys.json', () => {
  let data: string;
  beforeAll(() => {
    data = mkdtempSync(join(tmpdir(), 'trenio-keys-'));
  });
  afterAll(() => rmSync(data, { recursive: true }));

  test('is made with a key of an admin, for its owner alone; each change is seen by others at once', async () => {
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
    nowMs += 3_700_000;
    expect([server.find(made.id)?.id, server.find(next.id)?.id]).toEqual([undefined, next.id]);
    await keys.remove(made.id);
    expect(keys.list().map(({ id }) => id)).toEqual([first!.id, next.id]);
  });

  test('the last key of an admin stays; unknown ids and damaged files are refused', async () => {
    const keys = await KeyFile.open(data);
    const admin = keys.first()!;
    for (const change of [keys.remove(admin.id), keys.setDisabled(admin.id, true)])
      await expect(change).rejects.toThrow('create another one first');
    await expect(keys.remove('AKIANONE')).rejects.toThrow('trenio server keys ls');
    expect(keys.find(admin.id)).toBeDefined();
    writeFileSync(join(data, 'keys.json'), '[{"id": 1}]');
    expect(() => keys.list()).toThrow('keys.json');
  });
});

describe('the audit log', () => {
  test('a file for each day, for its owner alone; old ones are removed; a flood of strangers is cut', async () => {
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
      // Torn by a crash.
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
