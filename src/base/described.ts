// Describes a wrong argument in messages, without its content, which may be large.

/** The description of a value in messages: `the number 0`, `undefined`, `an array`, `a Linear`. */
export function described(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === 'string')
    return `the text ${JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)}`;
  if (value instanceof Function) return `a function${value.name === '' ? '' : `, ${value.name}`}`;
  // Modules are functions, too, but are described by their class.
  if (typeof value !== 'object' && typeof value !== 'function') return `the ${typeof value} ${String(value)}`;
  if (Array.isArray(value)) return 'an array';
  const name = (Object.getPrototypeOf(value) as { constructor?: { name?: string } } | null)?.constructor?.name;
  if (name === undefined || name === 'Object') return 'an object';
  return `${/^[AEIOU]/.test(name) ? 'an' : 'a'} ${name}`;
}
