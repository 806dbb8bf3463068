// For tests of collectives: programs run by real processes, one per rank, started like those of `trenio run`.
import { randomUUID } from 'node:crypto';
import { closeSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inheritedVariables, type Variables } from '../../base/environment.ts';
import { formatRankTable } from '../../base/rank-table.ts';
import { bytesOf, type Literal, literalOfBytes } from '../../hlo/literal.ts';
import { type Module, mainOf } from '../../hlo/program.ts';
import { printModule } from '../../hlo/text/printer.ts';
import type { TensorType } from '../../hlo/types.ts';
import { GIVEN_FILE, type Outcome, startScript } from '../processes.testing.ts';
import { createLaunchMemory } from './launch-memory.ts';
import { listenForRanks } from './listen-for-ranks.ts';
import type { SharedSegment } from './shared-memory.ts';

/** A program of several processes: one source for all, or one for each. */
export interface RankProgram {
  readonly modules: readonly Module[];
  /** The arguments of each process. */
  readonly args: readonly (readonly Literal[])[];
}

/** The resources of a run of several ranks: the memory shared by those of a host, and the addresses at which hosts meet. */
export interface TestRun {
  variablesOf(rank: number): Readonly<Record<string, string>>;
  /**
   * The socket at which the rank listens, for `startScript`: it stays open, because otherwise another process might take the
   * port.
   */
  listenerOf(rank: number): number | undefined;
  /** The shared memory of each host. */
  readonly memories: readonly SharedSegment[];
  end(): void;
}

/** Hosts on this machine: ranks of different hosts are connected only by the network. */
export function hostsOf(ranks: number, hosts: number | readonly number[], variables: Variables): TestRun {
  const sizes = typeof hosts === 'number' ? Array.from({ length: hosts }, () => ranks / hosts) : hosts;
  const memories = sizes.map(size => createLaunchMemory(size, variables));
  const places = sizes.flatMap((size, host) =>
    Array.from({ length: size }, (_, localRank) => ({ host, localRank, size })),
  );
  const secret = randomUUID();
  const listeners = sizes.length === 1 ? [] : places.map(() => listenForRanks('127.0.0.1', variables));
  const table = places.map(({ host }, rank) => ({
    rank,
    host: `host${host}`,
    pid: 0,
    address: '127.0.0.1',
    port: listeners[rank]?.port ?? 0,
  }));
  return {
    memories,
    variablesOf(rank) {
      const { host, localRank, size } = places[rank]!;
      return {
        RANK: `${rank}`,
        WORLD_SIZE: `${ranks}`,
        LOCAL_RANK: `${localRank}`,
        LOCAL_WORLD_SIZE: `${size}`,
        TRENIO_SHM: memories[host]!.name,
        ...(sizes.length === 1
          ? {}
          : {
              TRENIO_COMM_TABLE: formatRankTable(table),
              TRENIO_COMM_LISTENER: `${GIVEN_FILE}`,
              TRENIO_RDZV_SECRET: secret,
            }),
      };
    },
    listenerOf: rank => listeners[rank]?.file,
    end: () => {
      for (const memory of memories) memory.unlink();
      for (const { file } of listeners) closeSync(file);
    },
  };
}

/** Runs the programs one after another on all ranks, after the code `first`, which can use `rank`. Returns the output of each rank, and how it exited. */
export async function startRanks(
  programs: readonly RankProgram[],
  ranks: number,
  cacheDirectory: string,
  variables: Readonly<Record<string, string>> = {},
  first = '',
  hosts = 1,
): Promise<readonly Outcome[]> {
  const folder = mkdtempSync(join(tmpdir(), 'trenio-ranks-'));
  // Ranks that wait for each other longer than this fail with the reason, before the test times out without one.
  const common = { TRENIO_CACHE_DIR: cacheDirectory, TRENIO_NUM_THREADS: '1', TRENIO_COMM_TIMEOUT: '50', ...variables };
  const run = hostsOf(ranks, hosts, { ...inheritedVariables(), ...common });
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
      const given = { ...common, ...run.variablesOf(rank) };
      return startScript(import.meta.url, script, given, run.listenerOf(rank)).outcome;
    });
    return await Promise.all(outcomes);
  } finally {
    run.end();
    rmSync(folder, { recursive: true });
  }
}

/** The results of each process of each program. Throws the errors of the processes. */
export async function runOnRanks(
  programs: readonly RankProgram[],
  ranks: number,
  cacheDirectory: string,
  variables?: Readonly<Record<string, string>>,
  hosts?: number,
): Promise<readonly (readonly (readonly Literal[])[])[]> {
  const outcomes = await startRanks(programs, ranks, cacheDirectory, variables, undefined, hosts);
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
