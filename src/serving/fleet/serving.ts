// The endpoints of a server: their store, the manager that runs them, and the ways to invoke them.

import type { Clocks } from '../../jobs/clocks.ts';
import type { InstancePool } from '../../jobs/instance-pool.ts';
import type { ObjectStore } from '../../objects/object-store.ts';
import { AsyncQueue } from './async-queue.ts';
import { Autoscaler } from './autoscaler.ts';
import { DataCapture } from './data-capture.ts';
import { EndpointManager } from './endpoint-manager.ts';
import { EndpointStore } from './endpoint-store.ts';
import { Invoker } from './invoker.ts';
import { type EndpointTraffic, TrafficStore } from './traffic.ts';

export interface ServingOptions {
  /** The server's folder. */
  readonly data: string;
  readonly objects: ObjectStore;
  readonly pool: InstancePool;
  /** The file with images. */
  readonly images: string | undefined;
  /** The program of the image `trenio`. */
  readonly serveProgram: string;
  readonly clocks: Clocks;
  readonly log: (line: string) => void;
}

export class Serving {
  readonly store: EndpointStore;
  readonly manager: EndpointManager;
  readonly invoker: Invoker;
  readonly queue: AsyncQueue;
  readonly #traffic: TrafficStore;
  readonly #capture: DataCapture;
  readonly #autoscaler: Autoscaler;

  constructor(options: ServingOptions) {
    this.store = new EndpointStore(options.data);
    this.#traffic = new TrafficStore(options.data);
    this.#capture = new DataCapture(options);
    this.manager = new EndpointManager({ ...options, store: this.store, traffic: this.#traffic });
    this.invoker = new Invoker(this.manager, this.#capture);
    this.queue = new AsyncQueue({ ...options, store: this.store, invoker: this.invoker });
    this.#autoscaler = new Autoscaler({ ...options, manager: this.manager, store: this.store });
  }

  start(): void {
    this.manager.start();
    this.queue.start();
    this.#autoscaler.start();
  }

  /** Applies the scaling of variants immediately. */
  scaleNow(): void {
    this.#autoscaler.tick();
  }

  /** The activity of an endpoint: its replicas now, and each minute since `fromMs`. Undefined if no endpoint has this name. */
  traffic(endpoint: string, fromMs: number): EndpointTraffic | undefined {
    const traffic = this.manager.live.traffic(endpoint, fromMs);
    return traffic && { ...traffic, backlog: this.store.invocationCount(endpoint) };
  }

  /** The time of instances of endpoints between two moments, to the hour; of deleted endpoints, too. */
  instanceTime(fromMs: number, toMs: number): readonly { readonly instanceType: string; readonly ms: number }[] {
    return this.#traffic.instanceTime(fromMs, toMs);
  }

  /** Replicas continue to run. */
  async close(): Promise<void> {
    this.#autoscaler.stop();
    await this.queue.close();
    this.manager.stop();
    await this.#capture.close();
    this.#traffic.close();
    this.store.close();
  }
}
