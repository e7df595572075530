import { abortable } from '@podwright/concurrency';
import { defaultDeadlineMs, type CallOptions, type RpcName } from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import { abortError, onAbort, type Clock } from '@podwright/time';
import type { CallLog } from './call-log.js';
import type { Faults } from './faults.js';
import { unavailable } from './runtime-errors.js';

export interface CallGateOptions {
  readonly clock: Clock;
  readonly calls: CallLog;
  readonly faults: Faults;
  readonly requestTimeoutMs: number;
  readonly unimplemented: ReadonlySet<RpcName>;
  /** The names by which a fault can match a call; the call's own subject comes first. */
  readonly subjectsOf: (request: unknown) => readonly string[];
}

interface Call {
  readonly rpc: RpcName;
  readonly subjects: readonly string[];
  readonly request: unknown;
}

/** Calls whose work never waits. A kubelet lists each second, also when nothing happens. */
const immediate: ReadonlySet<RpcName> = new Set<RpcName>([
  'containerStatus',
  'imageFsInfo',
  'imageStatus',
  'listContainers',
  'listContainerStats',
  'listImages',
  'listPodSandbox',
  'listPodSandboxStats',
  'podSandboxStatus',
  'runtimeConfig',
  'status',
  'version',
]);
const never = new AbortController();

/** Every call into the runtime passes here: it logs the call and applies deadline, outage, delay, hang and failure. */
export class CallGate {
  private outage = new AbortController();
  private away = false;

  constructor(private readonly options: CallGateOptions) {}

  /** Aborts all running calls and refuses new ones. */
  close(): void {
    this.away = true;
    this.outage.abort(unavailable('error reading from server: EOF'));
  }

  reopen(): void {
    this.away = false;
    this.outage = new AbortController();
  }

  /** Aborts at the next outage. */
  get outageSignal(): AbortSignal {
    return this.outage.signal;
  }

  get open(): boolean {
    return !this.away;
  }

  async pass<Response>(
    rpc: RpcName,
    request: unknown,
    options: CallOptions,
    work: (signal: AbortSignal) => Promise<Response> | Response,
  ): Promise<Response> {
    const { clock, calls, faults, unimplemented, subjectsOf } = this.options;
    const subjects = subjectsOf(request);
    const ended = calls.begin(rpc, subjects, request, clock.now());
    try {
      // Without waits there is nothing to abort, and a signal costs more than the call itself.
      const atOnce = immediate.has(rpc) && faults.none && !this.away && !unimplemented.has(rpc);
      const answer =
        atOnce && options.signal?.aborted !== true
          ? await work(never.signal)
          : await this.abortably({ rpc, subjects, request }, options, work);
      ended(true);
      return answer;
    } catch (error) {
      ended(false);
      throw error;
    }
  }

  private async abortably<Response>(
    { rpc, subjects, request }: Call,
    { signal, timeoutMs }: CallOptions,
    work: (signal: AbortSignal) => Promise<Response> | Response,
  ): Promise<Response> {
    const { clock, requestTimeoutMs } = this.options;
    const own = (request as { readonly timeout?: bigint | undefined }).timeout;
    const limitMs = timeoutMs ?? defaultDeadlineMs(rpc, requestTimeoutMs, own);
    const call = new AbortController();
    const { signal: outage } = this.outage;
    const timer =
      limitMs > 0
        ? clock.setTimer(limitMs, () =>
            call.abort(new KubeletError('context deadline exceeded', { code: 'deadline-exceeded' })),
          )
        : undefined;
    const unlisten = [
      onAbort(signal, () => call.abort(signal && abortError(signal))),
      onAbort(outage, () => call.abort(outage.reason)),
    ];
    try {
      if (signal?.aborted === true) throw abortError(signal);
      if (this.away) throw unavailable('connection error: desc = "transport: Error while dialing: connection refused"');
      return await abortable(this.work(rpc, subjects, call.signal, work), call.signal);
    } finally {
      timer?.cancel();
      for (const step of unlisten) step();
    }
  }

  private async work<Response>(
    rpc: RpcName,
    subjects: readonly string[],
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<Response> | Response,
  ): Promise<Response> {
    const { clock, faults, unimplemented } = this.options;
    if (unimplemented.has(rpc)) throw new KubeletError(`unknown method ${rpc}`, { code: 'unimplemented' });
    const delayMs = faults.delayOf(rpc, subjects);
    if (delayMs > 0) await clock.sleep(delayMs, signal);
    await faults.takeHang(rpc, subjects);
    const failure = faults.takeFailure(rpc, subjects);
    if (failure?.done === false) throw failure.error;
    // A call that was aborted while it hung must not take effect.
    signal.throwIfAborted();
    const answer = await work(signal);
    if (failure !== undefined) throw failure.error;
    return answer;
  }
}
