// For tests: many small cases as one program, so that gcc runs once, compiled against the interpreter.
import { expect } from 'vitest';
import { Builder } from '../../hlo/builder.ts';
import { interpret } from '../../hlo/interpreter.ts';
import { type Literal, literal } from '../../hlo/literal.ts';
import { entriesOf } from '../../hlo/ops/element-data.ts';
import { type Func, moduleOf, type Value } from '../../hlo/program.ts';
import { type ElementType, elementCount, tensorType } from '../../hlo/types.ts';
import { expectClose } from './closeness.testing.ts';
import { compileForTest } from './compile.testing.ts';

/** Builds one function from many small cases; arguments are created when a case requests them. */
export class Batch {
  readonly b = new Builder();
  readonly args: Value[] = [];
  readonly inputs: Literal[] = [];
  readonly results: Value[] = [];
  readonly names: string[] = [];

  arg(elementType: ElementType, shape: readonly number[], values: (i: number) => number): Value {
    // of complex numbers, real and imaginary parts in turn
    const entries = elementCount(shape) * entriesOf(elementType);
    const data = Array.from({ length: entries }, (_, i) => values(i));
    const wide = elementType === 'i64' || elementType === 'ui64';
    this.inputs.push(literal(elementType, shape, wide ? data.map(v => BigInt(Math.trunc(v))) : data));
    const value = this.b.argument(tensorType(elementType, shape), this.args.length);
    this.args.push(value);
    return value;
  }
  result(name: string, ...values: readonly Value[]): void {
    for (const v of values) {
      this.results.push(v);
      this.names.push(name);
    }
  }
  check(tolerance?: number): void {
    const func: Func = {
      name: 'main',
      body: { args: this.args, ops: this.b.ops, results: this.results },
      aliases: this.args.map(() => undefined),
    };
    const module = moduleOf(func);
    const program = compileForTest(module);
    const expected = interpret(module, this.inputs);
    const forwards = program.run(this.inputs);
    const backwards = program.run(this.inputs, { backwards: true });
    forwards.forEach((got, i) => {
      expectClose(got, expected[i]!, this.names[i]!, tolerance);
      expect(backwards[i]!.data, `${this.names[i]} in another order of tasks`).toEqual(got.data);
    });
  }
}
