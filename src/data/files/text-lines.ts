// The lines of a text file, one by one, without ever holding the whole file: for text, and for formats with one record per line.
import type { Readable } from 'node:stream';
import { TrenioError } from '../../base/errors.ts';
import { refuseUnknownOptions } from '../../base/known-options.ts';
import { openInput, unreadable } from '../../base/read-file.ts';
import { requireCount } from '../check-options.ts';

/** Options of `readTextLines` and `readJsonLines`. */
export interface LineOptions {
  /** A longer line is an error: a file without line endings is not read into memory. Default 16 MiB. */
  readonly maxLineBytes?: number | undefined;
}

const lineFeed = 0x0a;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The lines of a UTF-8 file, which end with \n or \r\n, without their ends; blank lines too. A byte order mark is skipped.
 * `/dev/stdin` may be a pipe.
 * @throws {FILE_UNREADABLE}
 * @throws {TEXT_INVALID} with line and column, if a line is too long or is not UTF-8
 * @example
 * ```ts no-run
 * for await (const line of readTextLines('corpus.txt')) console.log(line);
 * ```
 */
export async function* readTextLines(file: string, options: LineOptions = {}): AsyncGenerator<string> {
  refuseUnknownOptions('readTextLines', options, ['maxLineBytes']);
  const { maxLineBytes = 1 << 24 } = options;
  requireCount('readTextLines', 'maxLineBytes', maxLineBytes, 1);
  let line = 0;
  const text = (bytes: Uint8Array): string => {
    line++;
    const from = line === 1 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
    const to = bytes.at(-1) === 0x0d ? bytes.length - 1 : bytes.length;
    return decoded(bytes.subarray(from, to), file, line);
  };
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  const hold = (bytes: Uint8Array): void => {
    held.push(bytes);
    heldBytes += bytes.length;
    if (heldBytes > maxLineBytes)
      throw new TrenioError('TEXT_INVALID', {
        file,
        line: line + 1,
        column: 1,
        got: `a line of more than ${maxLineBytes} bytes`,
        expected: 'a line end before that',
      });
  };
  const release = (): Uint8Array => {
    const whole = held.length === 1 ? held[0]! : Buffer.concat(held);
    held = [];
    heldBytes = 0;
    return whole;
  };
  const stream: Readable = await openInput(file);
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      const packed = line === 0 && heldBytes === 0 ? compressionOf(chunk) : undefined;
      if (packed !== undefined) throw new TrenioError('TEXT_INVALID', { file, line: 1, column: 1, ...packed });
      let from = 0;
      for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, from)) {
        hold(chunk.subarray(from, end));
        yield text(release());
        from = end + 1;
      }
      if (from < chunk.length) hold(chunk.subarray(from));
    }
  } catch (error) {
    throw error instanceof TrenioError ? error : unreadable(file, error);
  } finally {
    stream.destroy();
  }
  if (heldBytes > 0) yield text(release());
}

/** The message about a compressed file, from its first bytes; undefined for others. */
export function compressionOf(bytes: Uint8Array): { readonly got: string; readonly expected: string } | undefined {
  const starts = (...first: number[]): boolean => first.every((byte, i) => bytes[i] === byte);
  const [name, tool] = starts(0x1f, 0x8b)
    ? ['gzip', 'gunzip']
    : starts(0x28, 0xb5, 0x2f, 0xfd)
      ? ['zstd', 'unzstd']
      : [];
  if (name === undefined) return undefined;
  return { got: `a file compressed with ${name}`, expected: `text: unpack it with ${tool}` };
}

function decoded(bytes: Uint8Array, file: string, line: number): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    // The replacement character marks the invalid byte: the text before it gives the column.
    const column = new TextDecoder().decode(bytes).indexOf('\ufffd') + 1;
    throw new TrenioError(
      'TEXT_INVALID',
      { file, line, column, got: 'bytes that are not UTF-8', expected: 'UTF-8 text' },
      { cause },
    );
  }
}
