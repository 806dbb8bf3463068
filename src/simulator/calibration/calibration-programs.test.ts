// Calibration programs measure what they claim: one kernel per multiply, in each layout, none fused with another.
import { expect, test } from 'vitest';
import { printModule } from '../../compiler/cpu/c/print-module.ts';
import { workOfStep } from '../../compiler/cpu/counting/step-work.ts';
import { targetOf } from '../../compiler/cpu/target/target.ts';
import type { KernelStep } from '../../compiler/ir/schedule.ts';
import type { Module } from '../../hlo/program.ts';
import { verify } from '../../hlo/verifier.ts';
import {
  convolutionProgram,
  copyProgram,
  inPlaceProgram,
  multiplyProgram,
  sweepProgram,
} from './calibration-programs.ts';

const target = targetOf('avx512', { bf16: 'pairs' });
function worksOf(module: Module) {
  verify(module);
  const { printed } = printModule(module, target, new Map());
  return printed.steps.map((step, call) => {
    const { multiplies, others } = workOfStep(step as KernelStep, printed.kernels[printed.calls[call]!]!, 16);
    return [...multiplies, ...others];
  });
}

test.each(['f32', 'bf16'] as const)('multiplies of %s', format => {
  const works = worksOf(multiplyProgram(format));
  expect(works.length).toBeGreaterThan(30);
  for (const work of works)
    expect(work).toEqual([expect.objectContaining({ kind: 'multiply', type: format, of: 'dot' })]);
  expect(new Set(works.flat().map(w => (w.kind === 'multiply' ? w.layout : ''))).size).toBeGreaterThan(2);
});

test('convolutions, sweeps, memory', () => {
  for (const work of worksOf(convolutionProgram()))
    expect(work).toMatchObject([{ kind: 'multiply', of: 'convolution' }]);
  const sweeps = worksOf(sweepProgram()).flat();
  for (const operation of [
    'simple',
    'integers',
    'exponentials',
    'divisions',
    'roots',
    'rounded',
    'randomWords',
  ] as const)
    expect(
      sweeps.some(w => w.kind === 'sweep' && w[operation] >= 1),
      operation,
    ).toBe(true);
  expect(sweeps.filter(w => w.kind === 'row-move').map(w => w.direction)).toEqual(['gather', 'scatter']);
  for (const work of worksOf(inPlaceProgram(1 << 20)).flat())
    expect(work).toMatchObject({ bytesRead: 3 << 20, bytesWritten: 2 << 20, bytesInPlace: 2 << 20 });
  for (const work of worksOf(copyProgram(1 << 20)).flat())
    expect(work).toMatchObject({ bytesRead: 1 << 20, bytesWritten: 1 << 20, bytesInPlace: 0 });
});
