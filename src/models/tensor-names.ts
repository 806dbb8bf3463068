// Maps tensor names in files to those of a model: renamed parts of names, and tensors that several
// parameters share in the file, concatenated along the first dim.
import { TrenioError } from '../base/errors.ts';
import { bytesOf, type Literal, zeros } from '../hlo/literal.ts';
import { byteSize, formatType, type TensorType, tensorType } from '../hlo/types.ts';
import { type LazyTensor, missing, type TensorReader } from './safetensors.ts';

/**
 * Segments of a name, such as `self_attn.dense`, in files and in the model. Several in the model: the file stores them
 * concatenated. Several in files: alternative names, of which the first is written. A `*` in files: one tensor for each index
 * of the first dim. Rules apply in order, each to the result of the previous one.
 */
export interface NameRule {
  readonly file: string | readonly string[];
  readonly model: string | readonly string[];
  /**
   * Several in the model: the rows of the file's tensor are in this many groups, each of which has a share of each of them, such
   * as the query, the key and the value of one head. Default: 1.
   */
  readonly groups?: number;
  /** The file has the transposes of the matrices: of `weight` alone. */
  readonly isTransposed?: boolean;
}

/**
 * A view of a file with current names: the first versions of BERT named the parameters of layer norms gamma and beta. The reader
 * itself if it has no such names.
 */
export function withCurrentNames(reader: TensorReader): TensorReader {
  const old = /(^|\.)LayerNorm\.(gamma|beta)$/;
  const inFiles = new Map<string, string>();
  for (const name of reader.types.keys())
    if (old.test(name)) inFiles.set(name.replace(/gamma$/, 'weight').replace(/beta$/, 'bias'), name);
  if (inFiles.size === 0) return reader;
  const types = new Map(reader.types);
  for (const [name, file] of inFiles) {
    types.set(name, types.get(file)!);
    types.delete(file);
  }
  const { readInto } = reader;
  return {
    ...reader,
    types,
    read: name => reader.read(inFiles.get(name) ?? name),
    readInto: readInto && ((name, into, from) => readInto(inFiles.get(name) ?? name, into, from)),
  };
}

/** The segments `from` of `name` replaced by `to`; undefined if it has none. */
function replaced(name: string, from: string, to: string): string | undefined {
  const at = `.${name}.`.indexOf(`.${from}.`);
  return at < 0 ? undefined : name.slice(0, at) + to + name.slice(at + from.length);
}

/** The location of a parameter in the file: a whole tensor, or some of its rows. */
interface InFile {
  /** The spellings of the tensor's name. */
  readonly names: readonly [string, ...string[]];
  /** The parameters that share the tensor, in order, or only this one. */
  readonly sharing: readonly string[];
  /** The number of groups of rows that each have a share of each parameter. */
  readonly groups: number;
  /** Whether the file has the transpose of the tensor. */
  readonly isTransposed: boolean;
}

export function inFile(name: string, rules: readonly NameRule[]): InFile {
  let [names, sharing, groups]: [string[], string[], number] = [[name], [name], 1];
  let isTransposed = false;
  for (const { file, model, groups: ofRule = 1, isTransposed: isRuleTransposed = false } of rules) {
    const own = [model].flat().find(part => replaced(names[0]!, part, '') !== undefined);
    if (own === undefined) continue;
    isTransposed ||= isRuleTransposed && names[0]!.endsWith(`${own}.weight`);
    if (typeof model !== 'string') {
      sharing = model.map(part => replaced(name, own, part) ?? name);
      groups = ofRule;
    }
    names = [file].flat().flatMap(spelling => names.map(known => replaced(known, own, spelling) ?? known));
  }
  return { names: names as [string, ...string[]], sharing, groups, isTransposed };
}

/** The name of one of the tensors that the model stacks: `experts.*.w1` has a number in place of the star. */
const numbered = (name: string, i: number): string => name.replace('.*.', `.${i}.`);
const isNumbered = (name: string): boolean => name.includes('.*.');

/** A name with and without the field that holds the base of a model: both forms occur in files. */
export function withAndWithout(prefix: string | undefined, name: string): readonly string[] {
  if (prefix === undefined) return [name];
  return [name, name.startsWith(prefix) ? name.slice(prefix.length) : prefix + name];
}

/**
 * A view of a file with the tensor names of a model.
 * @param parameters the types of the model's parameters, by name
 * @param basePrefix the name of the model's base with a dot, `bert.`: files may have or lack it
 * @throws {WEIGHTS_MISMATCH} if a joined tensor does not have the size of its parts
 */
