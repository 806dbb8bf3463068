// The custom actions of the head node, which is this machine, and the messages for failed actions.
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { inheritedVariables } from '../../base/environment.ts';
import type { ClusterFolder, ClusterState } from '../cluster-folder.ts';
import { CLUSTER_MARK } from '../slurm/slurm-programs.ts';
import { withVolumes } from '../storage/shared-view.ts';
import { actionLog, actionProgram, failureFile } from './action-scripts.ts';
import type { NodeEvent } from './custom-actions.ts';

/** Lines of output shown of a custom action that failed. */
const LOG_LINES = 10;

/** The head node is this machine: its actions run here, and see the shared storage. */
export function runHeadActions(folder: ClusterFolder, { volumes }: ClusterState, event: NodeEvent): void {
  const program = actionProgram(folder.path, undefined, event);
  if (!existsSync(program)) return;
  const node = 'head-node';
  const log = openSync(actionLog(folder.path, node), 'a');
  const failure = failureFile(folder.path, node);
  const [command, ...args] = withVolumes(volumes, [program, node, failure, 'HeadNode']);
  const { status } = spawnSync(command!, args, {
    stdio: ['ignore', log, log],
    env: { ...inheritedVariables(), [CLUSTER_MARK]: folder.path },
  });
  closeSync(log);
  if (status !== 0) throw new Error(actionFailure(folder, node) ?? `${event} of the head node could not be started`);
}

/** The message of a failed custom action of a node, with the end of its output. */
export function actionFailure(folder: ClusterFolder, node: string): string | undefined {
  const file = failureFile(folder.path, node);
  if (!existsSync(file)) return undefined;
  const output = readFileSync(actionLog(folder.path, node), 'utf8').trimEnd().split('\n').slice(-LOG_LINES);
  return [readFileSync(file, 'utf8').trim(), ...output.map(line => `  ${line}`)].join('\n');
}
