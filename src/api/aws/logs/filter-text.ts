// The filter pattern of a request.
import { type FilterPattern, readFilterPattern } from '../../../jobs/logs/filter-pattern.ts';
import { PatternError } from '../../../jobs/logs/pattern-value.ts';
import { AwsError } from '../aws-error.ts';

/** @throws {AwsError} InvalidParameterException */
export function filterPattern(text = ''): FilterPattern {
  try {
    return readFilterPattern(text);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw new AwsError('InvalidParameterException', `Invalid filter pattern: ${error.message}`);
  }
}
