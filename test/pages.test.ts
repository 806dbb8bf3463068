// Joins the code blocks of a page of the documentation into one program, and runs it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { node, root, workFolder } from './system.ts';

/** The blocks in order, with all imports first. */
function program(markdown: string): string {
  const blocks = [...markdown.matchAll(/^```ts\n(.*?)^```$/gms)].map(match => match[1]!);
  const text = blocks.join('\n');
  const imports = text.match(/^import .*;$/gm) ?? [];
  const body = text.replace(/^import .*;$/gm, '');
  return `${imports.join('\n').replaceAll("'trenio'", `'${join(root, 'src', 'index.ts')}'`)}\n${body}`;
}

/** Pages, the least number of results in their comments, and variables. */
const pages: readonly (readonly [page: string, results: number, variables: Readonly<Record<string, string>>])[] = [
  ['tutorial', 9, {}],
  ['tensorboard', 0, {}],
  ['fine-tuning', 2, {}],
  ['pytorch-files', 2, {}],
  ['transforms', 4, {}],
  ['changing-shapes', 1, {}],
  ['parallelism', 1, { TRENIO_LAYOUT: 'dp_shard=1,tp=1' }],
];

test.each(pages)('the code of docs/%s.md prints the results in its comments', async (page, results, variables) => {
  using folder = workFolder();
  const file = join(folder.path, `${page}.ts`);
  const text = program(readFileSync(join(root, 'docs', `${page}.md`), 'utf8'));
  writeFileSync(file, text);
  const { exitCode, stdout, stderr } = await node([file], { cwd: folder.path, variables });
  expect([exitCode, stderr]).toEqual([0, '']);
  const said = [...text.matchAll(/^ *console\.log\(.*\); \/\/ +(\[.*\]|true|f32)$/gm)].map(match => match[1]!);
  expect(said.length).toBeGreaterThanOrEqual(results);
  let at = 0;
  for (const value of said) {
    const found = stdout.indexOf(`${value}\n`, at);
    expect(found, `${value} is printed in order\n${stdout}`).toBeGreaterThanOrEqual(0);
    at = found + value.length;
  }
});
