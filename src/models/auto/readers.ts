// Shared by all Auto classes: each reads a directory as the class of its `model_type`.
import { join } from 'node:path';
import { TrenioError } from '../../base/errors.ts';
import { directoryExists, fileExists } from '../../base/read-file.ts';
import { isGgufPath, openGguf } from '../../data/gguf/gguf-file.ts';
import { readConfigObject } from '../config-file.ts';
import { ggufConfig } from '../gguf/architectures.ts';
import { type ByType, ofModelType } from '../model-types.ts';
import type { PretrainedOptions } from '../pretrained.ts';
import { weightsNotFound } from '../weights.ts';

/** The fields of a directory's config.json, or of a GGUF file's metadata, not yet checked. */
export async function fieldsOf(directory: string): Promise<{ readonly file: string; readonly fields: ConfigFields }> {
  if (isGgufPath(directory)) {
    await using file = await openGguf(directory);
    return { file: directory, fields: await ggufConfig(file) };
  }
  if (!(await directoryExists(directory))) throw new TrenioError('MODEL_NOT_FOUND', { directory });
  const file = join(directory, 'config.json');
  if (!(await fileExists(file))) throw await weightsNotFound(directory, 'config.json');
  return { file, fields: await readConfigObject(file) };
}
type ConfigFields = { readonly model_type?: unknown };

export const byTypes = <T>(types: Readonly<Record<string, unknown>>, value: T): ByType<T> =>
  Object.fromEntries(Object.keys(types).map(type => [type, value]));

export type Read<M, O = PretrainedOptions> = (directory: string, options?: O) => Promise<M>;

/** The classes of all files of this folder, by name, for the errors of each other. */
const readers = new Map<string, ByType<unknown>>();

/** The method `fromPretrained` of the class `name`: `table` has that of each `model_type`. */
export function reader<M, O>(name: string, table: ByType<Read<M, O>>): Read<M, O> {
  readers.set(name, table);
  return async (directory, options) => {
    const { file, fields } = await fieldsOf(directory);
    return ofModelType(table, fields.model_type, file, { name, others: readersOf })(directory, options);
  };
}

/** The classes that read a `model_type`. */
export const readersOf = (modelType: string): readonly string[] =>
  [...readers].flatMap(([name, table]) => (Object.hasOwn(table, modelType) ? [name] : []));
