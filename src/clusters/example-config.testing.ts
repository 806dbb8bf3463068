// A configuration file for tests: small, with static and dynamic nodes, and a spot queue.
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
