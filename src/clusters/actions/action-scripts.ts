// The programs that run the custom actions: one for each queue and event, which runs the scripts in order and stops
// at the first failure.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CustomAction, NodeEvent } from './custom-actions.ts';

/** In the cluster's folder. */
const FOLDER = 'actions';
const HEAD = 'head-node';

/** The path of a queue's program for an event, if it has one. @param queue undefined: the head node's */
export const actionProgram = (clusterFolder: string, queue: string | undefined, event: NodeEvent): string =>
  join(clusterFolder, FOLDER, `${queue ?? HEAD}.${event}`);

/** The file for the message of a node whose actions failed. */
export const failureFile = (clusterFolder: string, node: string): string => join(clusterFolder, 'failures', node);
/** The output of a node's actions. */
export const actionLog = (clusterFolder: string, node: string): string =>
  join(clusterFolder, 'log', `custom-actions.${node}.log`);

export interface ActionSite {
  readonly folder: string;
  readonly clusterName: string;
  readonly region: string;
}

/** Writes the programs again. */
export function writeActions(actions: readonly CustomAction[], { folder, clusterName, region }: ActionSite): void {
  for (const name of [FOLDER, 'failures']) rmSync(join(folder, name), { recursive: true, force: true });
  for (const name of [FOLDER, 'failures']) mkdirSync(join(folder, name), { recursive: true });
  const programs = new Map<string, string[]>();
  actions.forEach(({ queue, event, script, args, content }, i) => {
    const copy = join(folder, FOLDER, `${i}.script`);
    writeFileSync(copy, content, { mode: 0o755 });
    const program = actionProgram(folder, queue, event);
    const lines = programs.get(program) ?? [];
    lines.push(`run ${event} ${[script, copy, ...args].map(quoted).join(' ')}`);
    programs.set(program, lines);
  });
  for (const [program, lines] of programs)
    writeFileSync(program, programText(lines, clusterName, region), { mode: 0o755 });
}

/** Called with the name of the node, and the file for its failure; the variables match ParallelCluster's cfnconfig. */
const programText = (lines: readonly string[], clusterName: string, region: string): string => `#!/bin/bash
node=$1 failure=$2
export stack_name=${quoted(clusterName)} cfn_region=${quoted(region)} cfn_scheduler=slurm cfn_node_name="$node"
export cfn_node_type=\${3:-ComputeFleet}
run() {
  local event=$1 script=$2
  shift 2
  echo "$(date -u +%FT%TZ) $event: $script"
  "$@" </dev/null
  local code=$?
  echo "$(date -u +%FT%TZ) $event: $script ended with exit code $code"
  [ $code = 0 ] && return
  echo "$event on $node: $script ended with exit code $code" > "$failure"
  exit 1
}
${lines.join('\n')}
`;

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
