import { expect, test } from 'vitest';
import { TrenioError } from '../../base/errors.ts';
import { createLogger } from '../../base/logger.ts';
import { Runtime } from '../runtime.ts';
import { parseDevice, registeredBackends } from './all.ts';
import { InterpreterBackend } from './interpreter/interpreter-backend.ts';
import { KernelsBackend } from './kernels/kernels-backend.ts';
import { registerBackend } from './registry.ts';

const open = (name?: string, variables = {}): unknown => {
  try {
    return new Runtime({ variables }).backend(name);
  } catch (error) {
    return error;
  }
};

test('the backends of this package', () => {
  expect(registeredBackends().map(entry => entry.name)).toEqual(['cpu', 'interpreter', 'kernels']);
  for (const { memorySpaces } of registeredBackends()) expect(memorySpaces).toContain('host');
});
test('a device is a backend and a number', () => {
  expect(parseDevice('cpu')).toMatchObject({ entry: { name: 'cpu' }, ordinal: 0 });
  expect(parseDevice('interpreter:12')).toMatchObject({ entry: { name: 'interpreter' }, ordinal: 12 });
  const runtime = new Runtime({ variables: {} });
  expect(runtime.backend('interpreter:0')).toBe(runtime.backend('interpreter'));
});
test('an unknown name: the error lists the backends and suggests the nearest', () => {
  expect(open('interpeter')).toMatchInlineSnapshot(`
    [TrenioError [UNKNOWN_DEVICE]: no backend for device 'interpeter'; registered backends: cpu, interpreter, kernels
      fix: did you mean 'interpreter'?]
  `);
  expect(open('cuda:1')).toMatchInlineSnapshot(`
    [TrenioError [UNKNOWN_DEVICE]: no backend for device 'cuda:1'; registered backends: cpu, interpreter, kernels
      fix: pass one of them to device(…) or TRENIO_BACKEND, with a device index if there are several, as in 'cpu:0']
  `);
  expect(open(undefined, { TRENIO_BACKEND: 'gpu' })).toMatchObject({ code: 'UNKNOWN_DEVICE', data: { name: 'gpu' } });
  for (const name of ['', 'cpu:', 'cpu:x', 'cpu:-1', 'cpu:1e9', ':0', 'cpu:0:0', 'CPU\n'])
    expect(open(name), name).toMatchObject({ code: 'UNKNOWN_DEVICE' });
});
test('a device that the backend does not have', () => {
  expect(open('interpreter:1')).toMatchInlineSnapshot(`
    [TrenioError [NO_SUCH_ORDINAL]: invalid device 'interpreter:1': this machine has 1 interpreter device
      fix: use 'interpreter:0']
  `);
});
test('an unavailable backend reports the reason, and what to install', () => {
  const without = { PATH: '/nowhere' };
  const cpu = registeredBackends().find(entry => entry.name === 'cpu')!;
  expect(cpu.availability(without)).toMatchObject({ kind: 'unavailable', error: { code: 'NO_C_COMPILER' } });
  expect(open('cpu:1', without)).toMatchObject({ code: 'NO_C_COMPILER' });
  expect(open('cpu', { ...without, CC: 'gcc' })).toMatchObject({ code: 'NO_C_COMPILER' });
});
test('without a C compiler, programs of the cpu run from their kernels, with a warning', () => {
  const lines: string[] = [];
  const log = createLogger('warn', line => lines.push(line));
  const backend = new Runtime({ variables: { PATH: '/nowhere' }, log }).backend();
  expect(backend).toBeInstanceOf(KernelsBackend);
  expect(backend.name).toBe('cpu');
  expect(lines).toMatchInlineSnapshot(`
    [
      "trenio: warn: no C compiler found: programs run as WebAssembly, on one core; install gcc or clang to compile them
    ",
    ]
  `);
});
test('a backend that registers itself has the number of devices that it reports', () => {
  const opened: number[] = [];
  registerBackend({
    name: 'several',
    memorySpaces: ['device', 'host'],
    maxRanks: 1,
    availability: () => ({ kind: 'available', devices: 2 }),
    open(_, ordinal) {
      opened.push(ordinal);
      return new InterpreterBackend();
    },
  });
  const runtime = new Runtime({ variables: {} });
  expect(runtime.backend('several:1')).toBe(runtime.backend('several:1'));
  expect(runtime.backend('several')).not.toBe(runtime.backend('several:1'));
  expect(opened).toEqual([1, 0]);
  expect(() => runtime.backend('several:2')).toThrow(TrenioError);
});
