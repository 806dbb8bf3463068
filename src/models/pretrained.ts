// Loads and saves the weights of a model directory, one tensor at a time, so that a load
// or a save never holds a second copy of the model. The architecture is defined in the model's own file.
import { join } from 'node:path';
import { TrenioError } from '../base/errors.ts';
import { refuseUnknownOptions } from '../base/known-options.ts';
import { bytesOf } from '../hlo/literal.ts';
import { byteSize, formatType } from '../hlo/types.ts';
import { init, loadInto, type Module, type Parameter } from '../nn/index.ts';
import { defaultRuntime } from '../runtime/device.ts';
import type { DType } from '../tensor/index.ts';
import { withWidenedMxfp4 } from './quantized/mxfp4.ts';
import { type LazyTensor, safetensorsChunks, type TensorReader, writeSafetensors } from './safetensors.ts';
import { asInFiles, type NameRule, renamed, withCurrentNames } from './tensor-names.ts';
import { matchWeights, openWeights } from './weights.ts';

const sources = new WeakMap<Module, string>();
/** The directory or file that a model was loaded from. */
export const loadedFrom = (model: Module): string | undefined => sources.get(model);
export const noteSource = (model: Module, source: string): void => void sources.set(model, source);

/** Where warnings go that a caller does not take. */
export const warnOnStderr = (message: string): void => void process.stderr.write(`trenio: warn: ${message}\n`);

/** The state by name; each tensor is copied to the host only when it is needed. */
function lazyState(model: Module): ReadonlyMap<string, LazyTensor> {
  return new Map([...model.namedParameters(), ...model.namedBuffers()]);
}

/** Options of all `fromPretrained`. */
export interface PretrainedOptions {
  /** The type of floating-point parameters, such as 'bfloat16'; by default 'float32', also for files in other types. */
  readonly dtype?: DType;
  /** Tensors to use in place of model.safetensors, for example of a checkpoint. */
  readonly weights?: TensorReader | undefined;
  /** Called with messages, such as a randomly initialized classifier; by default they are written to standard error. */
  readonly onWarning?: (message: string) => void;
}

/** How tensors of files are matched to the parameters of a model. */
export interface TensorNames {
  /** The field that holds the base of the model, with a dot, `bert.`: files may have or lack it. */
  readonly basePrefix: string;
  /** Names that differ. */
  readonly rules?: readonly NameRule[];
  /** Whether files may lack this parameter: files of a base model lack the head. */
  readonly mayMiss?: (name: string) => boolean;
  /** Whether this tensor keeps its value if files lack it, for example a bias of zeros. */
  readonly isOptional?: (name: string) => boolean;
  /** Whether a tensor of the file, under its name in the file, is expected to be unused: no warning. */
  readonly isIgnored?: (name: string) => boolean;
  /** Called with the name of each module when all tensors of its own are loaded; it may be replaced. */
  readonly onModule?: ((name: string) => void) | undefined;
}

/**
 * Loads a directory's weights into a model that was made without initial values. Parameters that may be missing are set by
 * `initialize` if they are, with a warning.
 */
export async function loadDirectory(
  model: Module,
  directory: string,
  { basePrefix, rules = [], onModule = () => {}, ...names }: TensorNames,
  options: PretrainedOptions,
  initialize: (missing: readonly string[]) => void = () => {},
): Promise<void> {
  refuseUnknownOptions('fromPretrained', options, ['dtype', 'weights', 'onWarning', 'config']);
  const { dtype, weights, onWarning } = options;
  const { mayMiss = () => false, isOptional = () => false, isIgnored = () => false } = names;
  if (dtype !== undefined) model.to(dtype);
  await using opened = weights === undefined ? await openWeights(directory) : undefined;
  const types = new Map([...model.namedParameters(), ...model.namedBuffers()].map(([name, { type }]) => [name, type]));
  const reader = renamed(withWidenedMxfp4(withCurrentNames(weights ?? opened!)), rules, types, basePrefix);
  const warn = onWarning ?? warnOnStderr;
  noteSource(model, directory);
  const result = await loadTensors(model, reader, basePrefix, name => mayMiss(name) || isOptional(name), onModule);
  const unused = result.unexpected.filter(name => isInLayer(name) && !isIgnored(name));
  if (unused.length > 0) {
    const listed = unused.slice(0, 5).map(name => `${name} ${formatType(reader.types.get(name)!)}`);
    const more = unused.length > listed.length ? ` and ${unused.length - listed.length} more` : '';
    const list = `${listed.join(', ')}${more}`;
    warn(`${directory} has ${unused.length} tensors that ${model.constructor.name} does not use: ${list}`);
  }
  const missing = result.missing.filter(name => !isOptional(name));
  if (missing.length === 0) return;
  initialize(missing);
  warn(`${directory} has no ${missing.join(' and ')}: initialized randomly; train the model before use`);
}

