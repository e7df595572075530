/** What a pod went through, in the order of its way. `back-off`: a container waits before it starts again. */
export const lanePhases = [
  'queue',
  'volumes',
  'sandbox',
  'image',
  'start',
  'running',
  'ready',
  'back-off',
  'ending',
] as const;

export type LanePhase = (typeof lanePhases)[number];

export const laneMarkKinds = [
  'received',
  'started',
  'restarted',
  'exited',
  'probe-failed',
  'oom',
  'evicted',
  'refused',
  'failed',
  'ended',
] as const;

export type LaneMarkKind = (typeof laneMarkKinds)[number];

export interface LaneSpan {
  readonly phase: LanePhase;
  readonly fromMs: number;
  /** Absent while it lasts. */
  readonly untilMs?: number;
  /** The container, image or volume; absent when it is the pod's. */
  readonly of?: string;
}

export interface LaneMark {
  readonly kind: LaneMarkKind;
  readonly atMs: number;
  /** One sentence, with upstream's words where it has some. */
  readonly text: string;
  /** The container; absent when it is the pod's. */
  readonly of?: string;
}

/** A pod over the last ten minutes, from the journal. Spans may overlap: two containers pull at the same time. */
export interface PodLane {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  /** In the order of their begin. */
  readonly spans: readonly LaneSpan[];
  /** In the order of their time. */
  readonly marks: readonly LaneMark[];
}
