// The header of a safetensors file: the names, types and byte ranges of its tensors. Parsed with every check that
// the format requires, because the file may be damaged or hostile; reading and writing the data is in safetensors.ts.
//
//   ┌────────────┬──────────────────────────────────────────────┬──────────────────────────┐
//   │ u64 length │ JSON {"name":{"dtype","shape","data_offsets"}}│ data, no gaps, in order  │
//   └────────────┴──────────────────────────────────────────────┴──────────────────────────┘
//
// The format: https://huggingface.co/docs/safetensors. Limits and layout match the Rust reference
// implementation.
import * as z from 'zod';
import { TrenioError } from '../base/errors.ts';
import { byteSize, type ElementType, formatType, type TensorType, tensorType } from '../hlo/types.ts';

export interface TensorEntry {
  readonly name: string;
  readonly type: TensorType;
  /** Bytes of the data section, from `start` (inclusive) to `end` (exclusive). */
  readonly start: number;
  readonly end: number;
}

export interface SafetensorsHeader {
  /** In the order of their data. */
  readonly entries: ReadonlyMap<string, TensorEntry>;
  readonly metadata: ReadonlyMap<string, string>;
}

/**
 * The format's type names and ours, in the order of the reference implementation, whose writer puts
 * later ones first.
 */
const dtypes: readonly (readonly [string, ElementType])[] = [
  ['BOOL', 'i1'],
  ['U8', 'ui8'],
  ['I8', 'i8'],
  ['F8_E5M2', 'f8E5M2'],
  ['F8_E4M3', 'f8E4M3FN'],
  ['F8_E8M0', 'f8E8M0FNU'],
  ['I16', 'i16'],
  ['U16', 'ui16'],
  ['F16', 'f16'],
  ['BF16', 'bf16'],
  ['I32', 'i32'],
  ['U32', 'ui32'],
  ['F32', 'f32'],
  ['C64', 'complex<f32>'],
  ['F64', 'f64'],
  ['I64', 'i64'],
  ['U64', 'ui64'],
];
const elementTypeOf: ReadonlyMap<string, ElementType> = new Map(dtypes);
const rankOf: ReadonlyMap<ElementType, number> = new Map(dtypes.map(([, type], rank) => [type, rank]));

/**
 * The maximum length of a header: some 200,000 tensors, more than any published model has. The reference implementation
 * accepts 100 MB; a hostile header of that size would take minutes and gigabytes.
 */
export const maxHeaderBytes = 16 * 2 ** 20;
const maxDimensions = 64;
/** Number of tensors, and of entries in __metadata__. */
const maxEntries = 1 << 18;

const entrySchema = z.strictObject({
  dtype: z.string(),
  shape: z.array(z.int().min(0)),
  data_offsets: z.tuple([z.int().min(0), z.int().min(0)]),
});

/**
 * Parses the JSON of a header. `dataBytes` is the size of the data section.
 * @throws {SAFETENSORS_INVALID} for malformed JSON, a duplicate name, an unknown type, offsets that do not match the
 *   shape, overlap, leave a gap or point outside the data
 */
