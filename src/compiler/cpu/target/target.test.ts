import { expect, test } from 'vitest';
import { hostTarget } from './target.ts';

const machine = (files: Readonly<Record<string, string>>) => (path: string) => files[path];
const cache = (index: number, level: number, type: string, size: string): Record<string, string> => {
  const folder = `/sys/devices/system/cpu/cpu0/cache/index${index}`;
  return { [`${folder}/level`]: `${level}\n`, [`${folder}/type`]: `${type}\n`, [`${folder}/size`]: `${size}\n` };
};

test('the widest vectors that the processor has, and its caches', () => {
  const caches = {
    ...cache(0, 1, 'Instruction', '64K'),
    ...cache(1, 1, 'Data', '48K'),
    ...cache(2, 2, 'Unified', '2M'),
  };
  const flags = 'flags\t\t: fpu sse2 avx2 fma avx512f avx512dq avx512bw avx512vl avx512cd\n';
  const target = hostTarget(machine({ '/proc/cpuinfo': flags, ...caches }), 'x64');
  expect(target).toMatchObject({ isa: 'avx512', vectorBytes: 64, registers: 32, l1Bytes: 49152, l2Bytes: 2097152 });
});

test('instructions for two-byte floats, and vectors of a length that the system tells', () => {
  const avx512 = 'avx2 fma avx512f avx512dq avx512bw avx512vl';
  const of = (flags: string): ReturnType<typeof hostTarget> =>
    hostTarget(machine({ '/proc/cpuinfo': `flags : ${flags}\n` }), 'x64');
  expect(of(`${avx512} avx512_bf16`)).toMatchObject({ isa: 'avx512', bf16: 'pairs', f16: true });
  expect(of(avx512)).toMatchObject({ bf16: 'none', f16: true });
  expect(of('avx2 fma f16c')).toMatchObject({ isa: 'avx2', f16: true });
  expect(of('avx2 fma')).toMatchObject({ isa: 'avx2', f16: false });
  const arm = (bytes: string): ReturnType<typeof hostTarget> =>
    hostTarget(machine({ '/proc/sys/abi/sve_default_vector_length': bytes }), 'arm64');
  expect(arm('32\n')).toMatchObject({ isa: 'sve', vectorBytes: 32 });
  expect(arm('16\n')).toMatchObject({ isa: 'neon', vectorBytes: 16 });
});

test('tiles of AMX, if the system lets the process use them', () => {
  const files = machine({
    '/proc/cpuinfo': 'flags : avx2 fma avx512f avx512dq avx512bw avx512vl avx512_bf16 amx_tile amx_bf16\n',
  });
  expect(hostTarget(files, 'x64', () => true)).toMatchObject({ isa: 'amx', bf16: 'tiles', f16: true, vectorBytes: 64 });
  expect(hostTarget(files, 'x64', () => false)).toMatchObject({ isa: 'avx512', bf16: 'pairs', f16: true });
  const neverAsked = (): boolean => expect.fail('asked for tiles that the processor does not have');
  const without = machine({
    '/proc/cpuinfo': 'flags : avx2 fma avx512f avx512dq avx512bw avx512vl avx512_bf16 amx_tile\n',
  });
  expect(hostTarget(without, 'x64', neverAsked)).toMatchObject({ isa: 'avx512', bf16: 'pairs' });
});

test('less able and unknown machines', () => {
  expect(hostTarget(machine({ '/proc/cpuinfo': 'flags : sse2 avx2 fma\n' }), 'x64').isa).toBe('avx2');
  expect(hostTarget(machine({ '/proc/cpuinfo': 'flags : sse2 avx2\n' }), 'x64').isa).toBe('generic');
  expect(hostTarget(machine({}), 'arm64')).toMatchObject({ isa: 'neon', l1Bytes: 32768 });
  expect(hostTarget(machine({}), 'riscv64').isa).toBe('generic');
});
