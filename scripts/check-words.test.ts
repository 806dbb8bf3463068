import { expect, test } from 'vitest';
import { wordProblems } from './check-words.ts';

const lines = (path: string, text: string): readonly number[] => wordProblems(path, text).map(({ line }) => line);

test('words of the list are found, with the word to use', () => {
  expect(wordProblems('src/x.ts', '// first\n// Nobody reads it.')).toEqual([
    { line: 2, problem: '"Nobody": use "no one" or "none", or name the process, user or op' },
  ]);
  expect(lines('docs/x.md', 'It mends the error.')).toEqual([1]);
  expect(lines('src/x.ts', 'const survivorsOf = drawNumbers(exchangeBytes);')).toEqual([1, 1, 1]);
});

test('British spellings are found, in comments and names', () => {
  const found = [
    'the colour',
    'colourOf',
    'the centre',
    'centresOf',
    'labelled',
    'a catalogue',
    'normalise',
    'quantisation',
  ];
  expect(found.filter(text => lines('src/x.ts', text).length === 0)).toEqual([]);
  const right = ['centralize', 'normalizer', 'likewise', 'aria-labelledby', 'optimistic', 'finalist', 'hours'];
  expect(right.filter(text => lines('src/x.ts', text).length > 0)).toEqual([]);
});

test('words that contain one of them are not', () => {
  expect(lines('src/x.ts', '// recommends an amendment; synchronous, withdrawn')).toEqual([]);
});

test('docstrings that begin with "What" or "Of" are found, in any form; other comments may', () => {
  expect(lines('src/x.ts', '// What this is.\n/** What it holds. */\n/**\n * Of a file.\n */')).toEqual([1, 2, 4]);
  expect(lines('src/x.ts', '// A file.\n// What it holds\n/** The name. Of course. */\nf(); // What?')).toEqual([]);
});

test('long comments are found; addresses, tables, code and exceptions are not', () => {
  const long = 'word '.repeat(30);
  expect(lines('src/x.ts', `// ${long}`)).toEqual([1]);
  expect(lines('src/x.ts', `// https://example.org ${long}\n// | a | ${long}\nconst x = '${long}';`)).toEqual([]);
  expect(lines('src/runtime/native/x.h', `// Nobody ${long}`)).toEqual([]);
});