export function parseHeader(json: string, dataBytes: number, file: string): SafetensorsHeader {
  const fail = (problem: string, tensor?: string): TrenioError =>
    new TrenioError('SAFETENSORS_INVALID', tensor === undefined ? { file, problem } : { file, tensor, problem });
  const beyond = beyondFormat(json);
  if (beyond !== undefined) throw fail(beyond);
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch (error) {
    throw fail(`the header is not JSON: ${(error as Error).message}`);
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw fail('the header is not a JSON object');
  const repeated = firstRepeatedKey(json);
  if (repeated !== undefined) throw fail('its name occurs twice', repeated);

  const entries: TensorEntry[] = [];
  let metadata = new Map<string, string>();
  for (const [name, value] of Object.entries(parsed)) {
    if (name === '__metadata__') {
      // The reference implementation writes null for none.
      if (value === null) continue;
      metadata = readMetadata(value, fail);
      continue;
    }
    const dimensions = (value as { shape?: unknown } | null)?.shape;
    if (Array.isArray(dimensions) && dimensions.length > maxDimensions)
      throw fail(`its shape has ${dimensions.length} dimensions, more than ${maxDimensions}`, name);
    const { dtype, shape, data_offsets } = entryOf(value, problem => fail(problem, name));
    const elementType = elementTypeOf.get(dtype);
    if (elementType === undefined) throw fail(`unknown dtype ${JSON.stringify(dtype)}`, name);
    entries.push({ name, type: tensorType(elementType, shape), start: data_offsets[0], end: data_offsets[1] });
  }
  // Tensors without elements take no bytes and may share an offset: sort them first.
  entries.sort((a, b) => a.start - b.start || a.end - b.end);
  let end = 0;
  for (const entry of entries) {
    const size = byteSize(entry.type);
    const is = `${formatType(entry.type)} takes ${size} bytes`;
    if (entry.end - entry.start !== size)
      throw fail(`${is}, its offsets [${entry.start}, ${entry.end}) hold ${entry.end - entry.start}`, entry.name);
    if (entry.start < end)
      throw fail(`it begins at byte ${entry.start}, before the previous tensor ends, at byte ${end}`, entry.name);
    if (entry.start > end)
      throw fail(`there is a gap of ${entry.start - end} bytes before it, at byte ${end}`, entry.name);
    if (entry.end > dataBytes) {
      throw fail(
        `${is} and ends at byte ${entry.end} of the data, the file has only ${dataBytes}: it is truncated`,
        entry.name,
      );
    }
    end = entry.end;
  }
  if (end !== dataBytes) throw fail(`${dataBytes - end} bytes follow the last tensor`);
  return { entries: new Map(entries.map(entry => [entry.name, entry])), metadata };
}

/** The schema is only used for the error of an invalid entry; running it on 200,000 valid ones would take seconds. */
function entryOf(value: unknown, fail: (problem: string) => TrenioError): z.output<typeof entrySchema> {
  const entry = value as Partial<z.output<typeof entrySchema>> | null;
  const isCount = (n: unknown): boolean => Number.isSafeInteger(n) && (n as number) >= 0;
  const isGood =
    typeof entry === 'object' &&
    entry !== null &&
    Object.keys(entry).length === 3 &&
    typeof entry.dtype === 'string' &&
    Array.isArray(entry.shape) &&
    entry.shape.every(isCount) &&
    Array.isArray(entry.data_offsets) &&
    entry.data_offsets.length === 2 &&
    entry.data_offsets.every(isCount);
  if (isGood) return entry as z.output<typeof entrySchema>;
  const result = entrySchema.safeParse(value);
  if (!result.success) throw fail(firstIssue(result.error));
  return result.data;
}

/** Rejects hostile headers before JSON.parse creates objects: deep nesting, or too many entries. */
function beyondFormat(json: string): string | undefined {
  // The number of commas at each depth, in the value that is currently open: { name: { shape: [ … ] } }.
  const commas = [0, 0, 0, 0];
  let depth = 0;
  for (let i = 0; i < json.length; i++) {
    const char = json.charCodeAt(i);
    if (char === 0x22 /* " */) {
      for (i++; i < json.length && json.charCodeAt(i) !== 0x22; i++) if (json.charCodeAt(i) === 0x5c /* \ */) i++;
    } else if (char === 0x7b /* { */ || char === 0x5b /* [ */) {
      if (++depth > 3) return 'the header is nested deeper than the format allows';
      commas[depth] = 0;
    } else if (char === 0x7d /* } */ || char === 0x5d /* ] */) depth--;
    else if (char === 0x2c /* , */ && depth >= 1 && ++commas[depth]! >= maxEntries)
      return depth === 3
        ? `the header has a list of more than ${maxEntries} numbers`
        : `the header has more than ${maxEntries} entries`;
  }
  return undefined;
}

function readMetadata(value: unknown, fail: (problem: string) => TrenioError): Map<string, string> {
  if (value === null) return new Map();
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw fail('__metadata__ is not a map of strings');
  const metadata = new Map<string, string>();
  for (const [key, text] of Object.entries(value)) {
    if (typeof text !== 'string') throw fail(`__metadata__ is not a map of strings: ${key}: it is ${typeof text}`);
    metadata.set(key, text);
  }
  return metadata;
}

/**
 * The layout of a new file and the bytes before its data: identical to those of the reference implementation, unless the
 * data is aligned to more than 8 bytes.
 * @throws {UNSUPPORTED} for an element type that the format does not have
 * @throws {SAFETENSORS_INVALID} for a tensor named `__metadata__`
 */
export function layOut(
  tensors: ReadonlyMap<string, { readonly type: TensorType }>,
  metadata: ReadonlyMap<string, string>,
  file: string,
  alignment = 8,
): { readonly entries: readonly TensorEntry[]; readonly prefix: Uint8Array } {
  const rank = (name: string): number => {
    const { elementType } = tensors.get(name)!.type;
    const r = rankOf.get(elementType);
    if (r !== undefined) return r;
    const instead = 'convert the tensor to a type that it has, for example f32';
    throw new TrenioError('UNSUPPORTED', {
      what: `element type ${elementType} (tensor '${name}')`,
      where: 'the safetensors format',
      instead,
    });
  };
  if (tensors.has('__metadata__')) {
    throw new TrenioError('SAFETENSORS_INVALID', {
      file,
      tensor: '__metadata__',
      problem: 'the format reserves this name',
    });
  }
  // Wide types first, so that every tensor is aligned to its element size.
  const names = [...tensors.keys()].sort((a, b) => rank(b) - rank(a) || Buffer.compare(Buffer.from(a), Buffer.from(b)));
  let end = 0;
  const entries = names.map(name => {
    const { type } = tensors.get(name)!;
    const start = end;
    end += byteSize(type);
    return { name, type, start, end };
  });
  const header = [
    ...(metadata.size === 0 ? [] : [`"__metadata__":${JSON.stringify(Object.fromEntries(metadata))}`]),
    ...entries.map(({ name, type, start, end: last }) => {
      const [dtype] = dtypes[rank(name)]!;
      return `${JSON.stringify(name)}:{"dtype":"${dtype}","shape":[${type.shape.join(',')}],"data_offsets":[${start},${last}]}`;
    }),
  ];
  const json = new TextEncoder().encode(`{${header.join(',')}}`);
  const length = Math.ceil((8 + json.byteLength) / alignment) * alignment - 8;
  const prefix = new Uint8Array(8 + length).fill(0x20);
  new DataView(prefix.buffer).setBigUint64(0, BigInt(length), true);
  prefix.set(json, 8);
  return { entries, prefix };
}

/** JSON.parse silently keeps the last of two equal keys. `json` is known to be a well-formed object. */
function firstRepeatedKey(json: string): string | undefined {
  const seen = new Set<string>();
  let depth = 0;
  let expectKey = false;
  for (let i = 0; i < json.length; i++) {
    const char = json[i];
    if (char === '{' || char === '[') expectKey = ++depth === 1;
    else if (char === '}' || char === ']') depth--;
    else if (char === ',') expectKey = depth === 1;
    else if (char === '"') {
      const start = i++;
      while (json[i] !== '"') i += json[i] === '\\' ? 2 : 1;
      if (!expectKey) continue;
      const key = JSON.parse(json.slice(start, i + 1)) as string;
      if (seen.has(key)) return key;
      seen.add(key);
      expectKey = false;
    }
  }
  return undefined;
}

function firstIssue(error: z.ZodError): string {
  const { path, message } = error.issues[0]!;
  return path.length === 0 ? message : `${path.join('.')}: ${message}`;
}
