// Rotary position embeddings in `config.json`: `rope_parameters` as in transformers 5, `rope_theta` with `rope_scaling`
// as in earlier versions. Frequencies are computed in rotary.ts.
import * as z from 'zod';
import type { Named } from '../config-file.ts';

const positive = z.number().positive();
const factors = z.array(positive).readonly();

/**
 * The distribution of rotary frequencies (RoFormer, arXiv:2104.09864), and their scaling for sequences longer than in
 * pre-training.
 */
const ropeParametersSchema = z.looseObject({
  /** The kind of scaling. `su` is an old name of `longrope`. */
  rope_type: z.enum(['default', 'linear', 'dynamic', 'yarn', 'longrope', 'llama3', 'su']).optional(),
  /** An old name of `rope_type`. */
  type: z.enum(['default', 'linear', 'dynamic', 'yarn', 'longrope', 'llama3', 'su']).optional(),
  /** The base of the wavelengths. */
  rope_theta: positive.optional(),
  /** The share of each head that is rotated. */
  partial_rotary_factor: positive.max(1).optional(),
  /** The factor by which sequences may be longer than in pre-training. */
  factor: positive.nullish(),
  /** The longest sequence of pre-training. */
  original_max_position_embeddings: z.int().positive().optional(),
  /** `yarn`, `longrope`: the factor of the sines and cosines. */
  attention_factor: positive.nullish(),
  /** `yarn`: rotations above which frequencies are unchanged. */
  beta_fast: positive.nullish(),
  /** `yarn`: rotations below which frequencies are divided by `factor`. */
  beta_slow: positive.nullish(),
  /** `yarn`: see `attention_factor`. */
  mscale: z.number().nullish(),
  /** `yarn`: see `attention_factor`. */
  mscale_all_dim: z.number().nullish(),
  /** `yarn`: whether the bounds between frequencies are rounded to integers. */
  truncate: z.boolean().optional(),
  /** `longrope`: divisors of the frequencies for sequences longer than in pre-training. */
  long_factor: factors.optional(),
  /** `longrope`: divisors of the frequencies for other sequences. */
  short_factor: factors.optional(),
  /** `llama3`: wavelengths above the length of pre-training divided by this are divided by `factor`. */
  low_freq_factor: positive.optional(),
  /** `llama3`: wavelengths below the length of pre-training divided by this are unchanged. */
  high_freq_factor: positive.optional(),
});

export type RopeFields = Named<z.output<typeof ropeParametersSchema>>;

/** The fields of a configuration for position embeddings. */
export const ropeFields = {
  /** Rotary positions, for all layers or by layer type. */
  rope_parameters: z.union([ropeParametersSchema, z.record(z.string(), ropeParametersSchema.nullable())]).nullish(),
  /** Rotary positions in the format of earlier versions of transformers. */
  rope_scaling: ropeParametersSchema.nullish(),
  /** The base of the wavelengths. */
  rope_theta: positive.optional(),
  /** The share of each head that is rotated. */
  partial_rotary_factor: positive.max(1).optional(),
  /** The number of rotated dims of each head, as GGUF files say it; takes precedence. */
  rotary_dim: z.int().positive().optional(),
  /** Gemma 3: the base of layers with a window. */
  rope_local_base_freq: positive.optional(),
  /** The longest sequence of pre-training. */
  original_max_position_embeddings: z.int().positive().optional(),
} as const;

/** The fields of `RopeParameters` under their own names; in a configuration they may be absent or elsewhere. */
type Resolved = 'rope_type' | 'type' | 'rope_theta' | 'partial_rotary_factor' | 'original_max_position_embeddings';

/** Rotary embeddings of a layer, complete. */
export interface RopeParameters extends Omit<RopeFields, Resolved> {
  /** The scaling of frequencies for sequences longer than in pre-training. */
  readonly kind: 'default' | 'linear' | 'dynamic' | 'yarn' | 'longrope' | 'llama3';
  /** The base of the wavelengths. */
  readonly theta: number;
  /** The number of rotated dims of a head. */
  readonly dims: number;
  /** The longest sequence of pre-training. */
  readonly originalPositions: number;
  /** The longest sequence of the model. */
  readonly maxPositions: number;
}

export interface RopeDefaults {
  readonly theta: number;
  /** The share of each head that is rotated; undefined: heads are rotated whole, and configurations have no share. */
  readonly partial?: number;
}

interface ConfigFields {
  readonly rope_parameters?: unknown;
  readonly rope_scaling?: RopeFields | null | undefined;
  readonly rope_theta?: number | undefined;
  readonly partial_rotary_factor?: number | undefined;
  readonly rotary_dim?: number | undefined;
  readonly rope_local_base_freq?: number | undefined;
  readonly original_max_position_embeddings?: number | undefined;
  readonly max_position_embeddings: number;
}

export type LayerType = 'full_attention' | 'sliding_attention';

/**
 * The parameters of the layers of a type. Those of both types are the same, unless `rope_parameters` has them by type.
 * @param headDim the size of a head
 */
export function ropeOf(
  config: ConfigFields,
  headDim: number,
  defaults: RopeDefaults,
  layer: LayerType = 'full_attention',
): RopeParameters {
  const given = config.rope_parameters as RopeFields | Readonly<Record<string, RopeFields | null>> | null | undefined;
  const byType = given !== null && given !== undefined && ('full_attention' in given || 'sliding_attention' in given);
  const own = (byType ? (given as Readonly<Record<string, RopeFields | null>>)[layer] : given) as
    | RopeFields
    | null
    | undefined;
  const {
    rope_type,
    type = 'default',
    rope_theta,
    partial_rotary_factor,
    original_max_position_embeddings,
    ...fields
  }: RopeFields = own ?? config.rope_scaling ?? {};
  const kind = rope_type ?? type;
  // As in transformers, architectures without a share of their own rotate whole heads, whatever the configuration says.
  const share = partial_rotary_factor ?? config.partial_rotary_factor ?? defaults.partial;
  const { max_position_embeddings: maxPositions } = config;
  return {
    ...fields,
    kind: kind === 'su' ? 'longrope' : kind,
    theta: rope_theta ?? config.rope_theta ?? defaults.theta,
    dims: config.rotary_dim ?? (defaults.partial === undefined ? headDim : Math.trunc(headDim * share!)),
    maxPositions,
    originalPositions: config.original_max_position_embeddings ?? original_max_position_embeddings ?? maxPositions,
  };
}
