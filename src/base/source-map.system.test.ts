import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type FilePosition, originalPosition } from './source-map.ts';

const folder = mkdtempSync(join(tmpdir(), 'trenio-source-map-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const tsc = join(import.meta.dirname, '../../node_modules/.bin/tsc');

const source = `interface Long {
  readonly of: string;
}


export const first: Long = { of: 'types' };
export function thrower(): never { throw new Error('here'); }
`;

/** Compiles `source`, and returns the position of `throw` or of another word in the JavaScript. */
function compiled(name: string, flags: readonly string[]): FilePosition {
  const root = join(folder, name);
  mkdirSync(join(root, 'src'), { recursive: true });
  writeFileSync(join(root, 'src', 'train.ts'), source);
  const options = ['--target', 'esnext', '--module', 'esnext', '--types', '', '--outDir', join(root, 'out'), ...flags];
  execFileSync(tsc, [join(root, 'src', 'train.ts'), ...options], { cwd: root });
  return { file: join(root, 'out', 'train.js'), line: 2, column: 30 };
}

test.each([
  ['a map next to the file', ['--sourceMap']],
  ['a map inside the file', ['--inlineSourceMap']],
  ['a source root', ['--sourceMap', '--sourceRoot', '../src']],
])('%s', (name, flags) => {
  const position = compiled(name.replaceAll(' ', '-'), flags);
  const { file, line } = originalPosition(position);
  expect({ file, line }).toEqual({ file: join(folder, name.replaceAll(' ', '-'), 'src', 'train.ts'), line: 7 });
});

test('without a map, or with a damaged or missing one, the position is unchanged', () => {
  const write = (name: string, text: string): FilePosition => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return { file, line: 1, column: 1 };
  };
  writeFileSync(join(folder, 'damaged.js.map'), '{"version":3,"sources":["a.ts"],"mappings":');
  writeFileSync(join(folder, 'wrong.js.map'), '{"version":3,"sources":7,"mappings":[]}');
  for (const position of [
    write('none.js', 'f();\n'),
    write('damaged.js', 'f();\n//# sourceMappingURL=damaged.js.map\n'),
    write('wrong.js', 'f();\n//# sourceMappingURL=wrong.js.map\n'),
    write('missing.js', 'f();\n//# sourceMappingURL=missing.js.map\n'),
    write('bad-data.js', 'f();\n//# sourceMappingURL=data:application/json;base64,%%%\n'),
    write('http.js', 'f();\n//# sourceMappingURL=https://example.com/a.map\n'),
    { file: join(folder, 'nowhere.js'), line: 1, column: 1 },
    { file: join(folder, 'none.js'), line: 0, column: 0 },
  ])
    expect(originalPosition(position)).toBe(position);
});
