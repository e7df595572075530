import type { RpcName } from '@podwright/cri-client-interface';

/** One call to the runtime. */
export interface LoggedCall {
  readonly rpc: RpcName;
  /** The container, sandbox or image that the call names; empty for lists. */
  readonly subject: string;
  /** All names by which a fault can match the call: ids, the container's name, the pod's UID, the image. */
  readonly subjects: readonly string[];
  readonly request: unknown;
  /** Wall-clock milliseconds, by the runtime's clock. */
  readonly startedAtMs: number;
  /** Undefined while the call is running. */
  readonly outcome: 'ok' | 'failed' | undefined;
}

/** The calls of the kubelet: their order, number and concurrency. */
export class CallLog {
  private readonly calls: { -readonly [K in keyof LoggedCall]: LoggedCall[K] }[] = [];
  private readonly running = new Map<RpcName, number>();
  private readonly highest = new Map<RpcName, number>();
  private readonly totals = new Map<RpcName, number>();
  private runningInAll = 0;
  private highestInAll = 0;

  constructor(private readonly mostCalls: number) {}

  /** The last calls, as many as {@link SimulatedRuntimeOptions.callLogLength} says, in order of arrival. */
  get all(): readonly LoggedCall[] {
    return this.calls;
  }

  of(rpc: RpcName): readonly LoggedCall[] {
    return this.calls.filter((call) => call.rpc === rpc);
  }

  /** Number of calls of the RPC since the start or the last `clear`, finished or not. */
  count(rpc: RpcName): number {
    return this.totals.get(rpc) ?? 0;
  }

  /** Number of running calls, of one RPC or of all. */
  inFlight(rpc?: RpcName): number {
    return rpc === undefined ? this.runningInAll : (this.running.get(rpc) ?? 0);
  }

  /** The most calls that ran at the same time, of one RPC or of all. */
  maxConcurrency(rpc?: RpcName): number {
    return rpc === undefined ? this.highestInAll : (this.highest.get(rpc) ?? 0);
  }

  /** Clears calls and counts; running calls still count as running. */
  clear(): void {
    this.calls.length = 0;
    this.totals.clear();
    this.highest.clear();
    for (const [rpc, running] of this.running) this.highest.set(rpc, running);
    this.highestInAll = this.runningInAll;
  }

  /** Logs the start of a call. Returns a function to call at its end. */
  begin(rpc: RpcName, subjects: readonly string[], request: unknown, startedAtMs: number): (ok: boolean) => void {
    const named = { subject: subjects[0] ?? '', subjects };
    const call: (typeof this.calls)[number] = { rpc, ...named, request, startedAtMs, outcome: undefined };
    this.calls.push(call);
    if (this.calls.length > this.mostCalls) this.calls.shift();
    this.totals.set(rpc, this.count(rpc) + 1);
    const running = this.inFlight(rpc) + 1;
    this.running.set(rpc, running);
    this.highest.set(rpc, Math.max(this.maxConcurrency(rpc), running));
    this.highestInAll = Math.max(this.highestInAll, ++this.runningInAll);
    return (ok) => {
      call.outcome = ok ? 'ok' : 'failed';
      this.running.set(rpc, this.inFlight(rpc) - 1);
      this.runningInAll--;
    };
  }
}
