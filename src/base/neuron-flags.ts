// The supported flags of the Neuron SDK's compiler: which ops compute in which float type. Other flags
// are ignored.

/** The cast values: none, the operands of multiplies, or also their results. */
export const autoCastModes = ['none', 'matmult', 'all'] as const;
export type AutoCastMode = (typeof autoCastModes)[number];
/** The type that f32 is cast to, under the SDK's names; `fp8` is `fp8_e4m3`. */
export const autoCastTypes = ['bf16', 'fp16', 'tf32', 'fp8', 'fp8_e4m3'] as const;
export type AutoCastType = (typeof autoCastTypes)[number];

/** The ops that compute in lower precision, and their type: the `--auto-cast` options of NEURON_CC_FLAGS. */
export interface AutoCast {
  /** Which operations are cast. */
  readonly mode: AutoCastMode;
  /** The data type that they are cast to. */
  readonly type: AutoCastType;
}
export const noAutoCast: AutoCast = { mode: 'none', type: 'bf16' };
export const neuronFlagsExpected = `flags, with --auto-cast one of ${autoCastModes.join(', ')} and --auto-cast-type one of ${autoCastTypes.join(', ')}`;

/** The policy in flags such as `--auto-cast matmult --auto-cast-type=bf16`; undefined if a value is invalid. */
export function parseNeuronFlags(flags: string): AutoCast | undefined {
  let { mode, type }: { mode: AutoCastMode; type: AutoCastType } = noAutoCast;
  const words = flags.split(/[\s=]+/).filter(word => word !== '');
  for (let i = 0; i < words.length; i++) {
    if (words[i] === '--auto-cast') {
      const known = autoCastModes.find(m => m === words[i + 1]);
      if (known === undefined) return undefined;
      mode = known;
    } else if (words[i] === '--auto-cast-type') {
      const known = autoCastTypes.find(t => t === words[i + 1]);
      if (known === undefined) return undefined;
      type = known;
    }
  }
  return { mode, type };
}
