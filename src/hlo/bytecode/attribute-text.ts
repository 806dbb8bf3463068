// Attributes that Trenio does not interpret are stored as the text that MLIR would print for them.

import { formatFloat, formatLiteral } from '../text/print-literal.ts';
import { quoted } from '../text/strings.ts';
import { formatType } from '../types.ts';
import type { AnyType, Attribute } from './values.ts';

function typeText(type: AnyType): string {
  switch (type.kind) {
    case 'element':
      return type.elementType;
    case 'function':
      return `(${type.inputs.map(formatType).join(', ')}) -> (${type.results.map(formatType).join(', ')})`;
    case 'other':
      return type.name;
    default:
      return formatType(type);
  }
}

const key = (name: string): string => (/^[A-Za-z_][\w$.]*$/.test(name) ? name : quoted(name));

/** `{a = 1 : i32, b}`. */
export function dictionaryText(entries: ReadonlyMap<string, Attribute>): string {
  const list = [...entries].map(([name, value]) =>
    value.kind === 'unit' ? key(name) : `${key(name)} = ${attributeText(value)}`,
  );
  return `{${list.join(', ')}}`;
}

export function attributeText(attribute: Attribute): string {
  switch (attribute.kind) {
    case 'array':
      return `[${attribute.elements.map(attributeText).join(', ')}]`;
    case 'boolean':
      return String(attribute.value);
    case 'dictionary':
      return dictionaryText(attribute.entries);
    case 'float':
      return `${formatFloat(attribute.value, attribute.type.kind === 'element' ? attribute.type.elementType : 'f64')} : ${typeText(attribute.type)}`;
    case 'integer':
      return `${attribute.value} : ${typeText(attribute.type)}`;
    case 'string':
      return quoted(attribute.value);
    case 'tensor':
      return `${formatLiteral(attribute.value)} : ${formatType(attribute.value.type)}`;
    case 'type':
      return typeText(attribute.value);
    case 'bounds':
      return `#stablehlo.bounds<${attribute.value.map(b => b ?? '?').join(', ')}>`;
    case 'alias':
      return `#stablehlo.output_operand_alias<output_tuple_indices = [${attribute.outputIndices.join(', ')}], operand_index = ${attribute.operand}, operand_tuple_indices = [${attribute.operandIndices.join(', ')}]>`;
    case 'enum':
    case 'text':
      return attribute.value;
    case 'accuracy':
    case 'location':
    case 'unit':
      return 'unit';
    default:
      return attribute satisfies never;
  }
}
