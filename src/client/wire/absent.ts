// Recognizes errors for resources that do not exist, which each service reports differently.
import { isTrenioError } from '../../base/errors.ts';

/** Whether the service reports that the named resource does not exist. */
export function isAbsent(error: unknown): boolean {
  if (!isTrenioError(error, 'SERVICE_REFUSED')) return false;
  const { code, message } = error.data;
  return (
    /^(?:ResourceNotFound(?:Exception)?|NoSuch\w+|NotFound)$/.test(code) ||
    (code === 'ValidationException' && /^(?:Requested resource not found|Could not find )/.test(message))
  );
}
