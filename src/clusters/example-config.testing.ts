// Configuration files for tests, and whether this machine can run them.
import { execFileSync } from 'node:child_process';

/** Small, with static and dynamic nodes, and a spot queue. */
export const exampleConfig = `Image:
  Os: alinux2
HeadNode:
  InstanceType: c5.4xlarge
  Networking:
    SubnetId: subnet-12345678
Scheduling:
  Scheduler: slurm
  SlurmSettings:
    ScaledownIdletime: 1
    CustomSlurmSettings:
      - KillWait: 20
  SlurmQueues:
    - Name: train
      Networking:
        SubnetIds:
          - subnet-12345678
      ComputeResources:
        - Name: trn1
          InstanceType: trn1.32xlarge
          MinCount: 2
          MaxCount: 3
    - Name: spare
      CapacityType: SPOT
      Networking:
        SubnetIds:
          - subnet-12345678
      ComputeResources:
        - Name: p4
          InstanceType: p4d.24xlarge
SharedStorage:
  - Name: shared
    MountDir: /shared
    StorageType: Ebs
    EbsSettings:
      VolumeType: gp3
`;

/** Only static nodes: `nodes` on-demand nodes, and two spot nodes. */
export const smallCluster = (nodes: number): string => `Image: { Os: alinux2 }
HeadNode:
  InstanceType: c5.4xlarge
  Networking: { SubnetId: subnet-12345678 }
Scheduling:
  Scheduler: slurm
  SlurmQueues:
    - Name: train
      Networking: { SubnetIds: [subnet-12345678] }
      ComputeResources:
        - { Name: trn1, InstanceType: trn1.32xlarge, MinCount: ${nodes}, MaxCount: ${nodes} }
    - Name: spare
      CapacityType: SPOT
      Networking: { SubnetIds: [subnet-12345678] }
      ComputeResources:
        - { Name: trn1, InstanceType: trn1.2xlarge, MinCount: 2, MaxCount: 2 }
`;

/** Nodes with separate networks need root. */
export const canMakeClusters = (): boolean =>
  process.getuid?.() === 0 && ['slurmctld', 'slurmd', 'munged', 'ip', 'unshare'].every(has);

function has(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `PATH="$PATH:/usr/sbin:/sbin" command -v ${program}`]);
    return true;
  } catch {
    return false;
  }
}
