// Modules that hold modules in order, named by their position as in PyTorch: '0', '1' …
import { checkIterable, type Tensor, wrongArgument } from '../tensor/index.ts';
import { Module } from './module.ts';

interface Unary extends Module {
  forward(x: Tensor): Tensor;
}

function checkModule(call: string, module: unknown): void {
  if (!(module instanceof Module))
    throw wrongArgument({ call, argument: 'an entry' }, module, 'a module', 'give layers such as new Linear(8, 2)');
}

/** A list of modules. */
export class ModuleList<M extends Module = Module> extends Module {
  readonly #list: M[] = [];
  constructor(modules: Iterable<M> = []) {
    super();
    checkIterable({ call: 'ModuleList', argument: 'the list' }, modules, 'an array of modules');
    for (const module of modules) this.push(module);
  }
  push(module: M): void {
    checkModule('ModuleList', module);
    Object.defineProperty(this, String(this.#list.length), { value: module, enumerable: true });
    this.#list.push(module);
  }
  get length(): number {
    return this.#list.length;
  }
  at(index: number): M | undefined {
    return this.#list.at(index);
  }
  [Symbol.iterator](): Iterator<M> {
    return this.#list[Symbol.iterator]();
  }
  protected override get isList(): boolean {
    return true;
  }
  /** A list is not called; its modules are. */
  override forward(): never {
    throw new TypeError('a ModuleList has no forward: call the modules in it');
  }
}

/** One module after the other. */
export class Sequential extends Module {
  readonly #list: readonly Unary[];
  constructor(...modules: readonly Unary[]) {
    super();
    this.#list = modules;
    modules.forEach((module, i) => {
      checkModule('Sequential', module);
      Object.defineProperty(this, String(i), { value: module, enumerable: true });
    });
  }
  protected override get isList(): boolean {
    return true;
  }
  override forward(x: Tensor): Tensor {
    return this.#list.reduce((y, module) => module.forward(y), x);
  }
}
