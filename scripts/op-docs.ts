// docs/ops.md: the support for each op, from the op table, the factors of its dims, the gradient rules and the compiler.
import { throughDecomposition } from '../src/autodiff/rules/derived.ts';
import { gradientTable } from '../src/autodiff/rules.ts';
import { type LoweringKind, loweringKinds } from '../src/compiler/lowering/lowering-kinds.ts';
import type { OpName } from '../src/hlo/attributes.ts';
import { sameDims } from '../src/hlo/factors/rule.ts';
import { factorTable } from '../src/hlo/factors/table.ts';
import type { OpRow } from '../src/hlo/op-row.ts';
import { opTable } from '../src/hlo/op-table.ts';

const compiled: { readonly [T in Extract<LoweringKind, string>]: string } = {
  element: 'fused, element by element',
  view: 'fused, as index arithmetic',
  source: 'fused, from the index',
  constant: 'fused, from the index',
  reduce: 'fused with its operand',
  multiply: 'separate kernel',
  kernel: 'separate kernel',
  operator: 'separate kernel',
  collective: 'separate kernel',
  control: 'C control flow',
  call: 'inlined',
  decomposed: 'decomposed',
  inlined: 'separate kernel',
  resolved: 'removed',
};

function interpretation(row: OpRow<OpName>): string {
  return row.evaluate === undefined && row.execute === undefined ? 'decomposed' : 'directly';
}
function gradient(name: OpName): string {
  const rule = gradientTable[name];
  if (typeof rule !== 'function') return `${rule.kind === 'zero' ? 'zero' : 'none'}: ${rule.reason}`;
  return (rule as unknown) === throughDecomposition ? 'decomposed' : 'rule';
}
function compilation(name: OpName): string {
  const kind: LoweringKind = loweringKinds[name];
  return typeof kind === 'string' ? compiled[kind] : `no: ${kind.unsupported}`;
}

function division(name: OpName): string {
  const rule: unknown = factorTable[name];
  if (typeof rule === 'string') return rule;
  return rule === sameDims ? 'same dims' : 'rule';
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
    '| op | kind | interpreted | compiled | gradient | division |',
    '| --- | --- | --- | --- | --- | --- |',
    ...names
      .filter(name => dialectOf(name) === dialect)
      .map(name => {
        const row = opTable[name] as OpRow<OpName>;
        const cells = [`\`${name}\``, row.kind, interpretation(row), compilation(name), gradient(name), division(name)];
        return `| ${cells.map(cell).join(' | ')} |`;
      }),
    '',
  ]);
  const count = (predicate: (name: OpName) => boolean): number => names.filter(predicate).length;
  return [
    '# Ops',
    '',
    'Generated from the op table by `node scripts/write-docs.ts`. Every op can be parsed, printed and verified; constraints have the',
    'numbers of the StableHLO specification (`dot_general_c11`). The columns show how the reference interpreter evaluates an op, how',
    'it is compiled to C, how it is differentiated, and which dims of its operands and results are divided together among devices:',
    'the same dims, or by a rule; no rule if it has no operands (*source*), passes values on (*data flow*), has sizes that are known',
    'only at run time (*dynamic*), or is not divided (*whole*). *Decomposed* means rewritten in simpler ops.',
    '',
    `${names.length} ops: ${count(name => typeof loweringKinds[name] === 'string')} are compiled, ${count(name => typeof gradientTable[name] === 'function')} have a gradient.`,
    '',
    ...sections,
  ].join('\n');
}
