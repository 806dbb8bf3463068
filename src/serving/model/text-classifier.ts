// The interface between an endpoint and a classifier: texts in, predictions out. The server does not depend on models, and is
// tested without one.

/** The class of a text. */
export interface Prediction {
  /** The most probable label. */
  readonly label: string;
  /** Its probability. */
  readonly score: number;
  /** The probability of every label; they sum to 1. */
  readonly probabilities: Readonly<Record<string, number>>;
}

/** Assigns a label to each text. */
export interface TextClassifier {
  /** A prediction for each text, in order. Called with at most `maxBatch` texts; calls may overlap. */
  classify(texts: readonly string[]): Promise<readonly Prediction[]>;
  /** The maximum number of texts in one call. */
  readonly maxBatch: number;
  /** The measured time of a full batch of short texts when the model was loaded, if any. */
  readonly batchMs?: number;
  /** The labels, in the order of the model's outputs. */
  readonly labels: readonly string[];
}
