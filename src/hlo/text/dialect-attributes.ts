// Attributes of the dialects StableHLO and CHLO: enums, structs with named fields, and the dimension
// numbers of convolutions, which have a special form.
import { tokens } from './lexer.ts';
import type { AttributeBody, AttributeSyntax } from './syntax.ts';
import type { TypeReader } from './type-reader.ts';

/** A reader of types that also reads the values of fields. */
interface FieldReader extends TypeReader {
  attribute(): AttributeSyntax;
  refuse(at: number, expected: string, found?: string): never;
}

const structs: ReadonlySet<string> = new Set([
  'stablehlo.channel_handle',
  'stablehlo.dot',
  'stablehlo.dot_algorithm',
  'stablehlo.gather',
  'stablehlo.result_accuracy',
  'stablehlo.scatter',
  'chlo.ragged_dot',
]);
const enums: ReadonlySet<string> = new Set([
  'comparison_direction',
  'comparison_type',
  'custom_call_api_version',
  'fft_type',
  'precision',
  'result_accuracy_mode',
  'rng_algorithm',
  'rng_distribution',
  'transpose',
]);

/** The text after `#name`; `name` is empty if a short form omits it. */
export function readDialectAttribute(reader: FieldReader, name: string): AttributeBody {
  const [dialect = '', own] = name.split('.');
  if (name === '' || structs.has(name)) return readStruct(reader, name);
  if (name === 'stablehlo.conv') return readConvolution(reader);
  if (dialect === 'stablehlo' || dialect === 'chlo') {
    // `#stablehlo<precision HIGH>` and `#stablehlo.precision<HIGH>` are the same.
    if (own !== undefined && enums.has(own)) {
      reader.expect('<');
      return readName(reader);
    }
    if (own === undefined) {
      const { start } = reader;
      reader.expect('<');
      const inner = reader.takeText(tokens.word, 'the name of an attribute');
      if (enums.has(inner)) return readName(reader);
      if (structs.has(`${dialect}.${inner}`) || inner === 'conv') {
        const body = readDialectAttribute(reader, `${dialect}.${inner}`);
        reader.expect('>');
        return body;
      }
      reader.seek(start);
    }
  }
  if (reader.is('<')) reader.skipBalanced();
  return { kind: 'opaque' };
}

function readName(reader: FieldReader): AttributeBody {
  const value = reader.takeText(tokens.word, 'a name');
  reader.expect('>');
  return { kind: 'name', value };
}

/** `<a = 1, b = [2]>` */
function readStruct(reader: FieldReader, name: string): AttributeBody {
  const fields = new Map<string, AttributeSyntax>();
  reader.expect('<');
  reader.list('>', () => {
    // A comma may follow the last field.
    if (fields.size > 0 && reader.is('>')) return;
    const { start } = reader;
    const field = reader.takeText(tokens.word, 'the name of a field');
    if (fields.has(field)) reader.refuse(start, 'each field once');
    reader.expect('=');
    fields.set(field, reader.attribute());
  });
  return { kind: 'struct', name, fields };
}

/** `<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>`; `<raw a = 1, …>` lists the fields directly. */
function readConvolution(reader: FieldReader): AttributeBody {
  reader.expect('<');
  if (reader.takeWord('raw')) {
    const { start } = reader;
    const fields = new Map<string, AttributeSyntax>();
    reader.list('>', () => {
      const field = reader.takeText(tokens.word, 'the name of a field');
      reader.expect('=');
      fields.set(field, reader.attribute());
    });
    if (fields.size === 0) reader.refuse(start, 'the name of a field');
    return { kind: 'struct', name: 'stablehlo.conv', fields };
  }
  const body = readConvolutionNumbers(reader);
  reader.expect('>');
  return body;
}

export function readConvolutionNumbers(reader: FieldReader): AttributeBody {
  const fields = new Map<string, AttributeSyntax>();
  readOrder(reader, fields, { b: 'input_batch_dimension', f: 'input_feature_dimension' }, 'input_spatial_dimensions');
  reader.expectWord('x');
  readOrder(
    reader,
    fields,
    { i: 'kernel_input_feature_dimension', o: 'kernel_output_feature_dimension' },
    'kernel_spatial_dimensions',
  );
  if (!reader.takeKind(tokens.arrow)) reader.fail("'->'");
  readOrder(
    reader,
    fields,
    { b: 'output_batch_dimension', f: 'output_feature_dimension' },
    'output_spatial_dimensions',
  );
  return { kind: 'struct', name: 'stablehlo.conv', fields };
}

/** `[b, 0, 1, f]`: the role of each dim; numbers are spatial dims. */
function readOrder(
  reader: FieldReader,
  fields: Map<string, AttributeSyntax>,
  names: Readonly<Record<string, string>>,
  spatial: string,
): void {
  const { start } = reader;
  const dims: number[] = [];
  let dim = 0;
  reader.expect('[');
  reader.list(']', () => {
    const field = reader.kind === tokens.word ? names[reader.tokenText()] : undefined;
    if (field !== undefined) {
      if (fields.has(field)) reader.fail('each dim once');
      fields.set(field, { kind: 'integer', digits: String(dim), start: reader.start, end: reader.end });
      reader.next();
    } else if (reader.kind === tokens.integer) {
      const { start: at } = reader;
      const which = reader.integer('a spatial dim');
      if (which < 0 || which > 1000 || dims[which] !== undefined) reader.refuse(at, 'each spatial dim once');
      dims[which] = dim;
    } else if (!reader.take('?')) reader.fail(`a dim: ${Object.keys(names).join(', ')} or a number`);
    dim++;
  });
  for (const [name, field] of Object.entries(names)) if (!fields.has(field)) reader.refuse(start, `a dim '${name}'`);
  for (let i = 0; i < dims.length; i++) if (dims[i] === undefined) reader.refuse(start, `the spatial dim ${i}`);
  fields.set(spatial, { kind: 'numbers', values: dims, start, end: reader.lastEnd });
}
