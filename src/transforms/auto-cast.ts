// Auto-cast: f32 programs that multiply in low precision, under the policies of the Neuron SDK. Sums stay f32, and so do
// arguments and results.
//
//   matmult:  x ──▶ x as bf16 ─┐                          each conversion once, before the views that an operand
//             w ──▶ w as bf16 ─┴▶ multiply, sums in f32    goes through, so that those move half the bytes
//   all:      the multiply's result is rounded, too, and other ops also read the rounded values of its operands:
//             it is stored once, in the low-precision type. Elementwise chains, reductions and updates compute in f32.
//
// fp16 overflows to infinity, like the type. fp8 saturates at its largest number; it is multiplied as bf16.
import { type AutoCast, type AutoCastType, noAutoCast } from '../base/neuron-flags.ts';
import { Builder } from '../hlo/builder.ts';
import { scalar } from '../hlo/literal.ts';
import { type Module, mainOf, type Op, type Value } from '../hlo/program.ts';
import type { ElementType } from '../hlo/types.ts';
import { cloneOp, nextId } from '../hlo/walk.ts';
import { splatLiteral } from './facts.ts';
import { convertRule, elementTypeOf } from './low-precision.ts';
import { inlineRule } from './prepare.ts';
import { Rewriter, type Rule, setOrigin } from './rewriter.ts';

/** The type in which the policy stores values between kernels. */
const storedType: { readonly [T in AutoCastType]: ElementType } = {
  bf16: 'bf16',
  fp16: 'f16',
  tf32: 'tf32',
  fp8: 'bf16',
  fp8_e4m3: 'bf16',
};

/** The module with its f32 multiplies cast according to the policy. */
export function autoCast(module: Module, policy: AutoCast): Module {
  if (policy.mode === noAutoCast.mode) return module;
  const main = mainOf(module);
  let busy = false;
  const cast: Rule = (op, r) => {
    if (busy || (op.name !== 'dot_general' && op.name !== 'convolution')) return undefined;
    const result = elementTypeOf(op.results[0]);
    if (result !== 'f32' || op.operands.some(v => elementTypeOf(v) !== 'f32')) return undefined;
    busy = true;
    try {
      const product = castProduct(op, r, policy.type);
      if (policy.mode === 'matmult') return [product];
      return [widened(r, r.emit1('convert', [product], { elementType: storedType[policy.type] }))];
    } finally {
      busy = false;
    }
  };
  const func = new Rewriter(module, main, [inlineRule, convertRule, cast]).run(main);
  const done = { ...module, functions: [func] };
  return policy.mode === 'all' ? readRounded(done, storedType[policy.type]) : done;
}

function castProduct(op: Op<'dot_general'> | Op<'convolution'>, r: Rewriter, type: AutoCastType): Value {
  const operands = op.operands.map(v => downcast(r, v, type));
  // convolutions have no attribute for the result type, and f32 can represent tf32: values are rounded and read as f32
  if (op.name === 'convolution')
    return r.emit1(
      'convolution',
      operands.map(v => widened(r, v)),
      op.attributes,
    );
  if (type === 'tf32')
    return r.emit1(
      'dot_general',
      operands.map(v => widened(r, v)),
      op.attributes,
    );
  return r.emit1('dot_general', operands, { ...op.attributes, elementType: 'f32' });
}

const widened = (r: Rewriter, x: Value): Value => r.emit1('convert', [x], { elementType: 'f32' });

/** x converted to the type of the policy; if x is a view, a view of the conversion. */
function downcast(r: Rewriter, x: Value, type: AutoCastType): Value {
  const { op } = x;
  if (op?.name === 'transpose') return r.emit1('transpose', [downcast(r, op.operands[0], type)], op.attributes);
  if (op?.name === 'reshape') return r.emit1('reshape', [downcast(r, op.operands[0], type)], op.attributes);
  if (type !== 'fp8' && type !== 'fp8_e4m3') return r.emit1('convert', [x], { elementType: storedType[type] });
  const bound = (value: number): Value => r.emit1('constant', [], { value: scalar('f32', value) });
  const inRange = r.emit1('clamp', [bound(-greatestFp8), x, bound(greatestFp8)], {});
  const small = r.emit1('convert', [inRange], { elementType: 'f8E4M3FN' });
  return r.emit1('convert', [small], { elementType: 'bf16' });
}
const greatestFp8 = 448;

/** Makes the users of a value that is also stored in low precision read that copy. */
function readRounded(module: Module, type: ElementType): Module {
  const main = mainOf(module);
  const { body } = main;
  const conversions = new Map<Value, Op<'convert'>>();
  for (const op of body.ops) {
    if (op.name !== 'convert' || op.attributes.elementType !== type) continue;
    const [x] = op.operands;
    if (x.op !== undefined && elementTypeOf(x) === 'f32' && splatLiteral(x) === undefined) conversions.set(x, op);
  }
  const ids = { next: nextId(body) };
  const builder = new Builder(ids);
  // applies to inputs of ops only: results of the function are not rounded
  const read = new Map<Value, Value>();
  const made = new Map<Value, Value>();
  for (const op of body.ops) {
    if (op.name === 'convert' && read.has(op.results[0])) continue;
    const copy = cloneOp(op, new Map(read), ids);
    builder.ops.push(copy);
    setOrigin(copy, op);
    op.results.forEach((v, i) => {
      const fresh = copy.results[i]!;
      made.set(v, fresh);
      read.set(v, fresh);
      const conversion = conversions.get(v);
      if (conversion === undefined || !conversion.operands.includes(v)) return;
      builder.location = conversion.location;
      const small = builder.convert(fresh, type);
      setOrigin(small.op!, op);
      read.set(conversion.results[0], small);
      made.set(conversion.results[0], small);
      read.set(v, builder.convert(small, 'f32'));
    });
  }
  const results = body.results.map(v => made.get(v) ?? v);
  return { ...module, functions: [{ ...main, body: { args: body.args, ops: builder.ops, results } }] };
}
