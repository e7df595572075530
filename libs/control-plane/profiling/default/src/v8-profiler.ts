import type { Session } from 'node:inspector/promises';
import type { Clock } from '@podwright/time';
import { profileMessage, type ProfileOptions, type ProfileSample } from './profile-message.js';
import { cpuStacks, heapStacks, type HeapProfile } from './v8-stacks.js';

export interface CpuProfileRequest {
  readonly durationMs: number;
  readonly signal: AbortSignal;
}

export interface HeapProfileRequest extends CpuProfileRequest {
  /** Include objects that were freed before the end. */
  readonly withFreed: boolean;
}

/**
 * Profiles this process; resolves with uncompressed pprof messages. Both methods reject when the signal aborts and
 * leave no profiling on. The caller must run only one at a time.
 */
export interface RuntimeProfiler {
  /** Samples the CPU from now on, for the duration. */
  cpu(request: CpuProfileRequest): Promise<Uint8Array>;
  /** Samples allocations from now on, for the duration. */
  heap(request: HeapProfileRequest): Promise<Uint8Array>;
}

/** V8's default; a mostly idle loop shows little at Go's 100 Hz. */
const finePeriodUs = 1_000;
/** Go's period, for long profiles whose samples would otherwise fill the memory. */
const coarsePeriodUs = 10_000;
const mostFineMs = 60_000;
/** Go's period. */
const heapPeriodBytes = 512 * 1024;

export interface V8ProfilerDeps {
  readonly clock: Pick<Clock, 'now' | 'monotonic' | 'sleep'>;
  readonly yieldTurn: () => Promise<void>;
}

/** Uses the inspector protocol inside the process; opens no port, and loads nothing before the first profile. */
export function createV8Profiler({ clock, yieldTurn }: V8ProfilerDeps): RuntimeProfiler {
  const timed = async (
    { durationMs, signal }: CpuProfileRequest,
    stop: () => Promise<Iterable<ProfileSample>>,
    types: Omit<ProfileOptions, 'timeMs' | 'durationMs'>,
  ): Promise<Uint8Array> => {
    const [timeMs, startMs] = [clock.now(), clock.monotonic()];
    await clock.sleep(durationMs, signal);
    const samples = await stop();
    return profileMessage(samples, { ...types, timeMs, durationMs: clock.monotonic() - startMs }, yieldTurn);
  };
  return {
    cpu: (request) =>
      withSession(async (session) => {
        const interval = request.durationMs > mostFineMs ? coarsePeriodUs : finePeriodUs;
        await session.post('Profiler.enable');
        try {
          await session.post('Profiler.setSamplingInterval', { interval });
          await session.post('Profiler.start');
          const stop = async (): Promise<Iterable<ProfileSample>> =>
            cpuStacks((await session.post('Profiler.stop')).profile);
          return await timed(request, stop, cpuTypes(interval));
        } finally {
          await session.post('Profiler.disable');
        }
      }),
    heap: (request) =>
      withSession(async (session) => {
        const { withFreed } = request;
        await session.post('HeapProfiler.enable');
        try {
          const freed = { includeObjectsCollectedByMajorGC: withFreed, includeObjectsCollectedByMinorGC: withFreed };
          await session.post('HeapProfiler.startSampling', { samplingInterval: heapPeriodBytes, ...freed });
          const stop = async (): Promise<Iterable<ProfileSample>> =>
            heapStacks((await session.post('HeapProfiler.stopSampling')).profile as unknown as HeapProfile);
          return await timed(request, stop, heapTypes(withFreed ? 'alloc' : 'inuse'));
        } finally {
          await session.post('HeapProfiler.disable');
        }
      }),
  };
}

const cpuTypes = (periodUs: number): Omit<ProfileOptions, 'timeMs' | 'durationMs'> => ({
  valueTypes: [
    ['samples', 'count'],
    ['cpu', 'nanoseconds'],
  ],
  periodType: ['cpu', 'nanoseconds'],
  period: periodUs * 1000,
});

const heapTypes = (kind: 'alloc' | 'inuse'): Omit<ProfileOptions, 'timeMs' | 'durationMs'> => ({
  valueTypes: [
    [`${kind}_objects`, 'count'],
    [`${kind}_space`, 'bytes'],
  ],
  periodType: ['space', 'bytes'],
  period: heapPeriodBytes,
});

async function withSession<T>(work: (session: Session) => Promise<T>): Promise<T> {
  // Loaded on demand, because it costs memory.
  const { Session } = await import('node:inspector/promises');
  const session = new Session();
  session.connect();
  try {
    return await work(session);
  } finally {
    session.disconnect();
  }
}
