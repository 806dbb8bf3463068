// A text classifier as the model of an endpoint: one or many texts in, a list of predictions out, in batches.
import { TrenioError } from '../../base/errors.ts';
import { MicroBatcher } from './micro-batcher.ts';
import type { ServedModel } from './served-model.ts';
import type { Prediction, TextClassifier } from './text-classifier.ts';

const MOST_TEXTS = 256;
// Our name, and two that clients of other servers send.
const KEYS = ['inputs', 'instances', 'text'] as const;

/**
 * A text classifier as a model that an `Endpoint` serves.
 * @example
 * ```ts no-run
 * const model = classifierModel(await loadClassifier('runs/polarity/final'));
 * await deployModel('polarity', async () => model, { port: 8080 });
 * ```
 */
export function classifierModel(classifier: TextClassifier): ServedModel<readonly string[]> {
  const batcher = new MicroBatcher<string, Prediction>({
    maxBatch: classifier.maxBatch,
    batchMs: classifier.batchMs,
    run: texts => classifier.classify(texts),
  });
  return {
    description: { labels: classifier.labels },
    unit: 'texts',
    load: batcher,
    parse: (body, most) => readTexts(body, Math.min(MOST_TEXTS, most)),
    sizeOf: texts => texts.length,
    run: (texts, signal) => batcher.submit(texts, signal),
    whenIdle: () => batcher.whenIdle(),
  };
}

function readTexts(body: unknown, most: number): readonly string[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw invalid('', 'it is not an object');
  const given = KEYS.filter(key => Object.hasOwn(body, key));
  const [key] = given;
  if (key === undefined) throw invalid('', "'inputs' is missing");
  if (given.length > 1) throw invalid('', `${given.join(' and ')} are given, expected one of them`);
  const unknown = Object.keys(body).find(other => other !== key);
  if (unknown !== undefined) throw invalid(unknown, 'there is no such field');
  const texts: unknown = (body as Readonly<Record<string, unknown>>)[key];
  if (typeof texts === 'string') return [texts];
  if (!Array.isArray(texts))
    throw invalid(key, `expected a text or a list of texts, got ${texts === null ? 'null' : `a ${typeof texts}`}`);
  if (texts.length === 0) throw invalid(key, 'the list of texts is empty');
  if (texts.length > most) throw invalid(key, `${texts.length} texts, at most ${most} in one request`);
  const at = texts.findIndex(item => typeof item !== 'string');
  if (at >= 0) throw invalid(key, `item ${at} is not a text`);
  return texts as readonly string[];
}

function invalid(field: string, problem: string): TrenioError {
  return new TrenioError('REQUEST_INVALID', { field, problem });
}
