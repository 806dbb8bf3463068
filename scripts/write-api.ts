// Writes the API reference to docs/api: one page with a search, made of the docstrings that editors show. Everything that
// `trenio` exports is in it (test/api checks that all of it is documented). `npm pack` puts it into the package.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { version } from '../src/base/version.ts';
import { publicApi } from './public-api.ts';

const folder = join(import.meta.dirname, '..', 'docs', 'api');

/** The fields of a name that the page shows, without empty ones. */
const shown = ({ type, text, tags, examples }: Omit<ReturnType<typeof publicApi>[number], 'path' | 'kind'>) => ({
  type,
  ...(text === '' ? {} : { text }),
  ...(tags.length === 0 ? {} : { tags }),
  ...(examples.length === 0 ? {} : { examples }),
});

const names = publicApi().map(({ path, kind, members, ...rest }) => ({
  path,
  kind,
  ...shown({ ...rest, members: [] }),
  ...(members.length === 0
    ? {}
    : { members: members.map(member => ({ name: member.name, ...shown({ ...member, file: '', members: [] }) })) }),
}));
const template = readFileSync(join(import.meta.dirname, 'api-page.html'), 'utf8');
// In a script element, only `</script` and `<!--` would end the text.
const data = JSON.stringify({ version, names }).replaceAll('<', '\\u003c');
mkdirSync(folder, { recursive: true });
const page = template.replace('"DATA"', () => data);
writeFileSync(join(folder, 'index.html'), page);
// Standard output belongs to `npm pack --json`.
console.error(`docs/api/index.html: ${names.length} names, ${(page.length / 1e6).toFixed(1)} MB`);
