// The console's built files, in memory: compressed once, each with an ETag. Pages have no separate files: the application
// renders them according to their path.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};
const compressible: ReadonlySet<string> = new Set(['.html', '.js', '.css', '.svg']);

export type Encoding = 'br' | 'gzip' | 'identity';

export class ConsoleFile {
  readonly type: string;
  readonly etag: string;
  /** Its name changes with its content. */
  readonly isHashed: boolean;
  readonly #encoded = new Map<Encoding, Buffer>();
  readonly #isCompressible: boolean;

  constructor(path: string, bytes: Buffer) {
    this.type = types[extname(path)] ?? 'application/octet-stream';
    this.etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
    this.isHashed = path.startsWith('assets/');
    this.#isCompressible = compressible.has(extname(path));
    this.#encoded.set('identity', bytes);
  }

  /** The best encoding that an Accept-Encoding header allows. */
  encodingFor(accept = ''): Encoding {
    if (!this.#isCompressible) return 'identity';
    return /\bbr\b/.test(accept) ? 'br' : /\bgzip\b/.test(accept) ? 'gzip' : 'identity';
  }

  bytes(encoding: Encoding): Buffer {
    let bytes = this.#encoded.get(encoding);
    if (bytes === undefined) {
      const plain = this.#encoded.get('identity')!;
      bytes =
        encoding === 'gzip'
          ? gzipSync(plain)
          : brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
      this.#encoded.set(encoding, bytes);
    }
    return bytes;
  }
}

/** The files of a folder, by their paths in it. */
export function readConsoleFiles(folder: string): ReadonlyMap<string, ConsoleFile> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  return new Map(
    names.map(entry => {
      const file = join(entry.parentPath, entry.name);
      const path = file
        .slice(folder.length + 1)
        .split(sep)
        .join('/');
      return [path, new ConsoleFile(path, readFileSync(file))];
    }),
  );
}
