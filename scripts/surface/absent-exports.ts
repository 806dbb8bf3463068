// The exports that stand for missing PyTorch functions and classes.
import { absentNames } from '../../src/tensor/surface/absent.ts';
import { formatted, made } from './typescript.ts';

const camelCase = (name: string): string => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** Namespaces, not functions: an export cannot detect which of their members is used. */
const namespaces = new Set([
  'torch.cuda',
  'torch.backends',
  'torch.jit',
  'torch.multiprocessing',
  'torch.amp',
  'torch.memory_format',
  'torch.contiguous_format',
  'torch.channels_last',
]);
/** Those of `namespace`, as `torch.nn`, written to `path`. */
export function absentText(namespace: string, path: string): string {
  const body = absentNames
    .map(({ name, instead }) => ({ name, instead, rest: name.slice(namespace.length + 1) }))
    .filter(({ name, rest }) => name.startsWith(`${namespace}.`) && !rest.includes('.') && !namespaces.has(name))
    .map(({ name, instead, rest }) => {
      const here = `${namespace}.${camelCase(rest)}`.replace(/^torch\./, '');
      return `/** @deprecated There is no \`${name}\` here: ${instead}. */\nexport const ${camelCase(rest)}: never = absentFunction(${JSON.stringify(here)}, ${JSON.stringify(instead)});`;
    })
    .join('\n');
  return formatted(
    path,
    `// Functions of PyTorch's ${namespace} that Trenio does not have: calling one throws an error that names the replacement. ${made}
import { absentFunction } from '${path.startsWith('src/tensor/') ? '../absent/absent-functions.ts' : '../../tensor/index.ts'}';

${body}
`,
  );
}
