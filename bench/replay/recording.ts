// A recording: a folder with all texts and a file of their hashes, which is written last: without it, recording was interrupted.
//
//   DIR/recording.json   DIR/programs/bert-base/avx512.c   DIR/predictions/bert-large-on-4-x-trn1.32xlarge.json
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { type Item, predictionTarget, textHash } from './item.ts';
import { programSets } from './replay-program.ts';

const fileName = 'recording.json';
/** Incremented when the meaning of hashes changes: such recordings cannot be compared. */
const version = 1;

const hashFormat = z.string().regex(/^[0-9a-f]{16}$/);
const format = z.object({
  version: z.literal(version),
  set: z.enum(programSets),
  only: z.string().optional(),
  /** By name and target. `code`: hash without comments, names and white space, for hashes stored without texts. */
  items: z.record(z.string(), z.record(z.string(), z.object({ text: hashFormat, code: hashFormat.optional() }))),
});
type Format = z.infer<typeof format>;

/** A user error, printed without a stack trace. */
export class ReplayError extends Error {}

export type HashTable = Format['items'];
export function addTo(table: HashTable, item: Item, more: { readonly code?: string } = {}): void {
  table[item.name] ??= {};
  table[item.name]![item.target] = { text: textHash(item), ...more };
}

/** The contents of a file of hashes. Throws ReplayError. */
export function readHashes(file: string, instead: string): Format {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new ReplayError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}); ${instead}`);
  }
  try {
    return format.parse(JSON.parse(text));
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
    throw new ReplayError(`${file} is not a file of hashes of this version of process replay; ${instead}`);
  }
}
/** One line per name. */
export function hashesText(hashes: Omit<Format, 'version'>): string {
  const { items, ...facts } = hashes;
  const lines = Object.entries(items).map(([name, targets]) => ` ${JSON.stringify(name)}: ${JSON.stringify(targets)}`);
  const head = JSON.stringify({ version, ...facts }).slice(0, -1);
  return `${head}, "items": {\n${lines.join(',\n')}\n}}\n`;
}

const pathOf = (folder: string, { name, target }: Pick<Item, 'name' | 'target'>): string => {
  const file = name.replaceAll('×', 'x').replaceAll(/[^\w.]+/g, '-');
  return target === predictionTarget
    ? join(folder, 'predictions', `${file}.json`)
    : join(folder, 'programs', file, `${target}.c`);
};
const entries = [fileName, 'programs', 'predictions'];

/** Writes items to a folder, which must be new, empty or an older recording, which is replaced. */
export class RecordingWriter {
  readonly #folder: string;
  readonly #items: HashTable = {};

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
    const other = readdirSync(folder).find(name => !entries.includes(name));
    if (other !== undefined)
      throw new ReplayError(`${folder} contains ${other}, so it is not a recording; use a new or empty folder`);
    for (const name of entries) rmSync(join(folder, name), { recursive: true, force: true });
  }
  add(item: Item): void {
    const path = pathOf(this.#folder, item);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, item.text);
    addTo(this.#items, item);
  }
  finish(facts: Pick<Format, 'set' | 'only'>): HashTable {
    writeFileSync(join(this.#folder, fileName), hashesText({ ...facts, items: this.#items }));
    return this.#items;
  }
}

export class RecordingReader {
  readonly folder: string;
  readonly contents: Format;

  constructor(folder: string) {
    this.folder = folder;
    this.contents = readHashes(join(folder, fileName), `record it with: node bench/replay.ts record ${folder}`);
  }
  item(name: string, target: string): Item {
    const path = pathOf(this.folder, { name, target });
    try {
      return { name, target, text: readFileSync(path, 'utf8') };
    } catch (error) {
      throw new ReplayError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code}); record it again`);
    }
  }
  *items(): Generator<Item> {
    for (const [name, targets] of Object.entries(this.contents.items))
      for (const target of Object.keys(targets)) yield this.item(name, target);
  }
}
