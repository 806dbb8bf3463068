import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TextStream, type TextStreamOptions } from './text-stream.ts';

/** Tokens are bytes. */
const decode = (ids: readonly number[]): string => new TextDecoder().decode(Uint8Array.from(ids));
const bytes = (text: string): readonly number[] => [...new TextEncoder().encode(text)];
/** The pieces of a text whose tokens are bytes, and the stop string. */
function streamed(text: string, options: Partial<TextStreamOptions> = {}): readonly [string[], string | undefined] {
  const stream = new TextStream({ decode, ...options });
  const pieces: string[] = [];
  for (const id of bytes(text)) {
    pieces.push(stream.push(id));
    if (stream.stopped !== undefined) return [pieces, stream.stopped];
  }
  return [[...pieces, stream.end()], stream.stopped];
}

test('characters are complete', () => {
  const [pieces] = streamed('aé€😀b');
  expect(pieces.filter(piece => piece !== '')).toEqual(['a', 'é', '€', '😀', 'b']);
  const stream = new TextStream({ decode });
  expect([0x61, 0xf0, 0x9f].map(id => stream.push(id))).toEqual(['a', '', '']);
  expect(stream.end()).toBe('\uFFFD');
  const invalid = new TextStream({ decode });
  const text = Array.from({ length: 20 }, () => invalid.push(0xff)).join('') + invalid.end();
  expect(text).toBe('\uFFFD'.repeat(20));
});

test('the text of a token depends on those before it', () => {
  // A word has a space before it, unless it is the first.
  const words = (ids: readonly number[]): string => ids.map(id => `w${id}`).join(' ');
  const stream = new TextStream({ decode: words, before: [1, 2] });
  expect([stream.push(3), stream.push(4)]).toEqual([' w3', ' w4']);
});

test('a stop string ends the text before or after it; only what may begin one is held back', () => {
  expect(streamed('one STOP two', { stop: ['STOP'] })).toEqual([['o', 'n', 'e', ' ', '', '', '', ''], 'STOP']);
  expect(streamed('one STOP two', { stop: ['STOP'], includeStop: true })[0].join('')).toBe('one STOP');
  expect(streamed('SSTO', { stop: ['STOP'] })).toEqual([['', 'S', '', '', 'STO'], undefined]);
  expect(streamed('a\n\nb', { stop: ['\n\nc', '\nb'] })).toEqual([['a', '', '', '\n'], '\nb']);
  const stream = new TextStream({ decode, stop: ['ab'] });
  expect([stream.push(97, false), stream.push(98, false), stream.push(97), stream.push(98)]).toEqual([
    '',
    'ab',
    '',
    '',
  ]);
  expect(stream.stopped).toBe('ab');
});

test('the text is that before the first stop string', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', '€'), maxLength: 30 });
  const stops = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '€'), minLength: 1, maxLength: 5 }), {
    maxLength: 3,
  });
  fc.assert(
    fc.property(letters, stops, (text, stop) => {
      const ends = stop.flatMap(each => (text.includes(each) ? [text.indexOf(each) + each.length] : []));
      const end = Math.min(...ends);
      const [pieces, stopped] = streamed(text, { stop });
      expect(pieces.join('')).toBe(ends.length === 0 ? text : text.slice(0, end - stopped!.length));
    }),
    { numRuns: 500 },
  );
});
