// Collectives of ranks that are delayed at random before each atomic operation, under ThreadSanitizer if the compiler has it.
// bench/rank-races.ts runs longer.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { budget } from '../src/base/campaign.testing.ts';
import { root, workFolder } from './system.ts';

function hasThreadSanitizer(folder: string): boolean {
  const [source, program] = [join(folder, 'a.c'), join(folder, 'a')];
  writeFileSync(source, 'int main(void) { return 0; }\n');
  return spawnSync('gcc', ['-fsanitize=thread', '-o', program, source]).status === 0 && spawnSync(program).status === 0;
}

test('collectives have no data races, and do not hang', () => {
  const folder = workFolder();
  try {
    const plain = hasThreadSanitizer(folder.path) ? [] : ['--plain'];
    const hosts = ['4', '2,2', '1,3'].flatMap(sizes => ['--hosts', sizes]);
    const words = [
      '--no-warnings',
      join(root, 'bench', 'rank-races.ts'),
      '--rounds',
      `${budget(30)}`,
      ...hosts,
      ...plain,
    ];
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
    expect(status, stderr + stdout).toBe(0);
  } finally {
    folder[Symbol.dispose]();
  }
});
