// The `.metadata` file of a directory of torch.distributed.checkpoint (FileSystemWriter): which tensors and objects there are,
// and where their bytes are in the `.distcp` files. It is a pickle of PyTorch's classes, read as data (unpickle.ts).
//
//   Metadata
//     state_dict_metadata   name → TensorStorageMetadata { properties, size, chunks: [{ offsets, sizes }] }
//                                  or BytesStorageMetadata
//     planner_data          name → path in the dictionary that was saved: 'model.fc.weight' → ('model', 'fc.weight')
//     storage_data          MetadataIndex { fqn, offset } → _StorageInfo { relative_path, offset, length }
import { TrenioError } from '../../base/errors.ts';
import { readBytes } from '../../base/read-file.ts';
import { byteSize, type ElementType, type TensorType, tensorType } from '../../hlo/types.ts';
import type { Pickled, PickledObject } from './pickled.ts';
import { unpickle } from './unpickle.ts';

/** A part of a `.distcp` file, in the format of torch.save. */
export interface StoredSlice {
  /** The name of the file in the directory. */
  readonly file: string;
  readonly start: number;
  readonly bytes: number;
}
/** A rectangular part of a tensor. */
export interface StoredChunk extends StoredSlice {
  readonly offset: readonly number[];
  readonly shape: readonly number[];
}
export type StoredPath = readonly (string | number)[];
export type StoredEntry =
  | {
      readonly kind: 'tensor';
      readonly path: StoredPath;
      readonly type: TensorType;
      readonly chunks: readonly StoredChunk[];
    }
  /** A tensor of a type that Trenio lacks. */
  | { readonly kind: 'other-tensor'; readonly path: StoredPath; readonly dtype: string }
  | { readonly kind: 'object'; readonly path: StoredPath; readonly slice: StoredSlice };

const metadataModule = 'torch.distributed.checkpoint.metadata';
const storageInfo = 'torch.distributed.checkpoint.filesystem._StorageInfo';
const elementTypes = new Map<string, ElementType>([
  ['torch.float32', 'f32'],
  ['torch.float64', 'f64'],
  ['torch.float16', 'f16'],
  ['torch.bfloat16', 'bf16'],
  ['torch.int64', 'i64'],
  ['torch.int32', 'i32'],
  ['torch.int16', 'i16'],
  ['torch.int8', 'i8'],
  ['torch.uint8', 'ui8'],
  ['torch.bool', 'i1'],
]);
const otherTypes = [
  ...['complex32', 'complex64', 'complex128', 'uint16', 'uint32', 'uint64', 'quint8', 'qint8', 'qint32'],
  ...['float8_e4m3fn', 'float8_e5m2', 'float8_e4m3fnuz', 'float8_e5m2fnuz', 'float8_e8m0fnu', 'float4_e2m1fn_x2'],
].map(name => `torch.${name}`);
const classes = new Set([
  ...[
    'Metadata',
    'TensorStorageMetadata',
    'BytesStorageMetadata',
    'ChunkStorageMetadata',
    'TensorProperties',
    '_MEM_FORMAT_ENCODING',
    'MetadataIndex',
    'StorageMeta',
  ].map(name => `${metadataModule}.${name}`),
  storageInfo,
  'torch.serialization._get_layout',
  'pathlib.PosixPath',
  'pathlib.WindowsPath',
  'pathlib._local.PosixPath',
  'pathlib._local.WindowsPath',
  ...elementTypes.keys(),
  ...otherTypes,
]);
const largest = 256 << 20;
/** The limit exists because the chunks of a tensor are compared in pairs. */
const mostChunks = 4096;
const deepest = 100;

/** @throws {FILE_UNREADABLE} @throws {TORCH_FILE_INVALID} */
export async function readDistributedMetadata(file: string): Promise<readonly StoredEntry[]> {
  const bytes = await readBytes(file, largest);
  try {
    return entriesOf(unpickle(bytes, classes));
  } catch (error) {
    if (error instanceof TrenioError || !(error instanceof Error)) throw error;
    throw new TrenioError('TORCH_FILE_INVALID', { file, problem: `its pickle ${error.message}` });
  }
}

// The errors below begin with a verb: "its pickle …".

function entriesOf(root: Pickled): readonly StoredEntry[] {
  const metadata = fieldsOf(root, `${metadataModule}.Metadata`);
  const slices = slicesOf(metadata.get('storage_data'));
  const paths = metadata.get('planner_data');
  const entries: StoredEntry[] = [];
  for (const [name, stored] of dictionary(metadata.get('state_dict_metadata'), 'state_dict_metadata')) {
    if (typeof name !== 'string') throw new Error('has an entry whose name is not a string');
    const path = pathOf(paths instanceof Map ? (paths as ReadonlyMap<Pickled, Pickled>).get(name) : undefined, name);
    const sliceAt = (offset: readonly number[] | undefined): StoredSlice => {
      const slice = slices.get(sliceKey(name, offset));
      if (slice === undefined) throw new Error(`does not say where ${described(name, offset)} is stored`);
      return slice;
    };
    if (isObjectOf(stored, `${metadataModule}.BytesStorageMetadata`))
      entries.push({ kind: 'object', path, slice: sliceAt(undefined) });
    else {
      const fields = fieldsOf(stored, `${metadataModule}.TensorStorageMetadata`);
      const dtype = dtypeOf(fields.get('properties'));
      const elementType = elementTypes.get(dtype);
      if (elementType === undefined) entries.push({ kind: 'other-tensor', path, dtype });
      else {
        const type = tensorType(elementType, counts(fields.get('size'), name));
        entries.push({ kind: 'tensor', path, type, chunks: chunksOf(fields.get('chunks'), name, type, sliceAt) });
      }
    }
  }
  return entries;
}

