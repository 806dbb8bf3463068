// Compares two recordings item by item and reports the changes: programs with their targets, then the first function that
// differs, as a diff.
import { diff } from 'node:util';
import { canonicalC, type Ignored } from './canonical-c.ts';
import {
  type ChangeKind,
  comparable,
  type Item,
  kindOfChange,
  predictionTarget,
  sectionsOf,
  textHash,
} from './item.ts';
import type { HashTable } from './recording.ts';
import { targetNames } from './targets.ts';

export interface Change {
  readonly name: string;
  readonly target: string;
  readonly kind: ChangeKind | 'added' | 'removed';
}
export interface Difference extends Change {
  /** Where the texts first differ: a function of the C, or a line of the prediction. */
  readonly where: string;
  readonly diff: readonly string[];
}
export interface Comparison {
  readonly compared: number;
  readonly changes: readonly Change[];
  /** Diffs of the first changes, up to the requested number. */
  readonly differences: readonly Difference[];
}

export interface CompareOptions {
  readonly ignored: Ignored;
  /** Number of diffs. */
  readonly diffs: number;
}
interface Before {
  /** By name and target. */
  readonly table: HashTable;
  readonly item: (name: string, target: string) => Item;
}

/** Compares each item with its hashes, in order; calls `kindOf` if the texts differ. */
export function changesSince(
  table: HashTable,
  items: Iterable<Item>,
  kindOf: (item: Item, hashes: HashTable[string][string]) => ChangeKind | undefined,
): Pick<Comparison, 'compared' | 'changes'> {
  const changes: Change[] = [];
  const seen = new Set<string>();
  for (const item of items) {
    const { name, target } = item;
    seen.add(`${name} ${target}`);
    const hashes = table[name]?.[target];
    const kind = hashes === undefined ? 'added' : hashes.text === textHash(item) ? undefined : kindOf(item, hashes);
    if (kind !== undefined) changes.push({ name, target, kind });
  }
  for (const [name, targets] of Object.entries(table))
    for (const target of Object.keys(targets))
      if (!seen.has(`${name} ${target}`)) changes.push({ name, target, kind: 'removed' });
  return { compared: seen.size, changes };
}

export function compareItems(before: Before, after: Iterable<Item>, { ignored, diffs }: CompareOptions): Comparison {
  const changed = new Map<string, readonly [Item, Item, ChangeKind]>();
  const { compared, changes } = changesSince(before.table, after, item => {
    const { name, target } = item;
    const old = before.item(name, target);
    if (comparable(old, ignored) === comparable(item, ignored)) return undefined;
    const kind = kindOfChange(old, item);
    // One target per program, because all targets often have the same change.
    if (!changed.has(name) && changed.size < diffs) changed.set(name, [old, item, kind]);
    return kind;
  });
  const differences = [...changed.values()].map(([old, item, kind]) => {
    const { name, target } = item;
    return { name, target, kind, ...firstDifference(old, item, ignored) };
  });
  return { compared, changes, differences };
}

