// Maps tensor names in files to those of a model: renamed parts of names, and tensors that several
// parameters share in the file, concatenated along the first dim.
import { TrenioError } from '../base/errors.ts';
import { bytesOf, type Literal, zeros } from '../hlo/literal.ts';
import { byteSize, formatType, type TensorType, tensorType } from '../hlo/types.ts';
import { type LazyTensor, missing, type TensorReader } from './safetensors.ts';

/**
 * Segments of a name, such as `self_attn.dense`, in files and in the model. Several in the model: the file has them
 * concatenated.
 */
export interface NameRule {
  readonly file: string;
  readonly model: string | readonly string[];
}

/** The segments `from` of `name` replaced by `to`; undefined if it has none. */
function replaced(name: string, from: string, to: string): string | undefined {
  const at = `.${name}.`.indexOf(`.${from}.`);
  return at < 0 ? undefined : name.slice(0, at) + to + name.slice(at + from.length);
}

/** The location of a parameter in the file: a whole tensor, or some of its rows. */
interface InFile {
  readonly name: string;
  /** The parameters that share the tensor, in order, or only this one. */
  readonly sharing: readonly string[];
}

function inFile(name: string, rules: readonly NameRule[]): InFile {
  for (const { file, model } of rules)
    for (const own of [model].flat()) {
      const found = replaced(name, own, file);
      if (found === undefined) continue;
      const sharing = [model].flat().map(part => replaced(name, own, part) ?? name);
      return { name: found, sharing };
    }
  return { name, sharing: [name] };
}

/**
 * A view of a file with the tensor names of a model.
 * @param parameters the types of the model's parameters, by name
 * @throws {WEIGHTS_MISMATCH} if a joined tensor does not have the size of its parts
 */
export function renamed(
  reader: TensorReader,
  rules: readonly NameRule[],
  parameters: ReadonlyMap<string, TensorType>,
): TensorReader {
  if (rules.length === 0) return reader;
  const types = new Map(reader.types);
  const places = new Map<string, { readonly file: string; readonly row: number }>();
  for (const name of parameters.keys()) {
    const { name: file, sharing } = inFile(name, rules);
    const type = reader.types.get(file);
    if (file === name || type === undefined) continue;
    types.delete(file);
    const rows = sharing.map(other => parameters.get(other)?.shape[0] ?? 0);
    const total = rows.reduce((sum, n) => sum + n, 0);
    if (sharing.length > 1 && type.shape[0] !== total) {
      const expected = formatType(tensorType(type.elementType, [total, ...type.shape.slice(1)]));
      throw new TrenioError('WEIGHTS_MISMATCH', { file: reader.file, tensor: file, got: formatType(type), expected });
    }
    const index = sharing.indexOf(name);
    types.set(name, sharing.length === 1 ? type : tensorType(type.elementType, [rows[index]!, ...type.shape.slice(1)]));
    places.set(name, { file, row: rows.slice(0, index).reduce((sum, n) => sum + n, 0) });
  }
  return {
    ...reader,
    types,
    async read(name) {
      const place = places.get(name);
      if (place === undefined) return reader.read(name);
      const type = types.get(name);
      if (type === undefined) throw missing(reader.file, name);
      const whole = await reader.read(place.file);
      return rowsOf(whole, type, place.row);
    },
  };
}

function rowsOf(whole: Literal, type: TensorType, row: number): Literal {
  if (whole.type.shape[0] === type.shape[0]) return whole;
  const part = zeros(type);
  const bytesOfRow = byteSize(type) / type.shape[0]!;
  bytesOf(part).set(bytesOf(whole).subarray(row * bytesOfRow, row * bytesOfRow + byteSize(type)));
  return part;
}

/** The tensors of a model under the names in its files. */
export function asInFiles(
  state: ReadonlyMap<string, LazyTensor>,
  rules: readonly NameRule[],
): ReadonlyMap<string, LazyTensor> {
  const files = new Map<string, LazyTensor>();
  for (const [name, tensor] of state) {
    const { name: file, sharing } = inFile(name, rules);
    if (sharing.length === 1) files.set(file, tensor);
    else if (!files.has(file)) files.set(file, joined(sharing.flatMap(part => state.get(part) ?? [])));
  }
  return files;
}

function joined(parts: readonly LazyTensor[]): LazyTensor {
  const [first] = parts;
  const rows = parts.reduce((sum, { type }) => sum + type.shape[0]!, 0);
  return {
    type: tensorType(first!.type.elementType, [rows, ...first!.type.shape.slice(1)]),
    async *chunks() {
      for (const part of parts) yield* part.chunks();
    },
  };
}
