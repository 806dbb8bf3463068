import { expect, test } from 'vitest';
import { unicodeForm } from './unicode-form.ts';

// From the Python library tokenizers 0.23: `getattr(normalizers, form)().normalize_str(text)`.
test.each([
  [
    'a\u{1ae0}\u{327}\u{301}',
    'a\u{1ae0}\u{327}\u{301}',
    'a\u{1ae0}\u{327}\u{301}',
    'a\u{1ae0}\u{327}\u{301}',
    'a\u{1ae0}\u{327}\u{301}',
  ],
  ['e\u{301}\u{323}', '\u{1eb9}\u{301}', 'e\u{323}\u{301}', '\u{1eb9}\u{301}', 'e\u{323}\u{301}'],
  ['\u{105d2}\u{307}', '\u{105d2}\u{307}', '\u{105d2}\u{307}', '\u{105d2}\u{307}', '\u{105d2}\u{307}'],
  ['\u{105c9}', '\u{105c9}', '\u{105c9}', '\u{105c9}', '\u{105c9}'],
  ['\u{a7f1}x', '\u{a7f1}x', '\u{a7f1}x', '\u{a7f1}x', '\u{a7f1}x'],
  ['\u{32ff}\u{301}', '\u{32ff}\u{301}', '\u{32ff}\u{301}', '\u{32ff}\u{301}', '\u{32ff}\u{301}'],
  ['\u{fb01}\u{b2}', '\u{fb01}\u{b2}', '\u{fb01}\u{b2}', 'fi2', 'fi2'],
  ['\u{1100}\u{1161}\u{11a8}', '\u{ac01}', '\u{1100}\u{1161}\u{11a8}', '\u{ac01}', '\u{1100}\u{1161}\u{11a8}'],
  ['\u{1611e}\u{1611e}', '\u{1611e}\u{1611e}', '\u{1611e}\u{1611e}', '\u{1611e}\u{1611e}', '\u{1611e}\u{1611e}'],
  [
    '\u{11382}\u{113c9}\u{301}',
    '\u{11382}\u{113c9}\u{301}',
    '\u{11382}\u{113c9}\u{301}',
    '\u{11382}\u{113c9}\u{301}',
    '\u{11382}\u{113c9}\u{301}',
  ],
  [
    '\u{1e030}\u{327}\u{301}\u{8ca}\u{327}',
    '\u{1e030}\u{327}\u{301}\u{8ca}\u{327}',
    '\u{1e030}\u{327}\u{301}\u{8ca}\u{327}',
    '\u{1e030}\u{327}\u{301}\u{8ca}\u{327}',
    '\u{1e030}\u{327}\u{301}\u{8ca}\u{327}',
  ],
])('%j has the forms of Hugging Face’s tokenizers', (text, ...expected) => {
  const forms = (['NFC', 'NFD', 'NFKC', 'NFKD'] as const).map(form => unicodeForm(form)(text));
  expect(forms).toEqual(expected);
});
