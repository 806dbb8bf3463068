// Checks queries and bodies of the console's requests.
import * as z from 'zod';
import { TrenioError } from '../../base/errors.ts';

/** @throws {CONSOLE_REQUEST_INVALID} */
export function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new TrenioError('CONSOLE_REQUEST_INVALID', { problem: z.prettifyError(result.error).replaceAll('\n', ' ') });
}
