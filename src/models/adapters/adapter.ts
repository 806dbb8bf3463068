// Adapters of a model: a few trained weights next to frozen ones, in PEFT's files. The layers of the model are replaced in place,
// so that training, generation and everything else use it as before. B A is the update of a layer (lora-layer.ts).
import { join, resolve } from 'node:path';
import { TrenioError } from '../../base/errors.ts';
import { refuseUnknownOptions } from '../../base/known-options.ts';
import { formatType } from '../../hlo/types.ts';
import { loadInto, type Module, type Parameter } from '../../nn/index.ts';
import { Conv1D } from '../gpt2.ts';
import { loadedFrom, warnOnStderr } from '../pretrained.ts';
import { openSafetensors, writeSafetensors } from '../safetensors.ts';
import { inFile, type NameRule } from '../tensor-names.ts';
import {
  isTarget,
  type LoraConfig,
  type LoraConfigInput,
  loraConfig,
  rankOf,
  readLoraConfig,
  writeLoraConfig,
} from './lora-config.ts';
import { type BaseLayer, isBaseLayer, LoraLinear } from './lora-layer.ts';

const filePrefix = 'base_model.model.';
const fileName = 'adapter_model.safetensors';

/**
 * The adapter of a model, made by `addAdapter` or `loadAdapter`.
 * @example
 * ```ts no-run
 * const model = await AutoModelForCausalLM.fromPretrained('./Qwen3-0.6B');
 * const adapter = addAdapter(model, { r: 8, target_modules: 'all-linear' });
 * await adapter.savePretrained('./my-adapter');
 * ```
 */
export class Adapter<M extends Module = Module> {
  /** The model with the adapter. */
  readonly model: M;
  /** The settings, in PEFT's names. */
  readonly config: LoraConfig;
  /** The adapted layers by their names in the model. */
  readonly layers: ReadonlyMap<string, LoraLinear>;
  readonly #saved: ReadonlyMap<string, Parameter>;
  readonly #required: ReadonlyMap<Parameter, boolean>;

  /** @internal */
  constructor(model: M, config: LoraConfig, file: string) {
    this.model = model;
    this.config = config;
    const nameOf = nameInFiles(model);
    const wholes = [...model.namedModules()].filter(([name]) => isWhole(config, nameOf(name)));
    const targets = targetsOf(model, config, file).filter(
      ({ name }) => !wholes.some(([whole]) => `${name}.`.startsWith(`${whole}.`)),
    );
    const missing = (config.modules_to_save ?? []).filter(one => !wholes.some(([name]) => isNamed(nameOf(name), one)));
    if (missing.length > 0)
      throw mismatch(
        file,
        model,
        config,
        missing.map(one => `modules_to_save: the model has no module ${one}`),
      );
    this.#required = new Map(model.parameters().map(one => [one, one.requiresGrad]));
    model.requiresGrad_(false);
    const layers = new Map<string, LoraLinear>();
    const bases = new Map(targets.map(({ name, base }) => [name, base]));
    for (const { name, base, sharing, groups } of targets) {
      const { rank, scaling } = rankOf(config, nameOf(name));
      const { lora_dropout: dropout, use_dora: useDora, init_lora_weights: init } = config;
      const joined =
        sharing.length > 1
          ? { bases: sharing.map(one => bases.get(one)!), groups, first: layers.get(sharing[0]!) }
          : undefined;
      const layer = new LoraLinear(base, { rank, scaling, dropout, useDora, init, joined });
      layer.train(model.training);
      model.setSubmodule(name, layer);
      layers.set(name, layer);
    }
    this.layers = layers;
    for (const [, whole] of wholes) whole.requiresGrad_(true);
    const saved = new Map<string, Parameter>();
    for (const [name, parameter] of model.namedParameters()) {
      const inLayer = [...this.layers.keys()].some(layer => name.startsWith(`${layer}.`));
      const isBias = name.endsWith('.bias') && (config.bias === 'all' || (config.bias === 'lora_only' && inLayer));
      if (isBias) parameter.requiresGrad_(true);
      if (!parameter.requiresGrad) continue;
      const key = filePrefix + nameOf(name);
      if (saved.has(key)) {
        this.remove();
        throw unsupported(
          `${nameOf(name)}, of which the model trains several parts`,
          'leave its biases and modules_to_save out, or adapt the layer',
        );
      }
      saved.set(key, parameter);
    }
    this.#saved = saved;
  }

