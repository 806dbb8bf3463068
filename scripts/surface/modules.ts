// The modules that are made from the table: a row with settings.
import { groups } from '../../src/tensor/surface/index.ts';
import { moduleParams } from '../../src/tensor/surface/module-params.ts';
import type { Param } from '../../src/tensor/surface/params.ts';
import type { ModuleForm, Row } from '../../src/tensor/surface/row.ts';
import { comment, moduleSignatures, parameterLines, resultType, sentence } from './signatures.ts';
import { formatted, importsOf, made } from './typescript.ts';

const withTensor = (type: string): string => type.replace(/\bT\b/g, 'Tensor');
/** A setting as a field of the module. */
function field(name: string, param: Param<unknown>): string {
  const isAlwaysThere = !param.isOptional || param.fallback !== undefined;
  const about = `/** ${sentence(param.doc)} */\n`;
  if (param.tensors === 'one') return `${about}declare ${name}: StateBuffer | undefined;`;
  return `${about}declare readonly ${name}: ${withTensor(param.type)}${isAlwaysThere ? '' : ' | undefined'};`;
}
function moduleClass(path: string, row: Row, form: ModuleForm, at: number): string {
  const { name } = form;
  const { settings, inputs } = moduleParams(row, form);
  const { constructors, settings: settingsText } = moduleSignatures(name, settings);
  const forward = inputs.map(([input, param]) => `${input}: ${withTensor(param.type)}`).join(', ');
  const result = resultType(row.variants[0], 'Tensor');
  const docs = constructors.map(({ parameters, names }) => {
    const lines = [...parameterLines(settings, names), '@throws {WRONG_ARGUMENT}', '@throws {UNKNOWN_ARGUMENT}'];
    return settings.length === 0 ? '' : `${comment(lines)}\nconstructor(${parameters});`;
  });
  const built =
    settings.length === 0
      ? `/** @throws {WRONG_ARGUMENT} @throws {UNKNOWN_ARGUMENT} */\nconstructor();\nconstructor(...settings: readonly unknown[]) { super(${path}, ${at}, settings); }`
      : `${docs.join('\n')}\nconstructor(...settings: readonly unknown[]) { super(${path}, ${at}, settings); }`;
  const about = [
    row.summary,
    ...(row.details === undefined ? [] : ['', row.details]),
    '',
    `PyTorch: \`torch.nn.${name}\`. The function: \`functional.${row.name}\`.`,
  ];
  const example = ['@example', ...form.example.split('\n')];
  return `${settingsText}
${comment(about, example)}
export class ${name} extends RowModule {
${settings.map(([key, param]) => field(key, param)).join('\n')}
${built}
override forward(${forward}): ${result};
override forward(...inputs: readonly unknown[]): ${result} { return this.run(inputs)${result === 'Tensor' ? '' : ` as ${result}`}; }
}`;
}

export function modulesText(): string {
  const classes = groups.flatMap(({ constant, rows }) =>
    Object.values(rows).flatMap(row =>
      row.modules.map((form, i) => moduleClass(`${constant}.${row.name}`, row, form, i)),
    ),
  );
  const body = classes.join('\n\n');
  return formatted(
    'src/nn/generated/modules.ts',
    `// The modules that are rows of the table with settings. ${made}
${importsOf(body, '../../tensor/surface')}
import type { ${/\bScalar\b/.test(body) ? 'Scalar, ' : ''}Tensor } from '../../tensor/index.ts';
${/StateBuffer/.test(body) ? "import type { StateBuffer } from '../module/parameter.ts';" : ''}
import { RowModule } from '../layers/row-module.ts';

${body}
`,
  );
}
