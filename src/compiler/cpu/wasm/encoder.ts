// The binary format of WebAssembly (https://webassembly.github.io/spec/core/binary/), as far as kernels need it: functions over
// one imported memory.

export type ValueType = 'i32' | 'i64' | 'f32' | 'f64' | 'v128';
const typeCodes: { readonly [T in ValueType]: number } = { i32: 0x7f, i64: 0x7e, f32: 0x7d, f64: 0x7c, v128: 0x7b };

/** Instructions that leave one value. */
export interface Expr {
  readonly type: ValueType;
  readonly code: readonly number[];
}
/** A variable of a function. */
export interface Local {
  readonly type: ValueType;
  readonly index: number;
}
export interface FunctionType {
  readonly params: readonly ValueType[];
  readonly result: ValueType | undefined;
}

/** An unsigned integer in LEB128. */
export function unsigned(n: number): number[] {
  const out: number[] = [];
  let rest = n;
  do {
    const low = rest % 128;
    rest = Math.floor(rest / 128);
    out.push(rest > 0 ? low | 0x80 : low);
  } while (rest > 0);
  return out;
}
function signed(n: bigint): number[] {
  const out: number[] = [];
  for (let rest = n; ; ) {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    const isLast = (rest === 0n && (low & 0x40) === 0) || (rest === -1n && (low & 0x40) !== 0);
    out.push(isLast ? low : low | 0x80);
    if (isLast) return out;
  }
}
const bytesOfNumbers = (numbers: Float32Array | Float64Array | Int32Array): number[] => [
  ...new Uint8Array(numbers.buffer),
];

export const i32Const = (n: number): Expr => ({ type: 'i32', code: [0x41, ...signed(BigInt(n | 0))] });
export const i64Const = (n: bigint): Expr => ({ type: 'i64', code: [0x42, ...signed(BigInt.asIntN(64, n))] });
export const f32Const = (x: number): Expr => ({ type: 'f32', code: [0x43, ...bytesOfNumbers(Float32Array.of(x))] });
export const f64Const = (x: number): Expr => ({ type: 'f64', code: [0x44, ...bytesOfNumbers(Float64Array.of(x))] });
const v128Const = (bytes: readonly number[]): Expr => ({ type: 'v128', code: [0xfd, 0x0c, ...bytes] });
export const f32x4Const = (x: number): Expr => v128Const(bytesOfNumbers(Float32Array.of(x, x, x, x)));
export const i32x4Const = (n: number): Expr => v128Const(bytesOfNumbers(Int32Array.of(n, n, n, n)));

export const get = ({ type, index }: Local): Expr => ({ type, code: [0x20, ...unsigned(index)] });
/** An instruction on values. */
export const apply = (type: ValueType, instruction: readonly number[], ...args: readonly Expr[]): Expr => ({
  type,
  code: [...args.flatMap(a => a.code), ...instruction],
});
/** The same for instructions with the prefix of vectors; `immediates` follow the opcode. */
export const applyVector = (
  type: ValueType,
  opcode: number,
  args: readonly Expr[],
  immediates: readonly number[] = [],
): Expr => apply(type, [0xfd, ...unsigned(opcode), ...immediates], ...args);
/** `condition` ? `onTrue` : `onFalse`; all are computed. */
export const select = (condition: Expr, onTrue: Expr, onFalse: Expr): Expr =>
  apply(onTrue.type, [0x1c, 1, typeCodes[onTrue.type]], onTrue, onFalse, condition);
/** The same, computing only the one that is needed. */
export const choose = (condition: Expr, onTrue: Expr, onFalse: Expr): Expr => ({
  type: onTrue.type,
  code: [...condition.code, 0x04, typeCodes[onTrue.type], ...onTrue.code, 0x05, ...onFalse.code, 0x0b],
});

/** The alignment and the offset of an access; alignment is a hint only. */
export const access = (offset: number): readonly number[] => [0, ...unsigned(offset)];

export class FunctionBuilder {
  readonly type: FunctionType;
  readonly params: readonly Local[];
  readonly #locals: ValueType[] = [];
  readonly #code: number[] = [];

