// A configuration file as text.
import { readFileSync } from 'node:fs';
import { TrenioError } from '../../base/errors.ts';

/** @throws {MONITOR_CONFIG} if it cannot be read */
export function readSmallFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new TrenioError('MONITOR_CONFIG', { file, field: '', problem: (error as Error).message }, { cause: error });
  }
}
