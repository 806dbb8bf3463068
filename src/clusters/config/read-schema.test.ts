// The text of the table of keys becomes fields.
import { expect, test } from 'vitest';
import { readSchema } from './read-schema.ts';

test('keys, sections, lists and shared fields', () => {
  const tags = {
    kind: 'list',
    item: { kind: 'map', fields: { Key: { kind: 'text', required: true } } },
    update: 'UNSUPPORTED',
    key: 'Key',
  };
  const text = String.raw`
@tags list UNSUPPORTED {"key":"Key"}
  Key text!
Image map! SUPPORTED
  Os text {"oneOf":["a","b"]}
  Ids text[] SUPPORTED {"pattern":"^\\d$","length":[1,2]}
  Tags @tags
Tags @tags
`;
  expect(readSchema(text)).toEqual({
    kind: 'map',
    fields: {
      Image: {
        kind: 'map',
        fields: {
          Os: { kind: 'text', oneOf: ['a', 'b'] },
          Ids: { kind: 'list', item: { kind: 'text', pattern: '^\\d$' }, length: [1, 2], update: 'SUPPORTED' },
          Tags: tags,
        },
        required: true,
        update: 'SUPPORTED',
      },
      Tags: tags,
    },
  });
});
