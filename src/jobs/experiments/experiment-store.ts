// Experiments, their trials, and the components of trials, in SQLite. For a component created by a job, only the fields that
// clients add are stored here: the rest is read from the job.
//
//   experiment ──< trial >──< component ── job
import { join } from 'node:path';
import { Database } from '../../base/database.ts';
import { makeFolder } from '../../base/make-folder.ts';
import { ResourceTable, tableSchema } from '../store/resource-table.ts';
import type { Resource } from '../store/resources.ts';

export interface Experiment extends Resource {
  readonly displayName: string | undefined;
  readonly description: string | undefined;
}

export interface Trial extends Resource {
  readonly displayName: string | undefined;
  readonly experiment: string;
}

export type ParameterValue = { readonly StringValue: string } | { readonly NumberValue: number };
export interface Artifact {
  readonly MediaType?: string | undefined;
  readonly Value: string;
}

export interface Component extends Resource {
  readonly displayName: string | undefined;
  /** The ARN of the job that created it; undefined: a client did. */
  readonly sourceArn: string | undefined;
  readonly state: { readonly PrimaryStatus?: string | undefined; readonly Message?: string | undefined } | undefined;
  readonly startSeconds: number | undefined;
  readonly endSeconds: number | undefined;
  readonly parameters: Readonly<Record<string, object>>;
  readonly inputs: Readonly<Record<string, Artifact>>;
  readonly outputs: Readonly<Record<string, Artifact>>;
}

const SCHEMA = `${tableSchema('experiments', 'trials', 'components')}
  CREATE INDEX IF NOT EXISTS trials_of_experiment ON trials (json_extract(data, '$.experiment'));
  CREATE TABLE IF NOT EXISTS associations (
    trial TEXT NOT NULL, component TEXT NOT NULL, PRIMARY KEY (trial, component)) STRICT;
  CREATE INDEX IF NOT EXISTS associations_of_component ON associations (component);
`;

export class ExperimentStore {
  readonly experiments: ResourceTable<Experiment>;
  readonly trials: ResourceTable<Trial>;
  readonly components: ResourceTable<Component>;
  readonly #database: Database;

  constructor(folder: string) {
    makeFolder(folder, 0o700);
    this.#database = new Database(join(folder, 'experiments.sqlite'), SCHEMA, 'FULL');
    this.experiments = new ResourceTable(this.#database, 'experiments');
    this.trials = new ResourceTable(this.#database, 'trials');
    this.components = new ResourceTable(this.#database, 'components');
  }

  close(): void {
    this.#database.close();
  }

  /** Runs several changes in one transaction. */
  transaction<T>(change: () => T): T {
    return this.#database.transaction(change);
  }

  trialsOf(experiment: string): readonly string[] {
    return this.#names(
      "SELECT name FROM trials WHERE json_extract(data, '$.experiment') = ? ORDER BY name",
      experiment,
    );
  }

  componentsOf(trial: string): readonly string[] {
    return this.#names('SELECT component AS name FROM associations WHERE trial = ? ORDER BY component', trial);
  }

  trialsWith(component: string): readonly string[] {
    return this.#names('SELECT trial AS name FROM associations WHERE component = ? ORDER BY trial', component);
  }

  associate(trial: string, component: string): void {
    this.#database
      .prepare('INSERT INTO associations (trial, component) VALUES (?, ?) ON CONFLICT DO NOTHING')
      .run(trial, component);
  }

  /** False if they were not associated. */
  disassociate(trial: string, component: string): boolean {
    return (
      this.#database.prepare('DELETE FROM associations WHERE trial = ? AND component = ?').run(trial, component)
        .changes > 0
    );
  }

  #names(sql: string, value: string): readonly string[] {
    return this.#database
      .prepare(sql)
      .all(value)
      .map(({ name }) => name as string);
  }
}
