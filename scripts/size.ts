// How much there is to read: lines of each folder of src/, tests apart, against its ceiling in layers.ts. A change that needs
// more raises the ceiling there, with its reason. Run by `npm run check`; `node scripts/size.ts --all` prints every folder.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ceilings, type Layer, layers } from './layers.ts';
import { isForTests } from './test-files.ts';

export interface Size {
  readonly lines: number;
  readonly testLines: number;
}

/** The sizes of layers, from pairs of a path within src/ and its number of lines. */
export function sizesOf(files: Iterable<readonly [path: string, lines: number]>): ReadonlyMap<Layer, Size> {
  const sizes = new Map<Layer, Size>(layers.map(layer => [layer, { lines: 0, testLines: 0 }]));
  for (const [path, count] of files) {
    const layer = layers.find(name => path.startsWith(`${name}/`));
    if (layer === undefined) continue;
    const { lines, testLines } = sizes.get(layer)!;
    const isTest = isForTests(path);
    sizes.set(layer, { lines: lines + (isTest ? 0 : count), testLines: testLines + (isTest ? count : 0) });
  }
  return sizes;
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 }).split(
    '\0',
  );
  const sources = tracked.filter(path => /^src\/.*\.(ts|c|h|json|sql)$/.test(path));
  const linesOf = (path: string): number => readFileSync(join(root, path), 'utf8').split('\n').length - 1;
  const contrib = tracked.filter(path => /^contrib\/.*\.ts$/.test(path) && !isForTests(path));
  const ofContrib = contrib.reduce((sum, path) => sum + linesOf(path), 0);
  const sizes = sizesOf(sources.map(path => [path.slice('src/'.length), linesOf(path)] as const));
  let [total, tests] = [0, 0];
  for (const [layer, { lines, testLines }] of sizes) {
    total += lines;
    tests += testLines;
    if (process.argv.includes('--all'))
      console.log(`${layer.padEnd(14)}${String(lines).padStart(8)}${String(testLines).padStart(8)}`);
    if (lines <= ceilings[layer]) continue;
    console.error(
      `src/${layer} has ${lines} lines, more than its ceiling of ${ceilings[layer]}: remove some, or raise it in scripts/layers.ts`,
    );
    process.exitCode = 1;
  }
  console.log(
    `src: ${total} lines, and ${tests} of tests; contrib: ${ofContrib} lines; ${tracked.length - 1} files in the repository`,
  );
}
