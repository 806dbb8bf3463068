// One kernel as it is written: a C function of the form `trenio_task`. It may name anything of the step function; what it
// names (`g12`) is found in its text afterwards and handed to it by address, in the order of appearance, under names that
// count from a0. So equal kernels of equal layers have equal texts, and are one.
import { Writer } from '../c/writer.ts';
import type { KnownSizes } from './sizes.ts';

export class Kernel {
  readonly out = new Writer();
  #names = 0;
  #scopes: Map<string, string>[] = [new Map()];

  name(letter = 'v'): string {
    return `${letter}${this.number()}`;
  }
  /** A number that no other name has. */
  number(): number {
    return this.#names++;
  }

  /** A constant with this value, declared unless one is in scope; names and numbers are used directly. */
  let(cType: string, text: string): string {
    if (/^[\w.]+$/.test(text)) return text;
    return this.once(`${cType} ${text}`, () => {
      const name = this.name();
      this.out.line(`const ${cType} ${name} = ${text};`);
      return name;
    });
  }

  /** The result of `make` for this key, if it is in scope. */
  once(key: string, make: () => string): string {
    for (const scope of this.#scopes) {
      const known = scope.get(key);
      if (known !== undefined) return known;
    }
    const made = make();
    this.#scopes.at(-1)!.set(key, made);
    return made;
  }

  /** A block; what is declared in it ends with it. */
  block(header: string, body: () => void): void {
    this.out.open(header);
    this.scope(body);
    this.out.close();
  }
  /** Declarations in `body` are local to it: the caller opens and closes the block. */
  scope(body: () => void): void {
    this.#scopes.push(new Map());
    body();
    this.#scopes.pop();
  }
  /** A loop over [0, size), or over `from` and `to` as given; `simd` asserts that its iterations are independent. */
  loop(
    size: string | number,
    body: (index: string) => void,
    options: { readonly from?: string; readonly simd?: string } = {},
  ): void {
    if (size === 1 && options.from === undefined && options.simd === undefined) {
      body('0');
      return;
    }
    const i = this.name('i');
    if (options.simd !== undefined) this.out.line(`#pragma omp simd${options.simd}`);
    this.block(`for (int64_t ${i} = ${options.from ?? 0}; ${i} < ${size}; ${i}++)`, () => body(i));
  }
}

/** The values that a kernel's text needs from the step function, and the text with its own names for them. */
export interface FinishedKernel {
  /** With `@` for its name. */
  readonly code: string;
  /** Names of the step function, in the order in which they are handed over. */
  readonly captured: readonly string[];
}

export function finish(kernel: Kernel, typeOf: (name: string) => string): FinishedKernel {
  const captured: string[] = [];
  const body = kernel.out.toString().replaceAll(/\bg\d+\b/g, name => {
    let at = captured.indexOf(name);
    if (at < 0) {
      at = captured.length;
      captured.push(name);
    }
    return `a${at}`;
  });
  const declarations = captured.map((name, i) => {
    const type = typeOf(name);
    return `  ${type} const a${i} = *(${type} *)call[${i}];`;
  });
  const indented = body
    .split('\n')
    .map(line => `  ${line}`)
    .join('\n');
  return {
    code: `static void @(void *arg, int64_t task, int worker) {\n  void *const *const call = arg;\n${[...declarations, indented].join('\n')}\n}`,
    captured,
  };
}

/** Loops over some sizes, one within the other. */
export function nest(
  k: Kernel,
  sizes: KnownSizes,
  body: (index: readonly string[]) => void,
  index: readonly string[] = [],
): void {
  const [size, ...rest] = sizes;
  if (size === undefined) body(index);
  else k.loop(size, i => nest(k, rest, body, [...index, i]));
}
