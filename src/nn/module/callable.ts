// Objects of a class that can be called: `new Net()` returns a function whose prototype is Net's, so that `model(x)`,
// `instanceof`, private fields and `super` work as for any other object. See docs/decisions/0008-callable-modules.md.

/** The function that a call runs. */
export const invoke: unique symbol = Symbol('invoke');

interface Invoked {
  [invoke](args: readonly unknown[]): unknown;
}

export abstract class Callable {
  /** @internal */
  abstract [invoke](args: readonly unknown[]): unknown;

  constructor() {
    const self = ((...args: unknown[]) => self[invoke](args)) as unknown as Invoked & {
      name?: string;
      length?: number;
    };
    // A function's own `name` and `length` are removed: subclasses may have fields of these names.
    delete self.name;
    delete self.length;
    Object.setPrototypeOf(self, new.target.prototype as object);
    // The fields of subclasses are set on the object that the base constructor returns.
    // biome-ignore lint/correctness/noConstructorReturn: that is how an object of a class becomes callable
    return self as unknown as Callable;
  }
}