  /** The tensors of the adapter under their names in adapter_model.safetensors. */
  get tensors(): ReadonlyMap<string, Parameter> {
    return this.#saved;
  }
  /** The parameters that are trained. */
  parameters(): readonly Parameter[] {
    return [...this.#saved.values()];
  }
  /**
   * Writes adapter_config.json and adapter_model.safetensors, which PEFT reads.
   * @throws {FILE_UNWRITABLE}
   */
  async savePretrained(directory: string): Promise<void> {
    const sorted = [...this.#saved].sort(([a], [b]) => (a < b ? -1 : 1));
    await writeSafetensors(join(directory, fileName), new Map(sorted), new Map([['format', 'pt']]));
    const isTransposed = [...this.layers.values()].some(({ base_layer }) => base_layer instanceof Conv1D);
    const base_model_name_or_path = this.config.base_model_name_or_path ?? loadedFrom(this.model) ?? null;
    const fields = { ...this.config, base_model_name_or_path, inference_mode: true, fan_in_fan_out: isTransposed };
    await writeLoraConfig(directory, fields);
  }
  /**
   * Runs `body` with the model as it was before the adapter, such as the reference of `dpoLoss`:
   * `noGrad(() => adapter.disabled(() => sequenceLogProbabilities(model(ids), labels)))`.
   * @throws {UNSUPPORTED} if the adapter trains biases or whole modules, whose first values are not kept
   */
  disabled<T>(body: () => T): T {
    if (this.config.bias !== 'none' || (this.config.modules_to_save ?? []).length > 0)
      throw new TrenioError('UNSUPPORTED', {
        what: 'disabled()',
        where: 'an adapter with modules_to_save or trained biases',
        instead: 'load the base model a second time',
      });
    const layers = [...this.layers.values()];
    for (const layer of layers) layer.isDisabled = true;
    try {
      return body();
    } finally {
      for (const layer of layers) layer.isDisabled = false;
    }
  }
  /** Adds the updates to the weights of the model and removes the adapter. Returns the model. */
  merge(): M {
    for (const layer of this.layers.values()) layer.merge();
    return this.remove();
  }
  /** Removes the adapter; biases and whole modules that were trained keep their values. Returns the model. */
  remove(): M {
    for (const [name, layer] of this.layers) this.model.setSubmodule(name, layer.base_layer);
    for (const [parameter, required] of this.#required) parameter.requiresGrad_(required);
    return this.model;
  }
}

/**
 * Freezes a model and adds trainable low-rank updates to its linear layers (LoRA; DoRA with `use_dora`). The fields are PEFT's.
 * @throws {MODEL_CONFIG_INVALID}
 * @throws {ADAPTER_MISMATCH} if no layer has a name of `target_modules`
 * @example
 * const sizes = { vocab_size: 10, hidden_size: 8, intermediate_size: 16, num_hidden_layers: 1, num_attention_heads: 2 };
 * const model = new DecoderForCausalLM({ model_type: 'llama', ...sizes });
 * const adapter = addAdapter(model, { r: 2, target_modules: ['q_proj', 'v_proj'] });
 * adapter.parameters().length // 4
 */
export function addAdapter<M extends Module>(model: M, config: LoraConfigInput): Adapter<M> {
  return new Adapter(model, loraConfig(config), 'the adapter configuration');
}

/** Options of `loadAdapter`. */
export interface LoadAdapterOptions {
  /** Called with a warning if the adapter was trained for another base model; by default it is written to standard error. */
  readonly onWarning?: (message: string) => void;
}

/**
 * Adds the adapter of a directory that PEFT or `savePretrained` has written. Warns if it names another base model than the
 * directory that the model was loaded from: an adapter for another model of the same shapes would load, and spoil the results.
 * @throws {MODEL_CONFIG_INVALID}
 * @throws {ADAPTER_MISMATCH} listing the differences from the model, which is unchanged then
 * @throws {NO_SUCH_OPTION}
 * @throws {SAFETENSORS_INVALID}
 * @throws {FILE_UNREADABLE}
 * @example
 * ```ts no-run
 * const model = await AutoModelForCausalLM.fromPretrained('./Qwen3-0.6B');
 * await loadAdapter(model, './my-adapter');
 * ```
 */
export async function loadAdapter<M extends Module>(
  model: M,
  directory: string,
  options: LoadAdapterOptions = {},
): Promise<Adapter<M>> {
  refuseUnknownOptions('loadAdapter', options, ['onWarning']);
  const { onWarning = warnOnStderr } = options;
  const config = await readLoraConfig(directory);
  await using file = await openSafetensors(join(directory, fileName));
  const adapter = new Adapter(model, config, file.file);
  try {
    const differences: string[] = [];
    const name = (key: string): string => key.slice(filePrefix.length);
    for (const [key, { type }] of adapter.tensors) {
      const found = file.types.get(key);
      if (found === undefined) {
        // PEFT omits biases that it does not find.
        if (!key.endsWith('.bias')) differences.push(`${name(key)} ${formatType(type)} is missing in the adapter`);
      } else if (String(found.shape) !== String(type.shape))
        differences.push(`${name(key)} is ${formatType(found)}, the model needs ${formatType(type)}`);
    }
    for (const [key, type] of file.types)
      if (!adapter.tensors.has(key)) differences.push(`${name(key)} ${formatType(type)} does not exist in the model`);
    if (differences.length > 0) throw mismatch(file.file, model, config, differences);
    for (const [key, parameter] of adapter.tensors) if (file.types.has(key)) loadInto(parameter, await file.read(key));
  } catch (error) {
    adapter.remove();
    throw error;
  }
  const [base, source] = [config.base_model_name_or_path, loadedFrom(model)];
  if (base && source !== undefined && !isSameModel(base, source))
    onWarning(
      `${directory} was trained for ${base}, but the model was loaded from ${source}: if these are different models, the results are wrong`,
    );
  return adapter;
}

/** Whether a directory, such as one of Hugging Face's cache, may hold the model of this name or path. */
function isSameModel(base: string, source: string): boolean {
  const parts = (path: string): readonly string[] =>
    resolve(path)
      .toLowerCase()
      .split(/[/\\]|--/);
  return parts(source).includes(parts(base).at(-1)!);
}

function mismatch(file: string, model: Module, config: LoraConfig, differences: readonly string[]): TrenioError {
  const base = config.base_model_name_or_path ?? undefined;
  return new TrenioError('ADAPTER_MISMATCH', { file, model: model.constructor.name, base, differences });
}

const unsupported = (where: string, instead: string): TrenioError =>
  new TrenioError('UNSUPPORTED', { what: 'an adapter', where, instead });
const isNamed = (name: string, wanted: string): boolean => name === wanted || name.endsWith(`.${wanted}`);
const isWhole = ({ modules_to_save: wanted }: LoraConfig, name: string): boolean =>
  (wanted ?? []).some(one => isNamed(name, one));

/** Names of modules and parameters in Hugging Face's implementation, which may differ from the model's. */
function nameInFiles(model: Module): (name: string) => string {
  const { tensorNames: rules = [] } = model as { readonly tensorNames?: readonly NameRule[] };
  return name => inFile(name, rules).names[0];
}

/** A layer to adapt. */
interface Target {
  readonly name: string;
  readonly base: BaseLayer;
  /** The layers that are one layer in files, in order. */
  readonly sharing: readonly string[];
  /** The groups of rows in files, each of which has a share of each layer. */
  readonly groups: number;
}

/** @throws {ADAPTER_MISMATCH} if there are none @throws {UNSUPPORTED} */
function targetsOf(model: Module, config: LoraConfig, file: string): readonly Target[] {
  const nameOf = nameInFiles(model);
  const targets: Target[] = [];
  const candidates = new Set<string>();
  for (const [name, module] of model.namedModules()) {
    if (name === '') continue;
    if (module instanceof LoraLinear)
      throw unsupported('a model that has one', 'merge() or remove() the first adapter');
    const inFiles = nameOf(name);
    // As in PEFT, the head of a classifier of sequences is one, too, if it is a single layer.
    const isClassifier = config.task_type === 'SEQ_CLS' && ['score', 'classifier'].includes(inFiles);
    const isOutput = name === 'lm_head' || isClassifier;
    if (isBaseLayer(module)) candidates.add(inFiles.split('.').at(-1)!);
    if (!isTarget(config, inFiles, isOutput)) continue;
    if (isBaseLayer(module)) {
      const { sharing, groups } = inFile(name, (model as { tensorNames?: readonly NameRule[] }).tensorNames ?? []);
      targets.push({ name, base: module, sharing, groups });
    } else if (config.target_modules !== 'all-linear')
      throw unsupported(
        `${inFiles} (${module.constructor.name})`,
        'adapt linear layers, or list the module in modules_to_save',
      );
  }
  if (targets.length > 0) return targets;
  throw mismatch(file, model, config, [
    `target_modules: no layer is named ${JSON.stringify(config.target_modules)}; the model has ${[...candidates].sort().join(', ')}`,
  ]);
}
