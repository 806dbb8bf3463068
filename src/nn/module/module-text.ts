// Modules as PyTorch prints them.
//
//   Net(
//     (fc): Linear(in_features=8, out_features=2, bias=True)
//     (blocks): ModuleList(
//       (0-1): 2 x ReLU()
//     )
//   )

const indented = (text: string): string => text.replaceAll('\n', '\n  ');

/** A module from its name, its settings and the texts of its children. */
export function moduleText(
  name: string,
  settings: string,
  children: readonly (readonly [string, string])[],
  collapses = false,
): string {
  const lines = (collapses ? collapsed(children) : children).map(([key, text]) => `(${key}): ${indented(text)}`);
  const own = settings === '' ? [] : settings.split('\n');
  if (lines.length === 0 && own.length <= 1) return `${name}(${settings})`;
  return `${name}(\n  ${[...own, ...lines].join('\n  ')}\n)`;
}

/** Equal neighbors of a list as one entry. */
function collapsed(children: readonly (readonly [string, string])[]): readonly (readonly [string, string])[] {
  const out: [string, string][] = [];
  for (let i = 0; i < children.length; ) {
    const [key, text] = children[i]!;
    let end = i + 1;
    while (end < children.length && children[end]![1] === text) end++;
    const count = end - i;
    out.push(count === 1 ? [key, text] : [`${key}-${children[end - 1]![0]}`, `${count} x ${text}`]);
    i = end;
  }
  return out;
}

/** A setting in Python's syntax. */
export function python(value: unknown): string {
  if (value === undefined || value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return `'${value}'`;
  if (Array.isArray(value)) return value.length === 1 ? `(${python(value[0])},)` : `(${value.map(python).join(', ')})`;
  if (typeof value === 'number') return pythonNumber(value);
  return String(value);
}
/** A number as a Python float: 1 is '1.0', 0.00001 is '1e-05'. */
export function pythonFloat(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 1e16 ? `${value}.0` : pythonNumber(value);
}
function pythonNumber(value: number): string {
  if (value === Infinity) return 'inf';
  if (value === -Infinity) return '-inf';
  if (Number.isInteger(value) || Math.abs(value) >= 1e-4 || value === 0) return String(value);
  const [digits, exponent] = value.toExponential().split('e-') as [string, string];
  return `${digits}e-${exponent.padStart(2, '0')}`;
}
