// A program of a script on its way from the process that traced it to one that compiles it: a file, because it may be large. It
// is what `node:v8` writes, which keeps the references between ops and values; only files of the same run are read.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import type { Operators, Target } from '../../../compiler/index.ts';
import type { Module } from '../../../hlo/program.ts';

/** A program and all that its machine code depends on besides. */
export interface Graph {
  readonly module: Module;
  readonly operators: Operators;
  /** The key of its computation and its operators. */
  readonly moduleKey: string;
  readonly target: Target;
}

/** Writes the file; readers see it whole or not at all. */
export function writeGraph(file: string, graph: Graph): void {
  // The ops first, in order: an op refers to those before it, and a long chain of references could not be followed.
  const ops = graph.module.functions.flatMap(func => func.body.ops);
  writeFileSync(`${file}.tmp`, serialize([ops, graph]));
  renameSync(`${file}.tmp`, file);
}

export function readGraph(file: string): Graph {
  const [, graph] = deserialize(readFileSync(file)) as [unknown, Graph];
  return graph;
}
