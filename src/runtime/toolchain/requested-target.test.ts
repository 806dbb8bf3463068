import { expect, test } from 'vitest';
import { targetOf } from '../../compiler/index.ts';
import { findCompiler } from './c-compiler.ts';
import { parseVersion, requireVersion } from './compiler-version.ts';
import { requestedTarget } from './requested-target.ts';
import { mayUseTiles } from './tile-permission.ts';

test('ranks that share memory reduce the gradient of each large weight at once', () => {
  const host = targetOf('avx2');
  expect(requestedTarget({}, host, true)).toEqual({ ...host, bucketBytes: 1 << 20, overlapsCollectives: false });
  const asked = requestedTarget({ TRENIO_BUCKET_BYTES: '5' }, host, true);
  expect(asked).toEqual({ ...host, bucketBytes: 5, overlapsCollectives: false });
});

test('an older instruction set can be requested, but not an unsupported one', () => {
  const host = targetOf('avx2');
  expect(requestedTarget({}, host)).toEqual(host);
  expect(requestedTarget({ TRENIO_WINOGRAD: '0' }, host)).toEqual({ ...host, winograd: false });
  expect(requestedTarget({ TRENIO_ISA: 'avx2' }, host)).toEqual(host);
  expect(requestedTarget({ TRENIO_ISA: 'generic' }, host).isa).toBe('generic');
  expect(() => requestedTarget({ TRENIO_ISA: 'avx512' }, host)).toThrowErrorMatchingInlineSnapshot(`
    [TrenioError [ISA_UNSUPPORTED]: TRENIO_ISA is avx512, which this CPU does not support; supported: avx2, generic
      fix: unset TRENIO_ISA to compile for this CPU]
  `);
});

test('without tiles, bf16 dot products are still available; tiles need permission from the system', () => {
  const amx = targetOf('amx');
  expect(requestedTarget({}, amx)).toEqual(amx);
  expect(requestedTarget({ TRENIO_ISA: 'avx512' }, amx)).toMatchObject({ isa: 'avx512', bf16: 'pairs' });
  expect(requestedTarget({ TRENIO_ISA: 'avx2' }, amx)).toMatchObject({ isa: 'avx2', bf16: 'none' });
  expect(() => requestedTarget({ TRENIO_ISA: 'amx' }, targetOf('avx512'))).toThrowErrorMatchingInlineSnapshot(`
    [TrenioError [ISA_UNSUPPORTED]: TRENIO_ISA is amx, which this CPU does not support or the system does not allow; supported: avx512, avx2, generic
      fix: unset TRENIO_ISA to compile for this CPU]
  `);
  expect(mayUseTiles()).toBe(requestedTarget({}).isa === 'amx');
});

test.each([
  ['gcc (Debian 12.2.0-14+deb12u1) 12.2.0', { family: 'gcc', major: 12 }],
  ['gcc (GCC) 9.5.0', { family: 'gcc', major: 9 }],
  ['x86_64-linux-gnu-gcc-13 (Ubuntu 13.2.0-4ubuntu3) 13.2.0', { family: 'gcc', major: 13 }],
  ['Debian clang version 14.0.6', { family: 'clang', major: 14 }],
  ['Apple clang version 15.0.0 (clang-1500.3.9.4)', { family: 'Apple clang', major: 15 }],
  ['tcc version 0.9.27 (x86_64 Linux)', undefined],
])('%s', (line, version) => {
  expect(parseVersion(line)).toEqual(version);
});

test('this machine has a recent compiler', () => {
  expect(() => requireVersion(findCompiler())).not.toThrow();
});
