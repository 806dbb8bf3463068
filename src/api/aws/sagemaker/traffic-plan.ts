// A DeploymentConfig as the steps in which traffic shifts to a new fleet.
import type { Fleet, TrafficPlan } from '../../../serving/fleet/resources.ts';
import type { sagemaker } from '../models/sagemaker.ts';
import type { InputOf } from '../models/service-model.ts';
import { invalid } from './serving-errors.ts';

type DeploymentConfig = InputOf<typeof sagemaker, 'UpdateEndpoint'>['DeploymentConfig'];
interface Size {
  readonly Type: 'INSTANCE_COUNT' | 'CAPACITY_PERCENT';
  readonly Value: number;
}

/**
 * A rolling update shifts traffic in batches, but the whole new fleet starts at once, because both fit on this machine.
 * @throws {AwsError} ValidationException
 */
export function trafficPlan(config: DeploymentConfig, { variants }: Fleet): TrafficPlan {
  if (config?.AutoRollbackConfiguration?.Alarms !== undefined && config.AutoRollbackConfiguration.Alarms.length > 0)
    throw invalid(
      'Alarms of AutoRollbackConfiguration are not supported by this server: it has no CloudWatch alarms. An update is rolled back when an instance of the new fleet fails.',
    );
  const instances = variants.filter(one => !one.isShadow).reduce((sum, { desiredCount }) => sum + desiredCount, 0);
  const shareOf = (size: Size | undefined, what: string): number => {
    if (size === undefined) throw invalid(`${what} is required for this type of TrafficRoutingConfiguration.`);
    const share = size.Type === 'INSTANCE_COUNT' ? size.Value / Math.max(1, instances) : size.Value / 100;
    return Math.min(1, share);
  };
  const rolling = config?.RollingUpdatePolicy;
  const blueGreen = config?.BlueGreenUpdatePolicy;
  if (rolling !== undefined && blueGreen !== undefined)
    throw invalid('DeploymentConfig has both a BlueGreenUpdatePolicy and a RollingUpdatePolicy; set one of them.');
  if (rolling !== undefined)
    return linear(shareOf(rolling.MaximumBatchSize, 'MaximumBatchSize'), rolling.WaitIntervalInSeconds * 1000, 0);
  const lastMs = (blueGreen?.TerminationWaitInSeconds ?? 0) * 1000;
  const routing = blueGreen?.TrafficRoutingConfiguration;
  const waitMs = (routing?.WaitIntervalInSeconds ?? 0) * 1000;
  switch (routing?.Type) {
    case undefined:
    case 'ALL_AT_ONCE':
      return { steps: [{ share: 1, waitMs: lastMs }] };
    case 'CANARY':
      return {
        steps: [
          { share: shareOf(routing.CanarySize, 'CanarySize'), waitMs },
          { share: 1, waitMs: lastMs },
        ],
      };
    case 'LINEAR':
      return linear(shareOf(routing.LinearStepSize, 'LinearStepSize'), waitMs, lastMs);
  }
}

function linear(step: number, waitMs: number, lastMs: number): TrafficPlan {
  const count = Math.ceil(1 / step - 1e-9);
  return {
    steps: Array.from({ length: count }, (_, i) =>
      i + 1 === count ? { share: 1, waitMs: lastMs } : { share: step * (i + 1), waitMs },
    ),
  };
}
