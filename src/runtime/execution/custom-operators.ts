// Custom operators: a user's C++ compiled by the system's compiler into a library, called inside the step like a kernel of
// our own, or by the interpreter. `native/trenio_operator.h` is the C++ side of it.
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import koffi, { type LibraryHandle } from 'koffi';
import { TrenioError } from '../../base/errors.ts';
import { readTextFileNow } from '../../base/read-file.ts';
import { lineDirective, operandLayout, operatorCallLayout } from '../../compiler/index.ts';
import type { InterpreterOptions } from '../../hlo/interpreter.ts';
import type { Literal } from '../../hlo/literal.ts';
import { bytesOf, zeros } from '../../hlo/literal.ts';
import type { Module, Op, OpOf } from '../../hlo/program.ts';
import { dynamicDim, type ElementType, formatType, sameType, type TensorType, type Type } from '../../hlo/types.ts';
import { forEachOp } from '../../hlo/walk.ts';
import type { CCompiler } from '../toolchain/c-compiler.ts';
import { arithmeticFlags, hostFlag } from '../toolchain/c-compiler.ts';
import type { CompileCache } from '../toolchain/compile-cache.ts';
import type { SourceFile } from '../toolchain/compile-request.ts';
import { operatorHeaders } from '../toolchain/native-sources.ts';
import { addressOf } from './native-library.ts';

/** The declaration of an operator by its user; the C++ must agree. */
export interface OperatorDeclaration {
  /** As in TRENIO_OPERATOR(name, …). */
  readonly name: string;
  /** The C++ file that defines it. */
  readonly source: string | URL;
  /** Files that it includes, from the same or another folder, by their base names. */
  readonly headers?: readonly (string | URL)[];
  readonly inputs: readonly ElementType[];
  readonly outputs: readonly ElementType[];
  /** The number of its attributes, which are numbers passed after the tensors. */
  readonly numbers?: number;
  /** The shapes of the outputs, from those of the inputs. */
  readonly shape: (inputs: readonly (readonly number[])[]) => readonly (readonly number[])[];
}

/** An operator that is compiled and loaded. */
export interface CustomOperator {
  readonly declaration: OperatorDeclaration;
  /** The name of `int symbol(const trenio_operator_call *)`, visible to programs loaded later. It differs between versions. */
  readonly symbol: string;
  /** The reason of its last failure, or ''. Reading clears it. */
  failure(): string;
  /** One call, at once. @throws {OPERATOR_FAILED} */
  call(inputs: readonly Literal[], outputTypes: readonly TensorType[], numbers: readonly number[]): readonly Literal[];
}

/** The operators of this process, by name: the targets of `custom_call @name`. */
const operators = new Map<string, CustomOperator>();

/** The interpreter's implementation of the custom_call of each operator. */
export function operatorCalls(): NonNullable<InterpreterOptions['customCalls']> {
  return Object.fromEntries(
    [...operators].map(([name, operator]) => [
      name,
      (op: OpOf<'custom_call'>, args: readonly Literal[]): readonly Literal[] => {
        const types = operatorOutputs(
          operator.declaration,
          args.map(arg => arg.type),
        );
        return operator.call(args, types, parseNumbers(op.attributes.backendConfig));
      },
    ]),
  );
}

/**
 * The symbols of the operators that a module calls.
 * @throws {OPERATOR_CALL} for a call whose operands or results are not those of the operator: its C++ would write where it
 *   must not
 */
export function operatorsOf(module: Module): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const visit = (op: Op): void => {
    if (op.name !== 'custom_call') return;
    const operator = operators.get(op.attributes.callTargetName);
    if (operator === undefined) return;
    checkCall(operator.declaration, op);
    found.set(op.attributes.callTargetName, operator.symbol);
  };
  for (const func of module.functions) forEachOp(func.body, visit);
  return found;
}

function checkCall(declaration: OperatorDeclaration, op: OpOf<'custom_call'>): void {
  const { name, numbers = 0 } = declaration;
  const wrong = (reason: string): TrenioError =>
    new TrenioError('OPERATOR_CALL', { operator: name, reason }, { location: op.location });
  const given = parseNumbers(op.attributes.backendConfig);
  if (given.length !== numbers || given.some(Number.isNaN))
    throw wrong(`its backend_config must have ${numbers} numbers, got '${op.attributes.backendConfig}'`);
  const types = op.operands.map(v => v.type);
  if (!types.every(type => type.kind === 'tensor')) throw wrong('it takes tensors');
  const results = operatorOutputs(declaration, types);
  if (results.length !== op.results.length || results.some((type, i) => !sameType(type, op.results[i]!.type))) {
    const show = (list: readonly Type[]): string => `(${list.map(formatType).join(', ')})`;
    throw wrong(`it returns ${show(results)}, the call declares ${show(op.results.map(v => v.type))}`);
  }
}

