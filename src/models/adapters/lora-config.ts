// The settings of LoRA and DoRA: the fields of PEFT's adapter_config.json, under their own names. Fields that would change the
// result and are not implemented are errors.
import { join } from 'node:path';
import * as z from 'zod';
import { writeFileAtomically } from '../../base/atomic-write.ts';
import { checkConfig, configError, readConfigObject } from '../config-file.ts';
import { namePattern } from './name-pattern.ts';

const names = z.union([z.string().min(1), z.array(z.string().min(1)).min(1).readonly()]);
const rank = z
  .int()
  .min(1)
  .max(1 << 16);
const patterns = <T extends z.ZodType>(value: T) => z.record(z.string(), value).nullish();

const loraConfigSchema = z.looseObject({
  /** The kind of adapter. */
  peft_type: z.literal('LORA').default('LORA'),
  /** The rank: the size of the dim between the two matrices. */
  r: rank.default(8),
  /** The update is multiplied by `lora_alpha / r`. */
  lora_alpha: z.number().default(8),
  /** The probability of dropout on the input of the update, in training. */
  lora_dropout: z.number().min(0).max(1).default(0),
  /** The linear layers to adapt: suffixes of their names, a regular expression for whole names, or `all-linear`. */
  target_modules: names,
  /** Layers to exclude from `target_modules`, in the same form. */
  exclude_modules: names.nullish(),
  /** The indices of the blocks to adapt. Default: all. */
  layers_to_transform: z.union([z.int().min(0), z.array(z.int().min(0)).readonly()]).nullish(),
  /** The name of the list of blocks that `layers_to_transform` refers to. */
  layers_pattern: names.nullish(),
  /** Ranks of single layers, by regular expressions for name suffixes. */
  rank_pattern: patterns(rank),
  /** Values of `lora_alpha` of single layers, by regular expressions for name suffixes. */
  alpha_pattern: patterns(z.number()),
  /** The biases that are trained: none, all of the model, or those of adapted layers. */
  bias: z.enum(['none', 'all', 'lora_only']).default('none'),
  /** DoRA: the norm of each row of the weights is trained separately. */
  use_dora: z.boolean().default(false),
  /** The update is multiplied by `lora_alpha / √r` instead. */
  use_rslora: z.boolean().default(false),
  /** Modules that are trained as a whole and saved with the adapter. With `task_type`, also the head of a classifier. */
  modules_to_save: z.array(z.string().min(1)).readonly().nullish(),
  /** Initial values: `true`: the update is 0; `gaussian`: A is normal; `false`: the update is random. */
  init_lora_weights: z.union([z.boolean(), z.enum(['gaussian', 'orthogonal', 'eva'])]).default(true),
  /** The base model that the adapter was trained for. */
  base_model_name_or_path: z.string().nullish(),
  /** The task, in the names of PEFT. */
  task_type: z.string().nullish(),
});

/** The fields of an adapter_config.json, checked; unknown ones are kept. */
export type LoraConfig = Readonly<z.output<typeof loraConfigSchema>>;
/** The fields of an adapter_config.json; only `target_modules` is required. */
export type LoraConfigInput = Readonly<z.input<typeof loraConfigSchema>>;
type CamelCase<Name> = Name extends `${infer Head}_${infer Rest}` ? `${Head}${Capitalize<CamelCase<Rest>>}` : Name;
/** The fields of an adapter_config.json in the file's names, or in camel case: `loraAlpha`. */
export type LoraSettings =
  | LoraConfigInput
  | { readonly [K in keyof LoraConfigInput as CamelCase<K>]: LoraConfigInput[K] };

/**
 * The settings of an adapter, checked. PEFT: `LoraConfig`. `addAdapter` takes the settings themselves as well.
 * @throws {MODEL_CONFIG_INVALID}
 * @example
 * new LoraConfig({ r: 4, targetModules: ['q_proj', 'v_proj'] }).r // 4
 */
export const LoraConfig = class {
  constructor(settings: LoraSettings) {
    Object.assign(this, loraConfig(settings));
  }
} as unknown as LoraConfigConstructor;
/** The constructor of `LoraConfig`. */
export interface LoraConfigConstructor {
  new (settings: LoraSettings): LoraConfig;
}

/** The heads that PEFT trains as a whole, by task. */
const heads: Readonly<Record<string, readonly string[]>> = {
  SEQ_CLS: ['classifier', 'score'],
  TOKEN_CLS: ['classifier', 'score'],
  QUESTION_ANS: ['qa_outputs'],
};
/** The heads that adapters for a task train as a whole: those that the model has. */
export const headsOf = (task: string | null | undefined): readonly string[] => heads[task ?? ''] ?? [];

/** Fields that are not implemented, and their values that have no effect. */
const unsupported: Readonly<Record<string, readonly unknown[]>> = {
  lora_bias: [false],
  use_qalora: [false],
  use_bdlora: [false],
  trainable_token_indices: [],
  target_parameters: [],
  layer_replication: [],
  alora_invocation_tokens: [],
  arrow_config: [],
  velora_config: [],
  monteclora_config: [],
  kasa_config: [],
  megatron_config: [],
  ensure_weight_tying: [false],
};
/** Fields that are kept and have no effect here: on initial values of PEFT's new adapters, and on how PEFT loads and runs. */
const withoutEffect = [
  ...['fan_in_fan_out', 'loftq_config', 'eva_config', 'corda_config', 'lora_ga_config', 'qalora_group_size'],
  ...['megatron_core', 'runtime_config', 'inference_mode', 'revision', 'auto_mapping', 'peft_version'],
];
/** @internal All fields that are read, refused, or known to have no effect. */
export const loraFields: readonly string[] = [
  ...Object.keys(loraConfigSchema.shape),
  ...Object.keys(unsupported),
  ...withoutEffect,
];

