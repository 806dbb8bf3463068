// The namespace `amp` of the public API, as torch.amp: mixed precision.
export { GradScaler, type GradScalerOptions, type GradScalerState } from './optim/index.ts';
export { type AutocastOptions, autocast } from './tensor/index.ts';
