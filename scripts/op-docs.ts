// docs/ops.md: what is known of each op, as the op table, the gradient rules and the compiler have it.
import { throughDecomposition } from '../src/autodiff/rules/derived.ts';
import { gradientTable } from '../src/autodiff/rules.ts';
import { type Treatment, treatments } from '../src/compiler/schedule/classify.ts';
import type { OpName } from '../src/hlo/attributes.ts';
import type { OpRow } from '../src/hlo/op-row.ts';
import { opTable } from '../src/hlo/op-table.ts';

const compiled: { readonly [T in Extract<Treatment, string>]: string } = {
  element: 'fused, element by element',
  view: 'fused, as index arithmetic',
  source: 'fused, from the index',
  reduce: 'fused with what it reduces',
  kernel: 'a kernel of its own',
  control: 'C control flow',
  call: 'inlined',
  derived: 'as simpler ops',
  resolved: 'resolved away',
};

function interpretation(row: OpRow<OpName>): string {
  return row.evaluate === undefined && row.execute === undefined ? 'as simpler ops' : 'directly';
}
function gradient(name: OpName): string {
  const rule = gradientTable[name];
  if (typeof rule !== 'function') return `${rule.kind === 'zero' ? 'zero' : 'none'}: ${rule.reason}`;
  return (rule as unknown) === throughDecomposition ? 'through simpler ops' : 'its own rule';
}
function compilation(name: OpName): string {
  const treatment = treatments[name];
  return typeof treatment === 'string' ? compiled[treatment] : `no: ${treatment.unsupported}`;
}

export function opsMarkdown(): string {
  const names = (Object.keys(opTable) as OpName[]).sort((a, b) => a.localeCompare(b, 'en'));
  const dialectOf = (name: string): string => /^(\w+)\./.exec(name)?.[1] ?? 'stablehlo';
  const dialects = [...new Set(names.map(dialectOf))].sort((a, b) =>
    a === 'stablehlo' ? -1 : b === 'stablehlo' ? 1 : a.localeCompare(b, 'en'),
  );
  const cell = (text: string): string => text.replaceAll('|', '\\|');
  const sections = dialects.flatMap(dialect => [
    `## ${dialect}`,
    '',
    '| op | kind | interpreted | compiled | gradient |',
    '| --- | --- | --- | --- | --- |',
    ...names
      .filter(name => dialectOf(name) === dialect)
      .map(name => {
        const row = opTable[name] as OpRow<OpName>;
        const cells = [`\`${name}\``, row.kind, interpretation(row), compilation(name), gradient(name)];
        return `| ${cells.map(cell).join(' | ')} |`;
      }),
    '',
  ]);
  const count = (predicate: (name: OpName) => boolean): number => names.filter(predicate).length;
  return [
    '# Ops',
    '',
    'Made from the op table by `node scripts/write-docs.ts`; a test keeps the two equal. Every op is parsed, printed and',
    'verified; constraints carry the numbers of the StableHLO specification (`dot_general_c11`). `interpreted` is how the',
    'reference interpreter evaluates it, `compiled` what becomes of it in C, `gradient` how it is differentiated.',
    '',
    `${names.length} ops: ${count(name => typeof treatments[name] === 'string')} are compiled, ${count(name => typeof gradientTable[name] === 'function')} have a gradient.`,
    '',
    ...sections,
  ].join('\n');
}
