/** One resource of the node. CPU in millicores, memory and storage in bytes, others as counts. */
export interface NodeResource {
  readonly name: string;
  readonly capacity: number;
  readonly allocatable: number;
  /** What is set aside for the system, the kubelet and eviction: capacity without allocatable. */
  readonly reserved: number;
  /** Sum of the requests of the pods that are not over. For `pods` their number. */
  readonly requested: number;
  /** Sum of their limits; containers without a limit add nothing. */
  readonly limited: number;
}

/** What does not change, or seldom. Times are Unix milliseconds of the wall clock. */
export interface NodeFacts {
  readonly name: string;
  readonly kubeletVersion: string;
  readonly kernelVersion: string;
  readonly osImage: string;
  /** Name and version of the container runtime; empty while it has not answered. */
  readonly runtime: string;
  readonly cgroupVersion: 1 | 2;
  /** The begin of this kubelet process. */
  readonly startedMs: number;
  readonly bootTimeMs: number;
  readonly resources: readonly NodeResource[];
  readonly addresses: readonly { readonly type: string; readonly address: string }[];
}
