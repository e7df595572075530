import type { Session } from 'node:inspector/promises';
import type { Clock } from '@podwright/time';
import { profileMessage, type ProfileOptions, type ProfileSample } from './profile-message.js';
import { cpuStacks, heapStacks, type HeapProfile } from './v8-stacks.js';

export interface CpuProfileRequest {
  readonly durationMs: number;
  readonly signal: AbortSignal;
}

export interface HeapProfileRequest extends CpuProfileRequest {
  /** Also what was allocated and is gone at the end. */
  readonly withFreed: boolean;
}

/**
 * Makes profiles of this process, as pprof messages without compression. Both reject when the signal aborts and leave nothing
 * switched on. What is going on at a time is the caller's business: one at once.
 */
export interface RuntimeProfiler {
  /** What the CPU does from now on, for so long. */
  cpu(request: CpuProfileRequest): Promise<Uint8Array>;
  /** What is allocated from now on, for so long. */
  heap(request: HeapProfileRequest): Promise<Uint8Array>;
}

/** V8's own; a loop that is idle nearly always shows little at Go's 100 Hz. */
const finePeriodUs = 1_000;
/** Go's, for profiles whose samples would otherwise fill the memory. */
const coarsePeriodUs = 10_000;
const mostFineMs = 60_000;
/** As dense as Go's. */
const heapPeriodBytes = 512 * 1024;

export interface V8ProfilerDeps {
  readonly clock: Pick<Clock, 'now' | 'monotonic' | 'sleep'>;
  readonly yieldTurn: () => Promise<void>;
}

/** By the inspector's protocol inside the process; no port is opened, and nothing is loaded before the first profile. */
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
  // Costs memory from the moment it is loaded.
  const { Session } = await import('node:inspector/promises');
  const session = new Session();
  session.connect();
  try {
    return await work(session);
  } finally {
    session.disconnect();
  }
}
