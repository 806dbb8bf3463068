// Passes a program of a script from the process that traced it to one that compiles it, as a file, because it may be large. It
// is serialized with `node:v8`, which keeps the references between ops and values; only files of the same run are read.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import type { CpuTarget, Operators } from '../../../compiler/index.ts';
import type { Module } from '../../../hlo/program.ts';

/** A program and everything else that its machine code depends on. */
export interface Graph {
  readonly module: Module;
  readonly operators: Operators;
  /** The key of its computation and its operators. */
  readonly moduleKey: string;
  readonly target: CpuTarget;
}

/** Writes the file atomically. */
export function writeGraph(file: string, graph: Graph): void {
  // The ops come first, in order: serializing a long chain of references from a later op would overflow the stack.
  const ops = graph.module.functions.flatMap(func => func.body.ops);
  writeFileSync(`${file}.tmp`, serialize([ops, graph]));
  renameSync(`${file}.tmp`, file);
}

export function readGraph(file: string): Graph {
  const [, graph] = deserialize(readFileSync(file)) as [unknown, Graph];
  return graph;
}
