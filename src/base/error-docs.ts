// docs/errors.md, generated from the error catalog. Texts are shown with the names of their data: <file>, <expected>.
import { type ErrorCode, errorCatalog } from './error-catalog.ts';

/** The whole text of docs/errors.md. */
export function errorsMarkdown(): string {
  const codes = (Object.keys(errorCatalog) as ErrorCode[]).toSorted();
  return [
    '# Errors',
    '',
    'Generated from `src/base/error-catalog.ts` by `node scripts/write-docs.ts`. Trenio reports wrong input and external failures',
    'as a `TrenioError` with one of these codes in `code`, details in `data` and advice in `fix`. Below, `<name>` stands for a',
    'field of `data`; a message that depends on its data is shown in one of its forms. With `TRENIO_DEBUG=1` the command line',
    'also prints the stack trace.',
    '',
    ...codes.flatMap(code => [`## ${code}`, '', ...section(code), '']),
  ].join('\n');
}

function section(code: ErrorCode): string[] {
  const row = errorCatalog[code] as { what(data: unknown): string; fix(data: unknown): string };
  const what = describe(data => row.what(data));
  const fix = describe(data => row.fix(data));
  return [quoted(what), '', `Fix: ${quoted(fix)}`];
}

// A row may print, join, count or compare its data. The proxy returns a placeholder named after the field for all of these.
function describe(text: (data: unknown) => string): string {
  return text(placeholder(''));
}

function placeholder(name: string): unknown {
  const shown = `<${name}>`;
  return new Proxy(() => shown, {
    get: (_, key) => {
      // A placeholder in arithmetic is the number 8.
      if (key === Symbol.toPrimitive) return (hint: string) => (hint === 'number' ? 8 : shown);
      if (key === 'toString') return () => shown;
      if (key === Symbol.iterator) return () => [placeholder(name)][Symbol.iterator]();
      if (key === 'length') return 2;
      if (typeof key !== 'string') return undefined;
      // A method of an array or a string returns the same placeholder.
      if (key in Array.prototype || key in String.prototype || key in Number.prototype) return method(name, key);
      return placeholder(key);
    },
  });
}

function method(name: string, key: string): unknown {
  if (key === 'map') return (make: (item: unknown) => unknown) => [make(placeholder(name))];
  if (['includes', 'startsWith', 'endsWith', 'some', 'every'].includes(key)) return () => false;
  return () => placeholder(name);
}

function quoted(text: string): string {
  // Markdown would treat <name> as HTML outside code.
  return `\`${text.replaceAll('`', "'").replace(/\s*\n\s*/g, ' ⏎ ')}\``;
}
