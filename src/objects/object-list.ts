// A page of a listing: keys with a prefix; those with the delimiter after it are grouped into common prefixes.
import { afterPrefix, type ObjectIndex, type ObjectRow } from './object-index.ts';

export interface ListOptions {
  readonly prefix: string;
  /** Keys are grouped up to the first delimiter after the prefix; empty: not grouped. */
  readonly delimiter: string;
  /** The maximum number of keys and common prefixes together. */
  readonly maxKeys: number;
  /** Only entries after this key or common prefix. */
  readonly after: string;
}

export interface ListPage {
  readonly objects: readonly ObjectRow[];
  readonly commonPrefixes: readonly string[];
  /** The last key or common prefix of this page; undefined if nothing follows. */
  readonly next: string | undefined;
}

export function listObjects(
  index: ObjectIndex,
  bucket: string,
  { prefix, delimiter, maxKeys, after }: ListOptions,
): ListPage {
  const objects: ObjectRow[] = [];
  const commonPrefixes: string[] = [];
  const prefixBytes = Buffer.from(prefix);
  let last = after;
  let from: Uint8Array | undefined = startAfter(after, prefix, delimiter);
  while (from !== undefined) {
    const room = maxKeys - objects.length - commonPrefixes.length;
    const rows = index.objectsFrom(bucket, prefixBytes, from, Math.max(1, room) + 1);
    from = undefined;
    for (const row of rows) {
      if (objects.length + commonPrefixes.length >= maxKeys)
        return { objects, commonPrefixes, next: maxKeys === 0 ? undefined : last };
      const rolled = commonPrefixOf(row.key, prefix, delimiter);
      if (rolled === undefined) {
        objects.push(row);
        last = row.key;
        from = Buffer.concat([Buffer.from(row.key), Buffer.of(0)]);
        continue;
      }
      commonPrefixes.push(rolled);
      last = rolled;
      // The other keys under this common prefix are skipped.
      from = afterPrefix(Buffer.from(rolled));
      break;
    }
  }
  return { objects, commonPrefixes, next: undefined };
}

function startAfter(after: string, prefix: string, delimiter: string): Uint8Array | undefined {
  if (after === '') return new Uint8Array();
  // A page that ended with a common prefix continues after all of its keys.
  if (commonPrefixOf(after, prefix, delimiter) === after) return afterPrefix(Buffer.from(after));
  return Buffer.concat([Buffer.from(after), Buffer.of(0)]);
}

/** The part of a key up to the first delimiter after the prefix; undefined if there is none. */
export function commonPrefixOf(key: string, prefix: string, delimiter: string): string | undefined {
  if (delimiter === '' || !key.startsWith(prefix)) return undefined;
  const at = key.indexOf(delimiter, prefix.length);
  return at < 0 ? undefined : key.slice(0, at + delimiter.length);
}
