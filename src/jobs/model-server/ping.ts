// The health check of the serving contract.
import { get } from 'node:http';

/** The address of a replica: a port of 127.0.0.1, or a socket for a replica without a network. */
export type ReplicaAddress = { readonly port: number } | { readonly socketPath: string };

/** Whether GET /ping is answered with 200. */
export function pings(address: ReplicaAddress, timeoutMs: number): Promise<boolean> {
  return new Promise(resolve => {
    const request = get({ host: '127.0.0.1', ...address, path: '/ping', agent: false, timeout: timeoutMs }, answer => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    request.once('timeout', () => request.destroy(new Error('timeout')));
    request.once('error', () => resolve(false));
  });
}
