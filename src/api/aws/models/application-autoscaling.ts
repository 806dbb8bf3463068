// Application Auto Scaling: members, types and limits.
import type { ApplicationAutoScaling } from '@aws-sdk/client-application-auto-scaling';
import data from './application-autoscaling.json' with { type: 'json' };
import type { AutoscalingOperation } from './operations.ts';
import type { InputsOf } from './sdk-types.ts';
import { modelOf } from './service-model.ts';

export const applicationAutoscaling = modelOf<InputsOf<ApplicationAutoScaling, AutoscalingOperation>>(data);
