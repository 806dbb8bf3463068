// Attributes and types of MLIR's builtin dialect, as far as they occur in portable artifacts: the dictionaries of ops, names,
// and locations. The codes are defined in BuiltinDialectBytecode.td.
import type { SourceLocation } from '../../base/errors.ts';
import { type ElementType, elementTypes } from '../types.ts';
import { bitsOfType, type EntryReader, nameOf } from './entry-reader.ts';
import { floatOfBits } from './floats.ts';
import type { AnyType, Attribute } from './values.ts';

export function readBuiltinAttribute(reader: EntryReader): Attribute {
  const { data } = reader;
  const code = data.varint();
  switch (code) {
    case 0:
      return { kind: 'array', elements: data.list(() => reader.attribute()) };
    case 1:
      return {
        kind: 'dictionary',
        entries: new Map(data.list(() => [nameOf(reader, reader.attribute()), reader.attribute()] as const)),
      };
    case 2:
      return { kind: 'string', value: reader.string() };
    case 3: {
      const value = reader.string();
      reader.type();
      return { kind: 'string', value };
    }
    case 4:
      return { kind: 'string', value: nameOf(reader, reader.attribute()) };
    case 6:
      return { kind: 'type', value: reader.type() };
    case 7:
      return { kind: 'unit' };
    case 8: {
      const type = reader.type();
      return { kind: 'integer', type, value: data.integer(bitsOfType(type) ?? 64) };
    }
    case 9: {
      const type = reader.type();
      const width = bitsOfType(type);
      const value =
        type.kind === 'element' && width !== undefined ? floatOfBits(type.elementType, data.integer(width)) : undefined;
      return { kind: 'float', type, value: value ?? reader.refuse('a number of an unknown type') };
    }
    case 10: {
      const callee = locationOf(reader.attribute());
      const caller = locationOf(reader.attribute());
      return { kind: 'location', value: callee ?? caller };
    }
    case 11: {
      const file = nameOf(reader, reader.attribute());
      return { kind: 'location', value: { file, line: data.varint(), column: data.varint() } };
    }
    case 12:
    case 13: {
      const parts = data.list(() => locationOf(reader.attribute()));
      if (code === 13) reader.attribute();
      return { kind: 'location', value: parts.find(part => part !== undefined) };
    }
    case 14: {
      reader.attribute(); // the name
      return { kind: 'location', value: locationOf(reader.attribute()) };
    }
    case 15:
      return { kind: 'location', value: undefined };
    case 22: {
      const file = nameOf(reader, reader.attribute());
      const [line = 0, column = 0] = data.list(() => data.varint());
      return { kind: 'location', value: { file, line, column } };
    }
    default:
      return reader.refuse(`builtin attributes with the code ${code} are unknown`);
  }
}

export function locationOf(attribute: Attribute): SourceLocation | undefined {
  return attribute.kind === 'location' ? attribute.value : undefined;
}

const floats: { readonly [code: number]: ElementType } = { 3: 'bf16', 4: 'f16', 5: 'f32', 6: 'f64' };

export function readBuiltinType(reader: EntryReader): AnyType {
  const code = reader.data.varint();
  const float = floats[code];
  if (float !== undefined) return { kind: 'element', elementType: float };
  switch (code) {
    case 0: {
      const packed = reader.data.varint();
      const name = `${packed % 4 === 2 ? 'ui' : 'i'}${Math.floor(packed / 4)}`;
      const elementType = elementTypes.find(type => type === name);
      return elementType === undefined
        ? reader.refuse(`the type ${name} is unknown`)
        : { kind: 'element', elementType };
    }
    case 1:
      return { kind: 'element', elementType: 'i64' }; // index
    case 12:
      return { kind: 'other', name: 'none' };
    default:
      return reader.refuse(`builtin types with the code ${code} are unknown`);
  }
}
