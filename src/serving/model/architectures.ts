// Which architectures can be served, and how each is loaded from a folder: `model_type` in config.json selects it. Models of
// other kinds register themselves, or come with their own code (inference.mjs).
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TrenioError } from '../../base/errors.ts';
import { listCheckpoints } from '../../distributed/checkpoints/folder.ts';
import { readConfigObject } from '../../models/config-file.ts';
import { loadBertClassifier } from './bert-classifier.ts';
import { classifierModel } from './classifier-model.ts';
import { loadGpt2Generator } from './gpt2-generator.ts';
import type { LoadOptions } from './load-options.ts';
import type { ServedModel } from './served-model.ts';

/** Loads a model of one architecture from its folder. */
export type LoadModel = (folder: string, options: LoadOptions) => Promise<ServedModel>;

const architectures = new Map<string, LoadModel>([
  ['bert', async (folder, options) => classifierModel(await loadBertClassifier(folder, options))],
  ['gpt2', loadGpt2Generator],
]);

/** Code shipped with a model, in the folder `code`, as in SageMaker's containers. */
const OWN_CODE = ['inference.mjs', 'inference.js', 'inference.ts'] as const;

/**
 * Makes folders servable whose config.json has this `model_type`.
 * @example
 * ```ts no-run
 * registerArchitecture('echo', async () => ({
 *   description: {},
 *   unit: 'requests',
 *   parse: body => body,
 *   run: async request => request,
 * }));
 * ```
 */
export function registerArchitecture(modelType: string, load: LoadModel): void {
  architectures.set(modelType, load);
}

/**
 * The model of a folder, ready to be served: by its own `code/inference.mjs`, which exports `loadModel`, or by its architecture.
 * @throws {MODEL_CONFIG_INVALID} for an architecture that is not registered
 * @throws the errors of reading its files
 * @example
 * ```ts no-run
 * const model = await loadServedModel('runs/polarity/final');
 * await deployModel('polarity', async () => model, { port: 8080 });
 * ```
 */
export async function loadServedModel(path: string, options: LoadOptions = {}): Promise<ServedModel> {
  const code = OWN_CODE.map(name => join(path, 'code', name)).find(existsSync);
  if (code !== undefined) {
    const { loadModel } = (await import(pathToFileURL(code).href)) as { readonly loadModel?: LoadModel };
    if (typeof loadModel === 'function') return loadModel(path, options);
    throw new TrenioError('MODEL_CONFIG_INVALID', { file: code, field: '', problem: 'it does not export loadModel' });
  }
  const folder = await deployableIn(path);
  const file = join(folder, 'config.json');
  const { model_type: modelType = 'bert' } = (await readConfigObject(file)) as { readonly model_type?: unknown };
  const load = typeof modelType === 'string' ? architectures.get(modelType) : undefined;
  if (load !== undefined) return load(folder, options);
  const known = [...architectures.keys()].join(', ');
  const problem = `${JSON.stringify(modelType)} cannot be served; known: ${known}`;
  throw new TrenioError('MODEL_CONFIG_INVALID', { file, field: 'model_type', problem });
}

/** The folder itself, or the last checkpoint in it. */
async function deployableIn(folder: string): Promise<string> {
  if (existsSync(join(folder, 'config.json'))) return folder;
  return (await listCheckpoints(folder)).at(-1)?.directory ?? folder;
}