/**
 * Whether the weights disagree with a configuration that ties the head to the token embeddings: they have both, with different
 * values. As in transformers, both are then used, with a warning.
 * @param embeddings the names of the token embeddings in files
 * @param head the name of the head's weights in files
 */
export async function isUntied(
  directory: string,
  { weights, onWarning = warnOnStderr }: PretrainedOptions,
  embeddings: readonly string[],
  head: string,
): Promise<boolean> {
  await using opened = weights === undefined ? await openWeights(directory) : undefined;
  const reader = weights ?? opened!;
  const tokens = embeddings.find(name => name !== head && reader.types.has(name));
  if (tokens === undefined || !reader.types.has(head)) return false;
  const [one, other] = [reader.types.get(tokens)!, reader.types.get(head)!];
  if (formatType(one) !== formatType(other)) return false;
  const isEqual = Buffer.compare(bytesOf(await reader.read(tokens)), bytesOf(await reader.read(head))) === 0;
  if (!isEqual)
    onWarning(
      `${directory} ties ${head} to ${tokens} (tie_word_embeddings), but has both with different values: both are used`,
    );
  return !isEqual;
}

/** Gives the missing weights of a head normal values; missing biases and norms keep theirs. */
export function initializeMissing(model: Module, missing: readonly string[], std: number): void {
  const isMissing = new Set(missing);
  for (const [name, parameter] of model.namedParameters())
    if (isMissing.has(name) && parameter.ndim > 1)
      parameter.moveFrom(init.normal(parameter.shape, 0, std).to(parameter.dtype));
}

/**
 * Writes the weights of a model into a directory, atomically, under the names of its architecture's files. If the model is
 * divided over ranks, every rank must call it, and rank 0 writes; a rank that waits for the others longer than
 * TRENIO_COMM_TIMEOUT fails.
 * @param isLeftOut whether files lack this tensor, which the model computes
 */
export async function saveWeights(
  model: Module,
  directory: string,
  rules: readonly NameRule[] = [],
  isLeftOut: (name: string) => boolean = () => false,
): Promise<void> {
  const state = new Map([...lazyState(model)].filter(([name]) => !isLeftOut(name)));
  if ([...state.keys()].some(name => name.includes('.base_layer.')))
    throw new TrenioError('UNSUPPORTED', {
      what: 'savePretrained',
      where: 'a model with an adapter',
      instead: 'save the adapter with adapter.savePretrained(directory), or call adapter.merge() first',
    });
  if ([...state.keys()].some(name => name.endsWith('.quantized')))
    throw new TrenioError('UNSUPPORTED', {
      what: 'savePretrained',
      where: 'a model with quantized weights',
      instead: 'save the model before quantizeWeights, and its adapter afterwards',
    });
  const tensors = asInFiles(state, rules);
  const file = join(directory, 'model.safetensors');
  const metadata = new Map([['format', 'pt']]);
  const isDivided = [...model.parameters(), ...model.buffers()].some(({ divided }) => divided !== undefined);
  if (!isDivided || defaultRuntime().ranks.rank === 0) await writeSafetensors(file, tensors, metadata);
  // The other ranks take part in gathering the tensors.
  else for await (const _ of safetensorsChunks(file, tensors, metadata));
}

