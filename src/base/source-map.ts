// Maps a position in compiled JavaScript to the TypeScript source, with the compiler's source map.
// Node uses source maps only with --enable-source-maps; here they are always used. A missing or
// damaged map is not an error, because the compiled position is correct, too.
import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { findSourceMap, SourceMap, type SourceMapPayload } from 'node:module';
import { dirname, isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface FilePosition {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

/** Larger maps are not read, because messages must not take seconds. */
const maxMapBytes = 32 << 20;
/** The comment that names the map is on the last lines; a map within the comment makes that line long. */
const maxTailBytes = 8 << 20;

const maps = new Map<string, SourceMap | undefined>();

/** The source of `position`; `position` itself if there is no mapping. */
export function originalPosition(position: FilePosition): FilePosition {
  const { file, line, column } = position;
  const map = mapOf(file);
  if (map === undefined || line < 1 || column < 1) return position;
  try {
    const entry = map.findEntry(line - 1, column - 1);
    if (!('originalSource' in entry) || typeof entry.originalSource !== 'string') return position;
    const source = sourcePath(entry.originalSource, file, map.payload.sourceRoot);
    return { file: source, line: entry.originalLine + 1, column: entry.originalColumn + 1 };
  } catch {
    // Best effort: this must not hide the error that is being reported.
    return position;
  }
}

function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) maps.set(file, readMap(file));
  return maps.get(file);
}

function readMap(file: string): SourceMap | undefined {
  try {
    // Node's own maps, which loaders that compile in memory also provide.
    const known = findSourceMap(file);
    if (known !== undefined) return known;
    if (!/\.[cm]?js$/.test(file)) return undefined;
    const url = /\/\/# sourceMappingURL=(\S+)\s*$/.exec(tailOf(file))?.[1];
    if (url === undefined) return undefined;
    const payload: unknown = JSON.parse(mapText(url, file));
    return isPayload(payload) ? new SourceMap(payload) : undefined;
  } catch {
    // A missing or damaged map: use the positions in the JavaScript.
    return undefined;
  }
}

function mapText(url: string, file: string): string {
  const inline = /^data:application\/json(?:;charset=[^;,]+)?(;base64)?,(.*)$/s.exec(url);
  if (inline !== null)
    return inline[1] === undefined
      ? decodeURIComponent(inline[2] ?? '')
      : Buffer.from(inline[2] ?? '', 'base64').toString('utf8');
  const path = sourcePath(decodeURIComponent(url), file, undefined);
  return statSync(path).size > maxMapBytes ? '' : readFileSync(path, 'utf8');
}

function tailOf(file: string): string {
  const handle = openSync(file, 'r');
  try {
    const { size } = fstatSync(handle);
    const bytes = Buffer.alloc(Math.min(size, maxTailBytes));
    const read = readSync(handle, bytes, 0, bytes.length, size - bytes.length);
    const text = bytes.toString('utf8', 0, read).trimEnd();
    return text.slice(text.lastIndexOf('\n') + 1);
  } finally {
    closeSync(handle);
  }
}

function sourcePath(source: string, file: string, root: string | undefined): string {
  if (source.startsWith('file:')) return fileURLToPath(source);
  if (isAbsolute(source)) return source;
  const folder = dirname(file);
  const rooted = root ? resolve(folder, root.startsWith('file:') ? fileURLToPath(root) : root, source) : undefined;
  return rooted !== undefined && existsSync(rooted) ? rooted : resolve(folder, source);
}

const isPayload = (value: unknown): value is SourceMapPayload =>
  typeof value === 'object' &&
  value !== null &&
  'mappings' in value &&
  typeof value.mappings === 'string' &&
  'sources' in value &&
  Array.isArray(value.sources);