/** A function with its preceding comments, or another block between empty lines outside of braces. */
interface Piece {
  readonly label: string;
  readonly text: string;
  readonly comparable: string;
}
function piecesOf(item: Item, ignored: Ignored): readonly Piece[] {
  if (item.target === predictionTarget)
    return [{ label: item.name, text: item.text, comparable: comparable(item, ignored) }];
  const positions = sectionsOf(item).flatMap(section => {
    const title = section.slice(0, section.indexOf('\n')).replace(/^\W+/, '');
    const texts: string[] = [];
    let isOpen = false;
    for (const part of section.split(/\n\n+/)) {
      if (isOpen) texts[texts.length - 1] += `\n\n${part}`;
      else texts.push(part);
      const all = texts.at(-1)!.replace(/\/\/.*|'.'|"(?:[^"\\]|\\.)*"/g, '');
      isOpen = all.split('{').length > all.split('}').length;
    }
    return texts.map(text => ({ title, text }));
  });
  return positions.map(({ title, text }) => ({
    label: `${title}, ${labelOf(text)}`,
    text,
    comparable: canonicalC(withoutHashes(text), ignored),
  }));
}
/** `k12`, from the comment of a kernel; otherwise the defined name, without the hash of its text. */
function labelOf(text: string): string {
  const kernel = /^\/\/ (k\d+):/m.exec(text)?.[1];
  if (kernel !== undefined) return `kernel ${kernel}`;
  const code = text.replace(/^(?:\/\/|#).*\n/gm, '');
  const name = /\b(?!__attribute__\b)([A-Za-z]\w*?)(?:_[0-9a-f]{16})?\(/.exec(code)?.[1];
  return name === undefined ? code.split('\n', 1)[0]!.slice(0, 60) : `function ${name}`;
}

/** Functions that differ only in the hash of a called function are not the origin of the change. */
const withoutHashes = (text: string): string => text.replace(/(?<=[A-Za-z0-9]_)[0-9a-f]{16}\b/g, '…');

const mostLines = 80;
function firstDifference(before: Item, after: Item, ignored: Ignored): Pick<Difference, 'where' | 'diff'> {
  const [old, fresh] = [piecesOf(before, ignored), piecesOf(after, ignored)];
  const [inOld, inFresh] = [new Set(old.map(p => p.comparable)), new Set(fresh.map(p => p.comparable))];
  const gone = old.filter(p => !inFresh.has(p.comparable));
  const come = fresh.filter(p => !inOld.has(p.comparable));
  // Prefer the definition to declarations and calls of the same name.
  const isKernel = ({ label, text }: Piece): boolean => /kernel|function/.test(label) && text.includes('{\n');
  const first = come.find(isKernel) ?? gone.find(isKernel) ?? come[0] ?? gone[0];
  if (first === undefined) return { where: 'the order of functions or units', diff: unified(before.text, after.text) };
  const kernelOf = ({ label }: Piece): string => label.replace(/^.*, /, '');
  const same = (p: Piece): boolean => kernelOf(p) === kernelOf(first) && isKernel(p) === isKernel(first);
  const [oldPiece, newPiece] = [gone.find(same), come.find(same)];
  const shown = (piece: Piece | undefined): string => withoutHashes(piece?.text ?? '');
  return { where: first.label, diff: unified(shown(oldPiece), shown(newPiece)) };
}

/** Lines of a diff, with three lines around each change. */
function unified(before: string, after: string): readonly string[] {
  const lines = diff(before.split('\n'), after.split('\n')).map(([side, line]) => ({ side, line }));
  const context = 3;
  const isNear = lines.map(() => false);
  lines.forEach(({ side }, i) => {
    if (side !== 0) isNear.fill(true, Math.max(0, i - context), i + context + 1);
  });
  const shown: string[] = [];
  lines.forEach(({ side, line }, i) => {
    if (!isNear[i]) {
      if (isNear[i - 1]) shown.push('…');
      return;
    }
    // `diff` exits with 1 if the texts differ.
    shown.push(`${side === 0 ? ' ' : side === 1 ? '-' : '+'} ${line}`);
  });
  return shown.length <= mostLines
    ? shown
    : [...shown.slice(0, mostLines), `… and ${shown.length - mostLines} more lines`];
}

/** Changed programs, one per line, with the kind of change. */
export function describeChanges(changes: readonly Change[]): string {
  const byName = Map.groupBy(changes, ({ name, kind }) => `${name}\0${kind}`);
  const rows = [...byName].map(([key, list]) => {
    const [name, kind] = key.split('\0') as [string, string];
    const targets = list.length === targetNames.length ? 'all targets' : list.map(({ target }) => target).join(', ');
    return { name, targets, kind };
  });
  const shown = rows.slice(0, 40);
  const width = (pick: (row: (typeof rows)[number]) => string): number => Math.max(...shown.map(r => pick(r).length));
  const [names, kinds] = [width(r => r.name), width(r => r.kind)];
  const lines = shown.map(({ name, kind, targets }) => `  ${name.padEnd(names)}  ${kind.padEnd(kinds)}  ${targets}`);
  if (rows.length > shown.length) lines.push(`  … and ${rows.length - shown.length} more`);
  return lines.join('\n');
}
