// The libraries that bench/gemm.ts compares with: OpenBLAS and oneDNN in this process, PyTorch in another.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import koffi from 'koffi';
import { batchCount } from '../src/compiler/cpu/gemm/problem.ts';
import type { Shape } from './gemm-shapes.ts';
import { nanoseconds, threadNanoseconds } from './peak.ts';

export interface Buffers {
  readonly a: bigint;
  readonly b: bigint;
  readonly c: bigint;
}

export interface GemmPeer {
  readonly name: string;
  /** Nanoseconds per multiply, averaged over a number of calls; undefined if the peer does not support it. */
  time(shape: Shape, threads: number, repeat: number, buffers: Buffers): Promise<number | undefined>;
  end(): void;
}

/** A Debian library; undefined if it cannot be loaded, after printing the reason. */
export function libraryPeer(name: 'OpenBLAS' | 'oneDNN'): GemmPeer | undefined {
  const directory = mkdtempSync(join(tmpdir(), 'trenio-bench-'));
  const object = join(directory, 'peer.so');
  const source = join(import.meta.dirname, 'peers/gemm.c');
  const links = name === 'OpenBLAS' ? ['-lopenblas'] : ['-fopenmp', '-ldnnl'];
  try {
    execFileSync('gcc', ['-O2', '-fPIC', '-shared', `-D${name.toUpperCase()}`, source, '-o', object, ...links], {
      stdio: 'pipe',
    });
    const library = koffi.load(object);
    const threadsOf = library.func('peer_threads', 'void', ['int']);
    const prepare = library.func('peer_prepare', 'int64_t', ['int64_t *']);
    const run = library.func('peer_run', 'int', [
      'int64_t *',
      'int64_t',
      'int64_t',
      'uintptr_t',
      'uintptr_t',
      'uintptr_t',
    ]);
    // Create its threads before this thread is pinned to a core, because they would inherit the affinity.
    threadsOf(2);
    const prepared = new Map<string, unknown>();
    return {
      name,
      time: async (shape, threads, repeat, { a, b, c }) => {
        threadsOf(threads);
        const { spec: s } = shape;
        const batch = s.batch[0] ?? { size: 1, a: 0, b: 0, c: 0 };
        const type = s.elementType === 'f32' ? 0 : 1;
        const numbers = [
          type,
          batchCount(s),
          s.m,
          s.n,
          s.k,
          batch.a,
          s.a.m,
          s.a.k,
          batch.b,
          s.b.k,
          s.b.n,
          batch.c,
          s.c.m,
        ];
        const description = BigInt64Array.from(numbers, BigInt);
        const key = `${numbers.join()} ${threads}`;
        if (!prepared.has(key)) prepared.set(key, prepare(description));
        let failed = 0;
        const ns = (threads === 1 ? threadNanoseconds : nanoseconds)(() => {
          failed = run(description, prepared.get(key), repeat, a, b, c) as number;
        });
        // Library threads keep spinning for a while.
        if (threads > 1) await new Promise(done => setTimeout(done, 60));
        return failed ? undefined : ns / repeat;
      },
      end: () => {},
    };
  } catch (error) {
    const why = String((error as { stderr?: unknown }).stderr ?? error).split('\n')[0];
    console.log(`${name} is not measured (its development package is needed): ${why}`);
    return undefined;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** PyTorch's multiply, in a Python process. */
export async function torchPeer(python: string): Promise<GemmPeer | undefined> {
  const child = spawn(python, [join(import.meta.dirname, 'peers/torch_gemm.py')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const first = await lines.next();
  if (first.done) {
    console.log(`PyTorch is not measured: ${python} has no torch`);
    return undefined;
  }
  return {
    name: (JSON.parse(first.value) as { ready: string }).ready,
    time: async ({ spec: s }, threads, repeat) => {
      const { elementType: type, m, n, k } = s;
      const asked = {
        type,
        batch: batchCount(s),
        m,
        n,
        k,
        transposeA: s.a.k !== 1,
        transposeB: s.b.n !== 1,
        repeat,
        threads,
      };
      child.stdin.write(`${JSON.stringify(asked)}\n`);
      const answer = await lines.next();
      if (threads > 1) await new Promise(done => setTimeout(done, 20));
      return answer.done ? undefined : (JSON.parse(answer.value) as { ns: number }).ns;
    },
    end: () => void child.kill(),
  };
}