function chunksOf(
  list: Pickled | undefined,
  name: string,
  type: TensorType,
  sliceAt: (offset: readonly number[]) => StoredSlice,
): readonly StoredChunk[] {
  if (!Array.isArray(list) || list.length > mostChunks) throw new Error(`has no list of the chunks of '${name}'`);
  const chunks = (list as readonly Pickled[]).map((item): StoredChunk => {
    const fields = fieldsOf(item, `${metadataModule}.ChunkStorageMetadata`);
    const offset = counts(fields.get('offsets'), name);
    const shape = counts(fields.get('sizes'), name);
    const fits =
      offset.length === type.shape.length &&
      shape.length === type.shape.length &&
      type.shape.every((extent, dim) => offset[dim]! + shape[dim]! <= extent);
    if (!fits) throw new Error(`has a chunk of '${name}' that lies beyond its shape [${type.shape.join(', ')}]`);
    const chunk = { ...sliceAt(offset), offset, shape };
    if (byteSize(tensorType(type.elementType, shape)) > chunk.bytes)
      throw new Error(`has a chunk of '${name}' that is larger than its stored data`);
    return chunk;
  });
  const overlap = chunks.some((a, i) => chunks.slice(i + 1).some(b => overlaps(a, b)));
  const bytes = chunks.reduce((sum, { shape }) => sum + byteSize(tensorType(type.elementType, shape)), 0);
  if (overlap || bytes !== byteSize(type))
    throw new Error(
      `has chunks of '${name}' that ${overlap ? 'overlap' : `have ${bytes} of its ${byteSize(type)} bytes`}`,
    );
  return chunks;
}
const overlaps = (a: StoredChunk, b: StoredChunk): boolean =>
  !a.shape.includes(0) &&
  !b.shape.includes(0) &&
  a.offset.every((from, dim) => from < b.offset[dim]! + b.shape[dim]! && b.offset[dim]! < from + a.shape[dim]!);

function slicesOf(stored: Pickled | undefined): ReadonlyMap<string, StoredSlice> {
  const slices = new Map<string, StoredSlice>();
  for (const [index, info] of dictionary(stored, 'storage_data')) {
    const key = fieldsOf(index, `${metadataModule}.MetadataIndex`);
    const name = key.get('fqn');
    const offset = key.get('offset');
    if (typeof name !== 'string') throw new Error('has an index without a name');
    const at = offset === undefined || offset === null ? undefined : counts(offset, name);
    const fields = fieldsOf(info, storageInfo);
    const [file, start, bytes] = ['relative_path', 'offset', 'length'].map(field => fields.get(field));
    // For example compression.
    const transforms = fields.get('transform_descriptors');
    if (Array.isArray(transforms) && transforms.length > 0)
      throw new Error(`says that ${described(name, at)} was transformed by ${transforms.join(', ')}, an extension`);
    // The metadata is untrusted: it may only name files in its directory.
    if (typeof file !== 'string' || !/^[^/\\\0]+\.distcp$/.test(file))
      throw new Error(`says that ${described(name, at)} is in ${JSON.stringify(file)}, which is not a .distcp file`);
    if (!isCount(start) || !isCount(bytes)) throw new Error(`does not say where ${described(name, at)} is stored`);
    slices.set(sliceKey(name, at), { file, start, bytes });
  }
  return slices;
}
const sliceKey = (name: string, offset: readonly number[] | undefined): string => JSON.stringify([name, offset]);
const described = (name: string, offset: readonly number[] | undefined): string =>
  offset === undefined ? `'${name}'` : `'${name}' at [${offset.join(', ')}]`;

/** The path in the dictionary that was saved; the name itself if the dictionary was not flattened. */
function pathOf(path: Pickled | undefined, name: string): StoredPath {
  if (path === undefined) return [name];
  const isPath =
    Array.isArray(path) &&
    path.length > 0 &&
    path.length <= deepest &&
    path.every(key => typeof key === 'string' || isCount(key as Pickled));
  if (!isPath) throw new Error(`has no path of '${name}'`);
  return path as StoredPath;
}

/** `TensorProperties`: its fields, or the first element of the list that it is pickled as. */
function dtypeOf(properties: Pickled | undefined): string {
  const name = `${metadataModule}.TensorProperties`;
  if (properties === undefined || !isObjectOf(properties, name)) throw new Error('has a tensor without properties');
  const { fields } = properties;
  const dtype = Array.isArray(fields)
    ? (fields as readonly Pickled[])[0]
    : dictionary(fields, 'properties').get('dtype');
  const isType = typeof dtype === 'object' && dtype !== null && 'kind' in dtype && dtype.kind === 'class';
  if (!isType) throw new Error('has a tensor without a dtype');
  return dtype.name;
}

const isCount = (value: Pickled | undefined): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
function counts(value: Pickled | undefined, name: string): readonly number[] {
  if (!Array.isArray(value) || !value.every(isCount)) throw new Error(`has an invalid shape of '${name}'`);
  return value as readonly number[];
}
const isObjectOf = (value: Pickled, name: string): value is PickledObject =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'object' && value.class === name;
function fieldsOf(value: Pickled | undefined, name: string): ReadonlyMap<Pickled, Pickled> {
  if (value === undefined || !isObjectOf(value, name))
    throw new Error(`has no ${name.split('.').at(-1)} where it belongs`);
  return dictionary(value.fields, name);
}
function dictionary(value: Pickled | undefined, name: string): ReadonlyMap<Pickled, Pickled> {
  if (!(value instanceof Map)) throw new Error(`has no dictionary ${name}`);
  return value as ReadonlyMap<Pickled, Pickled>;
}
