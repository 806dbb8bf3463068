// Tables by the `model_type` of config.json, and the errors for unknown types.
import { TrenioError } from '../base/errors.ts';
import { nearestNames } from '../base/nearest.ts';
import { configError } from './config-file.ts';

/** One value for each `model_type`. */
export type ByType<T> = Readonly<Record<string, T>>;

/** A class that reads models, as errors name it. */
export interface Reader {
  readonly name: string;
  /** Other readers of a `model_type`. */
  others(modelType: string): readonly string[];
}

/**
 * The entry of `table` for a `model_type`, which may be anything that a file contains. `reader` is named in errors.
 * @throws {MODEL_CONFIG_INVALID} if it is not a string
 * @throws {MODEL_ARCHITECTURE_UNKNOWN}
 */
export function ofModelType<T>(table: ByType<T>, modelType: unknown, file: string, reader?: Reader): T {
  if (modelType === undefined)
    throw configError(file)('model_type', 'it is missing; it defines the architecture of the model');
  if (typeof modelType !== 'string')
    throw configError(file)('model_type', `expected a string (it is ${JSON.stringify(modelType)})`);
  if (Object.hasOwn(table, modelType)) return table[modelType]!;
  const known = Object.keys(table);
  const nearest = nearestNames(modelType, known);
  throw new TrenioError('MODEL_ARCHITECTURE_UNKNOWN', {
    file,
    modelType,
    ...(reader !== undefined && { reader: reader.name, others: reader.others(modelType) }),
    nearest,
    known,
  });
}
