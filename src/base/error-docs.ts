// docs/errors.md, made from the error catalogue, so that the two cannot disagree. Each text is shown with names in place
// of its data: <file>, <expected>.
import { type ErrorCode, errorCatalogue } from './error-catalogue.ts';

/** The whole text of docs/errors.md. */
export function errorsMarkdown(): string {
  const codes = (Object.keys(errorCatalogue) as ErrorCode[]).toSorted();
  return [
    '# Errors',
    '',
    'Made from `src/base/error-catalogue.ts` by `node scripts/write-docs.ts`; a test keeps the two equal. Every error that Trenio',
    'throws for a mistake or a fault from outside is a `TrenioError` with one of these codes in `code`, what it is about in `data`,',
    'and what to do in `fix`. Data is shown as its name, and a text that depends on its data in one of its forms. With',
    '`TRENIO_DEBUG=1` the command line prints the stack too.',
    '',
    ...codes.flatMap(code => [`## ${code}`, '', ...section(code), '']),
  ].join('\n');
}

function section(code: ErrorCode): string[] {
  const row = errorCatalogue[code] as { what(data: unknown): string; fix(data: unknown): string };
  const what = describe(data => row.what(data));
  const fix = describe(data => row.fix(data));
  return [quoted(what), '', `Fix: ${quoted(fix)}`];
}

// A row may do anything with its data: print it, join it, count it, compare it. So the data is a proxy that answers every
// question with a placeholder named after what was asked for.
function describe(text: (data: unknown) => string): string {
  return text(placeholder(''));
}

function placeholder(name: string): unknown {
  const shown = `<${name}>`;
  return new Proxy(() => shown, {
    get: (_, key) => {
      // A text that reckons with a number cannot carry a name: it shows what it makes of 8.
      if (key === Symbol.toPrimitive) return (hint: string) => (hint === 'number' ? 8 : shown);
      if (key === 'toString') return () => shown;
      if (key === Symbol.iterator) return () => [placeholder(name)][Symbol.iterator]();
      if (key === 'length') return 2;
      if (typeof key !== 'string') return undefined;
      // A method of an array or a text: what it makes is still that thing.
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
  // What looks like HTML to Markdown is shown as code.
  return `\`${text.replaceAll('`', "'").replace(/\s*\n\s*/g, ' ⏎ ')}\``;
}
