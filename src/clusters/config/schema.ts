// The types of the table of keys: the keys that ParallelCluster 3 allows in a configuration file, and the requirements for
// changing each. https://docs.aws.amazon.com/parallelcluster/latest/ug/cluster-configuration-file-v3.html

interface AnyField {
  readonly required?: boolean;
  /** The update policy of the key: the condition for applying a changed value. */
  readonly update?: string;
}

/** A single value. */
export interface ScalarField extends AnyField {
  readonly kind: 'text' | 'integer' | 'number' | 'boolean' | 'settings' | 'any';
  readonly oneOf?: readonly (string | number)[];
  /** Inclusive bounds; null: no bound. */
  readonly range?: readonly [number | null, number | null];
  /** The range of the text's length. */
  readonly length?: readonly [number | null, number | null];
  readonly pattern?: string;
}

export interface ListField extends AnyField {
  readonly kind: 'list';
  readonly item: Field;
  readonly length?: readonly [number | null, number | null];
  /** The key that identifies an item: on an update, items with the same name are compared, at any position. */
  readonly key?: string;
}

export interface MapField extends AnyField {
  readonly kind: 'map';
  readonly fields: Readonly<Record<string, Field>>;
}

export type Field = ScalarField | ListField | MapField;
