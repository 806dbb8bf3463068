import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { availableBytes } from './available-memory.ts';

/** The available memory on a machine with these files. */
function availableWith(files: Readonly<Record<string, string>>): number {
  const root = mkdtempSync(join(tmpdir(), 'trenio-memory-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return availableBytes(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}
const meminfo = 'MemTotal:  1000 kB\nMemFree:  10 kB\nMemAvailable:  600 kB\nSwapTotal:  200 kB\nSwapFree:  100 kB\n';
const v2 = (limit: string, current: string, stat = 'anon 1\nactive_file 0\ninactive_file 0\n', at = '') => ({
  [`sys/fs/cgroup${at}/memory.max`]: `${limit}\n`,
  [`sys/fs/cgroup${at}/memory.current`]: `${current}\n`,
  [`sys/fs/cgroup${at}/memory.stat`]: stat,
});

test('is positive on this machine', () => {
  expect(availableBytes()).toBeGreaterThan(1 << 20);
});
test('memory and swap, if no control group has a limit', () => {
  expect(availableWith({ 'proc/meminfo': meminfo })).toBe(700 * 1024);
  const group = { 'proc/self/cgroup': '0::/a\n', ...v2('max', '500', '', '/a') };
  expect(availableWith({ 'proc/meminfo': meminfo, ...group })).toBe(700 * 1024);
});
test('version 2: the tightest limit of all ancestor groups applies, and the page cache does not count as used', () => {
  const common = { 'proc/meminfo': meminfo, 'proc/self/cgroup': '0::/a/b\n' };
  const inner = v2('400000', '100000', 'anon 1\nactive_file 7000\ninactive_file 20000\n', '/a/b');
  expect(availableWith({ ...common, ...inner })).toBe(400_000 - 100_000 + 27_000);
  expect(availableWith({ ...common, ...inner, ...v2('90000', '80000', '', '/a') })).toBe(10_000);
  expect(availableWith({ ...common, ...v2('90000', '95000', '', '/a/b') })).toBe(0);
});
test('a container: the path is the host’s, the files are at the root', () => {
  const files = { 'proc/meminfo': meminfo, 'proc/self/cgroup': '0::/docker/0123\n', ...v2('5000', '1000') };
  expect(availableWith(files)).toBe(4000);
});
test('version 1', () => {
  const files = {
    'proc/meminfo': meminfo,
    'proc/self/cgroup': '5:cpu,cpuacct:/\n4:memory:/job\n0::/\n',
    'sys/fs/cgroup/memory/memory.limit_in_bytes': '9223372036854771712\n',
    'sys/fs/cgroup/memory/memory.usage_in_bytes': '1\n',
    'sys/fs/cgroup/memory/job/memory.limit_in_bytes': '300000\n',
    'sys/fs/cgroup/memory/job/memory.usage_in_bytes': '250000\n',
    'sys/fs/cgroup/memory/job/memory.stat':
      'cache 9\ninactive_file 1\ntotal_inactive_file 3000\ntotal_active_file 40\n',
  };
  expect(availableWith(files)).toBe(300_000 - 250_000 + 3040);
});
