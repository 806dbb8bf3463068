// Resources that a job shares with the machine and with other jobs, as sentences for its owner: isolation depends on the
// rights of the server. Shown by `trenio jobs show` and by the console.
import type { NetworkKind } from '../hosts/host-network.ts';
import type { Isolation } from './sandbox.ts';

export interface Surroundings {
  readonly isolation: Isolation;
  readonly isContainer: boolean;
  readonly network: NetworkKind;
  /** Whether the job requested EnableNetworkIsolation. */
  readonly wantsNoNetwork: boolean;
  /** Whether memory, cores and processes are limited for each host; undefined: by the machines of a cluster. */
  readonly hasGroups: boolean | undefined;
}

/** Empty if it shares nothing that matters. */
export function sharedWithMachine(of: Surroundings): readonly string[] {
  const { isolation, isContainer, network, wantsNoNetwork, hasGroups } = of;
  const notes: string[] = [];
  if (isolation === 'none' && !isContainer)
    notes.push(
      'All files and processes of the machine, the folder and the keys of the server included: it does not allow namespaces.',
    );
  else if (!isContainer)
    notes.push(
      isolation === 'namespaces'
        ? 'Files outside /opt/ml, /tmp and the folder of the server, with the rights of an unprivileged user.'
        : 'Files outside /opt/ml, /tmp and the folder of the server, with the rights of the user of the server.',
    );
  if (network === 'shared' && !(isContainer && wantsNoNetwork))
    notes.push(
      wantsNoNetwork
        ? 'The network, although EnableNetworkIsolation is set: the machine does not allow network namespaces.'
        : 'The network, with the ports of other programs on 127.0.0.1.',
    );
  if (hasGroups === false)
    notes.push(
      'Cores, and the number of processes: the machine does not allow control groups. Memory is limited for each process.',
    );
  return notes;
}