/** The failure of an operator that ended a step. */
export function operatorFailure(): TrenioError | undefined {
  for (const operator of operators.values()) {
    const reason = operator.failure();
    if (reason !== '') return new TrenioError('OPERATOR_FAILED', { operator: operator.declaration.name, reason });
  }
  return undefined;
}

/** `-0.5`, `1`: the numbers of a call in the format of backend_config. */
export const formatNumbers = (numbers: readonly number[]): string => numbers.join(' ');
export const parseNumbers = (text: string): readonly number[] => (text === '' ? [] : text.split(' ').map(Number));

function readSource(file: string | URL): SourceFile {
  const path = asPath(file);
  return { name: basename(path), source: readTextFileNow(path) };
}
/** The headers are in one folder with the operator, the included headers of Trenio, and the output of the C compiler. */
function requireOwnNames(operator: string, headers: readonly SourceFile[]): void {
  const taken = new Set([unitName, ...operatorHeaders().map(header => header.name)]);
  for (const { name } of headers) {
    if (taken.has(name) || !/\.(?:h|hh|hpp|hxx|inc|ipp|tpp)$/i.test(name)) {
      const reason = taken.has(name)
        ? `its header '${name}' has the name of another file`
        : `its header '${name}' must end in .h, .hh, .hpp, .hxx, .inc, .ipp or .tpp`;
      throw new TrenioError('OPERATOR_SIGNATURE', { operator, reason });
    }
    taken.add(name);
  }
}
const unitName = 'operator.cpp';

const asPath = (file: string | URL): string => (file instanceof URL ? fileURLToPath(file) : file);

/**
 * Compiles an operator (or finds it in the cache) and registers it under its name, in place of an earlier one.
 * @throws {FILE_UNREADABLE}
 * @throws {OPERATOR_NOT_COMPILED} with the output of the compiler
 * @throws {OPERATOR_SIGNATURE} if the C++ signature differs from the declaration
 */
export function loadCustomOperator(
  declaration: OperatorDeclaration,
  host: { readonly cache: CompileCache; readonly compiler: CCompiler },
): CustomOperator {
  const { name } = declaration;
  if (!/^[A-Za-z_]\w{0,63}$/.test(name)) {
    const reason = 'its name must be an identifier of C++';
    throw new TrenioError('OPERATOR_SIGNATURE', { operator: name, reason });
  }
  const source = readSource(declaration.source);
  const headers = (declaration.headers ?? []).map(readSource);
  requireOwnNames(name, headers);
  const tag = createHash('sha256')
    .update(JSON.stringify([source, headers]))
    .digest('hex')
    .slice(0, 12);
  const library = compiled(
    declaration,
    host,
    { name: unitName, source: `${lineDirective(source.name)}\n${source.source}` },
    headers,
    tag,
  );
  const operator = bind(declaration, library, tag);
  operators.set(name, operator);
  return operator;
}

function compiled(
  { name }: OperatorDeclaration,
  host: { readonly cache: CompileCache; readonly compiler: CCompiler },
  unit: SourceFile,
  headers: readonly SourceFile[],
  tag: string,
): string {
  // Each operator has a separate library, so contraction of floating-point operations within it cannot depend on fusion.
  const arithmetic = [hostFlag, ...arithmeticFlags, '-ffp-contract=fast'];
  const flags = ['-std=c++17', '-w', '-O3', '-fvisibility=hidden', ...arithmetic, `-DTRENIO_TAG=${tag}`];
  const libraries = [process.platform === 'darwin' ? '-lc++' : '-lstdc++'];
  try {
    return host.cache.obtain(
      { units: [unit], headers: [...operatorHeaders(), ...headers], flags, libraries },
      host.compiler,
    ).path;
  } catch (error) {
    if (!(error instanceof TrenioError) || error.code !== 'C_COMPILER_FAILED') throw error;
    const { output } = error.data as { output: string };
    throw new TrenioError(
      'OPERATOR_NOT_COMPILED',
      { operator: name, compiler: host.compiler.path, output },
      { cause: error },
    );
  }
}

