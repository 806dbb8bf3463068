// The `@example` blocks of the public API: type-checked as modules that import the names they use from `trenio`, and split into
// statements and the results in the comments after them.
import { isExpressionStatement, isVariableStatement, type Statement } from 'typescript/unstable/ast';
import { openProject } from '../../scripts/public-api.ts';
import { root } from '../system.ts';

export interface Step {
  readonly code: string;
  /** `prints`: the result is the text that is printed; otherwise it is the value of `code`, or the variables that it declares. */
  readonly kind: 'value' | 'prints' | 'variables' | 'statement';
  readonly variables: readonly string[];
  /** The comment after it. */
  readonly shown: string | undefined;
}
export interface Example {
  /** The first public name with this example. */
  readonly name: string;
  readonly code: string;
  /** Whether it runs here: not with processes, files or minutes (`ts no-run`). */
  readonly runs: boolean;
  /** The names of `trenio` and `trenio/contrib` that it uses. */
  readonly imports: readonly string[];
  /** Those that it takes from `trenio/contrib`. */
  readonly fromContrib: ReadonlySet<string>;
  readonly steps: readonly Step[];
  /** Problems that the compiler reports. */
  readonly problems: readonly string[];
}

const fence = /^```ts( no-run)?\n([\s\S]*)\n```$/;
function read({ name, text, fromContrib }: Written, exported: ReadonlySet<string>) {
  const fenced = fence.exec(text.trim());
  const code = (fenced?.[2] ?? text).trim();
  const declared = new Set(
    [...code.matchAll(/\b(?:const|let|class|function)\s+(\{[^}]*\}|\[[^\]]*\]|\w+)/g)].flatMap(match =>
      words(match[1]!),
    ),
  );
  const used = words(code.replaceAll(/(?<!\.\.)\.\s*\w+|'[^']*'/g, ''));
  const imports = [...new Set(used)].filter(word => exported.has(word) && !declared.has(word));
  return { name, code, runs: fenced?.[1] === undefined, imports, fromContrib };
}
const words = (text: string): string[] => text.match(/[A-Za-z_$][\w$]*/g) ?? [];

interface Written {
  readonly name: string;
  readonly text: string;
  readonly fromContrib: ReadonlySet<string>;
}
/** `exported`: the top-level names of `trenio` and `trenio/contrib`. */
export function checkExamples(texts: readonly Written[], exported: ReadonlySet<string>): readonly Example[] {
  const examples = texts.map(text => read(text, exported));
  const folder = `${root}/test/api/examples`;
  const importOf = (names: readonly string[], entry: string): string =>
    names.length === 0 ? '' : `import { ${names.join(', ')} } from '../../../${entry}/index.ts';\n`;
  const files = examples.map(({ code, imports, fromContrib }, i) => {
    const [contrib, own] = [
      imports.filter(name => fromContrib.has(name)),
      imports.filter(name => !fromContrib.has(name)),
    ];
    const head = importOf(own, 'src') + importOf(contrib, 'contrib');
    return { path: `${folder}/${i}.ts`, head, text: `${head}${code}\nexport {};\n` };
  });
  const config = {
    extends: '../../../tsconfig.json',
    compilerOptions: { noUnusedLocals: false, noUnusedParameters: false, verbatimModuleSyntax: false },
    files: files.map(({ path }) => path),
    include: [],
  };
  const virtual = new Map(files.map(({ path, text }) => [path, text]));
  virtual.set(`${folder}/tsconfig.json`, JSON.stringify(config));
  using opened = openProject(`${folder}/tsconfig.json`, virtual);
  const { program } = opened.project;
  return examples.map((example, i) => {
    const { path, head, text } = files[i]!;
    const problems = [...program.getSyntacticDiagnostics(path), ...program.getSemanticDiagnostics(path)];
    const statements = program.getSourceFile(path)?.statements ?? [];
    return {
      ...example,
      problems: problems.map(problem => problem.text),
      steps: statements
        .filter(({ end }) => end <= head.length + example.code.length && end > head.length)
        .map(s => stepOf(s, text)),
    };
  });
}

function stepOf(statement: Statement, text: string): Step {
  const code = statement.getText();
  const rest = text.slice(statement.end);
  const comment = /^[ \t]*\/\/ (.*)/.exec(rest)?.[1];
  const prints = isExpressionStatement(statement) && /^console\.log\(/.test(code);
  // printed text may also be shown on the lines below
  const below = prints
    ? /^;?\n((?:\/\/.*\n)+)/
        .exec(rest)?.[1]
        ?.replaceAll(/^\/\/ ?/gm, '')
        .trimEnd()
    : undefined;
  return {
    code,
    kind: prints
      ? 'prints'
      : isExpressionStatement(statement)
        ? 'value'
        : isVariableStatement(statement)
          ? 'variables'
          : 'statement',
    variables: isVariableStatement(statement)
      ? words(/^(?:const|let)\s+(\{[^}]*\}|\[[^\]]*\]|\w+)/.exec(code)?.[1] ?? '')
      : [],
    shown: comment ?? below,
  };
}
