// Images of jobs and models by name: the command that runs for each. There is no registry: a file defines the names.
//
//   { "local/train:1": { "kind": "command", "train": ["python3", "/path/train.py"], "serve": ["node", "/path/serve.mjs"] },
//     "local/mine:1":  { "kind": "trenio" },
//     "local/theirs:1": { "kind": "docker", "image": "localhost/theirs:1" } }
//
// The image `trenio` always exists: it runs the script of the job with this package.
import { dirname, isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import { TrenioError } from '../base/errors.ts';
import { readTextFileNow, reasonOf } from '../base/read-file.ts';
import { findEngine, hasImage } from './hosts/container-engine.ts';

const words = z.array(z.string().min(1)).min(1);
const imageSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('trenio') }),
  z.strictObject({
    kind: z.literal('command'),
    train: words.optional(),
    serve: words.optional(),
    process: words.optional(),
    environment: z.record(z.string(), z.string()).optional(),
  }),
  z.strictObject({
    kind: z.literal('docker'),
    /** Its name for Docker or Podman. */
    image: z.string().regex(/^[A-Za-z0-9]/),
    environment: z.record(z.string(), z.string()).optional(),
  }),
]);
export type Image = z.infer<typeof imageSchema>;
export type DockerImage = Extract<Image, { readonly kind: 'docker' }>;

export type FindImage = (name: string) => Image | undefined;

const BUILT_IN = 'trenio';

/** The images of a file, and the built-in one. @throws {INVALID_OPTION} if the file cannot be read or is not valid */
export function readImages(file: string | undefined): FindImage {
  const images = new Map<string, Image>([[BUILT_IN, { kind: 'trenio' }]]);
  if (file !== undefined) for (const [name, image] of Object.entries(parseFile(file))) images.set(name, image);
  return name => images.get(name);
}

function parseFile(file: string): Readonly<Record<string, Image>> {
  const fail = (reason: string): never => {
    throw new TrenioError('INVALID_OPTION', {
      what: 'trenio server',
      option: '--images',
      got: `${file} (${reason})`,
      expected:
        'a JSON file with images by name, such as {"local/train:1": {"kind": "command", "train": ["python3", "train.py"]}}',
    });
  };
  let json: unknown;
  try {
    json = JSON.parse(readTextFileNow(file));
  } catch (error) {
    return fail(reasonOf(error));
  }
  const parsed = z.record(z.string().min(1).max(255), imageSchema).safeParse(json);
  if (!parsed.success) return fail(z.prettifyError(parsed.error));
  const folder = dirname(resolve(file));
  return Object.fromEntries(Object.entries(parsed.data).map(([name, image]) => [name, withPaths(image, folder)]));
}

/** Relative paths (`./train.py`) are resolved against the folder of the file, because jobs run elsewhere. */
function withPaths(image: Image, folder: string): Image {
  if (image.kind !== 'command') return image;
  const absolute = (list: readonly string[] | undefined): string[] | undefined =>
    list?.map(word => (/^\.{1,2}\//.test(word) && !isAbsolute(word) ? resolve(folder, word) : word));
  return {
    ...image,
    train: absolute(image.train),
    serve: absolute(image.serve),
    process: absolute(image.process),
  };
}

/** Why an image cannot be used here; undefined if it can. */
export function imageProblem(findImage: FindImage, name: string): string | undefined {
  const image = findImage(name);
  if (image === undefined)
    return `is not known to this server. Its images are named in the file given with --images; '${BUILT_IN}' is always available.`;
  if (image.kind !== 'docker') return undefined;
  const engine = findEngine();
  if (engine === undefined) return 'is of the kind docker, and neither Docker nor Podman works on this machine.';
  return hasImage(engine, image.image)
    ? undefined
    : `is '${image.image}' of ${engine}, which is not on this machine: run '${engine} pull ${image.image}', or build it.`;
}
