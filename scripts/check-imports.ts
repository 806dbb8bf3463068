// Data flows downhill (ARCHITECTURE.md): folders import only from those above them in layers.ts, and no files import each other.
// Type imports count, because files in a type cycle cannot be read one at a time, and so does `import()`.
// Run by `npm run check`.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contribSeams, type Layer, layerOf, layers, rooms } from './layers.ts';
import { isForTests } from './test-files.ts';

const statement = /^(?:import|export)\s[^;]*?from '(\.[^']+)'|^import '(\.[^']+)'|\bimport\(\s*'(\.[^']+)'/gm;

/** The relative paths that a text imports or re-exports. */
export const importsOf = (text: string): readonly string[] =>
  [...text.matchAll(statement)].map(match => (match[1] ?? match[2] ?? match[3])!);

/** The files that each file imports or re-exports, by absolute path. */
export function importGraph(...roots: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const files = roots.flatMap(root =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.ts'))
      .map(name => join(root, name)),
  );
  const known = new Set(files);
  return new Map(
    files.map(file => {
      const targets = importsOf(readFileSync(file, 'utf8')).map(path => join(dirname(file), path));
      return [file, [...new Set(targets)].filter(target => known.has(target))];
    }),
  );
}

/** The shortest cycle in each strongly connected component; empty if there is none. */
export function importCycles(graph: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const done = new Set<string>();
  const cycles: (readonly string[])[] = [];
  for (const file of graph.keys()) {
    if (done.has(file)) continue;
    const cycle = shortestCycle(graph, file);
    if (cycle === undefined) continue;
    cycles.push(cycle);
    for (const member of cycle) done.add(member);
  }
  return cycles;
}

function shortestCycle(graph: ReadonlyMap<string, readonly string[]>, start: string): readonly string[] | undefined {
  const from = new Map<string, string>();
  let front = [start];
  while (front.length > 0) {
    const next: string[] = [];
    for (const file of front) {
      for (const target of graph.get(file) ?? []) {
        if (target === start) {
          const path = [file];
          while (path[0] !== start) path.unshift(from.get(path[0]!)!);
          return path;
        }
        if (from.has(target)) continue;
        from.set(target, file);
        next.push(target);
      }
    }
    front = next;
  }
  return undefined;
}

interface Uphill {
  readonly file: string;
  readonly target: string;
}

/**
 * Imports from a layer to a later one or to the files above the layers; and within a layer from a subfolder to a later one, or
 * to a file above the subfolders. The latter are allowed in tests and their helpers.
 * And imports of contrib/ by src/, and by contrib/ of other places in src/ than its seams.
 */
export function uphillImports(graph: ReadonlyMap<string, readonly string[]>, root: string): readonly Uphill[] {
  return [...graph].flatMap(([path, targets]) => {
    const file = relative(root, path);
    return targets
      .map(target => ({ file, target: relative(root, target) }))
      .filter(({ target }) => isUphill(file, target));
  });
}
function isUphill(file: string, target: string): boolean {
  const contrib = join('..', 'contrib') + sep;
  if (target.startsWith(contrib)) return !file.startsWith(contrib);
  if (file.startsWith(contrib)) return target !== 'index.ts' && !contribSeams.some(seam => target.startsWith(seam));
  const [from, to] = [layerOf(file), layerOf(target)];
  if (from === undefined) return false;
  if (to === undefined) return !isForTests(file);
  if (from !== to) return layers.indexOf(to) > layers.indexOf(from);
  return !isForTests(file) && heightIn(from, target) > heightIn(from, file);
}
/** The position of the room that a file is in; files outside of all rooms come after them. */
function heightIn(layer: Layer, file: string): number {
  const order = rooms[layer] ?? [];
  const room = order.findIndex(name => file.startsWith(join(layer, name) + sep));
  return room < 0 ? order.length : room;
}

if (import.meta.main) {
  const root = fileURLToPath(new URL('../src', import.meta.url));
  const graph = importGraph(root, join(root, '..', 'contrib'));
  for (const { file, target } of uphillImports(graph, root)) {
    console.error(`folders import only from those above them (scripts/layers.ts): ${file} imports ${target}`);
    process.exitCode = 1;
  }
  const cycles = importCycles(graph);
  for (const cycle of cycles) {
    const names = [...cycle, cycle[0]!].map(file => relative(root, file));
    console.error(`files import each other: ${names.join(' → ')}`);
  }
  if (cycles.length > 0) {
    console.error('Move the shared code into a file that imports neither.');
    process.exitCode = 1;
  }
}
