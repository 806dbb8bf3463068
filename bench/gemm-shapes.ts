// The multiplies of BERT training steps (8 sequences of 128 tokens), as strides, for bench/gemm.ts.
import type { GemmSpec } from '../src/compiler/ir/multiply.ts';

export interface Shape {
  readonly name: string;
  readonly spec: GemmSpec;
  /** The highest bar applies. */
  readonly large: boolean;
  /** Takes seconds; only measured if selected by name. */
  readonly slow: boolean;
}

type Type = 'f32' | 'bf16';

/** The three multiplies of a linear layer with weights [outputs, inputs]: y = x Wᵀ, dx = dy W, dW = dyᵀ x. */
function linear(type: Type, name: string, inputs: number, outputs: number, rows = 1024): Shape[] {
  const shape = (what: string, spec: Omit<GemmSpec, 'elementType' | 'batch'>): Shape => ({
    name: `${name} ${what}`,
    spec: { elementType: type, batch: [], ...spec },
    large: rows >= 1024,
    slow: outputs > 8192,
  });
  return [
    shape('forward', {
      m: rows,
      n: outputs,
      k: inputs,
      a: { m: inputs, k: 1 },
      b: { k: 1, n: inputs },
      c: { m: outputs, n: 1 },
    }),
    shape('dX', {
      m: rows,
      n: inputs,
      k: outputs,
      a: { m: outputs, k: 1 },
      b: { k: inputs, n: 1 },
      c: { m: inputs, n: 1 },
    }),
    shape('dW', {
      m: outputs,
      n: inputs,
      k: rows,
      a: { m: 1, k: outputs },
      b: { k: inputs, n: 1 },
      c: { m: inputs, n: 1 },
    }),
  ];
}

/** A multiply of attention: operands [sequence × head, row, column], or transposed within a head. */
function attention(
  type: Type,
  name: string,
  heads: number,
  [m, n, k]: readonly [number, number, number],
  transposed: 'a' | 'b' | 'none',
): Shape {
  return {
    name: `attention ${name}`,
    spec: {
      elementType: type,
      batch: [{ size: heads, a: m * k, b: k * n, c: m * n }],
      m,
      n,
      k,
      a: transposed === 'a' ? { m: 1, k: m } : { m: k, k: 1 },
      b: transposed === 'b' ? { k: 1, n: k } : { k: n, n: 1 },
      c: { m: n, n: 1 },
    },
    large: false,
    slow: false,
  };
}

/** The shapes of BERT-base and BERT-large. */
export function bertShapes(type: Type): Shape[] {
  return [
    ...linear(type, 'base proj', 768, 768),
    ...linear(type, 'base ffn1', 768, 3072),
    ...linear(type, 'base ffn2', 3072, 768),
    attention(type, 'QKᵀ', 96, [128, 128, 64], 'b'),
    attention(type, 'PV', 96, [128, 64, 128], 'none'),
    attention(type, 'dV', 96, [128, 64, 128], 'a'),
    attention(type, 'dP', 96, [128, 128, 64], 'b'),
    ...linear(type, 'large proj', 1024, 1024),
    ...linear(type, 'large ffn1', 1024, 4096),
    ...linear(type, 'large ffn2', 4096, 1024),
    ...linear(type, 'classifier', 768, 2, 8),
    ...linear(type, 'vocabulary', 768, 30522),
  ];
}
