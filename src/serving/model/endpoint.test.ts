import { describe, expect, test } from 'vitest';
import { classifierModel } from './classifier-model.ts';
import { Endpoint, endpointNameOf } from './endpoint.ts';
import type { ServedModel } from './served-model.ts';
import type { Prediction, TextClassifier } from './text-classifier.ts';

const prediction = (text: string): Prediction => ({ label: text, score: 1, probabilities: { [text]: 1 } });

/** A model that answers on command and records its batches. */
function manualClassifier(maxBatch = 2, batchMs = 0) {
  const batches: { texts: readonly string[]; answer: PromiseWithResolvers<readonly Prediction[]> }[] = [];
  const arrivals: PromiseWithResolvers<void>[] = [Promise.withResolvers()];
  const classifier: TextClassifier = {
    maxBatch,
    batchMs,
    labels: ['a', 'b'],
    classify: texts => {
      const answer = Promise.withResolvers<readonly Prediction[]>();
      batches.push({ texts, answer });
      arrivals.push(Promise.withResolvers());
      arrivals[batches.length - 1]!.resolve();
      return answer.promise;
    },
  };
  const batch = async (i: number) => {
    await arrivals[i]!.promise;
    const { texts, answer } = batches[i]!;
    return { texts, answer: () => answer.resolve(texts.map(prediction)), fail: (e: Error) => answer.reject(e) };
  };
  return { classifier, batches, batch };
}

async function classify(
  endpoint: Endpoint,
  inputs: readonly string[],
  signal?: AbortSignal,
): Promise<readonly Prediction[]> {
  const answer = endpoint.answer({ inputs }, signal);
  if (answer.kind === 'stream') throw new Error('a classifier answers in one part');
  return (await answer.part) as readonly Prediction[];
}

async function ready(maxBatch?: number, options = {}, batchMs?: number) {
  const manual = manualClassifier(maxBatch, batchMs);
  const endpoint = new Endpoint('e', options);
  await endpoint.start(async () => classifierModel(manual.classifier));
  return { endpoint, ...manual };
}

