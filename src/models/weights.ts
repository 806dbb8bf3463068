// The weights of a Hugging Face model directory: `model.safetensors` or `pytorch_model.bin`, or the shards listed in the
// `.index.json` of one of them. Matches them to the parameters of a model: names as in Hugging Face,
// shapes exactly.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { TrenioError } from '../base/errors.ts';
import { fileExists, readTextFile } from '../base/read-file.ts';
import { formatType, sameShape, type TensorType } from '../hlo/types.ts';
import { missing, openSafetensors, type TensorReader } from './safetensors.ts';
import { withAndWithout } from './tensor-names.ts';
import { openTorchWeights } from './torch-file/torch-file.ts';

/** The files of weights, in the order of preference. */
const formats: readonly { readonly file: string; readonly open: (file: string) => Promise<TensorReader> }[] = [
  { file: 'model.safetensors', open: openSafetensors },
  { file: 'pytorch_model.bin', open: openTorchWeights },
];

/**
 * Opens the weights in `directory`: model.safetensors or its shards, or else pytorch_model.bin or its shards.
 * @throws {WEIGHTS_NOT_FOUND}
 * @throws {FILE_UNREADABLE}
 * @throws {SAFETENSORS_INVALID} if a file is damaged, or the index names one that is missing
 * @throws {TORCH_FILE_INVALID}
 * @example
 * ```ts no-run
 * await using weights = await openWeights('bert-base-uncased');
 * console.log(weights.types.size);
 * ```
 */
export async function openWeights(directory: string): Promise<TensorReader> {
  for (const { file, open } of formats) {
    const single = join(directory, file);
    if (await fileExists(single)) return open(single);
    const index = `${single}.index.json`;
    if (await fileExists(index)) return openShards(directory, index, open);
  }
  throw await weightsNotFound(directory);
}

/** The error for a directory that lacks a file, or any weights: it names what the directory has instead. */
export async function weightsNotFound(directory: string, missingFile?: string): Promise<TrenioError> {
  const names = await readdir(directory).catch(() => []);
  return new TrenioError('WEIGHTS_NOT_FOUND', {
    directory,
    missing: missingFile ?? formats.map(({ file }) => file).join(' or '),
    others: names.filter(name => /\.(gguf|bin|safetensors|pt|pth|ckpt|h5|msgpack|onnx)$/.test(name)).toSorted(),
  });
}

const indexSchema = z.object({ weight_map: z.record(z.string(), z.string()) });

async function openShards(
  directory: string,
  index: string,
  open: (file: string) => Promise<TensorReader>,
): Promise<TensorReader> {
  const fail = (problem: string, tensor?: string): TrenioError =>
    new TrenioError('SAFETENSORS_INVALID', { file: index, problem, ...(tensor === undefined ? {} : { tensor }) });
  let json: unknown;
  try {
    json = JSON.parse(await readTextFile(index));
  } catch (error) {
    throw error instanceof TrenioError ? error : fail(`it is not JSON: ${(error as Error).message}`);
  }
  const parsed = indexSchema.safeParse(json);
  if (!parsed.success) throw fail(`${parsed.error.issues[0]!.path.join('.')}: ${parsed.error.issues[0]!.message}`);
  // As transformers does, all tensors of the named files are there, whatever the index says of each.
  const files = [...new Map(Object.entries(parsed.data.weight_map).map(([name, file]) => [file, name]))].sort();
  const shards: TensorReader[] = [];
  const close = async (): Promise<void> => {
    for (const shard of shards) await shard.close();
  };
  try {
    const shardOf = new Map<string, TensorReader>();
    for (const [file, name] of files) {
      // The index is untrusted: it may only name files in its directory.
      if (/[/\\]/.test(file) || file.startsWith('.'))
        throw fail(`the shard ${JSON.stringify(file)} is not a plain file name`, name);
      if (!(await fileExists(join(directory, file))))
        throw fail(`the index puts it into ${file}, which is missing`, name);
      const shard = await open(join(directory, file));
      shards.push(shard);
      for (const tensor of shard.types.keys()) shardOf.set(tensor, shard);
    }
    const types = new Map(Array.from(shardOf, ([name, shard]) => [name, shard.types.get(name)!]));
    const shardWith = (name: string): TensorReader => {
      const shard = shardOf.get(name);
      if (shard === undefined) throw missing(index, name);
      return shard;
    };
    return {
      file: index,
      types,
      metadata: new Map(),
      read: async name => shardWith(name).read(name),
      readInto: shards.every(({ readInto }) => readInto !== undefined)
        ? async (name, into, from) => shardWith(name).readInto!(name, into, from)
        : undefined,
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The mapping between the tensors of a file and the parameters of a model. */
export interface WeightsMatch {
  /** Parameter name → name in the file. */
  readonly found: ReadonlyMap<string, string>;
  /**
   * Parameters that are not in the file, for example a new classifier on a pre-trained encoder. They keep their
   * initial values.
   */
  readonly missing: readonly string[];
  /** Tensors of the file that the model does not have, for example the heads of the pre-training task. */
  readonly unexpected: readonly string[];
}

/**
 * Matches the tensors of a file to `parameters` (name → type). As Hugging Face does, if `basePrefix` is given (`bert.`), accepts
 * files in which all tensors lack or have that prefix.
 * Element types may differ.
 * @throws {WEIGHTS_MISMATCH} naming the tensor and both shapes, if a tensor has another shape
 * @example
 * ```ts no-run
 * await using weights = await openWeights('bert-base-uncased');
 * const model = new BertModel({});
 * const types = new Map([...model.namedParameters()].map(([name, parameter]) => [name, parameter.type]));
 * const { missing } = matchWeights(weights, types, { basePrefix: 'bert.' });
 * ```
 */
export function matchWeights(
  reader: TensorReader,
  parameters: ReadonlyMap<string, TensorType>,
  options: { readonly basePrefix?: string } = {},
): WeightsMatch {
  const found = new Map<string, string>();
  const missingNames: string[] = [];
  for (const [name, expected] of parameters) {
    const inFile = withAndWithout(options.basePrefix, name).find(candidate => reader.types.has(candidate));
    if (inFile === undefined) {
      missingNames.push(name);
      continue;
    }
    const got = reader.types.get(inFile)!;
    if (!sameShape(got.shape, expected.shape)) {
      const data = { file: reader.file, tensor: inFile, got: formatType(got), expected: formatType(expected) };
      throw new TrenioError('WEIGHTS_MISMATCH', data);
    }
    found.set(name, inFile);
  }
  const used = new Set(found.values());
  return { found, missing: missingNames, unexpected: [...reader.types.keys()].filter(name => !used.has(name)) };
}