/** The settings in the names of the file. @throws {MODEL_CONFIG_INVALID} if a field has two values */
function inFileNames(settings: LoraSettings, file: string): LoraConfigInput {
  const fields: Record<string, unknown> = {};
  for (const [given, value] of Object.entries(settings)) {
    const name = given.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
    const field = loraFields.includes(name) ? name : given;
    if (field in fields && JSON.stringify(fields[field]) !== JSON.stringify(value)) {
      const both = `${JSON.stringify(fields[field])} and ${JSON.stringify(value)}`;
      throw configError(file)(field, `it is given twice, as ${both}`);
    }
    fields[field] = value;
  }
  return fields as LoraConfigInput;
}

/**
 * Checks the settings of an adapter and fills in PEFT's defaults. Names are those of the file, or in camel case.
 * @throws {MODEL_CONFIG_INVALID} naming the field: wrong type, out of range, not supported, or given twice
 * @example
 * loraConfig({ r: 4, targetModules: ['q_proj', 'v_proj'] }).lora_alpha // 8
 */
export function loraConfig(settings: LoraSettings, file = 'the adapter configuration'): LoraConfig {
  const fields = inFileNames(settings, file);
  for (const [field, harmless] of Object.entries(unsupported)) {
    const value = fields[field];
    if (value === undefined || value === null || harmless.includes(value)) continue;
    throw configError(file)(field, `${JSON.stringify(value)} is not supported`);
  }
  const checked = checkConfig(loraConfigSchema, fields, file);
  const ofTask = headsOf(checked.task_type);
  const config =
    ofTask.length === 0
      ? checked
      : { ...checked, modules_to_save: [...new Set([...(checked.modules_to_save ?? []), ...ofTask])] };
  const expressions = [
    ...[config.target_modules, config.exclude_modules].flatMap(one => (typeof one === 'string' ? [one] : [])),
    ...Object.keys(config.rank_pattern ?? {}),
    ...Object.keys(config.alpha_pattern ?? {}),
  ];
  for (const one of expressions) checkedPattern(one, () => namePattern(one), file);
  return config;
}

/** Uses a pattern. @throws {MODEL_CONFIG_INVALID} if it is invalid, or takes too long */
function checkedPattern<T>(pattern: string, use: () => T, file = 'the adapter configuration'): T {
  try {
    return use();
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw configError(file)(
      '',
      `${JSON.stringify(pattern).slice(0, 200)} is not a regular expression: ${error.message}`,
    );
  }
}
const groupsOf = (pattern: string, name: string): readonly (string | undefined)[] | undefined =>
  checkedPattern(pattern, () => namePattern(pattern).match(name));

export const configFile = (directory: string): string => join(directory, 'adapter_config.json');

export async function readLoraConfig(directory: string): Promise<LoraConfig> {
  const file = configFile(directory);
  const fields = await readConfigObject(file);
  const { peft_type: type } = fields as { readonly peft_type?: unknown };
  if (type !== undefined && type !== 'LORA')
    throw configError(file)('peft_type', `${JSON.stringify(type)} is not supported, only LORA is`);
  return loraConfig(fields as LoraConfigInput, file);
}

export async function writeLoraConfig(directory: string, config: LoraConfig): Promise<void> {
  const sorted = Object.fromEntries(Object.entries(config).sort(([a], [b]) => (a < b ? -1 : 1)));
  await writeFileAtomically(configFile(directory), [`${JSON.stringify(sorted, null, 2)}\n`]);
}

/** Whether PEFT adapts the layer with this name. `isOutput`: it is the head of the model, which `all-linear` leaves out. */
export function isTarget(config: LoraConfig, name: string, isOutput: boolean): boolean {
  const { target_modules: targets, exclude_modules: excluded, layers_to_transform: layers } = config;
  if (excluded !== null && excluded !== undefined && isNamed(excluded, name)) return false;
  if (targets === 'all-linear') return !isOutput;
  if (!isNamed(targets, name)) return false;
  if (layers === null || layers === undefined || typeof targets === 'string') return true;
  const lists = [config.layers_pattern ?? '[^.]*'].flat();
  const index = lists
    // The list is the last group but one: a pattern may have groups.
    .map(list => groupsOf(`.*\\.(?:${list})\\.(\\d+)\\..*`, name)?.at(-1))
    .find(one => one !== undefined);
  return index === undefined || [layers].flat().includes(Number(index));
}

const isNamed = (wanted: string | readonly string[], name: string): boolean =>
  typeof wanted === 'string'
    ? groupsOf(wanted, name) !== undefined
    : wanted.some(one => name === one || name.endsWith(`.${one}`));

/** The rank of a layer's update, and its factor. */
export function rankOf(config: LoraConfig, name: string): { readonly rank: number; readonly scaling: number } {
  const matching = <T>(of: Readonly<Record<string, T>> | null | undefined): T | undefined =>
    Object.entries(of ?? {}).find(([pattern]) => groupsOf(`(?:.*\\.)?(?:${pattern})`, name) !== undefined)?.[1];
  const own = matching(config.rank_pattern) ?? config.r;
  const alpha = matching(config.alpha_pattern) ?? config.lora_alpha;
  return { rank: own, scaling: alpha / (config.use_rslora ? Math.sqrt(own) : own) };
}
