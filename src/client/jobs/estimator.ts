// `Estimator`: runs a script as a training job, like SageMaker's SDK. It is a client of a job server; nothing is trained here.
import { TrenioError } from '../../base/errors.ts';
import { refuseUnknownOptions } from '../../base/known-options.ts';
import type { ProgressStream } from '../../base/progress.ts';
import { TaskProgress } from '../../base/task-progress.ts';
import type { DeployEstimatorOptions } from '../endpoints/deploy-options.ts';
import { Predictor } from '../endpoints/predictor.ts';
import type { JobServerClient } from '../job-server.ts';
import type { ConnectionOptions } from '../wire/connection.ts';
import { checkEstimatorOptions, type EstimatorOptions, jobNameOf } from './estimator-options.ts';
import { followJob } from './follow-job.ts';
import { optionsOfJob, trainingJobRequest } from './job-request.ts';
import { formatTrainingCost } from './training-cost.ts';
import { channelsOf, type TrainingInputs } from './training-inputs.ts';
import { isEnded, type TrainingJobInfo } from './training-job-info.ts';
import { describeJob } from './training-jobs.ts';

/** Options of `Estimator.fit`. */
export interface FitOptions {
  /** The name of the job. Default: made from `baseJobName` and the time. */
  readonly jobName?: string | undefined;
  /** Wait until it has ended. Default true. */
  readonly wait?: boolean | undefined;
  /** Print the output of the job. Default true. */
  readonly logs?: boolean | undefined;
  /** The stream to print to. Default: standard output. */
  readonly stream?: ProgressStream | undefined;
  /** Stops waiting; the job continues. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A script that a job server trains, such as `trenio server`. The names match SageMaker's Python SDK, in camelCase.
 *
 * @example
 * ```ts no-run
 * const estimator = new Estimator({
 *   entryPoint: 'train.ts',
 *   sourceDir: 'src',
 *   instanceType: 'ml.trn1.32xlarge',
 *   distribution: { torchDistributed: { enabled: true } },
 *   hyperparameters: { epochs: 3 },
 * });
 * const job = await estimator.fit({ train: 's3://data/reviews' });
 * console.log(job.metrics, job.cost.claimedUsd);
 * ```
 */
export class Estimator {
  readonly #options: EstimatorOptions;
  #job: string | undefined;

  /**
   * @throws {NO_SUCH_OPTION} for an option that does not exist, with the nearest name
   * @throws {INVALID_OPTION} for a value that cannot be used
   */
  constructor(options: EstimatorOptions) {
    checkEstimatorOptions(options);
    this.#options = options;
  }

  /**
   * The estimator of an existing job: to wait for it, deploy its model, stop it, or train again.
   * @throws {SERVICE_REFUSED} if there is no such job
   * @throws {NO_JOB_SERVER}
   * @example
   * ```ts no-run
   * const estimator = await Estimator.attach('trenio-2026-11-23-10-00-00-000');
   * await estimator.wait();
   * ```
   */
  static async attach(
    jobName: string,
    {
      connection,
    }: {
      /** The job server. */
      readonly connection?: ConnectionOptions | undefined;
    } = {},
  ): Promise<Estimator> {
    using server = await connect(connection);
    const job = await server.services.sagemaker('DescribeTrainingJob', { TrainingJobName: jobName });
    const attached = new Estimator(optionsOfJob(job, connection));
    attached.#job = job.TrainingJobName;
    return attached;
  }

  /** The name of the job that was started last, or attached. */
  get latestJobName(): string | undefined {
    return this.#job;
  }

