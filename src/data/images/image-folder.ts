// Images in folders, one folder per class, like torchvision's ImageFolder: classes are numbered in alphabetical order. Only names
// are read on construction; images are read on access.
import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { TrenioError } from '../../base/errors.ts';
import { refuseUnknownOptions } from '../../base/known-options.ts';
import { unreadable } from '../../base/read-file.ts';
import { wrongOption } from '../check-options.ts';
import { requireIndex } from '../datasets/combined-datasets.ts';
import type { Dataset } from '../datasets/dataset.ts';
import { ItemRandom } from '../datasets/item-random.ts';
import { exportToWorkers } from '../loader/worker-exports.ts';
import { isTransform, type Transform } from '../transforms/transform.ts';
import { applyInto, keepsNothing } from '../transforms/transforms.ts';
import { type Image, readImage } from './image.ts';

/** Options of `ImageFolder`. */
export interface ImageFolderOptions<I> {
  /** The transform applied to each image. Default: none. */
  readonly transform?: Transform<Image, I> | undefined;
  /** The seed of the random numbers of transforms. Default 0. */
  readonly seed?: number | undefined;
  /** Accept classes without images. Default false. */
  readonly allowEmpty?: boolean | undefined;
}

const extensions: ReadonlySet<string> = new Set(['.png', '.jpg', '.jpeg']);

/**
 * The images in `root/class/…`, with the number of their class, like torchvision's class of the same name. PNG and JPEG.
 * @example
 * ```ts no-run
 * const transform = new Compose([new Resize(256), new CenterCrop(224), new ToTensor()]);
 * const loader = new DataLoader(new ImageFolder('images/train', { transform }), { batchSize: 32, shuffle: true });
 * for await (const [images, labels] of loader) {
 *   // float32 [32, 3, 224, 224] and int64 [32]
 * }
 * ```
 */
export class ImageFolder<I = Image> implements Dataset<readonly [image: I, label: number]> {
  /** The folder, with one subfolder per class. */
  readonly root: string;
  /** The names of the classes, sorted. */
  readonly classes: readonly string[];
  /** The class index of each subfolder name. */
  readonly classToIdx: Readonly<Record<string, number>>;
  /** The path and class index of each image. */
  readonly samples: readonly (readonly [file: string, label: number])[];
  /** Applied to each image when it is read. */
  readonly transform: Transform<Image, I> | undefined;
  /** The seed of random transforms. */
  readonly seed: number;

  /**
   * @throws {FILE_UNREADABLE}
   * @throws {IMAGE_FOLDER_INVALID} if there are no classes, a class has no images, or links form a cycle
   */
  constructor(root: string, options: ImageFolderOptions<I> = {}) {
    refuseUnknownOptions('ImageFolder', options, ['transform', 'seed', 'allowEmpty']);
    const { transform, seed = 0, allowEmpty = false } = options;
    if (transform !== undefined && !isTransform(transform))
      throw wrongOption('ImageFolder', 'transform', transform, 'a transform, with apply(input, random)');
    this.root = root;
    this.transform = transform;
    this.seed = seed;
    this.classes = entriesOf(root)
      .filter(entry => isFolder(root, entry))
      .map(({ name }) => name)
      .sort(byName);
    if (this.classes.length === 0) throw invalid(root, 'it has no folders');
    this.classToIdx = Object.fromEntries(this.classes.map((name, i) => [name, i]));
    this.samples = this.classes.flatMap((name, label) =>
      filesIn(join(root, name), []).map(file => [file, label] as const),
    );
    const empty = this.classes.find((_, label) => !this.samples.some(sample => sample[1] === label));
    if (empty !== undefined && !allowEmpty)
      throw invalid(root, `the class ${empty} has no files that end in ${[...extensions].join(', ')}`);
  }
  /** The number of images. */
  get length(): number {
    return this.samples.length;
  }
  /** The label of each image. */
  get targets(): readonly number[] {
    return this.samples.map(([, label]) => label);
  }
  /**
   * The image at an index, transformed, and its class.
   * @throws {FILE_UNREADABLE}
   * @throws {IMAGE_INVALID}
   */
  async get(index: number, epoch = 0): Promise<readonly [image: I, label: number]> {
    return await itemOf(this, index, epoch, undefined);
  }
  /**
   * @internal The items of a batch, as `get` returns them, contiguous in memory, so that a loader need not copy them. Nothing
   * else refers to that memory.
   */
  getItems(indices: readonly number[], epoch: number): readonly Promise<readonly [image: I, label: number]>[] {
    const { transform } = this;
    const memory = transform !== undefined && keepsNothing(transform) ? new BatchMemory(indices.length) : undefined;
    return indices.map((index, i) => itemOf(this, index, epoch, memory && (length => memory.of(i, length))));
  }
}

async function itemOf<I>(
  folder: ImageFolder<I>,
  index: number,
  epoch: number,
  memory: ((length: number) => Float32Array) | undefined,
): Promise<readonly [image: I, label: number]> {
  requireIndex(index, folder.length);
  const [file, label] = folder.samples[index]!;
  const { transform, seed } = folder;
  const image = await readImage(file);
  // Without a transform, I is Image.
  if (transform === undefined) return [image as I, label];
  const random = new ItemRandom(seed, epoch, index);
  return [memory === undefined ? transform.apply(image, random) : applyInto(transform, image, random, memory), label];
}

/** Memory for items of one size; items of other sizes get separate memory. */
class BatchMemory {
  readonly #count: number;
  #all: Float32Array | undefined;

  constructor(count: number) {
    this.#count = count;
  }
  of(i: number, length: number): Float32Array {
    this.#all ??= new Float32Array(this.#count * length);
    return this.#all.length === this.#count * length
      ? this.#all.subarray(i * length, (i + 1) * length)
      : new Float32Array(length);
  }
}

const invalid = (folder: string, reason: string): TrenioError =>
  new TrenioError('IMAGE_FOLDER_INVALID', { folder, reason });
/** Sorts by code units, which is the same on all machines. */
const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (cause) {
    throw unreadable(folder, cause);
  }
}

function isFolder(parent: string, entry: Dirent): boolean {
  return entry.isSymbolicLink() ? statOf(join(parent, entry.name)).isDirectory() : entry.isDirectory();
}
function statOf(path: string): ReturnType<typeof statSync> & {} {
  try {
    return statSync(path);
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

/** The images in a folder and in those below it, sorted. `above`: the real paths of the folders that lead here. */
function filesIn(folder: string, above: readonly string[]): readonly string[] {
  const real = realpathSync(folder);
  if (above.includes(real)) throw invalid(folder, `it is a link to ${real}, which it lies in`);
  return [...entriesOf(folder)]
    .sort((a, b) => byName(a.name, b.name))
    .flatMap(entry => {
      const path = join(folder, entry.name);
      if (isFolder(folder, entry)) return filesIn(path, [...above, real]);
      return extensions.has(extname(entry.name).toLowerCase()) ? [path] : [];
    });
}

exportToWorkers(import.meta.url, { ImageFolder });
