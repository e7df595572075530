/** One call to the driver. */
export interface CsiCall {
  /** The RPC's name in the protocol, such as `NodeStageVolume`. */
  readonly rpc: string;
  /** Empty for calls that concern no volume. */
  readonly volumeId: string;
  /** As received, with the secrets. */
  readonly request: object;
  /** Position of its begin among all begins and ends; they are numbered from 1. */
  readonly began: number;
  /** Position of its end; undefined while it runs. */
  readonly ended: number | undefined;
  /** `OK`, or the gRPC status; undefined while it runs. */
  readonly outcome: string | undefined;
}

interface OpenCall extends CsiCall {
  ended: number | undefined;
  outcome: string | undefined;
}

const mostCalls = 10_000;

/** The calls to a driver, oldest first; it keeps the last 10000. */
export class CallLog {
  private calls: OpenCall[] = [];
  private position = 0;

  /** Notes a call; the result is called once with its outcome. */
  begin(rpc: string, volumeId: string, request: object): (outcome: string) => void {
    const call: OpenCall = { rpc, volumeId, request, began: ++this.position, ended: undefined, outcome: undefined };
    this.calls.push(call);
    if (this.calls.length > mostCalls) this.calls.shift();
    return (outcome) => {
      call.ended = ++this.position;
      call.outcome = outcome;
    };
  }

  /** The calls that match in each given field. */
  list(match: Partial<Pick<CsiCall, 'rpc' | 'volumeId' | 'outcome'>> = {}): readonly CsiCall[] {
    const wanted = Object.entries(match) as [keyof typeof match, string | undefined][];
    return this.calls.filter((call) => wanted.every(([field, value]) => call[field] === value));
  }

  /** The RPCs about one volume, in the order of their begin. */
  rpcsOf(volumeId: string): readonly string[] {
    return this.list({ volumeId }).map(({ rpc }) => rpc);
  }

  /**
   * Pairs of calls that could change one volume and ran at the same time. A kubelet measures volumes independently of
   * them, upstream's as well.
   */
  overlaps(): readonly (readonly [CsiCall, CsiCall])[] {
    const changes = this.calls.filter(({ rpc, volumeId }) => volumeId !== '' && rpc !== 'NodeGetVolumeStats');
    return changes.flatMap((first, at) =>
      changes
        .slice(at + 1)
        .filter(({ volumeId, began }) => volumeId === first.volumeId && began < (first.ended ?? Infinity))
        .map((second) => [first, second] as const),
    );
  }

  clear(): void {
    this.calls = [];
  }
}
