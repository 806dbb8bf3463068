// The functions of a program's kernels. Those of single ops are not printed.

import { invariant } from '../../../base/errors.ts';
import { tensorTypeOf } from '../../../hlo/program.ts';
import { numberOf } from '../../ir/extent.ts';
import { sizeOf } from '../../ir/nest.ts';
import type { KernelOperand } from '../../ir/operands.ts';
import type { FusedKernel } from '../ir/fused-kernel.ts';
import type { Kernel } from '../ir/kernel.ts';
import type { CpuTarget } from '../target/target.ts';
import { columnsCode } from './columns.ts';
import { NotPrinted } from './elements.ts';
import { addI32, type Expr, FunctionBuilder, get, i32Const, ModuleBuilder } from './encoder.ts';
import { webAssembly } from './engine.ts';
import { machineMemory } from './machine-memory.ts';
import { ModuleFunctions } from './module-functions.ts';
import { multiplyCode } from './multiply.ts';
import { allRows, rowsCode } from './rows.ts';
import { type KernelMemory, Scope, type Sizes } from './scope.ts';
import type { SharedFunctions } from './shared-functions.ts';
import { splitCode } from './split.ts';

type Operands = readonly KernelOperand[];
/** A kernel's function: addresses of its operands in the machine's memory, and of memory that it has for itself. */
export interface KernelFunction {
  call(...addresses: readonly number[]): void;
  readonly scratchBytes: number;
}
interface Printed {
  readonly name: string;
  readonly scratchBytes: number;
}

/** Prints kernels, then makes all of them functions. */
export class KernelModule {
  readonly #module = new ModuleBuilder();
  readonly #shared: SharedFunctions;
  readonly #printed = new Map<string, Printed>();
  readonly #functions = new Map<string, KernelFunction>();

  constructor(target: CpuTarget) {
    this.#shared = new ModuleFunctions(this.#module, target);
  }

  /** The name of a kernel's function; undefined if it is not printed. */
  print(kernel: Kernel, operands: Operands, sizes: Sizes = numberOf): string | undefined {
    try {
      const { f, scratchBytes } = kernelFunction(kernel, operands, sizes, this.#shared);
      if (f.isTooLarge) return undefined;
      const key = f.key();
      let found = this.#printed.get(key);
      if (found === undefined) {
        found = { name: `k${this.#printed.size}`, scratchBytes };
        this.#module.add(f, found.name);
        this.#printed.set(key, found);
      }
      return found.name;
    } catch (e) {
      if (e instanceof NotPrinted) return undefined;
      throw e;
    }
  }
  /** Compiles what was printed. */
  load(): ReadonlyMap<string, KernelFunction> {
    if (this.#printed.size === 0) return this.#functions;
    const module = new webAssembly.Module(this.#module.bytes());
    const imports = Object.fromEntries(this.#module.imports.map((f, i) => [`f${i}`, f.call]));
    const { exports } = new webAssembly.Instance(module, { env: { memory: machineMemory().memory, ...imports } });
    for (const { name, scratchBytes } of this.#printed.values()) {
      const call = exports[name];
      invariant(typeof call === 'function', `${name} is not exported`);
      this.#functions.set(name, { call: call as KernelFunction['call'], scratchBytes });
    }
    return this.#functions;
  }
}

const known = new WeakMap<FusedKernel, Map<string, KernelFunction | undefined>>();
/** The function of a fused kernel for these values of its sizes; undefined if it is not printed. */
export function fusedFunction(
  kernel: FusedKernel,
  operands: Operands,
  values: readonly number[],
  sizes: Sizes,
  target: CpuTarget,
): KernelFunction | undefined {
  let ofSizes = known.get(kernel);
  if (ofSizes === undefined) {
    ofSizes = new Map();
    known.set(kernel, ofSizes);
  }
  const key = values.join();
  if (!ofSizes.has(key)) {
    const module = new KernelModule(target);
    const name = module.print(kernel, operands, sizes);
    ofSizes.set(key, name === undefined ? undefined : module.load().get(name));
  }
  return ofSizes.get(key);
}

function kernelFunction(
  kernel: Kernel,
  operands: Operands,
  sizes: Sizes,
  shared: SharedFunctions,
): { readonly f: FunctionBuilder; readonly scratchBytes: number } {
  const f = new FunctionBuilder([...operands.map(() => 'i32' as const), 'i32']);
  const scratch = get(f.params.at(-1)!);
  let scratchBytes = 0;
  const memory: KernelMemory = {
    slots: operands.map(({ value }, i) => ({ type: tensorTypeOf(value).elementType, address: get(f.params[i]!) })),
    scratch(bytes) {
      const at = scratchBytes;
      scratchBytes += Math.ceil(bytes / 16) * 16;
      return addI32(scratch, i32Const(at));
    },
  };
  const scope = (products?: Expr): Scope => new Scope(f, shared, sizes, memory, products);
  switch (kernel.kind) {
    case 'rows':
    case 'columns':
    case 'split':
    case 'parts':
    case 'sequence':
      fusedCode(kernel, scope);
      break;
    case 'multiply': {
      const { address, type } = memory.slots[kernel.result]!;
      multiplyCode(kernel.multiply, f, shared, memory, address, type as 'f32');
      break;
    }
    case 'epilogue': {
      const { spec } = kernel.multiply;
      const last = spec.batch.reduce(
        (n, d) => n + (d.size - 1) * d.c,
        (spec.m - 1) * spec.c.m + (spec.n - 1) * spec.c.n,
      );
      const products = f.keep(memory.scratch(4 * (last + 1)));
      multiplyCode(kernel.multiply, f, shared, memory, products, 'f32');
      allRows(kernel.row, scope(products), i32Const(sizes(sizeOf(kernel.row.nest.kept))));
      break;
    }
    default:
      throw new NotPrinted(kernel.form);
  }
  return { f, scratchBytes };
}
function fusedCode(kernel: FusedKernel, scope: () => Scope): void {
  switch (kernel.kind) {
    case 'rows':
      rowsCode(kernel, scope());
      break;
    case 'columns':
      columnsCode(kernel, scope());
      break;
    case 'split':
      splitCode(kernel, scope());
      break;
    case 'parts':
      for (const part of kernel.parts) fusedCode(part, scope);
      break;
    case 'sequence':
      rowsCode(kernel.first, scope());
      columnsCode(kernel.second, scope());
  }
}
