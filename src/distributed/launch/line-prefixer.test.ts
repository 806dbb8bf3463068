import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LinePrefixer } from './line-prefixer.ts';

const collector = (full = false) => {
  const writes: string[] = [];
  const drains: (() => void)[] = [];
  return {
    writes,
    drains,
    write: (text: string) => {
      writes.push(text);
      return !full;
    },
    once: (_: 'drain', listener: () => void) => drains.push(listener),
  };
};

test('only whole lines are written, each with the prefix', () => {
  const out = collector();
  const lines = new LinePrefixer(() => '[rank 1] ', out, 2);
  lines.write('step ');
  lines.write('1\nstep 2\n\nst');
  lines.write('ep 3');
  lines.end();
  lines.end();
  expect(out.writes).toEqual(['[rank 1] step 1\n[rank 1] step 2\n[rank 1] \n', '[rank 1] step 3\n']);
  expect(lines.lastLines).toEqual(['', 'step 3']);
});

test('colors are shown, and are not part of the last lines', () => {
  const out = collector();
  const lines = new LinePrefixer(() => '> ', out, 2);
  lines.write('\u001b[31mError\u001b[39m: no\n');
  expect(out.writes).toEqual(['> \u001b[31mError\u001b[39m: no\n']);
  expect(lines.lastLines).toEqual(['Error: no']);
});

test('the lines do not depend on how the text is split', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.array(fc.nat(40)), async (text, cuts) => {
      const bytes = Buffer.from(text);
      const out = collector();
      const source = new PassThrough();
      const followed = new LinePrefixer(() => '> ', out).follow(source);
      let at = 0;
      for (const cut of cuts) {
        source.write(bytes.subarray(at, at + cut));
        at += cut;
      }
      source.end(bytes.subarray(at));
      await followed;
      const whole = text === '' || text.endsWith('\n') ? text : `${text}\n`;
      expect(out.writes.join('')).toBe(whole.replace(/[^\n]*\n/g, line => `> ${line}`));
    }),
    { numRuns: 50 },
  );
});

test('an endless line is cut instead of buffered', () => {
  const out = collector();
  const lines = new LinePrefixer(() => '', out);
  for (let i = 0; i < 10; i++) lines.write('x'.repeat(20_000));
  expect(out.writes.length).toBeGreaterThan(2);
});

test('a full target pauses the source until it drains', async () => {
  const out = collector(true);
  const source = new PassThrough();
  const followed = new LinePrefixer(() => '', out).follow(source);
  source.write('one\n');
  await new Promise(resolve => setImmediate(resolve));
  expect(source.isPaused()).toBe(true);
  expect(out.drains).toHaveLength(1);
  out.drains[0]!();
  source.end();
  await followed;
});
