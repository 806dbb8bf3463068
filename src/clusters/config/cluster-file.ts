// The part of a checked configuration file that Trenio uses. Other keys are checked and stored.

export interface ClusterFile {
  readonly Region?: string;
  readonly Image: { readonly Os: string };
  readonly HeadNode: HeadNodeSection;
  readonly Scheduling: SchedulingSection;
  readonly SharedStorage?: readonly SharedStorageSection[];
  readonly LoginNodes?: { readonly Pools: readonly { readonly Name: string; readonly Count: number | string }[] };
  readonly Tags?: readonly TagSection[];
  readonly DirectoryService?: object;
  readonly AdditionalPackages?: { readonly IntelSoftware?: { readonly IntelHpcPlatform?: boolean | string } };
}

export interface TagSection {
  readonly Key: string;
  readonly Value: string;
}

export interface HeadNodeSection {
  readonly InstanceType: string;
  readonly CustomActions?: CustomActionsSection;
  readonly LocalStorage?: LocalStorageSection;
}

export interface LocalStorageSection {
  readonly EphemeralVolume?: { readonly MountDir?: string };
}

export interface CustomActionSection {
  readonly Script: string;
  readonly Args?: readonly string[];
}

/** One action, or several in order. */
export type CustomActionsOfEvent = CustomActionSection | { readonly Sequence: readonly CustomActionSection[] };

export interface CustomActionsSection {
  readonly OnNodeStart?: CustomActionsOfEvent;
  readonly OnNodeConfigured?: CustomActionsOfEvent;
  readonly OnNodeUpdated?: CustomActionsOfEvent;
}

export interface SchedulingSection {
  readonly Scheduler: 'slurm' | 'awsbatch';
  readonly SlurmSettings?: SlurmSettingsSection;
  readonly SlurmQueues?: readonly QueueSection[];
  readonly AwsBatchQueues?: readonly { readonly ComputeResources?: object }[];
  readonly AwsBatchSettings?: object;
}

/** Lines of slurm.conf, by name. */
export type SlurmLines = Readonly<Record<string, unknown>>;

export interface SlurmSettingsSection {
  /** Minutes; -1: never. */
  readonly ScaledownIdletime?: number | string;
  readonly QueueUpdateStrategy?: 'DRAIN' | 'COMPUTE_FLEET_STOP' | 'TERMINATE';
  readonly EnableMemoryBasedScheduling?: boolean | string;
  readonly Database?: { readonly Uri: string; readonly DatabaseName?: string };
  readonly ExternalSlurmdbd?: object;
  readonly MungeKeySecretArn?: string;
  readonly CustomSlurmSettings?: readonly SlurmLines[];
  readonly CustomSlurmSettingsIncludeFile?: string;
}

export type CapacityType = 'ONDEMAND' | 'SPOT' | 'CAPACITY_BLOCK';

export interface QueueSection {
  readonly Name: string;
  readonly CapacityType?: CapacityType;
  readonly CapacityReservationTarget?: CapacityReservationSection;
  readonly ComputeSettings?: { readonly LocalStorage?: LocalStorageSection };
  readonly ComputeResources?: readonly ComputeResourceSection[];
  readonly CustomActions?: CustomActionsSection;
  readonly CustomSlurmSettings?: SlurmLines;
  readonly JobExclusiveAllocation?: boolean | string;
  readonly Networking?: { readonly SubnetIds: readonly string[]; readonly PlacementGroup?: PlacementGroupSection };
}

export interface PlacementGroupSection {
  readonly Enabled?: boolean | string;
  readonly Id?: string;
  readonly Name?: string;
}

export interface CapacityReservationSection {
  readonly CapacityReservationId?: string;
  readonly CapacityReservationResourceGroupArn?: string;
}

export interface ComputeResourceSection {
  readonly Name: string;
  readonly InstanceType?: string;
  readonly Instances?: readonly { readonly InstanceType: string }[];
  readonly MinCount?: number | string;
  readonly MaxCount?: number | string;
  readonly Efa?: { readonly Enabled?: boolean | string; readonly GdrSupport?: boolean | string };
  readonly Networking?: { readonly PlacementGroup?: PlacementGroupSection };
  readonly CapacityReservationTarget?: CapacityReservationSection;
  /** One CPU for each core. */
  readonly DisableSimultaneousMultithreading?: boolean | string;
  readonly SchedulableMemory?: number | string;
  readonly CustomSlurmSettings?: SlurmLines;
  readonly StaticNodePriority?: number | string;
  readonly DynamicNodePriority?: number | string;
  readonly Tags?: readonly TagSection[];
}

export type StorageType = 'Ebs' | 'Efs' | 'FsxLustre' | 'FsxOpenZfs' | 'FsxOntap' | 'FileCache';

export interface SharedStorageSection {
  readonly Name: string;
  readonly MountDir: string;
  readonly StorageType: StorageType;
  readonly EbsSettings?: SettingsSection;
  readonly EfsSettings?: SettingsSection;
  readonly FsxLustreSettings?: SettingsSection;
  readonly FsxOpenZfsSettings?: SettingsSection;
  readonly FsxOntapSettings?: SettingsSection;
  readonly FileCacheSettings?: SettingsSection;
}

export type SettingsSection = Readonly<Record<string, unknown>>;

/** ParallelCluster's default counts. */
export const defaultCounts = { min: 0, max: 10 } as const;
