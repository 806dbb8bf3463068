// Reads and checks a configuration file of ParallelCluster 3: its keys against the table, then the rules that involve several
// keys.

import { schemaProblems } from './check-schema.ts';
import type { ClusterFile } from './cluster-file.ts';
import { type ConfigProblem, isError } from './problem.ts';
import { queueRules } from './queue-rules.ts';
import { readYaml } from './read-yaml.ts';
import type { Rule } from './rule.ts';
import { clusterSchema } from './schema-table.ts';
import { sectionRules } from './section-rules.ts';
import { storageRules } from './storage-rules.ts';

/** The limit for clusters with an accounting database, whose tables are named after the cluster. */
const MAX_NAME_WITH_ACCOUNTING = 40;

const nameRule: Rule = {
  type: 'ClusterNameValidator',
  *check({ Scheduling: { SlurmSettings: settings } }, name) {
    if (settings?.Database !== undefined && name.length > MAX_NAME_WITH_ACCOUNTING)
      yield {
        path: 'Scheduling.SlurmSettings.Database',
        message: `limits the cluster's name to ${MAX_NAME_WITH_ACCOUNTING} characters, and ${name} has ${name.length}`,
      };
  },
};
const rules: readonly Rule[] = [nameRule, ...sectionRules, ...queueRules, ...storageRules];
/** The rules that are part of ParallelCluster's schema, not of its validators. */
export const rulesOfSchema: readonly Rule[] = rules.filter(({ type }) => type === 'ConfigSchemaValidator');

export interface ParsedConfig {
  /** Undefined if a problem is an error. */
  readonly file: ClusterFile | undefined;
  readonly problems: readonly ConfigProblem[];
  /** The line of a path such as `Scheduling.SlurmQueues[0].Name`. */
  lineOf(path: string): number;
}

export function parseConfig(text: string, clusterName: string): ParsedConfig {
  const { value, lineOf, problems: syntax } = readYaml(text);
  if (syntax.length > 0) return { file: undefined, problems: syntax, lineOf };
  const wrong = schemaProblems(value, clusterSchema, lineOf);
  if (wrong.length > 0) return { file: undefined, problems: wrong, lineOf };
  const file = value as ClusterFile;
  const problems = rules.flatMap(({ type, check }) =>
    [...check(file, clusterName)].map(
      ({ path, message, level = 'ERROR' }): ConfigProblem => ({
        level,
        type,
        path,
        line: lineOf(path),
        message,
      }),
    ),
  );
  return { file: problems.some(isError) ? undefined : file, problems, lineOf };
}
