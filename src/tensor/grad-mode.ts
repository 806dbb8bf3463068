// Whether calls on tensors are recorded as something gradients flow through.
let enabled = true;

export const gradEnabled = (): boolean => enabled;

/**
 * Runs `body` without recording gradients: results do not require any. With an async `body`, until its promise settles.
 */
export function noGrad<T>(body: () => T): T {
  return withGradMode(false, body);
}
/** Runs `body` with gradients recorded, inside noGrad. */
export function enableGrad<T>(body: () => T): T {
  return withGradMode(true, body);
}

function withGradMode<T>(mode: boolean, body: () => T): T {
  const before = enabled;
  const restore = (): void => {
    enabled = before;
  };
  enabled = mode;
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