  /**
   * Trains: uploads the code and local data, starts a job, waits for it and prints its output. Ctrl-C stops the waiting,
   * not the job.
   * @throws {TRAINING_JOB_FAILED} if it fails
   * @throws {SERVICE_REFUSED} if the server rejects the job
   * @throws {NO_JOB_SERVER}
   * @throws {FILE_UNREADABLE} for code or data that does not exist
   * @example
   * ```ts no-run
   * const estimator = new Estimator({ entryPoint: 'train.ts', instanceType: 'ml.trn1.2xlarge' });
   * const { modelData, billableSeconds } = await estimator.fit({ train: './data/train', test: 's3://data/test' });
   * ```
   */
  async fit(inputs?: TrainingInputs, options: FitOptions = {}): Promise<TrainingJobInfo> {
    refuseUnknownOptions('fit', options, ['jobName', 'wait', 'logs', 'stream', 'signal']);
    const { jobName = jobNameOf(this.#options, Date.now()), wait = true, stream = process.stdout, signal } = options;
    using server = await this.#connect();
    {
      const { prepareJob } = await import('./prepare-job.ts');
      using progress = new TaskProgress({ stream });
      progress.update({ what: `preparing ${jobName}` });
      const prepared = await prepareJob(server, this.#options, jobName, channelsOf(inputs), progress, signal);
      await server.services.sagemaker('CreateTrainingJob', trainingJobRequest(this.#options, prepared), signal);
    }
    this.#job = jobName;
    if (wait) return this.wait(options);
    return describeJob(server, jobName, signal);
  }

  /**
   * Waits for the latest job, as `fit` does.
   * @throws {TRAINING_JOB_FAILED} if it has failed
   * @throws {NO_TRAINING_JOB}
   * @example
   * ```ts no-run
   * const estimator = new Estimator({ entryPoint: 'train.ts', instanceType: 'ml.trn1.2xlarge' });
   * await estimator.fit({ train: './data' }, { wait: false });
   * const { metrics } = await estimator.wait();
   * ```
   */
  async wait({ logs = true, stream = process.stdout, signal }: FitOptions = {}): Promise<TrainingJobInfo> {
    const name = this.#latest('wait');
    using server = await this.#connect();
    const detached = (): void => {
      stream.write(
        `\n${name} continues. To follow it: trenio jobs logs -f ${name}. To stop it: trenio jobs stop ${name}\n`,
      );
    };
    using _interrupts = signal === undefined ? onInterrupt(detached) : undefined;
    let job: TrainingJobInfo;
    try {
      job = await followJob(server, name, { stream, logs, signal });
    } catch (error) {
      if (signal?.aborted) detached();
      throw error;
    }
    if (job.status === 'Failed')
      throw new TrenioError('TRAINING_JOB_FAILED', { job: name, reason: job.failureReason ?? 'without a reason' });
    const { billableSeconds = 0, cost, instanceCount } = job;
    const price = formatTrainingCost(cost, instanceCount);
    stream.write(`${name}: ${job.secondaryStatus}, ${billableSeconds} s billed${price === '' ? '' : `, ${price}`}\n`);
    return job;
  }

  /**
   * Returns the state or the result of the latest job, without waiting.
   * @throws {NO_TRAINING_JOB}
   * @example
   * ```ts no-run
   * const estimator = await Estimator.attach('trenio-2026-11-23-10-00-00-000');
   * const { status, metrics, cost } = await estimator.result();
   * ```
   */
  async result(): Promise<TrainingJobInfo> {
    const name = this.#latest('result');
    using server = await this.#connect();
    return describeJob(server, name);
  }

  /**
   * Stops the latest job: its script gets SIGTERM, and the content of its model folder is kept. A job that has ended is not
   * changed.
   * @throws {NO_TRAINING_JOB}
   * @example
   * ```ts no-run
   * const estimator = await Estimator.attach('trenio-2026-11-23-10-00-00-000');
   * await estimator.stop();
   * ```
   */
  async stop(): Promise<void> {
    const name = this.#latest('stop');
    using server = await this.#connect();
    if (isEnded((await describeJob(server, name)).status)) return;
    await server.services.sagemaker('StopTrainingJob', { TrainingJobName: name });
  }

  /**
   * Serves the model of the latest job as an endpoint, on any instance type: a model that was trained on accelerators also runs
   * on `ml.c5.xlarge`. Returns when it answers.
   * @throws {NO_TRAINING_JOB}
   * @throws {TRAINING_JOB_FAILED} if the job has failed
   * @throws {DEPLOYMENT_FAILED} if the endpoint does not start
   * @example
   * ```ts no-run
   * const estimator = await Estimator.attach('trenio-2026-11-23-10-00-00-000');
   * const predictor = await estimator.deploy({ initialInstanceCount: 1, instanceType: 'ml.c5.xlarge' });
   * console.log(await predictor.predict({ inputs: 'A lovely book' }));
   * await predictor.deleteEndpoint();
   * ```
   */
  async deploy(options: DeployEstimatorOptions): Promise<Predictor> {
    const name = this.#latest('deploy');
    const { deployModelData } = await import('../endpoints/deploy-model.ts');
    using server = await this.#connect();
    const job = await describeJob(server, name, options.signal);
    if (job.status === 'Failed')
      throw new TrenioError('TRAINING_JOB_FAILED', { job: name, reason: job.failureReason ?? 'without a reason' });
    const endpointName = options.endpointName ?? name;
    const role = this.#options.role ?? (await server.defaultRole());
    await deployModelData(server, { image: job.image, modelData: job.modelData, role }, endpointName, options);
    return new Predictor(endpointName, { connection: this.#options.connection });
  }

  #connect(): Promise<JobServerClient> {
    return connect(this.#options.connection);
  }

  /** @throws {NO_TRAINING_JOB} */
  #latest(what: string): string {
    if (this.#job === undefined) throw new TrenioError('NO_TRAINING_JOB', { what });
    return this.#job;
  }
}

/** Loaded on demand, so that scripts that only train do not load it. */
async function connect(options: ConnectionOptions | undefined): Promise<JobServerClient> {
  return (await import('../job-server.ts')).JobServerClient.connect(options);
}

/** Prints a message before Ctrl-C ends the process, unless the program handles the signal itself. */
function onInterrupt(say: () => void): Disposable {
  const isDefault = process.listenerCount('SIGINT') === 0;
  const listener = (): void => {
    say();
    if (isDefault) process.kill(process.pid, 'SIGINT');
  };
  process.once('SIGINT', listener);
  return { [Symbol.dispose]: () => void process.removeListener('SIGINT', listener) };
}
