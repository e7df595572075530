import type { ErrorCode } from '@podwright/errors';
import type { JournalEntry } from '@podwright/journal-interface';
import type { Pod, PodSource } from '@podwright/kube-types';

/**
 * Version of the format. A reader refuses a higher one; a new kind of line or field does not raise it. 2: a recording may
 * begin later than its process, see {@link RecordingHeader.at}.
 */
export const recordingVersion = 2;

/**
 * Where something comes into the kubelet. `runtime`: CRI RuntimeService; `images`: CRI ImageService; `api`: the API
 * server; `probe`: what probers found; `hook`: hooks over the network; `stats`: usage of node, pods and file systems.
 */
export type Seam = 'runtime' | 'images' | 'api' | 'probe' | 'hook' | 'stats';

/** Milliseconds, with fractions, since the process began to record, by the clock that never jumps. */
export type AtMs = number;

/** What a kubelet was started with. Secrets in it are masked. */
export interface RecordingFacts {
  /** `kubelet`, or the name of another program made of it. */
  readonly program: string;
  readonly version: string;
  /** Flags of the program and of the assembly, by name. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly ownFlags: Readonly<Record<string, string>>;
  /** KubeletConfiguration in effect. */
  readonly configuration: Readonly<Record<string, unknown>>;
  /** Facts of the machine: name, addresses, cores, memory. */
  readonly machine: Readonly<Record<string, unknown>>;
  /**
   * Entries of the assembly file, in its words. Options are left out if they are paths or addresses, or of a module that
   * is not part of the program.
   */
  readonly assembly?: readonly Readonly<Record<string, unknown>>[];
}

/**
 * The first line of a recording, and of each of its segments. A segment that begins later than the process begins with a
 * snapshot of the world, lines with `snapshot`, so it can be replayed without those before it.
 */
export interface RecordingHeader {
  readonly t: 'recording';
  readonly version: number;
  /** Wall clock, Unix milliseconds, at the instant {@link at}. */
  readonly startedAtMs: number;
  /** When the segment began. Absent: with the process. */
  readonly at?: AtMs;
  /** Number of the segment, from 1. Absent in a recording that was asked for. */
  readonly segment?: number;
  /** Absent when the program that made the assembly tells none. */
  readonly facts?: RecordingFacts;
}

export interface RecordedError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly reason?: string;
}

/** One call and its outcome; written when it has ended. */
export interface RecordedCall {
  readonly t: 'call';
  readonly seam: Seam;
  readonly method: string;
  /** Whom it is about, see `callKey` of the implementation: never the request itself, which may hold secrets. */
  readonly key: string;
  /** When it began. */
  readonly at: AtMs;
  readonly tookMs: number;
  /** The answer as plain JSON; `{"$n":"1"}` stands for a bigint, `{"$b":"..."}` for bytes in base64. */
  readonly answer?: unknown;
  /** True: the answer equals that of the call before with the same seam, method and key. */
  readonly same?: true;
  readonly error?: RecordedError;
  /** True: part of the snapshot with which a segment begins, with the times of old. */
  readonly snapshot?: true;
}

/** A stream has begun: runtime events, a watch or any other body of the API server. */
export interface RecordedOpening {
  readonly t: 'open';
  /** Number of the stream in this recording. */
  readonly stream: number;
  readonly seam: Seam;
  readonly method: string;
  readonly key: string;
  readonly at: AtMs;
  readonly tookMs: number;
  /** What came before the first item, such as status and headers. */
  readonly answer?: unknown;
  /** True: part of the snapshot with which a segment begins, with the times of old. */
  readonly snapshot?: true;
}

export interface RecordedItem {
  readonly t: 'item';
  readonly stream: number;
  readonly at: AtMs;
  readonly answer: unknown;
  /** True: part of the snapshot with which a segment begins, with the times of old. */
  readonly snapshot?: true;
}

export interface RecordedClosing {
  readonly t: 'close';
  readonly stream: number;
  readonly at: AtMs;
  readonly error?: RecordedError;
  /** True: part of the snapshot with which a segment begins, with the times of old. */
  readonly snapshot?: true;
}

/** What a source of pods reported. Those of the API server are in its watch. */
export interface RecordedPods {
  readonly t: 'pods';
  readonly at: AtMs;
  readonly source: PodSource;
  readonly op: string;
  readonly pods: readonly Pod[];
  /** True: part of the snapshot with which a segment begins, with the times of old. */
  readonly snapshot?: true;
}

/**
 * From here on the kubelet learns what becomes of pods and containers. What its managers have found before, such as
 * containers that had ended, nobody acts on.
 */
export interface RecordedListening {
  readonly t: 'listening';
  readonly at: AtMs;
}

/** A random number that decides when something happens. Those of which names and keys are made are never recorded. */
export interface RecordedDraw {
  readonly t: 'draw';
  readonly at: AtMs;
  /** What it decides, such as `probe UID/web/liveness`. */
  readonly of: string;
  /** From [0, 1). */
  readonly value: number;
}

/** A part of a pod's checkpoint that the kubelet has found: what the process before it has left behind. */
export interface RecordedCheckpoint {
  readonly t: 'checkpoint';
  readonly at: AtMs;
  readonly podUid: string;
  readonly part: string;
  readonly value: unknown;
  /** True: part of the snapshot with which a segment begins; this process has written or found it. */
  readonly snapshot?: true;
}

/** What a manager decided, from the journal. */
export interface RecordedDecision {
  readonly t: 'decision';
  readonly at: AtMs;
  readonly entry: JournalEntry;
}

/**
 * The recording is not whole from here on. `full`: it has reached its limit and ended. `buffer`, `disk`: so many lines
 * could not be written or sent.
 */
export interface RecordingGap {
  readonly t: 'gap';
  readonly at: AtMs;
  readonly cause: 'full' | 'buffer' | 'disk';
  readonly lines: number;
}

/** The kubelet stopped in order. Absent after a kill. */
export interface RecordingEnd {
  readonly t: 'end';
  readonly at: AtMs;
  /** `asked`: only the recording ended, because somebody wanted it so long. */
  readonly cause?: 'asked';
}

export type RecordingLine =
  | RecordedCall
  | RecordedOpening
  | RecordedItem
  | RecordedClosing
  | RecordedPods
  | RecordedListening
  | RecordedDraw
  | RecordedCheckpoint
  | RecordedDecision
  | RecordingGap
  | RecordingEnd;
