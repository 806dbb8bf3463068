// The states of a training job, in SageMaker's terms, and which party may make each transition.
//
//   Starting ─► Downloading ─► Training ─► Uploading ─► Completed
//    ▲    ▲          │             │           │
//    │    │          ├─────────────┼───────────┼──► Failed
//    │    └─ Interrupted ◄─────────┤           │                             its spot instances were taken back
//    │               └─────────────┼───────────┼──► MaxWaitTimeExceeded      waiting included
//    └────── Restarting ◄──────────┘           │                             an internal error, with a RetryStrategy
//                                              ├──► Stopped                  a client asked
//   Stopping ────────────► Uploading ──────────┴──► MaxRuntimeExceeded       its time, over all attempts, was used up
//
// The server's scheduler changes the state of a job without a runner; the runner does so while it holds the job's lock; a client
// may only request a stop.

export const secondaryStatuses = [
  'Starting',
  'Downloading',
  'Training',
  'Uploading',
  'Interrupted',
  'Restarting',
  'Stopping',
  'Stopped',
  'MaxRuntimeExceeded',
  'MaxWaitTimeExceeded',
  'Completed',
  'Failed',
] as const;
export type SecondaryStatus = (typeof secondaryStatuses)[number];

const trainingJobStatuses = ['InProgress', 'Completed', 'Failed', 'Stopping', 'Stopped'] as const;
export type TrainingJobStatus = (typeof trainingJobStatuses)[number];

/** The parties that change the state of a job. */
export type Mover = 'client' | 'scheduler' | 'runner';

const moves: Readonly<Record<SecondaryStatus, Partial<Record<SecondaryStatus, readonly Mover[]>>>> = {
  Starting: {
    Downloading: ['runner'],
    Stopping: ['client', 'scheduler'],
    // The scheduler: its MaxPendingTimeInSeconds is over.
    Stopped: ['client', 'scheduler'],
    MaxWaitTimeExceeded: ['scheduler'],
    Failed: ['scheduler', 'runner'],
    Restarting: ['scheduler', 'runner'],
  },
  Downloading: {
    Training: ['runner'],
    Stopping: ['client', 'scheduler'],
    Interrupted: ['runner'],
    Failed: ['runner', 'scheduler'],
    Restarting: ['scheduler', 'runner'],
  },
  Training: {
    Uploading: ['runner'],
    Stopping: ['client', 'runner', 'scheduler'],
    Interrupted: ['runner'],
    Failed: ['runner', 'scheduler'],
    Restarting: ['scheduler', 'runner'],
  },
  Uploading: {
    Completed: ['runner'],
    Failed: ['runner', 'scheduler'],
    Stopped: ['runner'],
    MaxRuntimeExceeded: ['runner'],
    MaxWaitTimeExceeded: ['runner'],
    Stopping: ['client', 'scheduler'],
    Restarting: ['scheduler', 'runner'],
  },
  Interrupted: {
    Starting: ['scheduler'],
    Stopped: ['client'],
    MaxWaitTimeExceeded: ['scheduler'],
    Failed: ['scheduler'],
  },
  Restarting: {
    Downloading: ['runner'],
    Stopping: ['client', 'scheduler'],
    Stopped: ['client'],
    Failed: ['scheduler', 'runner'],
    MaxWaitTimeExceeded: ['scheduler'],
    MaxRuntimeExceeded: ['scheduler'],
    Restarting: ['scheduler', 'runner'],
  },
  Stopping: {
    Uploading: ['runner'],
    Stopped: ['runner', 'scheduler'],
    MaxRuntimeExceeded: ['runner'],
    MaxWaitTimeExceeded: ['runner'],
    Completed: ['runner'],
    Failed: ['runner', 'scheduler'],
  },
  Stopped: {},
  MaxRuntimeExceeded: {},
  MaxWaitTimeExceeded: {},
  Completed: {},
  Failed: {},
};

export const mayMove = (from: SecondaryStatus, to: SecondaryStatus, mover: Mover): boolean =>
  moves[from][to]?.includes(mover) ?? false;

/** The final states. */
export const isFinal = (status: SecondaryStatus): boolean => Object.keys(moves[status]).length === 0;

export function statusOf(secondary: SecondaryStatus): TrainingJobStatus {
  switch (secondary) {
    case 'Completed':
    case 'Failed':
    case 'Stopping':
      return secondary;
    case 'Stopped':
    case 'MaxRuntimeExceeded':
    case 'MaxWaitTimeExceeded':
      return 'Stopped';
    case 'Starting':
    case 'Downloading':
    case 'Training':
    case 'Uploading':
    case 'Interrupted':
    case 'Restarting':
      return 'InProgress';
  }
}

/** SageMaker's message for each state. */
export const statusMessages: Readonly<Record<SecondaryStatus, string>> = {
  Starting: 'Starting the training job',
  Downloading: 'Downloading input data',
  Training: 'Training image download completed. Training in progress.',
  Uploading: 'Uploading generated training model',
  Interrupted: 'Training job interrupted: the spot instances were taken back',
  Restarting: 'Restarting the training job after an internal error',
  Stopping: 'Stopping the training job',
  Stopped: 'Training job stopped',
  MaxRuntimeExceeded: 'Training job runtime exceeded MaxRuntimeInSeconds provided',
  MaxWaitTimeExceeded: 'Training job wait time exceeded MaxWaitTimeInSeconds provided',
  Completed: 'Training job completed',
  Failed: 'Training job failed',
};
