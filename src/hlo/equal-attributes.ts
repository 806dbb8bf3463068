/** Whether attributes of ops, or parts of them, are equal: numbers by their bits, elements of literals included. */
export function equalAttributes(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) && Array.isArray(b)) return equalElements(a, b);
  if (ArrayBuffer.isView(a) && ArrayBuffer.isView(b)) return equalElements(a as Uint8Array, b as Uint8Array);
  let more = 0;
  for (const key in a) {
    more++;
    if (!equalAttributes((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key])) return false;
  }
  for (const _ in b) more--;
  return more === 0;
}

function equalElements(a: ArrayLike<unknown>, b: ArrayLike<unknown>): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!equalAttributes(a[i], b[i])) return false;
  return true;
}
