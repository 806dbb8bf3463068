// For tests: the C compiler that generated code is compiled with, so that `CC=clang vitest run src/compiler` tests clang's.
import { readVariable } from '../../base/environment.ts';

export const testCompiler: string = readVariable('CC') ?? 'gcc';
