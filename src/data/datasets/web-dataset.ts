// Samples in tar archives, in the form of webdataset: adjacent files with the same name up to the first dot form a sample, and
// the rest of the name is the key of the part. Contents are read when a sample is used, so ranks and loader workers that share
// archives each read their own samples.
//
//   a/1.jpg  a/1.cls  a/2.jpg  a/2.cls    ──▶   { __key__: 'a/1', jpg, cls }   { __key__: 'a/2', jpg, cls }
import { open } from 'node:fs/promises';
import { TrenioError } from '../../base/errors.ts';
import { refuseUnknownOptions } from '../../base/known-options.ts';
import { unreadable } from '../../base/read-file.ts';
import { requireCount, wrongOption } from '../check-options.ts';
import { fileNames } from '../files/file-names.ts';
import { parseJson } from '../files/json-lines.ts';
import { decodeNpy } from '../files/npy.ts';
import { type TarEntry, tarEntries } from '../files/tar.ts';
import { decodeImage } from '../images/image.ts';
import { exportToWorkers } from '../loader/worker-exports.ts';
import { epochOrder } from './epoch-order.ts';
import { type FileNames, IterableDataset } from './iterable-dataset.ts';
import type { Lazy } from './lazy.ts';
import type { Pipe } from './stream-pipes.ts';

/** A sample of an archive: its parts by the extension after the first dot of their names. */
export interface WebSample {
  /** The name up to the first dot. */
  readonly __key__: string;
  /** The archive. */
  readonly __url__: string;
  /** The parts by their extensions: `jpg`, `cls`. */
  readonly [part: string]: unknown;
}

/** Options of `WebDataset`. */
export interface WebDatasetOptions {
  /** Whether to shuffle the archives, in a different order in each epoch. Default false. */
  readonly shardShuffle?: boolean | undefined;
  /** Default 0. */
  readonly seed?: number | undefined;
  /** Decodes parts by extension: images, json, txt, cls and npy. Default true; otherwise parts are bytes. */
  readonly decode?: boolean | undefined;
}

/**
 * The samples of tar archives (webdataset). Operations of `IterableDataset` can be chained.
 * @example
 * ```ts no-run
 * const samples = new WebDataset('imagenet-{000..146}.tar', { shardShuffle: true }).shuffle(5000);
 * for await (const sample of samples) console.log(Object.keys(sample));
 * ```
 */
export class WebDataset<S extends WebSample = WebSample> extends IterableDataset<S> {
  /** @throws {INVALID_OPTION} @throws {NO_SUCH_OPTION} */
  constructor(archives: FileNames, options: WebDatasetOptions = {}) {
    refuseUnknownOptions('WebDataset', options, ['shardShuffle', 'seed', 'decode']);
    const { shardShuffle = false, seed = 0, decode = true } = options;
    for (const [option, value] of Object.entries({ shardShuffle, decode }))
      if (typeof value !== 'boolean') throw wrongOption('WebDataset', option, value, 'true or false');
    requireCount('WebDataset', 'seed', seed, Number.MIN_SAFE_INTEGER);
    super(new TarPipe<S>(fileNames('WebDataset', archives), shardShuffle, seed, decode));
  }
}

/** Names of parts that would replace fields of a sample, or its prototype. */
const reserved: ReadonlySet<string> = new Set(['__key__', '__url__', '__proto__']);
/** One read call takes less than 2 GiB. */
const maxPartBytes = 2 ** 31 - 1;

