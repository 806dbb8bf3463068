// For tests of collectives: programs run by real processes, one per rank, started like those of `trenio run`.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inheritedVariables } from '../../base/environment.ts';
import { bytesOf, type Literal, literalOfBytes } from '../../hlo/literal.ts';
import { type Module, mainOf } from '../../hlo/program.ts';
import { printModule } from '../../hlo/text/printer.ts';
import type { TensorType } from '../../hlo/types.ts';
import { type Outcome, startScript } from '../processes.testing.ts';
import { createLaunchMemory } from './launch-memory.ts';

/** A program of several processes: one text for all, or one for each. */
export interface RankProgram {
  readonly modules: readonly Module[];
  /** Of each process. */
  readonly args: readonly (readonly Literal[])[];
}

/** Runs the programs one after another on all ranks, after the code `first`, which can use `rank`. Returns the output of each rank, and how it exited. */
export async function startRanks(
  programs: readonly RankProgram[],
  ranks: number,
  cacheDirectory: string,
  variables: Readonly<Record<string, string>> = {},
  first = '',
): Promise<readonly Outcome[]> {
  const folder = mkdtempSync(join(tmpdir(), 'trenio-ranks-'));
  const common = {
    TRENIO_CACHE_DIR: cacheDirectory,
    WORLD_SIZE: `${ranks}`,
    LOCAL_WORLD_SIZE: `${ranks}`,
    TRENIO_NUM_THREADS: '1',
    ...variables,
  };
  const memory = createLaunchMemory(ranks, { ...inheritedVariables(), ...common });
  try {
    const outcomes = Array.from({ length: ranks }, (_, rank) => {
      const work = programs.map(({ modules, args }) => ({
        text: printModule(modules[rank] ?? modules[0]!),
        args: args[rank]!.map(a => Buffer.from(bytesOf(a)).toString('base64')),
      }));
      const path = join(folder, `${rank}.json`);
      writeFileSync(path, JSON.stringify(work));
      const script = `
        import { readFileSync } from 'node:fs';
        import { defaultBackend, defaultRuntime, runModule } from '../index.ts';
        import { bytesOf, literalOfBytes } from '../../hlo/literal.ts';
        import { mainOf } from '../../hlo/program.ts';
        import { parseModule } from '../../hlo/text/parser.ts';
        const { rank } = defaultRuntime().ranks;
        defaultRuntime().barrier();
        ${first}
        for (const { text, args } of JSON.parse(readFileSync(${JSON.stringify(path)}, 'utf8'))) {
          const module = parseModule(text, { file: 'program' });
          const types = mainOf(module).body.args.map(v => v.type);
          try {
            const results = runModule(module, args.map((a, i) => literalOfBytes(types[i], new Uint8Array(Buffer.from(a, 'base64')))), defaultBackend());
            console.log(JSON.stringify(results.map(r => Buffer.from(bytesOf(r)).toString('base64'))));
          } catch (error) {
            console.log(JSON.stringify({ code: error.code, message: String(error.message) }));
          }
        }
        try {
          defaultRuntime().barrier();
        } catch {}`;
      return startScript(import.meta.url, script, {
        ...common,
        RANK: `${rank}`,
        LOCAL_RANK: `${rank}`,
        TRENIO_SHM: memory.name,
      }).outcome;
    });
    return await Promise.all(outcomes);
  } finally {
    memory.unlink();
    rmSync(folder, { recursive: true });
  }
}

/** The results of each process of each program. Throws the errors of the processes. */
export async function runOnRanks(
  programs: readonly RankProgram[],
  ranks: number,
  cacheDirectory: string,
  variables?: Readonly<Record<string, string>>,
): Promise<readonly (readonly (readonly Literal[])[])[]> {
  const outcomes = await startRanks(programs, ranks, cacheDirectory, variables);
  const lines = outcomes.map(({ stdout, stderr, status }, rank) => {
    const said = stdout.trim().split('\n');
    if (status !== 0 || said.length !== programs.length) throw new Error(`rank ${rank}: ${stderr}\n${stdout}`);
    return said;
  });
  return programs.map(({ modules }, p) =>
    lines.map((said, rank) => {
      const types = mainOf(modules[rank] ?? modules[0]!).body.results.map(v => v.type as TensorType);
      const results = JSON.parse(said[p]!) as string[] | { message: string };
      if (!Array.isArray(results)) throw new Error(`program ${p}, rank ${rank}: ${results.message}`);
      return results.map((text, i) => literalOfBytes(types[i]!, new Uint8Array(Buffer.from(text, 'base64'))));
    }),
  );
}
