import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editDistance, nearestName, nearestNames } from './nearest.ts';

test('counts edits', () => {
  expect(editDistance('deploy', 'deploy')).toBe(0);
  expect(editDistance('', 'run')).toBe(3);
  expect(editDistance('depoly', 'deploy')).toBe(1);
  expect(editDistance('kitten', 'sitting')).toBe(3);
});

test('is symmetric, and zero only for equal words', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 8 }), fc.string({ maxLength: 8 }), (a, b) => {
      expect(editDistance(a, b)).toBe(editDistance(b, a));
      expect(editDistance(a, b) === 0).toBe(a === b);
    }),
  );
});

test('offers the nearest name, or none', () => {
  const names = ['run', 'deploy', 'ls', 'help'];
  expect(nearestName('depoly', names)).toBe('deploy');
  expect(nearestName('RUN', names)).toBe('run');
  expect(nearestName('nproc_per_nod', ['nproc-per-node', 'nnodes'])).toBe('nproc-per-node');
  expect(nearestName('transmogrify', names)).toBeUndefined();
  expect(nearestName('x', [])).toBeUndefined();
});

test('the nearest few, at any distance, nearest first and each once', () => {
  const known = ['trn1.32xlarge', 'trn1.2xlarge', 'p4d.24xlarge', 'trn1.2xlarge', 'g5.xlarge'];
  expect(nearestNames('TRN1.2xlarg', known)).toEqual(['trn1.2xlarge', 'trn1.32xlarge', 'p4d.24xlarge']);
  expect(nearestNames('zzz', known, 1).length).toBe(1);
  expect(nearestNames('zzz', [])).toEqual([]);
});