describe('an endpoint', () => {
  test('requests that arrive together run together, later ones are queued for the next batch; all are answered in order', async () => {
    const { endpoint, batch, batches } = await ready(4);
    const first = [classify(endpoint, ['1']), classify(endpoint, ['2'])];
    const running = await batch(0);
    const others = [classify(endpoint, ['3']), classify(endpoint, ['4', '5'])];
    running.answer();
    (await batch(1)).answer();
    expect((await Promise.all(first)).flat()).toEqual([prediction('1'), prediction('2')]);
    expect((await Promise.all(others)).map(p => p.map(q => q.label))).toEqual([['3'], ['4', '5']]);
    expect(batches.map(b => b.texts)).toEqual([
      ['1', '2'],
      ['3', '4', '5'],
    ]);
  });

  test('while a batch runs, the next is submitted as soon as it is full; requests may be split across batches', async () => {
    const { endpoint, batch, batches } = await ready(2);
    const first = classify(endpoint, ['1']);
    const running = await batch(0);
    const others = [classify(endpoint, ['2']), classify(endpoint, ['3', '4']), classify(endpoint, ['5'])];
    expect(batches.map(b => b.texts)).toEqual([['1'], ['2', '3']]);
    running.answer();
    (await batch(1)).answer();
    (await batch(2)).answer();
    expect(await first).toEqual([prediction('1')]);
    expect((await Promise.all(others)).map(p => p.map(q => q.label))).toEqual([['2'], ['3', '4'], ['5']]);
    expect(batches.map(b => b.texts)).toEqual([['1'], ['2', '3'], ['4', '5']]);
  });

  test('rejects requests that do not fit into the queue, and continues', async () => {
    const { endpoint, batch } = await ready(4, { maxWaiting: 3 });
    const first = classify(endpoint, ['1', '2', '3']);
    const running = await batch(0);
    const second = classify(endpoint, ['4', '5']);
    await expect(classify(endpoint, ['6', '7'])).rejects.toMatchObject({
      code: 'ENDPOINT_OVERLOADED',
      data: { waiting: 2, limit: '3 texts', retryAfterSeconds: 1 },
    });
    running.answer();
    (await batch(1)).answer();
    expect(await first).toHaveLength(3);
    expect(await second).toHaveLength(2);
  });

  test('rejects requests that would wait too long, but lets one batch wait', async () => {
    const { endpoint, batch } = await ready(2, { maxWaitMs: 2000 }, 900);
    const taken = [classify(endpoint, ['1', '2'])];
    const running = await batch(0);
    // One batch runs, one is submitted, one waits.
    for (const texts of [['3', '4'], ['5'], ['6']]) taken.push(classify(endpoint, texts));
    await expect(classify(endpoint, ['7'])).rejects.toMatchObject({
      code: 'ENDPOINT_OVERLOADED',
      data: { waiting: 2, limit: '2000 ms', expectedMs: 3600, retryAfterSeconds: 4 },
    });
    expect(() => endpoint.admit()).toThrow(
      'the endpoint e is overloaded: 2 texts are waiting, and a new one would take about 3600 ms; the limit is 2000 ms\n' +
        '  fix: retry after 4 s (Retry-After), send fewer requests at once, or deploy on more cores',
    );
    running.answer();
    (await batch(1)).answer();
    (await batch(2)).answer();
    await Promise.all(taken);
    // The batches here take no time: the measurement replaces the known time.
    endpoint.admit();
  });

  test('a failing batch fails only its own requests', async () => {
    const { endpoint, batch } = await ready(1);
    const first = classify(endpoint, ['1']);
    const second = classify(endpoint, ['2']);
    (await batch(0)).fail(new Error('boom'));
    (await batch(1)).answer();
    await expect(first).rejects.toThrow('boom');
    expect(await second).toEqual([prediction('2')]);
  });

  test('an aborted request is not run, and frees its place in the queue immediately', async () => {
    const { endpoint, batch, batches } = await ready(4, { maxWaiting: 3 });
    const gone = new AbortController();
    const first = classify(endpoint, ['1']);
    const running = await batch(0);
    const second = classify(endpoint, ['2', '3', '4'], gone.signal);
    await expect(classify(endpoint, ['5'])).rejects.toMatchObject({ code: 'ENDPOINT_OVERLOADED' });
    gone.abort(new Error('gone'));
    const third = classify(endpoint, ['5', '6']);
    running.answer();
    await expect(second).rejects.toThrow('gone');
    (await batch(1)).answer();
    expect(await third).toHaveLength(2);
    await first;
    expect(batches.map(b => b.texts)).toEqual([['1'], ['5', '6']]);
    // Aborted before it is submitted.
    await expect(classify(endpoint, ['7'], gone.signal)).rejects.toThrow('gone');
    await endpoint.stop();
    expect(endpoint.state).toBe('stopped');
  });

  test('accepts requests only when ready; finishes pending ones when stopped', async () => {
    const manual = manualClassifier();
    const endpoint = new Endpoint('e');
    await expect(classify(endpoint, ['1'])).rejects.toThrow('it is loading');
    await endpoint.start(async () => classifierModel(manual.classifier));
    const last = classify(endpoint, ['1']);
    const stopped = endpoint.stop();
    await expect(classify(endpoint, ['2'])).rejects.toThrow('it is stopping');
    (await manual.batch(0)).answer();
    await stopped;
    expect(await last).toEqual([prediction('1')]);
    expect(endpoint.state).toBe('stopped');
  });

  test('fails if its model cannot be loaded', async () => {
    const endpoint = new Endpoint('e');
    await expect(endpoint.start(() => Promise.reject(new Error('no such checkpoint')))).rejects.toThrow('no such');
    expect(endpoint.state).toBe('failed');
    await endpoint.stop();
    expect(endpoint.state).toBe('failed');
  });

  test('stays stopped if it is stopped while loading', async () => {
    const endpoint = new Endpoint('e');
    const loaded = Promise.withResolvers<ServedModel>();
    const started = endpoint.start(() => loaded.promise);
    await endpoint.stop();
    loaded.resolve(classifierModel(manualClassifier().classifier));
    await started;
    expect(endpoint.state).toBe('stopped');
  });
});

