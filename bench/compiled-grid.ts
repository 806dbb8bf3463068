// The processes of an interpreter.run_parallel as compiled programs on real ranks, which `trenio run` starts. Run by it, this
// file is one of those ranks: it finds its program and its arguments in the folder that it is given.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bytesOf, literalOfBytes } from '../src/hlo/literal.ts';
import { type Func, type Module, mainOf, type Value } from '../src/hlo/program.ts';
import { isLiteral, type RuntimeValue, token } from '../src/hlo/steps.ts';
import { parseModule } from '../src/hlo/text/parser.ts';
import { printModule } from '../src/hlo/text/printer.ts';
import type { TensorType } from '../src/hlo/types.ts';
import { forEachOp } from '../src/hlo/walk.ts';
import { defaultBackend, defaultRuntime, runModule } from '../src/runtime/index.ts';

interface Work {
  readonly text: string;
  readonly args: readonly string[];
}

/** What a step has no way to do: it exchanges with the host. */
const withHost = new Set(['infeed', 'outfeed', 'interpreter.print', 'interpreter.probe']);
/** Why these programs cannot run as ranks; undefined if they can. */
function reasonAgainst(module: Module, programs: readonly (readonly string[])[]): string | undefined {
  const used = new Set(programs.flat());
  let reason: string | undefined;
  for (const func of module.functions) {
    if (!used.has(func.name)) continue;
    forEachOp(func.body, op => {
      const isHost = (op.name === 'send' || op.name === 'recv') && op.attributes.isHostTransfer;
      if (isHost || withHost.has(op.name)) reason = `${op.name} exchanges with the host`;
    });
  }
  return reason;
}

const isTensor = (v: Value): boolean => v.type.kind === 'tensor';

/** For the interpreter's option of this name. `onRun` is told of each grid why it was not run, if so. */
export function compiledGrid(onRun: (reason: string | undefined) => void) {
  return (
    module: Module,
    programs: readonly (readonly string[])[],
    _infeed: readonly string[],
    args: readonly RuntimeValue[],
  ): readonly RuntimeValue[] | undefined => {
    const reason = reasonAgainst(module, programs);
    onRun(reason);
    if (reason !== undefined) return undefined;
    const folder = mkdtempSync(join(tmpdir(), 'trenio-grid-'));
    try {
      const grid = { numReplicas: programs.length, numPartitions: programs[0]!.length };
      const functions = programs.flat().map(name => module.functions.find(f => f.name === name)!);
      let next = 0;
      functions.forEach((func, rank) => {
        const mine = args.slice(next, next + func.body.args.length);
        next += mine.length;
        const body = { ...func.body, results: func.body.results.filter(isTensor) };
        const main: Func = { ...func, name: 'main', body };
        const others = module.functions.filter(f => f.name !== 'main' && f.name !== func.name);
        const text = printModule({ ...module, ...grid, functions: [main, ...others] });
        const work: Work = { text, args: mine.filter(isLiteral).map(v => Buffer.from(bytesOf(v)).toString('base64')) };
        writeFileSync(join(folder, `${rank}.json`), JSON.stringify(work));
      });
      const trenio = join(import.meta.dirname, '../bin/trenio');
      const command = ['run', `--nproc_per_node=${functions.length}`, import.meta.filename, folder];
      execFileSync(trenio, command, { stdio: ['ignore', 'ignore', 'pipe'] });
      return functions.flatMap(({ body }, rank) => {
        const results = JSON.parse(readFileSync(join(folder, `${rank}.out`), 'utf8')) as string[];
        const tensors = body.results.filter(isTensor);
        return body.results.map(v => {
          if (!isTensor(v)) return token;
          const bytes = new Uint8Array(Buffer.from(results[tensors.indexOf(v)]!, 'base64'));
          return literalOfBytes(v.type as TensorType, bytes);
        });
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
}

if (import.meta.main) {
  const folder = process.argv[2]!;
  const { rank } = defaultRuntime().ranks;
  const { text, args } = JSON.parse(readFileSync(join(folder, `${rank}.json`), 'utf8')) as Work;
  const module = parseModule(text, { file: 'program' });
  const types = mainOf(module)
    .body.args.filter(isTensor)
    .map(v => v.type as TensorType);
  const inputs = args.map((a, i) => literalOfBytes(types[i]!, new Uint8Array(Buffer.from(a, 'base64'))));
  const results = runModule(module, inputs, defaultBackend());
  writeFileSync(
    join(folder, `${rank}.out`),
    JSON.stringify(results.map(r => Buffer.from(bytesOf(r)).toString('base64'))),
  );
  defaultRuntime().barrier();
}
