// Reads the text of the table of keys (schema-table.ts). A line is a key: its name, kind, update policy and limits; the keys of a
// section, or of the items of a list of sections, are below it, indented.
//
//   Key text! SUPPORTED {"pattern":"^a"}     required; `text[]` is a list of texts, `list` one of sections
//   @tags list UNSUPPORTED                   a field that several keys have, which refer to it: `Tags @tags`
import type { Field, MapField } from './schema.ts';

const line = /^( *)(@?)(\w+) (?:@(\w+)|(\w+)(\[\])?(!)?(?: (\w+))?(?: (\{.*\}))?)$/;

export function readSchema(text: string): MapField {
  const shared = new Map<string, Field>();
  // The keys of the sections around a line, the outermost first.
  const open: Record<string, Field>[] = [{}];
  for (const written of text.trim().split('\n')) {
    const [, indent, isShared, name, reference, kind, isList, required, update, limits] = line.exec(written)!;
    const depth = indent!.length / 2;
    const fields: Record<string, Field> = {};
    open.splice(depth + 1, open.length, fields);
    const { pattern, oneOf, ...rest } = JSON.parse(limits ?? '{}') as Record<string, unknown>;
    const ofText = { ...(pattern !== undefined && { pattern }), ...(oneOf !== undefined && { oneOf }) };
    const facts = { ...rest, ...(required && { required: true }), ...(update && { update }) };
    const made =
      kind === 'map'
        ? { kind, fields, ...facts }
        : kind === 'list'
          ? { kind, item: { kind: 'map', fields }, ...facts }
          : isList
            ? { kind: 'list', item: { kind, ...ofText }, ...facts }
            : { kind, ...ofText, ...facts };
    const field = reference === undefined ? (made as Field) : shared.get(reference)!;
    if (isShared) shared.set(name!, field);
    else open[depth]![name!] = field;
  }
  return { kind: 'map', fields: open[0]! };
}
