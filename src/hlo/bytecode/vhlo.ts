// Attributes and types of VHLO, the versioned form of StableHLO in portable artifacts. The codes are those of
// VhloBytecode.cpp; they never change their meaning.
import {
  comparisonDirections,
  fftTypes,
  precisions,
  resultAccuracyModes,
  rngAlgorithms,
  rngDistributions,
  transposes,
} from '../attributes.ts';
import { type Literal, literalOfBytes } from '../literal.ts';
import { bitWidth } from '../ops/element-data.ts';
import { symbol } from '../text/strings.ts';
import { byteSize, dynamicDim, type ElementType, elementBytes, type TensorType, type Type } from '../types.ts';
import { attributeText } from './attribute-text.ts';
import { bitsOfType, type EntryReader, nameOf } from './entry-reader.ts';
import { doubleOfBits, floatOfBits } from './floats.ts';
import type { AnyType, Attribute } from './values.ts';

/** `index` is read as i64, as the text reader does. */
const elements: { readonly [code: number]: ElementType } = {
  0: 'i1',
  2: 'bf16',
  3: 'f16',
  4: 'f32',
  5: 'f64',
  6: 'f8E4M3FN',
  7: 'f8E5M2',
  9: 'i64',
  10: 'i4',
  11: 'i8',
  12: 'i16',
  13: 'i32',
  14: 'i64',
  15: 'ui4',
  16: 'ui8',
  17: 'ui16',
  18: 'ui32',
  19: 'ui64',
  27: 'f8E4M3FNUZ',
  28: 'f8E5M2FNUZ',
  29: 'f8E4M3B11FNUZ',
  31: 'i2',
  32: 'ui2',
  34: 'tf32',
  35: 'f8E4M3',
  36: 'f8E3M4',
  37: 'f4E2M1FN',
  38: 'f6E2M3FN',
  39: 'f6E3M2FN',
  40: 'f8E8M0FNU',
};

export function readVhloType(reader: EntryReader): AnyType {
  const { data } = reader;
  const code = data.varint();
  const elementType = elements[code];
  if (elementType !== undefined) return { kind: 'element', elementType };
  switch (code) {
    case 1: {
      const part = reader.type();
      if (part.kind === 'element' && (part.elementType === 'f32' || part.elementType === 'f64'))
        return { kind: 'element', elementType: `complex<${part.elementType}>` };
      return reader.refuse('a complex type whose parts are neither f32 nor f64');
    }
    case 8:
      return { kind: 'function', inputs: typeList(reader), results: typeList(reader) };
    case 20:
    case 21: {
      const encoding = code === 21 ? reader.attribute() : undefined;
      const shape = data.list(() => data.signed()).map(d => (d < 0 ? dynamicDim : d));
      const element = reader.type();
      if (element.kind !== 'element') return reader.refuse('a tensor whose elements are not numbers');
      const type: TensorType = { ...element, kind: 'tensor', shape };
      return encoding?.kind === 'bounds' ? { ...type, bounds: encoding.value } : type;
    }
    case 22:
      return { kind: 'token' };
    case 23:
      return { kind: 'tuple', elements: typeList(reader) };
    case 24:
    case 30:
      return quantized(reader, code === 30);
    case 33:
      return { kind: 'other', name: 'none' };
    case 42:
      return { kind: 'future', elements: typeList(reader) };
    default:
      return reader.refuse(`VHLO types with the code ${code} are unknown`);
  }
}

function typeList(reader: EntryReader): readonly Type[] {
  return reader.data.list(() => valueType(reader, reader.type()));
}

/** A type that a value can have. */
export function valueType(reader: { refuse(detail: string): never }, type: AnyType): Type {
  if (type.kind === 'element' || type.kind === 'function' || type.kind === 'other')
    return reader.refuse(`a value of type ${type.kind === 'other' ? type.name : type.kind}`);
  return type;
}

function quantized(reader: EntryReader, perAxis: boolean): AnyType {
  const { data } = reader;
  data.varint(); // signedness, which is also part of the storage type
  const storage = reader.type();
  const expressed = reader.type();
  if (storage.kind !== 'element' || expressed.kind !== 'element')
    return reader.refuse('a quantized type without a numeric storage type');
  const scale = (): number => doubleOfBits(data.integer(64));
  const axis = perAxis ? data.varint() : undefined;
  let scales: readonly number[] = perAxis ? [] : [scale()];
  let zeroPoints: readonly number[] = perAxis ? [] : [data.signed()];
  const [storageMin, storageMax] = [data.signed(), data.signed()];
  if (perAxis) {
    scales = data.list(scale);
    zeroPoints = data.list(() => data.signed());
  }
  const { elementType } = storage;
  const width = bitWidth(elementType);
  const full = elementType.startsWith('u') ? [0, 2 ** width - 1] : [-(2 ** (width - 1)), 2 ** (width - 1) - 1];
  const isFull = storageMin === full[0] && storageMax === full[1];
  return {
    kind: 'element',
    elementType,
    quantization: {
      expressedType: expressed.elementType,
      ...(isFull ? {} : { storageMin, storageMax }),
      ...(axis === undefined ? {} : { axis }),
      scales,
      zeroPoints,
    },
  };
}

