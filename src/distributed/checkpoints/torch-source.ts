// PyTorch's formats as the source of a conversion: the tensors of the model, and the state of its optimizer. A file of
// torch.save, or a directory of torch.distributed.checkpoint (`.metadata`, `.distcp`).
import { join } from 'node:path';
import { TrenioError } from '../../base/errors.ts';
import { bytesOf, type Literal, zeros } from '../../hlo/literal.ts';
import { copyCommon, wholeBox } from '../../hlo/sharding/tensor-box.ts';
import { formatType, sameType, type TensorType, tensorType } from '../../hlo/types.ts';
import type { TensorReader } from '../../models/safetensors.ts';
import {
  readDistributedMetadata,
  type StoredEntry,
  type StoredPath,
} from '../../models/torch-file/distributed-metadata.ts';
import { loadTorchFile, loadTorchSlice, type TorchValue } from '../../models/torch-file/torch-file.ts';
import { optimizerStateFromTorch } from '../../models/torch-file/torch-optimizer.ts';
import type { OptimizerState } from '../../optim/update/optimizer-state.ts';
import { isLiteral } from '../../tensor/index.ts';

/** The usual names of the two in files that scripts save. */
const models = ['model', 'model_state_dict', 'state_dict', 'module'];
const optimizers = ['optimizer', 'optimizer_state_dict', 'optim'];

/** A saved value that is not a dictionary. */
interface Leaf {
  readonly path: StoredPath;
  /** Undefined if it is not a tensor. */
  readonly type: TensorType | undefined;
  /** A description for errors. */
  readonly what: string;
  read(): Promise<TorchValue>;
}

/** An opened source. */
export interface TorchSource {
  readonly tensors: TensorReader;
  readonly optimizer: OptimizerState | undefined;
  /** The number of tensors that belong to neither. */
  readonly leftOut: number;
}

/**
 * `part`: the key of the tensors, or keys joined by dots. Default: a usual name of a model, or else the tensors at the root.
 * @throws {TORCH_FILE_INVALID}
 * @throws {FILE_UNREADABLE}
 * @throws {CHECKPOINT_INVALID} where there are no tensors
 */
export async function openTorchSource(
  path: string,
  format: 'torch-file' | 'torch-distributed',
  part: string | undefined,
  keepsOptimizer: boolean,
): Promise<TorchSource> {
  const leaves = format === 'torch-file' ? leavesOf(await loadTorchFile(path), []) : await storedLeaves(path);
  const invalid = (problem: string): TrenioError => new TrenioError('CHECKPOINT_INVALID', { directory: path, problem });
  const prefix = modelPrefix(leaves, part);
  const model = prefix === undefined ? [] : below(leaves, prefix);
  if (prefix === undefined || model.length === 0) {
    const found = [...new Set(leaves.map(({ path: at }) => at.slice(0, -1).join('.') || `${at[0]}`))].slice(0, 20);
    const wanted = part === undefined ? `under ${models.join(', ')}` : `'${part}'`;
    throw invalid(`it has no dictionary of tensors ${wanted}; it has ${found.join(', ') || 'none at all'}`);
  }
  const named = new Map(
    model.map(leaf => {
      const name = leaf.path.slice(prefix.length).join('.');
      if (leaf.type === undefined) throw invalid(`'${name}' is ${leaf.what}`);
      return [name, { ...leaf, type: leaf.type }] as const;
    }),
  );
  const state = keepsOptimizer ? await optimizerBelow(leaves, prefix.slice(0, -1)) : undefined;
  const close = (): Promise<void> => Promise.resolve();
  const tensors: TensorReader = {
    file: path,
    types: new Map([...named].map(([name, { type }]) => [name, type])),
    metadata: new Map(),
    read: async name => (await named.get(name)!.read()) as Literal,
    close,
    [Symbol.asyncDispose]: close,
  };
  const all = leaves.filter(({ type }) => type !== undefined).length;
  return { tensors, optimizer: state?.optimizer, leftOut: all - named.size - (state?.tensors ?? 0) };
}

/** The location of the model's tensors: the least nested dictionary with a usual name, or the root. */
function modelPrefix(leaves: readonly Leaf[], part: string | undefined): StoredPath | undefined {
  const prefixes = leaves.flatMap(({ path }) => path.slice(1).map((_, i) => path.slice(0, i + 1)));
  if (part !== undefined) return prefixes.find(prefix => prefix.join('.') === part);
  const rank = (prefix: StoredPath): number => prefix.length * models.length + models.indexOf(`${prefix.at(-1)}`);
  const usual = prefixes.filter(prefix => models.includes(`${prefix.at(-1)}`));
  if (usual.length === 0)
    return leaves.some(({ path, type }) => path.length === 1 && type !== undefined) ? [] : undefined;
  return usual.reduce((best, prefix) => (rank(prefix) < rank(best) ? prefix : best));
}

