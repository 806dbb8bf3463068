// Models, configurations, endpoints and replicas of a server, in SQLite. The server and the supervisors of replicas share it: the
// server adds and removes replicas, a supervisor updates its row, and ends when the row is removed.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Database } from '../../base/database.ts';
import { makeFolder } from '../../base/make-folder.ts';
import { ResourceTable, tableSchema } from '../../jobs/store/resource-table.ts';
import type { EndpointConfig, Model, Replica, ServingEndpoint } from './resources.ts';
import type { ScalableTarget, ScalingActivity, ScalingPolicy } from './scaling-resources.ts';

const SCHEMA = `${tableSchema('models', 'endpoint_configs', 'endpoints', 'scalable_targets', 'scaling_policies', 'scaling_activities')}
  CREATE TABLE IF NOT EXISTS replicas (id TEXT PRIMARY KEY, endpoint TEXT NOT NULL, data TEXT NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS replicas_of_endpoint ON replicas (endpoint);
  CREATE TABLE IF NOT EXISTS invocations (
    id TEXT PRIMARY KEY, endpoint TEXT NOT NULL, created_ms INTEGER NOT NULL, data TEXT NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS invocations_of_endpoint ON invocations (endpoint, created_ms);
  CREATE TABLE IF NOT EXISTS server (id INTEGER PRIMARY KEY CHECK (id = 1), seen_ms INTEGER NOT NULL) STRICT;
`;

interface Place {
  readonly bucket: string;
  readonly key: string;
}

/** An asynchronous invocation that has no answer yet. */
export interface AsyncInvocation {
  readonly id: string;
  readonly endpoint: string;
  readonly createdMs: number;
  readonly input: Place;
  readonly output: Place;
  readonly failure: Place | undefined;
  readonly contentType: string | undefined;
  readonly accept: string | undefined;
  readonly customAttributes: string | undefined;
  readonly inferenceId: string;
  readonly ttlMs: number;
  readonly timeoutMs: number;
}

export class EndpointStore {
  readonly models: ResourceTable<Model>;
  readonly configs: ResourceTable<EndpointConfig>;
  readonly endpoints: ResourceTable<ServingEndpoint>;
  readonly scalableTargets: ResourceTable<ScalableTarget>;
  readonly scalingPolicies: ResourceTable<ScalingPolicy>;
  readonly scalingActivities: ResourceTable<ScalingActivity>;
  readonly #database: Database;
  readonly #file: string;

  constructor(folder: string) {
    makeFolder(folder, 0o700);
    this.#file = join(folder, 'endpoints.sqlite');
    this.#database = new Database(this.#file, SCHEMA, 'FULL');
    this.models = new ResourceTable(this.#database, 'models');
    this.configs = new ResourceTable(this.#database, 'endpoint_configs');
    this.endpoints = new ResourceTable(this.#database, 'endpoints');
    this.scalableTargets = new ResourceTable(this.#database, 'scalable_targets');
    this.scalingPolicies = new ResourceTable(this.#database, 'scaling_policies');
    this.scalingActivities = new ResourceTable(this.#database, 'scaling_activities');
  }

  close(): void {
    this.#database.close();
  }

  /** Several changes as one. */
  transaction<T>(change: () => T): T {
    return this.#database.transaction(change);
  }

  /** Undefined: all. */
  replicas(endpoint?: string): readonly Replica[] {
    const rows =
      endpoint === undefined
        ? this.#database.prepare('SELECT data FROM replicas ORDER BY id').all()
        : this.#database.prepare('SELECT data FROM replicas WHERE endpoint = ? ORDER BY id').all(endpoint);
    return rows.map(row => JSON.parse(row.data as string) as Replica);
  }

  replica(id: string): Replica | undefined {
    const row = this.#database.prepare('SELECT data FROM replicas WHERE id = ?').get(id);
    return row && (JSON.parse(row.data as string) as Replica);
  }

  addReplica(replica: Replica): void {
    this.#database
      .prepare('INSERT INTO replicas (id, endpoint, data) VALUES (?, ?, ?)')
      .run(replica.id, replica.endpoint, JSON.stringify(replica));
  }

  /** Undefined leaves it unchanged. Returns the replica afterwards; undefined if it was removed. */
  updateReplica(id: string, change: (replica: Replica) => Replica | undefined): Replica | undefined {
    return this.#database.transaction(() => {
      const before = this.replica(id);
      const after = before && change(before);
      if (after !== undefined)
        this.#database.prepare('UPDATE replicas SET data = ? WHERE id = ?').run(JSON.stringify(after), id);
      return after ?? before;
    });
  }

  removeReplica(id: string): void {
    this.#database.prepare('DELETE FROM replicas WHERE id = ?').run(id);
  }

  addInvocation(invocation: AsyncInvocation): void {
    this.#database
      .prepare('INSERT INTO invocations (id, endpoint, created_ms, data) VALUES (?, ?, ?, ?)')
      .run(invocation.id, invocation.endpoint, invocation.createdMs, JSON.stringify(invocation));
  }

  /** The oldest invocations of an endpoint. */
  invocations(endpoint: string, limit: number): readonly AsyncInvocation[] {
    return this.#database
      .prepare('SELECT data FROM invocations WHERE endpoint = ? ORDER BY created_ms, rowid LIMIT ?')
      .all(endpoint, limit)
      .map(row => JSON.parse(row.data as string) as AsyncInvocation);
  }

  invocationCount(endpoint: string): number {
    const row = this.#database.prepare('SELECT count(*) AS count FROM invocations WHERE endpoint = ?').get(endpoint);
    return row?.count as number;
  }

  endpointsWithInvocations(): readonly string[] {
    return this.#database
      .prepare('SELECT DISTINCT endpoint FROM invocations')
      .all()
      .map(row => row.endpoint as string);
  }

  removeInvocation(id: string): void {
    this.#database.prepare('DELETE FROM invocations WHERE id = ?').run(id);
  }

  removeInvocationsOf(endpoint: string): void {
    this.#database.prepare('DELETE FROM invocations WHERE endpoint = ?').run(endpoint);
  }

  /** Records that the server is running at this time: replicas without a server exit after a while. */
  serverSeen(nowMs: number): void {
    this.#database
      .prepare(
        'INSERT INTO server (id, seen_ms) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET seen_ms = excluded.seen_ms',
      )
      .run(nowMs);
  }

  /** Undefined: never, or the folder was removed. */
  get serverSeenMs(): number | undefined {
    if (!existsSync(this.#file)) return undefined;
    return this.#database.prepare('SELECT seen_ms FROM server').get()?.seen_ms as number | undefined;
  }
}
