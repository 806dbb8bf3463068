// Modules and functions compared with PyTorch: outputs, gradients, running statistics, printed text; interpreted and compiled.
import { describe, expect, test } from 'vitest';
import { InterpreterBackend } from '../runtime/backends/interpreter/interpreter-backend.ts';
import { Device, device, setDefaultDevice } from '../tensor/index.ts';
import { casesOf, difference, groups, record } from './golden.testing.ts';

describe.each(groups())('%s', group => {
  const cases = casesOf(group).map((one, i) => ({ ...one, title: `${i} ${one.js} ${one.call}` }));
  test.each(cases)('$title', one => {
    const interpreter = new Device(new InterpreterBackend(), { seed: 1, log: () => {} });
    setDefaultDevice(interpreter);
    expect(difference(record(one, interpreter))).toBeUndefined();
  });
  // One program for the whole group.
  test('compiled', () => {
    const cpu = device('cpu');
    setDefaultDevice(cpu);
    const recorded = cases.map(one => ({ title: one.title, compared: record(one, cpu) }));
    cpu.markStep();
    const wrong = recorded.flatMap(({ title, compared }) => {
      const problem = difference(compared);
      return problem === undefined ? [] : [`${title}: ${problem}`];
    });
    expect(wrong.join('\n')).toBe('');
  });
});