const startsWith = (path: StoredPath, prefix: StoredPath): boolean =>
  path.length > prefix.length && prefix.every((key, i) => path[i] === key);
/** At the root, other values are next to the tensors. */
const below = (leaves: readonly Leaf[], prefix: StoredPath): readonly Leaf[] =>
  leaves.filter(({ path, type }) =>
    prefix.length === 0 ? path.length === 1 && type !== undefined : startsWith(path, prefix),
  );

/** The optimizer next to the model, and the number of its tensors. */
async function optimizerBelow(
  leaves: readonly Leaf[],
  parent: StoredPath,
): Promise<{ readonly optimizer: OptimizerState; readonly tensors: number } | undefined> {
  const name = optimizers.find(one => leaves.some(({ path }) => startsWith(path, [...parent, one])));
  if (name === undefined) return undefined;
  const prefix = [...parent, name];
  const own = leaves.filter(({ path }) => startsWith(path, prefix));
  // An empty dictionary leaves no trace in a directory.
  const root: Tree = new Map([['state', new Map()]]);
  for (const leaf of own) insert(root, leaf.path.slice(prefix.length), await leaf.read());
  const tensors = own.filter(({ type }) => type !== undefined).length;
  return { optimizer: optimizerStateFromTorch(asTorchValue(root)), tensors };
}

/** Dictionaries and lists that are being assembled. */
type Tree = Map<string | number, Tree | { readonly value: TorchValue }>;
function insert(root: Tree, path: StoredPath, value: TorchValue): void {
  const node = path.slice(0, -1).reduce<Tree>((at, key) => {
    const child = at.get(key);
    if (child instanceof Map) return child;
    const made: Tree = new Map();
    at.set(key, made);
    return made;
  }, root);
  node.set(path.at(-1)!, { value });
}
/** In a directory, items of lists have numbers, and keys of dictionaries are text. */
function asTorchValue(tree: Tree): TorchValue {
  const entries = [...tree].map(
    ([key, child]) => [key, child instanceof Map ? asTorchValue(child) : child.value] as const,
  );
  return entries.length > 0 && entries.every(([key]) => typeof key === 'number')
    ? entries.toSorted(([a], [b]) => Number(a) - Number(b)).map(([, child]) => child)
    : new Map(entries);
}

/** The values of dictionaries in a file. */
function leavesOf(value: TorchValue, path: StoredPath): readonly Leaf[] {
  if (value instanceof Map) {
    const entries = [...(value as ReadonlyMap<string | number, TorchValue>)];
    return entries.flatMap(([key, child]) => leavesOf(child, [...path, `${key}`]));
  }
  const type = isLiteral(value) ? value.type : undefined;
  return [{ path, type, what: 'no tensor', read: () => Promise.resolve(value) }];
}

/** The values that are stored in a directory. */
const storedLeaves = async (directory: string): Promise<readonly Leaf[]> =>
  (await readDistributedMetadata(join(directory, '.metadata'))).map(entry => storedLeaf(directory, entry));

function storedLeaf(directory: string, entry: StoredEntry): Leaf {
  const { path } = entry;
  switch (entry.kind) {
    case 'object': {
      const { file, ...slice } = entry.slice;
      return { path, type: undefined, what: 'no tensor', read: () => loadTorchSlice(join(directory, file), slice) };
    }
    case 'other-tensor': {
      const what = `a tensor of ${entry.dtype}, which Trenio does not have`;
      const read = (): Promise<never> =>
        Promise.reject(
          new TrenioError('TORCH_FILE_INVALID', { file: directory, problem: `'${path.join('.')}' is ${what}` }),
        );
      return { path, type: undefined, what, read };
    }
    case 'tensor':
      return { path, type: entry.type, what: 'a tensor', read: () => assembled(directory, entry) };
  }
}

/** Assembles a tensor from its chunks, one at a time. */
async function assembled(
  directory: string,
  { path, type, chunks }: Extract<StoredEntry, { kind: 'tensor' }>,
): Promise<Literal> {
  const whole = zeros(type);
  for (const { file, start, bytes, offset, shape } of chunks) {
    const from = join(directory, file);
    const chunk = await loadTorchSlice(from, { start, bytes });
    const expected = tensorType(type.elementType, shape);
    if (!isLiteral(chunk) || !sameType(chunk.type, expected)) {
      const got = isLiteral(chunk) ? formatType(chunk.type) : 'no tensor';
      const problem = `of '${path.join('.')}' at [${offset.join(', ')}] it has ${got}, and .metadata says ${formatType(expected)}`;
      throw new TrenioError('TORCH_FILE_INVALID', { file: from, problem });
    }
    const source = { box: { offset, shape }, bytes: bytesOf(chunk) };
    copyCommon(type, source, { box: wholeBox(type), bytes: bytesOf(whole) });
  }
  return whole;
}