// Unused heads of other tasks are normal; an unused weight of a numbered layer means that config.json belongs to another model.
// Published files have these besides weights: constants of attention, and a table of T5 that no version used.
const constants = /\.(attn\.(masked_)?bias|inv_freq|position_ids|EncDecAttention\.relative_attention_bias\.weight)$/;
const isInLayer = (name: string): boolean => /\.\d+\./.test(name) && !constants.test(name);

/** Loads tensors into a model. All shapes are checked before anything is changed. */
async function loadTensors(
  model: Module,
  reader: TensorReader,
  basePrefix: string,
  mayMiss: (name: string) => boolean,
  onModule: (name: string) => void,
): Promise<{ readonly missing: readonly string[]; readonly unexpected: readonly string[] }> {
  const parameters = new Map([...model.namedParameters(), ...model.namedBuffers()]);
  const { found, missing, unexpected } = matchWeights(
    reader,
    new Map([...parameters].map(([name, p]) => [name, p.type])),
    { basePrefix },
  );
  const needed = missing.filter(name => !mayMiss(name));
  if (needed.length > 0)
    throw new TrenioError('WEIGHTS_MISSING', {
      file: reader.file,
      model: model.constructor.name,
      missing: needed.map(name => `${name} ${formatType(parameters.get(name)!.type)}`),
      unused: unexpected.map(name => `${name} ${formatType(reader.types.get(name)!)}`),
    });
  const moduleOf = (name: string): string => name.slice(0, Math.max(0, name.lastIndexOf('.')));
  const left = new Map<string, number>();
  for (const name of found.keys()) left.set(moduleOf(name), (left.get(moduleOf(name)) ?? 0) + 1);
  await inLanes([...found], async ([name, inFile]) => {
    const parameter = parameters.get(name)!;
    parameters.delete(name); // nothing else keeps the weights of a module that is replaced
    await loadFrom(parameter, reader, inFile);
    const module = moduleOf(name);
    left.set(module, left.get(module)! - 1);
    if (left.get(module) === 0) onModule(module);
  });
  return { missing, unexpected };
}

/** Smaller tensors wait for nothing else. */
const largeFrom = 1 << 20;
/** Large tensors are read by several threads, straight into the memory of the device if the file has their type. */
async function loadFrom(target: Parameter, reader: TensorReader, name: string): Promise<void> {
  const type = reader.types.get(name)!;
  const { readInto } = reader;
  const isSame = type.elementType === target.type.elementType;
  const isWidened = type.elementType === 'bf16' && target.type.elementType === 'f32';
  if (readInto === undefined || !(isSame || isWidened) || byteSize(target.type) < largeFrom)
    return loadInto(target, await reader.read(name));
  await target.fill(async memory => {
    const bytes = byteSize(type);
    // Narrower elements go to the end of the memory, from where they are widened in place.
    const from = memory.byteLength - bytes;
    const pieces = Array.from({ length: Math.ceil(bytes / pieceBytes) }, (_, i) => i * pieceBytes);
    await inLanes(pieces, at =>
      readInto(name, memory.subarray(from + at, from + Math.min(at + pieceBytes, bytes)), at),
    );
    if (isWidened) widen(memory);
  });
}

/** The size of a read: large enough that a disk reads ahead. */
const pieceBytes = 16 << 20;
const lanes = 4; // threads of the pool of Node
/** Runs a few at a time, in order. */
async function inLanes<T>(work: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < work.length) await run(work[next++]!);
  };
  await Promise.all(Array.from({ length: Math.min(lanes, work.length) }, lane));
}

/** The second half of the memory has bf16, all of it f32 afterwards: each is written after its bytes have been read. */
function widen(memory: Uint8Array): void {
  const to = new Uint32Array(memory.buffer, memory.byteOffset, memory.byteLength / 4);
  const from = new Uint16Array(memory.buffer, memory.byteOffset + memory.byteLength / 2, to.length);
  for (let i = 0; i < to.length; i++) to[i] = from[i]! << 16;
}
