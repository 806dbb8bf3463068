// HTML and SVG as tagged templates. All interpolated values are escaped, except markup made by another template, so a name from
// outside (a model, a script's path, a machine) cannot inject tags or attributes. Not a component library.

/** Text for HTML, in elements and in quoted attributes. Control characters are not allowed in HTML: they are shown as U+FFFD. */
export const escaped = (text: string): string =>
  text
    .replace(/[&<>"']/g, c => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[c]!)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are replaced here
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '\ufffd');

class Markup {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

export type { Markup };
/** Values allowed in a template. Undefined and false render as nothing. */
export type Content = Markup | string | number | undefined | false | readonly Content[];

export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Markup {
  let source = strings[0]!;
  values.forEach((value, i) => {
    source += sourceOf(value) + strings[i + 1]!;
  });
  return new Markup(source);
}

/** Joins parts with newlines. */
export const lines = (parts: readonly Markup[]): Markup => new Markup(parts.map(part => part.source).join('\n'));

function sourceOf(value: Content): string {
  if (value === undefined || value === false) return '';
  if (typeof value === 'string') return escaped(value);
  if (typeof value === 'number') return `${value}`;
  return value instanceof Markup ? value.source : value.map(sourceOf).join('');
}
