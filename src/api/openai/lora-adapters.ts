// Adapters that are loaded and unloaded while requests run, with vLLM's paths. A client can only name folders below the one that
// the operator has allowed.
import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';
import { isTrenioError } from '../../base/errors.ts';
import type { LanguageModel } from './language-model.ts';
import { OpenAiError } from './openai-error.ts';

export interface LoadRequest {
  readonly lora_name: string;
  readonly lora_path: string;
  readonly load_inplace?: boolean | null | undefined;
}

/** @throws {OpenAiError} 400, 403 or 404 */
export async function loadLoraAdapter(
  { engine, names, adapterFolder }: LanguageModel,
  { lora_name: name, lora_path: path, load_inplace: replaces }: LoadRequest,
  log: (line: string) => void,
): Promise<string> {
  if (engine.adapters.count === 0) throw refused('the server was started without --enable-lora');
  if (adapterFolder === undefined)
    throw refused('the server was started without --lora-root: adapters cannot be loaded by requests');
  if (names.includes(name) || (engine.adapters.find(name) !== undefined && replaces !== true))
    throw wrong('lora_name', `there is a model ${JSON.stringify(name)} already`);
  const folder = await folderBelow(adapterFolder, path);
  try {
    await engine.adapters.load(name, folder, log, replaces === true);
  } catch (error) {
    if (!isTrenioError(error)) throw error;
    throw isTrenioError(error, 'INVALID_OPTION')
      ? wrong('lora_name', `${error.data.got}, expected ${error.data.expected}`)
      : wrong('lora_path', error.message.replaceAll(folder, path));
  }
  return `Success: LoRA adapter '${name}' added successfully.`;
}

/** @throws {OpenAiError} 404 */
export function unloadLoraAdapter({ engine }: LanguageModel, name: string): string {
  if (engine.adapters.unload(name)) return `Success: LoRA adapter '${name}' removed successfully.`;
  throw new OpenAiError(404, `there is no adapter ${JSON.stringify(name)}`, {
    param: 'lora_name',
    code: 'model_not_found',
  });
}

/** The folder behind a path and its links. @throws {OpenAiError} 404 unless it is below `root` */
async function folderBelow(root: string, path: string): Promise<string> {
  const missing = new OpenAiError(404, `lora_path: there is no ${JSON.stringify(path)} in the folder of adapters`, {
    param: 'lora_path',
    code: 'not_found',
  });
  if (path.includes('\0')) throw missing;
  const [real, from] = await Promise.all([realpath(resolve(root, path)), realpath(root)]).catch(() => {
    throw missing;
  });
  const inside = relative(from, real);
  if (inside === '' || inside === '..' || inside.startsWith('../') || isAbsolute(inside)) throw missing;
  return real;
}

const refused = (message: string): OpenAiError => new OpenAiError(403, message, { code: 'forbidden' });
const wrong = (param: string, message: string): OpenAiError =>
  new OpenAiError(400, `${param}: ${message}`, { param, code: 'invalid_value' });
