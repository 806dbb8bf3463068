// The supervisor of a replica: starts its program, writes its output to the log, and ends it on SIGTERM from the server, when its
// row is removed, or when there has been no server for a while. A restart of the server does not affect it.
//
//   node replica-main.ts '{"data": …, "id": …, "images": …, "cores": …, "serveProgram": …}'

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ownIdentity } from '../../base/process-identity.ts';
import { ClientFault } from '../../jobs/client-fault.ts';
import { readImages } from '../../jobs/images.ts';
import { LastChange } from '../../jobs/last-change.ts';
import { LogLines } from '../../jobs/logs/log-lines.ts';
import { LogStore } from '../../jobs/logs/log-store.ts';
import { NotReadyError, ServingProgram } from '../../jobs/model-server/serving-program.ts';
import { hiddenFromJobs, programVariables } from '../../jobs/training/sandbox.ts';
import { ObjectStore } from '../../objects/object-store.ts';
import { EndpointStore } from './endpoint-store.ts';
import { logGroupOf, logStreamOf } from './replica-names.ts';
import type { FleetVariant } from './resources.ts';

const argumentsSchema = z.strictObject({
  data: z.string(),
  id: z.string(),
  images: z.string().optional(),
  cores: z.number(),
  serveProgram: z.string(),
});
export type ReplicaArguments = z.infer<typeof argumentsSchema>;

const LOOK_MS = 1000;
/** If a killed server is not started again within this time, its replicas exit. */
const WITHOUT_SERVER_MS = 10 * 60_000;

const { data, id, images, cores, serveProgram } = argumentsSchema.parse(JSON.parse(process.argv[2] ?? ''));
const store = new EndpointStore(data);
const asked = new AbortController();
process.once('SIGTERM', () => asked.abort());
process.once('SIGINT', () => asked.abort());

// Only the first supervisor gets the replica.
const claimed = store.updateReplica(id, one =>
  one.process === undefined && one.status === 'starting' ? { ...one, process: ownIdentity() } : undefined,
);
if (claimed?.process?.pid === process.pid) await supervise();
// The replica was removed before this process started.
else if (claimed?.process === undefined) store.removeReplica(id);
store.close();

async function supervise(): Promise<void> {
  const replica = store.replica(id)!;
  const variant = variantOf();
  if (variant === undefined) return;
  const logs = new LogStore(data);
  const objects = new ObjectStore(join(data, 'objects'));
  const lines = new LogLines(logs, logGroupOf(replica.endpoint), logStreamOf(replica));
  const folder = join(data, 'replicas', id);
  const server = new LastChange(performance.now());
  const watch = setInterval(() => {
    const seenMs = store.serverSeenMs;
    const isGone = seenMs === undefined || store.replica(id)?.process?.pid !== process.pid;
    if (isGone || server.sinceMs(seenMs, performance.now()) > WITHOUT_SERVER_MS) asked.abort();
  }, LOOK_MS);
  let program: ServingProgram | undefined;
  try {
    const image = readImages(images)(variant.container.image);
    if (image === undefined)
      throw new ClientFault(`The image '${variant.container.image}' is not known to this server.`);
    program = await ServingProgram.start({
      objects,
      container: variant.container,
      image,
      folder,
      hostName: id,
      cores,
      inherited: programVariables(),
      hidden: hiddenFromJobs(data),
      variables: {},
      serveProgram,
      startupTimeoutMs: variant.startupTimeoutMs,
      onLine: line => lines.add(line),
      claimPort: port =>
        !store.replicas().some(({ address }) => address !== undefined && 'port' in address && address.port === port),
    });
    const { address } = program;
    // Stored before it is ready: if this process is killed, the server removes its socket.
    store.updateReplica(id, one => ({ ...one, address }));
    const stopped = new Promise<void>(resolve => {
      asked.signal.addEventListener('abort', () => resolve());
      if (asked.signal.aborted) resolve();
    });
    await Promise.race([program.ready(asked.signal), stopped]);
    if (!asked.signal.aborted)
      store.updateReplica(id, one =>
        one.status === 'starting' ? { ...one, status: 'ready', readyMs: Date.now() } : undefined,
      );
    const exit = await Promise.race([program.ended, stopped]);
    await program.stop();
    if (typeof exit === 'number') fail(`the program ended with exit code ${exit}`);
  } catch (error) {
    await program?.stop(0);
    if (!asked.signal.aborted) {
      const isExpected = error instanceof NotReadyError || error instanceof ClientFault;
      const reason = error instanceof Error ? error.message : String(error);
      lines.add(reason);
      fail(reason);
      if (!isExpected) process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    }
  } finally {
    clearInterval(watch);
    lines.close();
    await rm(folder, { recursive: true, force: true });
    objects.close();
    logs.close();
  }
  // A row with a failure reason is kept for the server, which removes it.
  if (asked.signal.aborted && store.serverSeenMs !== undefined) store.removeReplica(id);
}

function fail(reason: string): void {
  store.updateReplica(id, one => ({ ...one, status: 'failed', reason }));
}

function variantOf(): FleetVariant | undefined {
  const replica = store.replica(id);
  const endpoint = replica && store.endpoints.get(replica.endpoint);
  const fleet = [endpoint?.fleet, endpoint?.update?.fleet].find(one => one?.id === replica?.fleet);
  return fleet?.variants.find(({ name }) => name === replica?.variant);
}
