// Members, types and limits of the server's own service: operations that AWS does not have, in the same protocol.
import { modelOf } from './service-model.ts';

interface ProcessingJob {
  readonly ProcessingJobName: string;
}
interface TrainingJob {
  readonly TrainingJobName: string;
}

export const trenio = modelOf<{
  readonly DescribeProcessingJobCost: ProcessingJob;
  readonly DescribeTrainingJobCost: TrainingJob;
  readonly DescribeTrainingJobIsolation: TrainingJob;
  readonly InterruptTrainingJob: TrainingJob;
}>({
  version: '2026-11-23',
  targetPrefix: 'Trenio',
  operations: {
    DescribeProcessingJobCost: 'ProcessingJobRequest',
    DescribeTrainingJobCost: 'TrainingJobRequest',
    DescribeTrainingJobIsolation: 'TrainingJobRequest',
    InterruptTrainingJob: 'TrainingJobRequest',
  },
  shapes: {
    ProcessingJobRequest: {
      type: 'structure',
      members: { ProcessingJobName: 'TrainingJobName' },
      required: ['ProcessingJobName'],
    },
    TrainingJobRequest: {
      type: 'structure',
      members: { TrainingJobName: 'TrainingJobName' },
      required: ['TrainingJobName'],
    },
    TrainingJobName: { type: 'string', min: 1, max: 63, pattern: '[a-zA-Z0-9](-*[a-zA-Z0-9]){0,62}' },
  },
});
