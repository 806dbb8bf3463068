// The options for loading a model for an endpoint.

/** Options of the loaders of served models. */
export interface LoadOptions {
  /** The largest number of items in one run. */
  readonly maxBatch?: number | undefined;
  /** Called with messages, such as a warning about a randomly initialized classifier. */
  readonly onWarning?: ((message: string) => void) | undefined;
}
