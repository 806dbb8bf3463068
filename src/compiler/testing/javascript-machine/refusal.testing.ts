// For tests: the error for what the JavaScript machine has no kernel for.
import { TrenioError } from '../../../base/errors.ts';

export const refused = (what: string): TrenioError =>
  new TrenioError('UNSUPPORTED', { what, where: 'the JavaScript machine', instead: 'compile for CPUs' });
