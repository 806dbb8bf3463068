// Selects models by the `model_type` of their config.json, like Hugging Face's Auto classes. Errors name them in this order.

export * from './audio.ts';
export * from './base.ts';
export * from './config.ts';
export * from './images.ts';
export * from './language.ts';
export * from './text-encoding.ts';
export * from './text-heads.ts';