export function renamed(
  reader: TensorReader,
  rules: readonly NameRule[],
  parameters: ReadonlyMap<string, TensorType>,
  basePrefix?: string,
): TensorReader {
  if (rules.length === 0) return reader;
  const own = new Map<string, TensorType>();
  const used = new Set<string>();
  const stacks = new Map<string, readonly string[]>();
  const places = new Map<string, Place>();
  for (const name of parameters.keys()) {
    const { names, sharing, groups, isTransposed } = inFile(name, rules);
    const spellings = names.flatMap(spelling => withAndWithout(basePrefix, spelling));
    const each = spellings.find(one => isNumbered(one) && reader.types.has(numbered(one, 0)));
    if (each !== undefined) {
      const parts = Array.from({ length: parameters.get(name)!.shape[0]! }, (_, i) => numbered(each, i));
      const inParts = stackedType(reader, parts);
      if (inParts === undefined) continue;
      for (const part of parts) used.add(part);
      own.set(name, inParts);
      stacks.set(name, parts);
      continue;
    }
    const file = spellings.find(one => reader.types.has(one));
    const inTheFile = reader.types.get(file ?? '');
    if (file === undefined || file === name || inTheFile === undefined) continue;
    const type = isTransposed ? transposedType(inTheFile) : inTheFile;
    used.add(file);
    const rows = sharing.map(other => parameters.get(other)?.shape[0] ?? 0);
    const total = rows.reduce((sum, n) => sum + n, 0);
    if (sharing.length > 1 && type.shape[0] !== total) {
      const expected = formatType(tensorType(type.elementType, [total, ...type.shape.slice(1)]));
      throw new TrenioError('WEIGHTS_MISMATCH', { file: reader.file, tensor: file, got: formatType(type), expected });
    }
    const index = sharing.indexOf(name);
    own.set(name, sharing.length === 1 ? type : tensorType(type.elementType, [rows[index]!, ...type.shape.slice(1)]));
    const before = rows.slice(0, index).reduce((sum, n) => sum + n, 0) / groups;
    places.set(name, { file, groups, groupRows: total / groups, before, isTransposed });
  }
  // The name of one parameter may be that of another one's tensor.
  const types = new Map([...[...reader.types].filter(([name]) => !used.has(name)), ...own]);
  const { readInto } = reader;
  /** The transposed tensor that was read last: several parameters may be parts of it. */
  let last: { readonly file: string; readonly whole: Promise<Literal> } | undefined;
  const wholeOf = ({ file, isTransposed }: Place): Promise<Literal> => {
    if (!isTransposed) return reader.read(file);
    if (last?.file !== file) last = { file, whole: reader.read(file).then(transposed) };
    return last.whole;
  };
  return {
    ...reader,
    types,
    readInto:
      readInto &&
      (async (name, into, from = 0) => {
        const [stack, place, type] = [stacks.get(name), places.get(name), types.get(name)];
        if (type === undefined) throw missing(reader.file, name);
        if (stack === undefined) {
          if (place === undefined) return readInto(name, into, from);
          if (place.isTransposed) {
            into.set(bytesOf(rowsOf(await wholeOf(place), type, place)).subarray(from, from + into.byteLength));
            return;
          }
          const share = byteSize(type) / place.groups;
          const rowBytes = byteSize(type) / (type.shape[0] || 1);
          for (let done = 0; done < into.byteLength; ) {
            const [group, at] = [Math.floor((from + done) / share), (from + done) % share];
            const piece = into.subarray(done, done + share - at);
            await readInto(place.file, piece, (group * place.groupRows + place.before) * rowBytes + at);
            done += piece.byteLength;
          }
          return;
        }
        const partBytes = byteSize(type) / stack.length;
        for (let done = 0; done < into.byteLength; ) {
          const at = (from + done) % partBytes;
          const piece = into.subarray(done, done + partBytes - at);
          await readInto(stack[Math.floor((from + done) / partBytes)]!, piece, at);
          done += piece.byteLength;
        }
      }),
    async read(name) {
      const stack = stacks.get(name);
      if (stack !== undefined) return stacked(reader, stack, types.get(name)!);
      const place = places.get(name);
      if (place === undefined) return reader.read(name);
      const type = types.get(name);
      if (type === undefined) throw missing(reader.file, name);
      return rowsOf(await wholeOf(place), type, place);
    },
  };
}

/** The rows of a parameter in a tensor of a file. */
interface Place {
  readonly file: string;
  readonly groups: number;
  /** The rows of the tensor in a group. */
  readonly groupRows: number;
  /** Those before the parameter's, in each group. */
  readonly before: number;
  /** The rows are those of the transpose. */
  readonly isTransposed: boolean;
}

/** The type of tensors along a new first dim; undefined if one is missing. */
function stackedType(reader: TensorReader, parts: readonly string[]): TensorType | undefined {
  const first = reader.types.get(parts[0]!)!;
  for (const part of parts) {
    const got = reader.types.get(part);
    if (got === undefined) return undefined;
    if (formatType(got) !== formatType(first)) {
      const data = { file: reader.file, tensor: part, got: formatType(got), expected: formatType(first) };
      throw new TrenioError('WEIGHTS_MISMATCH', data);
    }
  }
  return tensorType(first.elementType, [parts.length, ...first.shape]);
}