/** Returns parts on request; `closed` when the stream was ended. */
function countingModel(unit = 'requests') {
  const closed = Promise.withResolvers<void>();
  const made: number[] = [];
  const model: ServedModel<number> = {
    description: { counts: true },
    unit,
    parse: body => body as number,
    async *run(count) {
      try {
        for (let i = 0; i < count; i++) {
          made.push(i);
          yield i;
        }
      } finally {
        closed.resolve();
      }
    },
  };
  return { model, made, closed: closed.promise };
}
function streamOf(endpoint: Endpoint, body: unknown, signal?: AbortSignal) {
  const answer = endpoint.answer(body, signal);
  if (answer.kind === 'whole') throw new Error('a stream was expected');
  return answer.parts;
}

describe('a model that answers with a stream', () => {
  test('computes parts on demand, counts as load until the last one, and delays stopping', async () => {
    const { model, made } = countingModel();
    const endpoint = new Endpoint('e', { maxWaiting: 1 });
    await endpoint.start(async () => model);
    expect(endpoint.description).toEqual({ counts: true });
    const parts = streamOf(endpoint, 3);
    expect(await parts.next()).toEqual({ done: false, value: 0 });
    expect(made).toEqual([0]);
    expect(() => endpoint.admit()).toThrow('the endpoint e is overloaded: 1 requests are waiting');
    let isStopped = false;
    const stopped = endpoint.stop().then(() => {
      isStopped = true;
    });
    expect(await parts.next()).toEqual({ done: false, value: 1 });
    expect(isStopped).toBe(false);
    expect(await Array.fromAsync(parts)).toEqual([2]);
    await stopped;
    expect(endpoint.state).toBe('stopped');
  });

  test('the stream ends when its reader stops or disconnects', async () => {
    const read = countingModel();
    const endpoint = new Endpoint('e');
    await endpoint.start(async () => read.model);
    for await (const part of streamOf(endpoint, 1e9)) if (part === 2) break;
    await read.closed;
    const gone = new AbortController();
    const parts = streamOf(endpoint, 1e9, gone.signal);
    await parts.next();
    gone.abort(new Error('gone'));
    await expect(parts.next()).rejects.toThrow('gone');
    await endpoint.stop();
  });

  test('a model that ignores its signal does not keep the endpoint from stopping', async () => {
    const entered = Promise.withResolvers<void>();
    const endpoint = new Endpoint('e');
    const deaf: ServedModel = {
      description: {},
      unit: 'requests',
      parse: body => body,
      async *run() {
        yield 1;
        entered.resolve();
        await new Promise(() => {});
      },
    };
    await endpoint.start(async () => deaf);
    const gone = new AbortController();
    const parts = streamOf(endpoint, {}, gone.signal);
    await parts.next();
    const second = parts.next();
    await entered.promise;
    gone.abort(new Error('gone'));
    await expect(second).rejects.toThrow('gone');
    await endpoint.stop();
  });

  test('its errors reach the reader, and free its slot', async () => {
    const endpoint = new Endpoint('e', { maxWaiting: 1 });
    const failing: ServedModel = {
      description: {},
      unit: 'requests',
      parse: body => body,
      run: body => {
        if (body === 'at once') throw new Error('at once');
        return (async function* () {
          yield 1;
          throw new Error('half way');
        })();
      },
    };
    await endpoint.start(async () => failing);
    expect(() => endpoint.answer('at once')).toThrow('at once');
    await expect(Array.fromAsync(streamOf(endpoint, {}))).rejects.toThrow('half way');
    endpoint.admit();
  });
});

test('endpoint names are validated', () => {
  expect(['a', 'review-polarity', 'A1', 'x'.repeat(63)].map(name => new Endpoint(name).name)).toHaveLength(4);
  for (const bad of ['', '-a', 'a-', 'a b', 'a/b', 'ü', 'x'.repeat(64), '..']) {
    expect(() => new Endpoint(bad), bad).toThrow('invalid endpoint name');
  }
  expect(['runs/Review polarity_2/', './', '..', 'x'.repeat(80), 'C:\\models\\bert'].map(endpointNameOf)).toEqual([
    'Review-polarity-2',
    'model',
    'model',
    'x'.repeat(63),
    'bert',
  ]);
});
