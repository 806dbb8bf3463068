// Checks of a configuration against its environment: the blocks that it names, and the lengths of paths.
import { TrenioError } from '../base/errors.ts';
import { soldBlocks } from './blocks/block-book.ts';
import { blockProblems } from './blocks/block-rules.ts';
import type { ClusterState } from './cluster-folder.ts';
import { type ClusterPlan, nodeNamesOf } from './cluster-plan.ts';
import { parseConfig } from './config/parse-config.ts';

/** The maximum length of a socket's path, in bytes. */
const MAX_SOCKET_PATH = 107;

/**
 * Checks that the capacity blocks that a file names were bought, and fit.
 * @throws {CLUSTER_CONFIG_INVALID}
 */
export function checkBlocks(text: string, name: string, serverFolder: string | undefined): void {
  const { file, lineOf } = parseConfig(text, name);
  if (file === undefined) return;
  const problems = blockProblems(file, soldBlocks(serverFolder), Date.now(), lineOf);
  if (problems.length > 0) throw new TrenioError('CLUSTER_CONFIG_INVALID', { file: 'the configuration', problems });
}

/** A step's socket is SPOOL/NODE_JOB.STEP: too long a path makes every job fail, hours later. */
export function checkPaths(plan: ClusterPlan, { runFolder, subnet }: ClusterState): void {
  for (const name of plan.groups.flatMap(nodeNamesOf)) {
    const spool = subnet === null ? `${runFolder}/s/${name}` : `${runFolder}/s`;
    const path = `${spool}/${name}_1234567.4294967291`;
    if (Buffer.byteLength(path) > MAX_SOCKET_PATH)
      throw new Error(
        `the socket of a job on ${name} would be ${path}, ${Buffer.byteLength(path)} bytes, more than ${MAX_SOCKET_PATH}: use shorter names, or a shorter TMPDIR`,
      );
  }
}