const enums: { readonly [code: number]: readonly string[] } = {
  3: comparisonDirections,
  4: ['NOTYPE', 'FLOAT', 'TOTALORDER', 'SIGNED', 'UNSIGNED'],
  5: ['0', '1', '2', '3', '4'],
  7: fftTypes,
  11: precisions,
  12: rngAlgorithms,
  13: ['', ...rngDistributions],
  16: ['', ...transposes],
  19: resultAccuracyModes,
};

export function readVhloAttribute(reader: EntryReader): Attribute {
  const { data } = reader;
  const code = data.varint();
  const names = enums[code];
  if (names !== undefined) {
    const value = names[data.varint()];
    return { kind: 'enum', value: value || reader.refuse('an unknown value of an enumeration') };
  }
  switch (code) {
    case 1:
      return { kind: 'array', elements: data.list(() => reader.attribute()) };
    case 2:
      return { kind: 'boolean', value: data.varint() !== 0 };
    case 6:
      return {
        kind: 'dictionary',
        entries: new Map(data.list(() => [nameOf(reader, reader.attribute()), reader.attribute()] as const)),
      };
    case 8: {
      const type = reader.type();
      const width = bitsOfType(type);
      const value =
        type.kind === 'element' && width !== undefined ? floatOfBits(type.elementType, data.integer(width)) : undefined;
      return { kind: 'float', type, value: value ?? reader.refuse('a number of an unknown type') };
    }
    case 9: {
      const type = reader.type();
      return {
        kind: 'integer',
        type,
        value: data.integer(bitsOfType(type) ?? reader.refuse('an integer of an unknown type')),
      };
    }
    case 10:
      return {
        kind: 'alias',
        outputIndices: data.list(() => data.signed()),
        operand: data.signed(),
        operandIndices: data.list(() => data.signed()),
      };
    case 14:
      return { kind: 'string', value: reader.string() };
    case 15: {
      const type = reader.type();
      if (type.kind !== 'tensor') return reader.refuse('a constant that is not a tensor');
      return { kind: 'tensor', value: constant(reader, type, data.take(data.varint()).bytes) };
    }
    case 17:
      return { kind: 'type', value: reader.type() };
    case 18:
      return {
        kind: 'bounds',
        value: data.list(() => data.signed()).map(bound => (bound < 0 ? undefined : bound)),
      };
    case 20: {
      const [atol, rtol] = [doubleOfBits(data.integer(64)), doubleOfBits(data.integer(64))];
      const ulps = data.signed();
      const mode = reader.attribute();
      const name = resultAccuracyModes.find(m => mode.kind === 'enum' && m === mode.value);
      return { kind: 'accuracy', value: { atol, rtol, ulps, mode: name ?? reader.refuse('an accuracy has no mode') } };
    }
    case 21:
      return text(`#stablehlo.sub_axis_info<pre_size = ${data.signed()}, size = ${data.signed()}>`);
    case 22: {
      const name = attributeText(reader.attribute());
      const part = data.varint() === 0 ? '' : `, sub_axis_info = ${attributeText(reader.attribute())}`;
      return text(`#stablehlo.axis_ref<name = ${name}${part}>`);
    }
    case 23: {
      const mesh = reader.attribute();
      const name = mesh.kind === 'string' ? symbol(mesh.value) : attributeText(mesh);
      return text(`#stablehlo.replica_group_mesh_axes<mesh = ${name}, axes = ${attributeText(reader.attribute())}>`);
    }
    case 24:
      return text(`#stablehlo.mesh_axis<name = ${attributeText(reader.attribute())}, size = ${data.signed()}>`);
    case 25: {
      const axes = attributeText(reader.attribute());
      const ids = reader.optionalAttribute();
      return text(`#stablehlo.mesh<axes = ${axes}${ids === undefined ? '' : `, device_ids = ${attributeText(ids)}`}>`);
    }
    default:
      return reader.refuse(`VHLO attributes with the code ${code} are unknown`);
  }
}

const text = (value: string): Attribute => ({ kind: 'text', value });

/** The elements of a constant: a splat, packed bits for i1, or all elements. */
function constant(reader: EntryReader, type: TensorType, blob: Uint8Array): Literal {
  if (type.shape.includes(dynamicDim)) reader.refuse('a constant of unknown size');
  const bytes = byteSize(type);
  const size = elementBytes(type.elementType);
  if (bytes > 2 ** 31) reader.refuse(`a constant of ${bytes} bytes`);
  const out = new Uint8Array(bytes);
  if (bytes === 0) return literalOfBytes(type, out); // may still contain the bytes of one element
  const isBits = type.elementType === 'i1';
  if (blob.length === size && (!isBits || bytes === 1 || blob[0] === 0xff || blob[0] === 0)) {
    const one = isBits ? Uint8Array.of(blob[0] === 0 ? 0 : 1) : blob;
    for (let at = 0; at < bytes; at += size) out.set(one, at);
  } else if (isBits && blob.length === Math.ceil(bytes / 8)) {
    for (let i = 0; i < bytes; i++) out[i] = (blob[i >> 3]! >> (i & 7)) & 1;
  } else if (blob.length === bytes) out.set(blob);
  else reader.refuse(`a constant has ${blob.length} bytes and needs ${bytes}`);
  return literalOfBytes(type, out);
}
