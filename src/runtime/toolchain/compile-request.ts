// A request to the compile cache: C files, functions that other requests may share, and the keys of both. Keys are
// equal if the machine code would be: they depend on the features of the CPU, not on the machine.
import { createHash } from 'node:crypto';
import { type CCompiler, flagsIdentity, processorIdentity } from './c-compiler.ts';

export interface SourceFile {
  /** The file's name, of letters, digits, `_`, `-` and `.`. */
  readonly name: string;
  readonly source: string;
}
export interface CompileRequest {
  readonly units: readonly SourceFile[];
  readonly headers: readonly SourceFile[];
  readonly flags: readonly string[];
  /** Comments are whole lines and can be ignored when programs are compared, except in user code. */
  readonly commentsIgnored?: boolean;
  /** Further arguments for the linker, such as `-lstdc++`. */
  readonly libraries?: readonly string[];
  /** Functions that other requests may have, too: compiled unless they are cached. */
  readonly shared?: SharedCode;
}
export interface SharedCode {
  /** A key for each function: equal if all the C code it is compiled from is equal. */
  readonly keys: readonly string[];
  /** At most `count` C files with the given functions (by index), which take about the same time to compile. */
  unitsOf(members: readonly number[], count: number): readonly SharedUnit[];
}
export interface SharedUnit extends SourceFile {
  readonly members: readonly number[];
}

/** Changes with the format of entries: older entries are then not found. */
const formatVersion = 3;

const sha256 = (data: string): string => createHash('sha256').update(data).digest('hex');

/** Comments name lines of the user's script, which do not change what is computed. */
const withoutComments = ({ name, source }: SourceFile): SourceFile => ({
  name,
  source: source.replace(/^[ \t]*\/\/.*\n/gm, ''),
});

/** The key of a request. */
export function cacheKey(request: CompileRequest, compiler: CCompiler): string {
  const { units, headers, flags, libraries = [], commentsIgnored = false, shared } = request;
  const told = (files: readonly SourceFile[]) => (commentsIgnored ? files.map(withoutComments) : files);
  return sha256(
    JSON.stringify([
      formatVersion,
      told(units),
      told(headers),
      flagsIdentity([...flags, ...libraries]),
      compiler.identity,
      processorIdentity(),
      shared?.keys ?? [],
    ]),
  );
}

/** The keys under which the machine code of a request's functions is kept. */
export function functionKeys({ shared, headers, flags }: CompileRequest, compiler: CCompiler): readonly string[] {
  if (shared === undefined) return [];
  const made = JSON.stringify([formatVersion, headers, flagsIdentity(flags), compiler.identity, processorIdentity()]);
  return shared.keys.map(key => sha256(`${key} ${made}`));
}
