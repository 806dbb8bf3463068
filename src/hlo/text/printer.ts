// A program as StableHLO text: the same form as JAX prints for ops with a short form, the generic form
// `"stablehlo.op"(operands) <{attributes}> ({regions}) : (types) -> types` for the others. Deterministic: the same
// program always gives the same text, for any value ids.

import type { DiscardableAttributes } from '../attributes.ts';
import type { DeclaredMesh, Func, Module, Op } from '../program.ts';
import { printMesh } from '../sharding/shardy-printer.ts';
import { withSharding } from '../sharding/stated.ts';
import { formatType, type Type } from '../types.ts';
import { dictionaryOf, OpWriter, type PrintedForm } from './op-writer.ts';
import { symbol } from './strings.ts';

/**
 * The module as text that StableHLO's own parser accepts.
 * @example
 * ```ts
 * const main = hlo.buildFunc('main', [hlo.tensorType('f32', [2])], (b, [x]) => [b.add(x!, x!)]);
 * const module = hlo.moduleOf(main);
 * hlo.printModule(module).split('\n')[0] // 'module @module attributes {…} {'
 * ```
 */
export function printModule(module: Module, options: { readonly form?: PrintedForm } = {}): string {
  const { form } = options;
  const attributes = dictionaryOf({
    'mhlo.num_partitions': `${module.numPartitions} : i32`,
    'mhlo.num_replicas': `${module.numReplicas} : i32`,
    ...module.discardable,
  });
  const declarations = [...(module.meshes ?? []).map(printDeclaredMesh), ...(module.declarations ?? [])].map(
    text => `  ${text}\n`,
  );
  const functions = module.functions.map((f, i) =>
    printFunc(f, { visibility: i === 0 ? 'public' : 'private', indent: 1, ...(form === undefined ? {} : { form }) }),
  );
  return `module ${symbol(module.name)} attributes${attributes} {\n${declarations.join('')}${functions.join('')}}\n`;
}

const printDeclaredMesh = ({ name, mesh, discardable }: DeclaredMesh): string =>
  `sdy.mesh ${symbol(name)} = ${printMesh(mesh)}${dictionaryOf(discardable)}`;

/**
 * One function as text; `visibility` is used if the function has none.
 * @example
 * ```ts
 * const main = hlo.buildFunc('main', [hlo.tensorType('f32', [2])], (b, [x]) => [b.add(x!, x!)]);
 * hlo.printFunc(main).split('\n')[0] // 'func.func public @main(%arg0: tensor<2xf32>) -> (tensor<2xf32>) {'
 * ```
 */
export function printFunc(
  func: Func,
  options: { visibility?: 'public' | 'private'; indent?: number; form?: PrintedForm } = {},
): string {
  const { indent = 0, form = 'pretty' } = options;
  const visibility = func.visibility ?? options.visibility ?? 'public';
  const pad = '  '.repeat(indent);
  const writer = new OpWriter(form, indent);
  const { args, results } = func.body;
  const isDeclared = func.declaredResults !== undefined;
  const inputs = args.map((arg, i) => {
    const alias = func.aliases[i];
    const aliasing: DiscardableAttributes = alias === undefined ? {} : { 'tf.aliasing_output': `${alias} : i32` };
    const dictionary = dictionaryOf({ ...aliasing, ...withSharding(func.argAttributes?.[i] ?? {}, 'value') });
    return `${isDeclared ? '' : `${writer.argument(arg)}: `}${formatType(arg.type)}${dictionary}`;
  });
  const outputs = (func.declaredResults ?? results.map(v => v.type)).map(
    (type: Type, i) => `${formatType(type)}${dictionaryOf(withSharding(func.resultAttributes?.[i] ?? {}, 'value'))}`,
  );
  const dictionary = dictionaryOf(func.discardable);
  const rest = dictionary === '' ? '' : ` attributes${dictionary}`;
  const head = `${pad}func.func ${visibility} ${symbol(func.name)}(${inputs.join(', ')}) -> (${outputs.join(', ')})${rest}`;
  return isDeclared ? `${head}\n` : `${head} {\n${writer.body(func.body, 'return')}${pad}}\n`;
}

/**
 * One op as a line (or lines, with regions); values are named in order of appearance. For messages.
 * @example
 * const main = hlo.buildFunc('main', [hlo.tensorType('f32', [2])], (b, [x]) => [b.add(x!, x!)]);
 * hlo.printOp(main.body.ops[0]!) // '%0 = stablehlo.add %arg0, %arg0 : tensor<2xf32>'
 */
export function printOp(op: Op): string {
  return new OpWriter('pretty', 0).op(op).trimEnd();
}
