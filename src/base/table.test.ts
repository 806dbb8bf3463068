import fc from 'fast-check';
import { expect, test } from 'vitest';
import { displayWidth, formatTable, truncate } from './table.ts';

test('aligns names to the left and numbers to the right', () => {
  const table = formatTable(
    [{ header: 'machine' }, { header: 'price/h', align: 'right' }, { header: 'note' }],
    [
      ['ml.trn1.32xlarge', '$24.725', 'published'],
      ['here', '$0.10', ''],
    ],
  );
  expect(table).toBe(
    [
      'machine           price/h  note',
      '────────────────  ───────  ─────────',
      'ml.trn1.32xlarge  $24.725  published',
      'here                $0.10',
    ].join('\n'),
  );
});

test('an empty table is just its header', () => {
  expect(formatTable([{ header: 'core' }], [])).toBe('core\n────');
});

test('wide characters, colors, line breaks and long cells keep columns aligned', () => {
  expect(displayWidth('\u001b[31mred\u001b[0m')).toBe(3);
  expect(displayWidth('日本')).toBe(4);
  expect(displayWidth('e\u0301')).toBe(1);
  const lines = formatTable(
    [{ header: 'a', maxWidth: 6 }, { header: 'b' }],
    [
      ['日本語の文', 'x'],
      ['two\n lines', 'x'],
    ],
    { indent: 2 },
  ).split('\n');
  expect(lines.slice(2)).toEqual(['  日本…   x', '  two l…  x']);
});

test('truncated text is never wider than requested', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), fc.integer({ min: 0, max: 12 }), (text, width) => {
      expect(displayWidth(truncate(text, width))).toBeLessThanOrEqual(width);
    }),
  );
});
