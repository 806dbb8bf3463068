// The model of a folder, ready to be served: by its own code, else by what the Auto classes read.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TrenioError } from '../../base/errors.ts';
import { readDecoder } from '../../models/auto/index.ts';
import { readersOf } from '../../models/auto/readers.ts';
import { readConfigObject } from '../../models/config-file.ts';
import { device } from '../../tensor/index.ts';
import { engineOf } from '../engine/load-engine.ts';
import { checkpointWeights, deployableIn, loadClassifier } from './classifier.ts';
import { classifierModel } from './classifier-model.ts';
import type { LoadOptions } from './load-options.ts';
import type { ServedModel } from './served-model.ts';
import { textGenerator } from './text-generator.ts';

/** Code shipped with a model, in the folder `code`, as in SageMaker's containers. */
const OWN_CODE = ['inference.mjs', 'inference.js', 'inference.ts'] as const;

/** Loads a model from its folder. */
type LoadModel = (folder: string, options: LoadOptions) => Promise<ServedModel>;

/**
 * The model of a folder: by its own `code/inference.mjs`, which exports `loadModel`; else a generator of text if
 * `AutoModelForCausalLM` reads it, else a classifier of texts. A checkpoint of a classifier is one, whatever else could read it.
 * @throws {MODEL_CONFIG_INVALID} for code that does not export `loadModel`
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
  const { model_type: type, architectures } = (await readConfigObject(join(folder, 'config.json'))) as ConfigFields;
  const isClassifier = [architectures].flat().some(name => `${name}`.endsWith('ForSequenceClassification'));
  if (isClassifier || !readersOf(`${type}`).includes('AutoModelForCausalLM'))
    return classifierModel(await loadClassifier(folder, options));
  return loadGenerator(folder, `${type}`, options);
}
type ConfigFields = { readonly model_type?: unknown; readonly architectures?: unknown };

async function loadGenerator(folder: string, type: string, { onWarning }: LoadOptions): Promise<ServedModel> {
  await using weights = await checkpointWeights(folder);
  const model = await readDecoder(folder, {
    weights,
    ...(onWarning === undefined ? {} : { onWarning }),
  });
  model.eval().to(device());
  const { eos_token_id: end } = model.generationConfig;
  return textGenerator(await engineOf(model, {}, { name: type }), type, [end ?? []].flat());
}
