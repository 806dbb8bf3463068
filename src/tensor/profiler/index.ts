// The namespace `profiler`.

export type { KernelAverage } from '../../runtime/profiling/kernel-averages.ts';
export type { Timeline } from '../../runtime/profiling/timeline.ts';
export { Profile, type ProfileOptions, profile, recordFunction, tensorboardTraceHandler } from './profiler.ts';
export { type ProfilerAction, type ProfilerSchedule, type ScheduleOptions, schedule } from './schedule.ts';
