// Where the lines of a replica are kept, as SageMaker names it.
import type { Replica } from './resources.ts';

export const logGroupOf = (endpoint: string): string => `/aws/sagemaker/Endpoints/${endpoint}`;
export const logStreamOf = ({ variant, id }: Pick<Replica, 'variant' | 'id'>): string => `${variant}/${id}`;