export class TarPipe<S extends WebSample> implements Pipe<S> {
  readonly files: readonly string[];
  readonly shardShuffle: boolean;
  readonly seed: number;
  readonly decode: boolean;
  constructor(files: readonly string[], shardShuffle: boolean, seed: number, decode: boolean) {
    this.files = files;
    this.shardShuffle = shardShuffle;
    this.seed = seed;
    this.decode = decode;
  }
  describe(): unknown {
    return ['tar', this.shardShuffle, this.seed, this.decode, { files: this.files }];
  }
  async *lazyItems(epoch: number): AsyncGenerator<Lazy<S>> {
    for (const i of epochOrder(this.files.length, { shuffle: this.shardShuffle, seed: this.seed, epoch })) {
      const file = this.files[i]!;
      let key: string | undefined;
      let parts = new Map<string, TarEntry>();
      for await (const entry of tarEntries(file)) {
        const [name, part] = splitName(entry.name);
        // Hidden files, and files without an extension, are not parts of samples.
        if (part === undefined) continue;
        if (key !== undefined && name !== key) {
          yield sampleOf<S>(file, key, parts, this.decode);
          parts = new Map();
        }
        key = name;
        if (reserved.has(part))
          throw new TrenioError('TAR_INVALID', {
            file,
            position: entry.start,
            reason: `the sample ${name} has a part ${part}, which is a name of the sample's own fields`,
          });
        if (entry.bytes > maxPartBytes)
          throw new TrenioError('TAR_INVALID', {
            file,
            position: entry.start,
            reason: `the part ${name}.${part} has ${entry.bytes} bytes, more than the ${maxPartBytes} that are read into memory`,
          });
        if (parts.has(part))
          throw new TrenioError('TAR_INVALID', {
            file,
            position: entry.start,
            reason: `the sample ${name} has two parts ${part}`,
          });
        parts.set(part, entry);
      }
      if (key !== undefined) yield sampleOf<S>(file, key, parts, this.decode);
    }
  }
}

/** Reads the parts when it is called. */
function sampleOf<S extends WebSample>(
  file: string,
  key: string,
  parts: ReadonlyMap<string, TarEntry>,
  decode: boolean,
): Lazy<S> {
  return async () => {
    const sample: Record<string, unknown> = { __key__: key, __url__: file };
    const handle = await open(file, 'r').catch((cause: unknown) => {
      throw unreadable(file, cause);
    });
    try {
      for (const [part, entry] of parts) {
        const bytes = new Uint8Array(entry.bytes);
        const { bytesRead } = await handle.read(bytes, 0, bytes.length, entry.start);
        if (bytesRead !== bytes.length)
          throw new TrenioError('TAR_INVALID', {
            file,
            position: entry.start,
            reason: 'it was truncated while it was read',
          });
        sample[part] = decode ? await decoded(bytes, part, `${file}/${key}.${part}`) : bytes;
      }
    } finally {
      await handle.close();
    }
    return sample as S;
  };
}

function splitName(path: string): readonly [key: string, part: string | undefined] {
  const clean = path.replace(/^\.\//, '');
  const base = clean.lastIndexOf('/') + 1;
  const dot = clean.indexOf('.', base);
  return dot <= base ? [clean, undefined] : [clean.slice(0, dot), clean.slice(dot + 1).toLowerCase()];
}

const texts = new TextDecoder('utf-8', { fatal: true });

async function decoded(bytes: Uint8Array, part: string, file: string): Promise<unknown> {
  const text = (): string => {
    try {
      return texts.decode(bytes);
    } catch (cause) {
      throw new TrenioError('TAR_INVALID', { file, position: 0, reason: 'the part is not UTF-8 text' }, { cause });
    }
  };
  switch (part.slice(part.lastIndexOf('.') + 1)) {
    case 'jpg':
    case 'jpeg':
    case 'png':
      return await decodeImage(bytes, file);
    case 'json':
      try {
        return parseJson(text());
      } catch (cause) {
        if (!(cause instanceof SyntaxError)) throw cause;
        throw new TrenioError(
          'TAR_INVALID',
          { file, position: 0, reason: `the part is not JSON: ${cause.message}` },
          { cause },
        );
      }
    case 'txt':
    case 'text':
    case 'transcript':
      return text();
    case 'cls':
    case 'cls2':
    case 'index':
    case 'inx':
    case 'id': {
      const digits = text().trim();
      if (/^[-+]?\d+$/.test(digits) && Number.isSafeInteger(Number(digits))) return Number(digits);
      throw new TrenioError('TAR_INVALID', { file, position: 0, reason: 'the part is not an integer' });
    }
    case 'npy':
      return decodeNpy(bytes, file);
    default:
      return bytes;
  }
}

exportToWorkers(import.meta.url, { WebDataset, TarPipe });
