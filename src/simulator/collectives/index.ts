// Times of collectives on the real topology.
export * from './collective.ts';
export { collectiveTime } from './collective-time.ts';
export { groupOfDevices } from './device-groups.ts';
export {
  type CommunicationStack,
  ncclStack,
  neuronFlatRingStack,
  neuronRingStack,
  neuronStack,
  sharedMemoryStack,
  stackOf,
} from './stack.ts';
