// Paths that are not regular files: those that would block, never end or have side effects are rejected before they are opened.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openRegularFile, readBytes, readBytesNow, readTextFile, requireFile } from './read-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'trenio-read-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);

const readers: readonly (readonly [string, (path: string) => Promise<unknown>])[] = [
  ['readBytes', readBytes],
  ['readBytesNow', async path => readBytesNow(path)],
  ['readTextFile', readTextFile],
  ['requireFile', requireFile],
  ['openRegularFile', openRegularFile],
];
const refusal = (reader: (path: string) => Promise<unknown>, path: string): Promise<unknown> =>
  reader(path).then(
    () => 'read',
    (error: { data: { reason: string } }) => error.data.reason,
  );

describe.each(readers)('%s', (name, reader) => {
  test('a missing file, a folder', async () => {
    expect(await refusal(reader, at('none'))).toBe('there is no such file');
    expect(await refusal(reader, folder)).toBe('it is a folder, not a file');
  });
  test.skipIf(process.platform === 'win32')('a FIFO, a socket, devices', async () => {
    const fifo = at(`fifo-${name}`);
    execFileSync('mkfifo', [fifo]);
    expect(await refusal(reader, fifo)).toBe('it is a FIFO, not a file');
    const socket = at(`socket-${name}`);
    const server = createServer().listen(socket);
    await new Promise(resolve => server.once('listening', resolve));
    expect(await refusal(reader, socket)).toBe('it is a socket, not a file');
    server.close();
    for (const device of ['/dev/zero', '/dev/null', '/dev/tty'])
      expect(await refusal(reader, device)).toBe('it is a device, not a file');
  });
});

test.runIf(process.platform === 'linux')('kernel files are read to the end, or rejected', async () => {
  expect(await readTextFile('/proc/self/status')).toContain('State:');
  // Root may open it, but reading it would wait for the next kernel message.
  await readBytes('/proc/kmsg').catch((error: unknown) => expect(error).toMatchObject({ code: 'FILE_UNREADABLE' }));
  await expect(readBytes('/proc/self/mem')).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
});

test('text that exceeds the maximum length of a string', async () => {
  const file = at('long');
  writeFileSync(file, '');
  execFileSync('truncate', ['-s', '1T', file]);
  await expect(readTextFile(file)).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
  await expect(readBytes(file)).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
});
