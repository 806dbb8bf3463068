// Opens the socket on which this rank accepts connections from other hosts, without the rest of the runtime.
import { readVariable, type Variables } from '../../base/environment.ts';
import { TrenioError } from '../../base/errors.ts';
import { errnoText } from '../execution/errno-text.ts';
import { loadLaunchLibrary } from './launch-memory.ts';

/**
 * The file descriptor of the socket and its port. It stays open until the runtime of this process starts and uses it.
 * @throws {CONNECT_FAILED}
 * @throws {NO_C_COMPILER}
 * @throws {BAD_ENVIRONMENT}
 */
export function listenForRanks(
  address: string,
  variables?: Variables,
): { readonly file: number; readonly port: number } {
  const { file, port, errno } = loadLaunchLibrary(variables).tcpListen(address, 0);
  if (errno === 0) return { file, port };
  const peer = `the other ranks: it cannot listen at ${address}`;
  throw new TrenioError('CONNECT_FAILED', {
    rank: readVariable('RANK', variables) ?? 0,
    peer,
    reason: errnoText(errno),
  });
}