  constructor(params: readonly ValueType[], result?: ValueType) {
    this.type = { params, result };
    this.params = params.map((type, index) => ({ type, index }));
  }
  local(type: ValueType): Local {
    this.#locals.push(type);
    return { type, index: this.params.length + this.#locals.length - 1 };
  }
  emit(code: readonly number[]): void {
    for (const byte of code) this.#code.push(byte);
  }
  set(local: Local, value: Expr): void {
    this.emit(value.code);
    this.emit([0x21, ...unsigned(local.index)]);
  }
  /** A new variable with this value. */
  keep(value: Expr): Expr {
    const local = this.local(value.type);
    this.set(local, value);
    return get(local);
  }
  store(opcode: readonly number[], address: Expr, value: Expr, offset = 0, lane: readonly number[] = []): void {
    this.emit([...address.code, ...value.code, ...opcode, ...access(offset), ...lane]);
  }
  /** Runs `body` for from, from + step … below `to`. */
  loop(from: Expr, to: Expr, step: number, body: (at: Expr) => void): void {
    const at = this.local('i32');
    this.set(at, from);
    this.while(lessThan(get(at), to), () => {
      body(get(at));
      this.set(at, addI32(get(at), i32Const(step)));
    });
  }
  while(condition: Expr, body: () => void): void {
    this.emit([...condition.code, 0x04, 0x40, 0x03, 0x40]);
    body();
    this.emit([...condition.code, 0x0d, 0, 0x0b, 0x0b]);
  }
  if(condition: Expr, body: () => void): void {
    this.emit([...condition.code, 0x04, 0x40]);
    body();
    this.emit([0x0b]);
  }
  ifElse(condition: Expr, onTrue: () => void, onFalse: () => void): void {
    this.emit([...condition.code, 0x04, 0x40]);
    onTrue();
    this.emit([0x05]);
    onFalse();
    this.emit([0x0b]);
  }
  /** Whether it has more variables or code than engines accept (https://webassembly.github.io/spec/js-api/#limits). */
  get isTooLarge(): boolean {
    return this.params.length + this.#locals.length > 50_000 || this.#code.length > 7_000_000;
  }
  /** Equal for equal functions. */
  key(): string {
    return `${this.type.params.join()} ${this.type.result} ${this.#locals.join()} ${this.#code.join()}`;
  }
  /** The function's body, in a module with this number of imports. */
  bytes(imports: number): number[] {
    const body = [...unsigned(this.#locals.length), ...this.#locals.flatMap(type => [1, typeCodes[type]])];
    for (const c of this.#code) {
      if (c < firstCallee) body.push(c);
      else body.push(...unsigned(c % 2 === 0 ? (c - firstCallee) / 2 : imports + (c - firstCallee - 1) / 2));
    }
    body.push(0x0b);
    return [...unsigned(body.length), ...body];
  }
}
/** In code, numbers from here on are callees: even ones the imports, odd ones the functions of the module. */
const firstCallee = 0x10000;

export const addI32 = (a: Expr, b: Expr): Expr => apply('i32', [0x6a], a, b);
export const mulI32 = (a: Expr, b: Expr): Expr => apply('i32', [0x6c], a, b);
export const lessThan = (a: Expr, b: Expr): Expr => apply('i32', [0x48], a, b);
export const greaterOrEqual = (a: Expr, b: Expr): Expr => apply('i32', [0x4e], a, b);
export const andI32 = (a: Expr, b: Expr): Expr => apply('i32', [0x71], a, b);
export const minI32 = (a: Expr, b: Expr): Expr => select(lessThan(a, b), a, b);
export const shiftRight = (a: Expr, by: Expr): Expr => apply('i32', [0x76], a, by);

/** A function of JavaScript that kernels call. */
export interface ImportedFunction {
  readonly type: FunctionType;
  readonly call: (...args: readonly (number | bigint)[]) => number | bigint;
}

/** Pages of 64 KiB: 4 GiB. */
export const maxPages = 65536;

/** The functions of a module, which call one another and those of JavaScript. */
export class ModuleBuilder {
  readonly #types: number[][] = [];
  readonly #typeNumbers = new Map<string, number>();
  readonly imports: ImportedFunction[] = [];
  readonly #functions: FunctionBuilder[] = [];
  readonly #exported: { readonly name: string; readonly at: number }[] = [];

  import(f: ImportedFunction): Callee {
    return { callee: firstCallee + 2 * (this.imports.push(f) - 1), type: f.type };
  }
  add(f: FunctionBuilder, name?: string): Callee {
    const at = this.#functions.push(f) - 1;
    if (name !== undefined) this.#exported.push({ name, at });
    return { callee: firstCallee + 2 * at + 1, type: f.type };
  }
  #typeOf({ params, result }: FunctionType): number {
    const key = `${params.join()}:${result}`;
    let found = this.#typeNumbers.get(key);
    if (found === undefined) {
      const results = result === undefined ? [0] : [1, typeCodes[result]];
      found = this.#types.push([0x60, ...unsigned(params.length), ...params.map(p => typeCodes[p]), ...results]) - 1;
      this.#typeNumbers.set(key, found);
    }
    return found;
  }
  bytes(): Uint8Array<ArrayBuffer> {
    const name = (text: string): number[] => [...unsigned(text.length), ...Buffer.from(text, 'ascii')];
    const count = this.imports.length;
    const imports = [
      [...name('env'), ...name('memory'), 0x02, 0x03, 0, ...unsigned(maxPages)],
      ...this.imports.map((f, i) => [...name('env'), ...name(`f${i}`), 0x00, ...unsigned(this.#typeOf(f.type))]),
    ];
    const functions = this.#functions.map(f => unsigned(this.#typeOf(f.type)));
    const sections: [number, readonly (readonly number[])[]][] = [
      [1, this.#types],
      [2, imports],
      [3, functions],
      [7, this.#exported.map(e => [...name(e.name), 0x00, ...unsigned(count + e.at)])],
      [10, this.#functions.map(f => f.bytes(count))],
    ];
    const out: number[] = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
    for (const [id, entries] of sections) {
      const head = unsigned(entries.length);
      out.push(id, ...unsigned(entries.reduce((n, e) => n + e.length, head.length)), ...head);
      for (const entry of entries) for (const byte of entry) out.push(byte);
    }
    return Uint8Array.from(out);
  }
}
/** A function that code calls. */
export interface Callee {
  readonly callee: number;
  readonly type: FunctionType;
}
const call = ({ callee }: Callee, args: readonly Expr[]): number[] => [...args.flatMap(a => a.code), 0x10, callee];
export const callOf = (f: Callee, ...args: readonly Expr[]): Expr => ({ type: f.type.result!, code: call(f, args) });
/** The code of a call without a result. */
export const callCode = (f: Callee, ...args: readonly Expr[]): readonly number[] => call(f, args);