async function stacked(reader: TensorReader, parts: readonly string[], type: TensorType): Promise<Literal> {
  const whole = zeros(type);
  const bytesOfPart = byteSize(type) / parts.length;
  for (const [i, part] of parts.entries()) bytesOf(whole).set(bytesOf(await reader.read(part)), i * bytesOfPart);
  return whole;
}

function rowsOf(whole: Literal, type: TensorType, { groups, groupRows, before }: Place): Literal {
  if (whole.type.shape[0] === type.shape[0]) return whole;
  const part = zeros(type);
  const rowBytes = byteSize(type) / type.shape[0]!;
  const share = byteSize(type) / groups;
  for (let group = 0; group < groups; group++) {
    const from = (group * groupRows + before) * rowBytes;
    bytesOf(part).set(bytesOf(whole).subarray(from, from + share), group * share);
  }
  return part;
}

/** The tensors of a model under the names in its files. */
export function asInFiles(
  state: ReadonlyMap<string, LazyTensor>,
  rules: readonly NameRule[],
): ReadonlyMap<string, LazyTensor> {
  const files = new Map<string, LazyTensor>();
  for (const [name, tensor] of state) {
    const {
      names: [file],
      sharing,
      groups,
      isTransposed,
    } = inFile(name, rules);
    const placed = (whole: LazyTensor): LazyTensor => (isTransposed ? transposedTensor(whole) : whole);
    if (isNumbered(file)) for (const [i, part] of partsOf(tensor).entries()) files.set(numbered(file, i), part);
    else if (sharing.length === 1) files.set(file, placed(tensor));
    else if (!files.has(file)) {
      const parts = sharing.flatMap(part => state.get(part) ?? []);
      files.set(file, placed(parts.length === 1 ? tensor : joined(parts, groups)));
    }
  }
  return files;
}

function joined(parts: readonly LazyTensor[], groups: number): LazyTensor {
  const [first] = parts;
  const rows = parts.reduce((sum, { type }) => sum + type.shape[0]!, 0);
  return {
    type: tensorType(first!.type.elementType, [rows, ...first!.type.shape.slice(1)]),
    async *chunks() {
      if (groups === 1) {
        for (const part of parts) yield* part.chunks();
        return;
      }
      const all = await Promise.all(parts.map(bytesOfAll));
      for (let group = 0; group < groups; group++)
        for (const bytes of all) {
          const share = bytes.byteLength / groups;
          yield bytes.subarray(group * share, (group + 1) * share);
        }
    },
  };
}

/** The tensors along the first dim. Their bytes are fetched together, and dropped when the last one is written. */
function partsOf(whole: LazyTensor): readonly LazyTensor[] {
  const [count, ...shape] = whole.type.shape as [number, ...number[]];
  const type = tensorType(whole.type.elementType, shape);
  const bytes = byteSize(type);
  let [fetched, left]: [Promise<Uint8Array> | undefined, number] = [undefined, count];
  return Array.from({ length: count }, (_, i) => ({
    type,
    async *chunks() {
      fetched ??= bytesOfAll(whole);
      const all = await fetched;
      left--;
      if (left === 0) fetched = undefined;
      yield all.subarray(i * bytes, (i + 1) * bytes);
    },
  }));
}

async function bytesOfAll(tensor: LazyTensor): Promise<Uint8Array> {
  const all = new Uint8Array(byteSize(tensor.type));
  let at = 0;
  for await (const chunk of tensor.chunks()) {
    all.set(chunk, at);
    at += chunk.byteLength;
  }
  return all;
}

const transposedType = ({ elementType, shape }: TensorType): TensorType => tensorType(elementType, shape.toReversed());

function transposed(matrix: Literal): Literal {
  const [rows, columns] = matrix.type.shape as [number, number];
  const result = zeros(transposedType(matrix.type));
  const size = byteSize(matrix.type) / (rows * columns || 1);
  const [from, to] = [elements(bytesOf(matrix), size), elements(bytesOf(result), size)];
  // In blocks: each line of the cache is used for all its elements.
  for (let firstRow = 0; firstRow < rows; firstRow += block)
    for (let firstColumn = 0; firstColumn < columns; firstColumn += block)
      for (let row = firstRow; row < Math.min(rows, firstRow + block); row++)
        for (let column = firstColumn; column < Math.min(columns, firstColumn + block); column++)
          to[column * rows + row] = from[row * columns + column]!;
  return result;
}
const block = 32;
/** As numbers of the size of the elements, whatever their type. */
function elements({ buffer, byteOffset, byteLength }: Uint8Array, size: number) {
  const array = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: Float64Array }[size]!;
  return new array(buffer as ArrayBuffer, byteOffset, byteLength / size);
}

function transposedTensor(tensor: LazyTensor): LazyTensor {
  return {
    type: transposedType(tensor.type),
    async *chunks() {
      const whole = zeros(tensor.type);
      bytesOf(whole).set(await bytesOfAll(tensor));
      yield bytesOf(transposed(whole));
    },
  };
}
