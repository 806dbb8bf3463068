// A resource that does not exist. The waiters of all clients look for this code and these words.
import { AwsError } from '../aws-error.ts';

export const notFound = (): AwsError => new AwsError('ValidationException', 'Requested resource not found.');