function bind(declaration: OperatorDeclaration, path: string, tag: string): CustomOperator {
  const { name } = declaration;
  const wrong = (reason: string): TrenioError => new TrenioError('OPERATOR_SIGNATURE', { operator: name, reason });
  let library: LibraryHandle;
  try {
    library = koffi.load(path, { global: true });
  } catch (error) {
    throw new TrenioError('LOAD_FAILED', { file: path, reason: String(error) }, { cause: error });
  }
  const symbol = `trenio_call_${name}_${tag}`;
  let signature: string;
  try {
    signature = library.func(`const char *trenio_signature_${name}_${tag}()`)() as string;
  } catch {
    throw wrong(`${asPath(declaration.source)} has no TRENIO_OPERATOR(${name}, …)`);
  }
  const declared = [
    ...declaration.inputs.map(type => `in ${type}`),
    ...declaration.outputs.map(type => `out ${type}`),
    ...new Array<string>(declaration.numbers ?? 0).fill('number'),
  ].join(', ');
  if (signature !== declared) throw wrong(`it is declared as (${declared}), and the C++ takes (${signature})`);

  const failure = library.func(`const char *trenio_failure_${name}_${tag}()`) as () => string;
  const call = library.func(`int ${symbol}(void *call)`);
  return {
    declaration,
    symbol,
    failure,
    call: (inputs, outputTypes, numbers) => {
      const outputs = outputTypes.map(zeros);
      const record = new CallRecord([...inputs, ...outputs], numbers);
      const code = call(record.bytes) as number;
      const reason = failure();
      record.held.clear();
      if (code !== 0) throw new TrenioError('OPERATOR_FAILED', { operator: name, reason });
      return outputs;
    },
  };
}

/** A `trenio_operator_call` record without threads. */
class CallRecord {
  readonly bytes: Uint8Array;
  /** Keeps the memory that the record points into. */
  readonly held: Set<unknown>;

  constructor(operands: readonly Literal[], numbers: readonly number[]) {
    const address = (view: Uint8Array): bigint => addressOf(view.buffer as ArrayBuffer) + BigInt(view.byteOffset);
    const at = operandLayout;
    const list = new DataView(new ArrayBuffer(Math.max(1, operands.length) * at.bytes));
    const dims = operands.map(({ type }) => BigInt64Array.from(type.shape, BigInt));
    // An empty array has no address.
    const data = operands.map(o => (o.data.byteLength === 0 ? new Uint8Array(8) : bytesOf(o)));
    operands.forEach(({ type }, i) => {
      list.setBigUint64(i * at.bytes + at.data, address(data[i]!), true);
      const sizes = dims[i]!;
      list.setBigUint64(i * at.bytes + at.dims, sizes.length === 0 ? 0n : address(new Uint8Array(sizes.buffer)), true);
      list.setInt32(i * at.bytes + at.rank, type.shape.length, true);
    });
    const doubles = Float64Array.from([...numbers, 0]);
    const record = new DataView(new ArrayBuffer(operatorCallLayout.bytes));
    record.setBigUint64(operatorCallLayout.operands, addressOf(list.buffer), true);
    record.setBigUint64(operatorCallLayout.numbers, addressOf(doubles.buffer), true);
    this.bytes = new Uint8Array(record.buffer);
    this.held = new Set([list, dims, data, doubles]);
  }
}

/**
 * The types of the outputs for these inputs.
 * @throws {OPERATOR_CALL} if the inputs or the result of the shape function are invalid
 */
export function operatorOutputs(
  { name, inputs, outputs, shape }: OperatorDeclaration,
  given: readonly TensorType[],
): readonly TensorType[] {
  const wrong = (reason: string): TrenioError => new TrenioError('OPERATOR_CALL', { operator: name, reason });
  const want = inputs.join(', ');
  if (given.length !== inputs.length || given.some((type, i) => type.elementType !== inputs[i]))
    throw wrong(`it takes (${want}), got (${given.map(formatType).join(', ')})`);
  const shapes = shape(given.map(type => type.shape));
  const valid = (dims: unknown): dims is readonly number[] =>
    Array.isArray(dims) && dims.every(d => Number.isSafeInteger(d) && (d >= 0 || d === dynamicDim));
  if (!Array.isArray(shapes) || shapes.length !== outputs.length || !shapes.every(valid))
    throw wrong(`its shape function must return ${outputs.length} shapes, got ${JSON.stringify(shapes)}`);
  return shapes.map((dims, i): TensorType => ({ kind: 'tensor', shape: dims, elementType: outputs[i]! }));
}
