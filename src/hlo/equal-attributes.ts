/** Whether attributes of ops, or parts of them, are equal: numbers by their bits, elements of literals included. */
export function equalAttributes(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (ArrayBuffer.isView(a) && ArrayBuffer.isView(b)) {
    const [x, y] = [a as Uint8Array, b as Uint8Array];
    return x.length === y.length && x.every((v, i) => Object.is(v, y[i]));
  }
  const [ka, kb] = [Object.keys(a), Object.keys(b)];
  return (
    ka.length === kb.length &&
    ka.every(k => equalAttributes((a as Record<string, unknown>)[k], (b as Record<string, unknown>)[k]))
  );
}
