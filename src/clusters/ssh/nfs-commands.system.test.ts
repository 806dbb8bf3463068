import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { nfsCommands } from './nfs-commands.ts';

test('all folders are exported to all hosts, and mounted at the same paths', () => {
  expect(nfsCommands(['/shared', '/data/server'], '10.0.0.1', ['10.0.0.2', '10.0.0.3', '10.0.0.2'])).toEqual({
    here: [
      'apt-get install -y nfs-kernel-server',
      'mkdir -p /shared /data/server',
      "echo '/shared 10.0.0.2(rw,no_root_squash,no_subtree_check) 10.0.0.3(rw,no_root_squash,no_subtree_check)' >> /etc/exports",
      "echo '/data/server 10.0.0.2(rw,no_root_squash,no_subtree_check) 10.0.0.3(rw,no_root_squash,no_subtree_check)' >> /etc/exports",
      'exportfs -ra',
    ],
    there: [
      'apt-get install -y nfs-common',
      'mkdir -p /shared /data/server',
      'mount -t nfs4 10.0.0.1:/shared /shared',
      'mount -t nfs4 10.0.0.1:/data/server /data/server',
    ],
  });
});

test('paths with spaces and quotes are words of a shell, and IPv6 addresses have brackets', () => {
  const { here, there } = nfsCommands(["/my data's"], 'fd00::1', ['fd00::2']);
  const wordsOf = (line: string): string[] =>
    execFileSync('sh', ['-c', `printf '%s\\n' ${line}`], { encoding: 'utf8' })
      .trimEnd()
      .split('\n');
  expect(wordsOf(here[1]!)).toEqual(['mkdir', '-p', "/my data's"]);
  expect(wordsOf(here[2]!.replace(' >> /etc/exports', ''))).toEqual([
    'echo',
    `"/my data's" fd00::2(rw,no_root_squash,no_subtree_check)`,
  ]);
  expect(wordsOf(there[2]!)).toEqual(['mount', '-t', 'nfs4', "[fd00::1]:/my data's", "/my data's"]);
});
