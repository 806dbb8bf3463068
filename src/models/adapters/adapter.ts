// Adapters of a model: a few trained weights next to frozen ones, in PEFT's files. The layers of the model are replaced in place,
// so that training, generation and everything else use it as before. B A is the update of a layer (lora-layer.ts).
import { join, resolve } from 'node:path';
import { TrenioError } from '../../base/errors.ts';
import { refuseUnknownOptions } from '../../base/known-options.ts';
import { formatType } from '../../hlo/types.ts';
import { loadInto, type Module, type Parameter } from '../../nn/index.ts';
import { absentFunction } from '../../tensor/index.ts';
import { loadedFrom, warnOnStderr } from '../pretrained.ts';
import { type LazyTensor, openSafetensors, type TensorReader, writeSafetensors } from '../safetensors.ts';
import { asInFiles, inFile, type NameRule, renamed } from '../tensor-names.ts';
import {
  headsOf,
  isTarget,
  type LoraConfig,
  type LoraSettings,
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
  /** The trained parameters by their names in the model. */
  readonly #trained: ReadonlyMap<string, Parameter>;
  /** The names in PEFT's files that differ from the model's. */
  readonly #names: readonly NameRule[];
  readonly #required: ReadonlyMap<Parameter, boolean>;

  /** @internal */
  constructor(model: M, config: LoraConfig, file: string) {
    this.model = model;
    this.#names = namesFor(model, config);
    const nameOf = nameInFiles(this.#names);
    const wanted = config.modules_to_save ?? [];
    const targets = targetsOf(model, config, this.#names, file).filter(
      ({ name }) => !wanted.some(one => isInModule(`${nameOf(name)}.weight`, one)),
    );
    this.config =
      config.target_modules === 'all-linear'
        ? { ...config, target_modules: [...new Set(targets.map(({ name }) => nameOf(name)))].sort() }
        : config;
    const named = [...model.namedParameters()].map(([name, parameter]) => ({ name: nameOf(name), parameter }));
    const wholes = new Map(wanted.map(one => [one, named.filter(({ name }) => isInModule(name, one))]));
    const missing = wanted.filter(one => wholes.get(one)!.length === 0 && !headsOf(config.task_type).includes(one));
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
    for (const whole of wholes.values()) for (const { parameter } of whole) parameter.requiresGrad_(true);
    const trained = new Map<string, Parameter>();
    for (const [name, parameter] of model.namedParameters()) {
      const inLayer = [...this.layers.keys()].some(layer => name.startsWith(`${layer}.`));
      const isBias = name.endsWith('.bias') && (config.bias === 'all' || (config.bias === 'lora_only' && inLayer));
      if (isBias) parameter.requiresGrad_(true);
      if (parameter.requiresGrad) trained.set(name, parameter);
    }
    this.#trained = trained;
    adapters.set(model, this);
  }

  /**
   * The tensors of the adapter under their names in adapter_model.safetensors. They are the parameters, unless the file stores
   * several as one, such as the biases of GPT-NeoX's query_key_value.
   */
  get tensors(): ReadonlyMap<string, LazyTensor> {
    const inFiles = asInFiles(this.#trained, this.#names);
    return new Map([...inFiles].map(([name, tensor]) => [filePrefix + name, tensor]));
  }
  /** The parameters that are trained. */
  parameters(): readonly Parameter[] {
    return [...this.#trained.values()];
  }
  /** @internal Reads the trained parameters, each from the tensor that holds it. */
  async load(file: TensorReader): Promise<void> {
    const types = new Map([...file.types].map(([key, type]) => [key.slice(filePrefix.length), type]));
    const { readInto: _, ...unprefixed } = { ...file, types, read: (name: string) => file.read(filePrefix + name) };
    const own = new Map([...this.#trained].map(([name, { type }]) => [name, type]));
    const reader = renamed(unprefixed, this.#names, own);
    for (const [name, parameter] of this.#trained)
      if (reader.types.has(name)) loadInto(parameter, await reader.read(name));
  }
  /**
   * Writes adapter_config.json and adapter_model.safetensors, which PEFT reads.
   * @throws {FILE_UNWRITABLE}
   */
  async savePretrained(directory: string): Promise<void> {
    const sorted = [...this.tensors].sort(([a], [b]) => (a < b ? -1 : 1));
    await writeSafetensors(join(directory, fileName), new Map(sorted), new Map([['format', 'pt']]));
    const isTransposed = [...this.layers.keys()].some(name => inFile(`${name}.weight`, this.#names).isTransposed);
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
    adapters.delete(this.model);
    return this.model;
  }
}

const adapters = new WeakMap<Module, Adapter>();
/** The adapter that was added to a model last. */
export const adapterOf = (model: Module): Adapter | undefined => adapters.get(model);

/**
 * Freezes a model and adds trainable low-rank updates to its linear layers (LoRA; DoRA with `useDora`). The fields are PEFT's,
 * also in camel case.
 * @throws {MODEL_CONFIG_INVALID}
 * @throws {ADAPTER_MISMATCH} if no layer has a name of `target_modules`
 * @example
 * const sizes = { vocab_size: 10, hidden_size: 8, intermediate_size: 16, num_hidden_layers: 1, num_attention_heads: 2 };
 * const model = new DecoderForCausalLM({ model_type: 'llama', ...sizes });
 * const adapter = addAdapter(model, { r: 2, targetModules: ['q_proj', 'v_proj'] });
 * adapter.parameters().length // 4
 */
export function addAdapter<M extends Module>(model: M, config: LoraSettings): Adapter<M> {
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
    const { tensors } = adapter;
    for (const [key, { type }] of tensors) {
      const found = file.types.get(key);
      if (found === undefined) {
        // PEFT omits biases that it does not find.
        if (!key.endsWith('.bias')) differences.push(`${name(key)} ${formatType(type)} is missing in the adapter`);
      } else if (String(found.shape) !== String(type.shape))
        differences.push(`${name(key)} is ${formatType(found)}, the model needs ${formatType(type)}`);
    }
    for (const [key, type] of file.types)
      if (!tensors.has(key) && !isCopy(key))
        differences.push(`${name(key)} ${formatType(type)} does not exist in the model`);
    if (differences.length > 0) throw mismatch(file.file, model, config, differences);
    await adapter.load(file);
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
/** Whether a parameter is in a module whose name ends so, as PEFT compares them: `classifier` also names `pre_classifier`. */
function isInModule(parameter: string, wanted: string): boolean {
  const parts = parameter.split('.');
  return parts.some((_, i) => i > 0 && parts.slice(0, i).join('.').endsWith(wanted));
}

/** With `bias: 'all'`, PEFT writes biases of modules in modules_to_save under two more names, one with the first values. */
const isCopy = (key: string): boolean => /\.(modules_to_save|original_module)\.bias$/.test(key);

/**
 * The names of modules and parameters in PEFT's files. Of some models, transformers 5 has other names than files: PEFT has the
 * names of the version that made an adapter.
 */
function namesFor(model: Module, config: LoraConfig): readonly NameRule[] {
  const { tensorNames = [], moduleNames } = model as Partial<
    Record<'tensorNames' | 'moduleNames', readonly NameRule[]>
  >;
  if (moduleNames === undefined || config.target_modules === 'all-linear') return moduleNames ?? tensorNames;
  const isFound = (rules: readonly NameRule[]): boolean => {
    const nameOf = nameInFiles(rules);
    return [...model.namedModules()].some(([name]) => /\d/.test(name) && isTarget(config, nameOf(name), false));
  };
  return isFound(moduleNames) || !isFound(tensorNames) ? moduleNames : tensorNames;
}
/** A name under these rules. */
const nameInFiles =
  (rules: readonly NameRule[]) =>
  (name: string): string =>
    inFile(name, rules).names[0];

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
function targetsOf(model: Module, config: LoraConfig, names: readonly NameRule[], file: string): readonly Target[] {
  const nameOf = nameInFiles(names);
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
      const { sharing, groups } = inFile(name, names);
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

/** @deprecated There is no `getPeftModel` here: use addAdapter(model, config), which adds the layers to the model itself. */
export const getPeftModel: never = absentFunction(
  'getPeftModel',
  'use addAdapter(model, config), which adds the layers to the model itself',
);
