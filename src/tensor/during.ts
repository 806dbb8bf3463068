// A setting that holds while a function runs, or until its promise settles if it is async.

/** Runs `body`, then `restore`, even if it throws or rejects. */
export function during<T>(body: () => T, restore: () => void): T {
  let result: T;
  try {
    result = body();
  } catch (error) {
    restore();
    throw error;
  }
  if (result instanceof Promise) return result.finally(restore) as T;
  restore();
  return result;
}
