// Runs Shardy's executable tests through the partitioner: a file has a program with shardings, and a second one that runs its
// parts as processes and compares them with the whole.
//
//   node test/interop/shardy-programs.ts FOLDER [--only NAME]
//
// FOLDER is a checkout of https://github.com/openxla/shardy. Its tests are not part of this repository.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { interpret } from '../../src/hlo/interpreter.ts';
import { type Func, type Module, mainOf } from '../../src/hlo/program.ts';
import { parseModule } from '../../src/hlo/text/parser.ts';
import { verify } from '../../src/hlo/verifier.ts';
import { forEachOp } from '../../src/hlo/walk.ts';
import { importShardings } from '../../src/transforms/partition/import.ts';
import { localize } from '../../src/transforms/partition/localize.ts';
import { propagate } from '../../src/transforms/partition/propagate.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' } },
});
const folder = positionals[0]!;

const collective =
  /(%\w+) = sdy\.(all_gather|all_slice|all_to_all|collective_permute|all_reduce|reduce_scatter) ([[{].*[}\]]\s+)?(%\w+)\s+out_sharding=(<.*>) : /g;

/** Ops of Shardy's own pipeline as what they mean, shardings: of arguments that are summed, each device has a term. */
function withConstraints(text: string): string {
  const functions = text.replaceAll('sdy.constant', 'stablehlo.constant').split(/(?=func\.func)/);
  return functions
    .map(func => {
      /** The axes along which arguments, or sums of them, are summed. */
      const summed = new Map<string, { readonly argument: string; readonly axes: string[] }>();
      const changed = func.replace(
        collective,
        (_, result: string, name: string, axes = '', operand: string, sharding: string) => {
          const sum = summed.get(operand) ?? (operand.startsWith('%arg') ? { argument: operand, axes: [] } : undefined);
          if (sum !== undefined && (name === 'all_reduce' || name === 'reduce_scatter')) {
            sum.axes.push(...(axes.match(/"\w+"/g) ?? []));
            summed.set(operand, sum).set(result, sum);
          }
          return `${result} = sdy.reshard ${operand} ${sharding} : `;
        },
      );
      let stated = changed;
      for (const { argument, axes } of new Set(summed.values()))
        stated = stated.replace(
          new RegExp(`(${argument}:[^>]*> {sdy.sharding = [^>]*)>`),
          `$1, unreduced={${axes.join()}}>`,
        );
      return stated;
    })
    .join('');
}

const moduleOf = (text: string, file: string): Module => parseModule(withConstraints(text), { file });

/** The function of each part of a program. */
function localized(module: Module, func: Func, name: string): readonly Func[] {
  const others = module.functions.filter(other => other !== func);
  const alone = { ...module, functions: [{ ...func, name: 'main' }, ...others] };
  const local = localize(propagate(importShardings(alone)));
  return [{ ...mainOf(local), name }];
}

/** The functions that a test runs as processes. */
function runOf(module: Module): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { body } of module.functions)
    forEachOp(body, op => {
      if (op.name === 'interpreter.run_parallel') for (const name of op.attributes.programs.flat()) names.add(name);
    });
  return names;
}

/** The functions of a test: parts of those that run as processes, and the whole. */
function functionsOf(program: Module, parallel: ReadonlySet<string>): readonly Func[] {
  return program.functions.flatMap((func): readonly Func[] => {
    if (func.name === 'all_gather_test')
      return ['combined_gather', 'per_dim_gather'].flatMap(name => localized(program, func, name));
    if (func.name.startsWith('transformed_'))
      return [func, { ...func, name: func.name.replace('transformed_', 'original_') }];
    if (!parallel.has(func.name)) return [func];
    const name = func.name.replace('parallel_', 'sequential_');
    const isKnown = program.functions.some(other => other.name === name);
    const { argAttributes: _args, resultAttributes: _results, ...sequential } = { ...func, name };
    return [...localized(program, func, func.name), ...(isKnown ? [] : [sequential])];
  });
}

function check(file: string): void {
  const [, first, second] = readFileSync(file, 'utf8').split(/^\/\/--- part[12]\.mlir$/m);
  const program = moduleOf(first!, file);
  const test = parseModule(second!, { file });
  const functions = functionsOf(program, runOf(test));
  const combined: Module = { ...test, meshes: program.meshes ?? [], functions: [...test.functions, ...functions] };
  verify(combined);
  interpret(combined, []);
}

let passed = 0;
const failed: string[] = [];
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter(path => /executable_.*\.mlir$/.test(path))
  .sort();
for (const path of files) {
  if (values.only !== undefined && basename(path, '.mlir') !== values.only) continue;
  try {
    check(join(folder, path));
    passed++;
  } catch (error) {
    failed.push(path);
    console.log(
      `FAIL ${path.split('/').slice(-2).join('/')}: ${error instanceof Error ? error.message.split('\n').slice(0, 3).join(' | ') : error}`,
    );
  }
}
console.log(`${passed} of ${passed + failed.length} programs pass`);
process.exitCode = failed.length === 0 ? 0 : 1;
