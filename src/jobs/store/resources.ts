// Parts of stored resources of several kinds.
export type Tags = Readonly<Record<string, string>>;

/** The fields of every resource. */
export interface Resource {
  readonly name: string;
  readonly arn: string;
  readonly tags: Tags;
  /** The original request, echoed by Describe operations. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly createdMs: number;
  readonly modifiedMs: number;
}

/** Files of a model: one archive, or all objects below a prefix. */
export interface ModelData {
  readonly kind: 'archive' | 'prefix';
  readonly bucket: string;
  readonly key: string;
}

export interface Container {
  readonly image: string;
  readonly data: ModelData | undefined;
  readonly environment: Readonly<Record<string, string>>;
  readonly hasNetwork: boolean;
}

export interface Folder {
  readonly bucket: string;
  /** Empty, or with a slash at its end. */
  readonly prefix: string;
}
