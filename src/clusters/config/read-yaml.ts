// Reads a YAML file as plain values with line numbers. Scalars are those of PyYAML, which ParallelCluster uses (yaml-scalars.ts).
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, type ParsedNode, parseDocument } from 'yaml';
import type { ConfigProblem } from './problem.ts';
import { scalarOf } from './yaml-scalars.ts';

/** More values than this are considered an alias bomb. */
const MAX_VALUES = 100_000;

export interface YamlFile {
  readonly value: unknown;
  /** The line of the value at a path such as `Scheduling.SlurmQueues[0].Name`, or of the innermost existing parent. */
  lineOf(path: string): number;
  readonly problems: readonly ConfigProblem[];
}

export function readYaml(text: string): YamlFile {
  const counter = new LineCounter();
  const document = parseDocument(text, {
    version: '1.1',
    schema: 'failsafe',
    merge: true,
    lineCounter: counter,
    uniqueKeys: true,
    prettyErrors: false,
  });
  const lines = new Map<string, number>([['', 1]]);
  const problems: ConfigProblem[] = document.errors.map(({ message, pos }) => ({
    level: 'ERROR',
    type: 'YamlSyntax',
    path: '',
    line: counter.linePos(pos[0]).line,
    message,
  }));
  let count = 0;
  /** The targets of the aliases around a node. */
  const open = new Set<Node>();
  const problem = (path: string, line: number, message: string): undefined => {
    problems.push({ level: 'ERROR', type: 'YamlSyntax', path, line, message });
  };
  const plain = (node: Node | null | undefined, path: string, line: number): unknown => {
    if (++count > MAX_VALUES)
      return count === MAX_VALUES + 1 ? problem('', 1, 'the file has too many values') : undefined;
    if (isAlias(node)) {
      const target = node.resolve(document);
      if (target === undefined || open.has(target)) return problem(path, line, `*${node.source} refers to itself`);
      open.add(target);
      const read = plain(target, path, line);
      open.delete(target);
      return read;
    }
    if (isMap(node)) {
      const entries: [string, unknown][] = [];
      for (const { key, value } of node.items) {
        const keyNode = key as ParsedNode;
        const at = keyNode.range === undefined ? line : counter.linePos(keyNode.range[0]).line;
        // YAML 1.1 has merge keys, which are read as a symbol.
        const name = isScalar(keyNode) ? (typeof keyNode.value === 'symbol' ? '<<' : String(keyNode.value)) : '';
        const inner = path === '' ? name : `${path}.${name}`;
        lines.set(inner, at);
        const read = plain(value as Node | null, inner, at);
        // A merge key (`<<: *defaults`) adds the entries of another map; explicit entries take precedence.
        if (name === '<<' && typeof read === 'object' && read !== null) entries.unshift(...Object.entries(read));
        else entries.push([name, read]);
      }
      return Object.fromEntries(entries);
    }
    if (isSeq(node))
      return node.items.map((item, i) => {
        const inner = `${path}[${i}]`;
        const { range } = item as ParsedNode;
        const at = range === undefined || range === null ? line : counter.linePos(range[0]).line;
        lines.set(inner, at);
        return plain(item as Node, inner, at);
      });
    if (!isScalar(node)) return null;
    const read = scalarOf(node);
    // As a value, PyYAML has no constructor for these.
    if (read === '=' || read === '<<') return problem(path, line, `the value ${read} needs quotes`);
    return read;
  };
  const value = problems.length > 0 ? undefined : plain(document.contents, '', 1);
  return { value: problems.length > 0 ? undefined : value, problems, lineOf: path => lineOf(lines, path) };
}

function lineOf(lines: ReadonlyMap<string, number>, path: string): number {
  for (let rest = path; ; rest = rest.replace(/(?:^|\.)[^.[\]]*$|\[\d+\]$/, '')) {
    const line = lines.get(rest);
    if (line !== undefined) return line;
    if (rest === '') return 1;
  }
}
