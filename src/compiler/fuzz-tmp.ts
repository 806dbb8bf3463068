// Random programs of fusable ops, compiled against the interpreter: whatever is fused, recomputed or stored, the values
// are the same. Twelve programs a run of gcc.
import fc from 'fast-check';
import { Builder } from '../hlo/builder.ts';
import { interpret } from '../hlo/interpreter.ts';
import { type Literal, literal } from '../hlo/literal.ts';
import { moduleOf, shapeOf, type Value } from '../hlo/program.ts';
import { elementCount, tensorType } from '../hlo/types.ts';
import { compileToC, hostTarget } from './index.ts';
import { compileForTest } from './testing/compile.ts';

const shapes = [[6, 4, 10], [24, 10], [6, 40], [10, 24], [4, 6, 10], [6, 4, 1], [240], [6, 4], [10], []] as const;
const step = fc.record({ kind: fc.nat(15), a: fc.nat(1000), b: fc.nat(1000), c: fc.nat(1000) });
type Step = { readonly kind: number; readonly a: number; readonly b: number; readonly c: number };
const program = fc.record({
  steps: fc.array(step, { minLength: 6, maxLength: 70 }),
  results: fc.array(fc.nat(1000), { minLength: 1, maxLength: 5 }),
});

export class RandomProgram {
  readonly args: Value[] = [];
  readonly inputs: Literal[] = [];
  readonly b: Builder;

  constructor(b: Builder) {
    this.b = b;
  }

  build(steps: readonly Step[], results: readonly number[], first: number): Value[] {
    const pool: Value[] = shapes.map((shape, i) => this.#arg(shape, first + i));
    for (const s of steps) {
      const made = this.#apply(s, pool);
      if (made) pool.push(made);
    }
    return results.map(r => pool[pool.length - 1 - (r % Math.min(pool.length, 12))]!);
  }
  #arg(shape: readonly number[], seed: number): Value {
    const values = Array.from({ length: elementCount(shape) }, (_, i) => Math.sin(i * 7.13 + seed) * 1.5);
    this.inputs.push(literal('f32', shape, values));
    const v = this.b.argument(tensorType('f32', shape), this.args.length);
    this.args.push(v);
    return v;
  }

  #apply({ kind, a, b: second, c }: Step, pool: readonly Value[]): Value | undefined {
    const { b } = this;
    const x = pool[a % pool.length]!;
    const shape = shapeOf(x);
    const alike = pool.filter(v => shapeOf(v).join() === shape.join());
    const y = alike[second % alike.length]!;
    const rank = shape.length;
    const dim = rank === 0 ? 0 : c % rank;
    switch (kind) {
      case 0:
        return b.add(x, y);
      case 1:
        return b.multiply(x, y);
      case 2:
        return b.subtract(x, y);
      case 3:
        return b.unary('tanh', x);
      case 4:
        return b.select(b.compare('GT', x, y), y, b.negate(x));
      case 5:
        return b.maximum(x, b.like(y, 0.25));
      case 6:
        return b.unary('exponential', b.minimum(x, b.like(x, 1)));
      case 7:
        return rank === 0 ? undefined : b.unary('tanh', b.sum(x, [dim]));
      case 8:
        return rank === 0 ? undefined : b.reduce('maximum', x, b.fill('f32', [], -9), [dim]);
      case 9: {
        // normalise along the last dim: a reduction that joins what uses it
        if (rank === 0) return undefined;
        const kept = shape.map((_, d) => d).slice(0, -1);
        return b.subtract(
          x,
          b.broadcastInDim(b.multiply(b.sum(x, [rank - 1]), b.fill('f32', shape.slice(0, -1), 0.1)), kept, shape),
        );
      }
      case 10:
        return rank < 2
          ? undefined
          : b.transpose(
              x,
              shape.map((_, d) => d).sort((p, q) => ((p + c) % rank) - ((q + c) % rank)),
            );
      case 11: {
        const same = shapes.filter(s => elementCount(s) === elementCount(shape));
        return same.length === 0 ? undefined : b.reshape(x, same[c % same.length]!);
      }
      case 12: {
        // spread over a further dim
        const target = shapes[c % shapes.length]!;
        const dims = shape.map((size, d) =>
          target[d + target.length - rank] === size ? d + target.length - rank : -1,
        );
        return dims.includes(-1) ? undefined : b.broadcastInDim(x, dims, target);
      }
      case 13:
        return rank === 0
          ? undefined
          : b.concatenate(
              [
                b.slice(
                  x,
                  shape.map(() => 0),
                  shape.map((s, d) => (d === dim ? Math.ceil(s / 2) : s)),
                ),
                b.slice(
                  y,
                  shape.map((s, d) => (d === dim ? Math.ceil(s / 2) : 0)),
                  [...shape],
                ),
              ],
              dim,
            );
      case 14:
        return rank === 0
          ? undefined
          : b.slice(
              b.pad(
                x,
                b.fill('f32', [], 0.5),
                shape.map(() => 1),
                shape.map(() => 1),
              ),
              shape.map((_, d) => (d === dim ? 2 : 0)),
              shape.map((s, d) => s + (d === dim ? 2 : 0)),
            );
      default:
        return b.emit1('reverse', [x], { dimensions: rank === 0 ? [] : [dim] });
    }
  }
}


import { toNumbers } from '../hlo/literal.ts';
export function bad(s: any, first: number): number | undefined {
  const b = new Builder(); const random = new RandomProgram(b); const results = random.build(s.steps, s.results, first);
  const module = moduleOf({ name: 'main', body: { args: random.args, ops: b.ops, results }, aliases: random.args.map(() => undefined) });
  const got = compileForTest(module).run(random.inputs);
  const exp = interpret(module, random.inputs);
  for (let i = 0; i < exp.length; i++) { const x = toNumbers(got[i]!), y = toNumbers(exp[i]!); for (let j = 0; j < x.length; j++) if (!(Math.abs(x[j]! - y[j]!) <= 1e-4 * Math.max(1, Math.abs(y[j]!))) && !Object.is(x[j],y[j])) { console.log('result',i,'at',j,x[j],y[j]); return i; } }
  return undefined;
}
const samples = fc.sample(program, { seed: 1, numRuns: 480 });
const g = Number(process.argv[2]);
for (let k = 0; k < 12; k++) {
  let s: any = samples[12*g+k]!;
  let i = bad(s, k); if (i === undefined) continue;
  s = { steps: [...s.steps], results: [s.results[i]!] };
  // results refer to the end of the pool: keep them by index from the start is not possible, so shrink by dropping steps greedily
  for (let again = true; again;) { again = false; for (let d = s.steps.length - 1; d >= 0; d--) { const t = { ...s, steps: s.steps.filter((_: any, q: number) => q !== d) }; try { if (bad(t, k) !== undefined) { s = t; again = true; } } catch { } } }
  console.log(k, JSON.stringify(s));
  const b = new Builder(); const random = new RandomProgram(b); const results = random.build(s.steps, s.results, k);
  const module = moduleOf({ name: 'main', body: { args: random.args, ops: b.ops, results }, aliases: random.args.map(() => undefined) });
  for (const op of b.ops) console.log(op.results.map(v=>'%'+v.id+':'+shapeOf(v).join('x')).join(), op.name, op.operands.map(v=>'%'+v.id).join(), JSON.stringify(op.attributes).slice(0,100));
  console.log(results.map(v=>v.id)); const u = compileToC(module, hostTarget()).units[0]!.source; console.log(u.slice(u.indexOf('t_call;')));
}
