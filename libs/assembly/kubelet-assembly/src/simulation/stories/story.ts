import type { FaultMatch, Fault as ApiFault } from '@podwright/test-apiserver';
import type { KubeletConfiguration } from '@podwright/kubelet-configuration';
import type { Pod } from '@podwright/kube-types';
import type { RpcName } from '@podwright/cri-client-interface';
import type { CsiFault } from './story-csi-driver.js';
import type { DeviceResource } from './device-objects.js';
import type { DeviceFault } from './story-device-plugin.js';
import type { DraFault } from './story-dra-driver.js';

/** What happens to a machine and its kubelet: all of it follows from here and the seed, so that it can be told again. */
export interface Story {
  /** Of what is left to chance while the story is told: latencies, jitter, ids. */
  readonly seed: number;
  readonly configuration: Partial<KubeletConfiguration>;
  /** Longest latency of calls that change something at the runtime, in milliseconds. */
  readonly latencyMs: number;
  /** Longest latency of lists and inspections. */
  readonly readLatencyMs: number;
  /** Longest time that a request to the API server, its answer or an event of a watch is under way. */
  readonly apiLatencyMs: number;
  /** Longest time before and after each operation on files. */
  readonly diskLatencyMs: number;
  /** Whether timers of one instant run in an order that is drawn. */
  readonly shuffled: boolean;
  /** Whether pods may use volumes of a CSI driver. Default: false. */
  readonly csi?: boolean;
  /** Whether pods may use resource claims of a DRA driver. Default: false. */
  readonly dra?: boolean;
  /** Whether pods may ask for devices of plugins. Default: false. */
  readonly devices?: boolean;
  /** In the order of their times. */
  readonly steps: readonly StoryStep[];
  /** What follows when all is quiet again. */
  readonly epilogue: 'none' | 'kill' | 'stop' | 'drain';
}

export type StoryStep = { readonly atMs: number } & StoryAct;

export type StoryAct =
  /** With `readyWithinMs`, nothing that hangs elsewhere may keep the pod from being ready in time. */
  | { readonly act: 'create'; readonly pod: Pod; readonly readyWithinMs?: number }
  | { readonly act: 'delete'; readonly pod: string; readonly gracePeriodSeconds?: number }
  | { readonly act: 'set-image'; readonly pod: string; readonly container: string; readonly image: string }
  | { readonly act: 'resize'; readonly pod: string; readonly container: string; readonly cpu: string }
  /** Writes the manifest of a static pod, also over an earlier one. */
  | { readonly act: 'write-manifest'; readonly pod: Pod }
  | { readonly act: 'remove-manifest'; readonly pod: string }
  | { readonly act: 'exit'; readonly pod: string; readonly container: string; readonly exitCode: number }
  | { readonly act: 'kill-sandbox'; readonly pod: string }
  | { readonly act: 'debug'; readonly pod: string; readonly container: string; readonly image: string }
  | {
      readonly act: 'runtime-fails';
      readonly rpc: RpcName;
      readonly pod?: string;
      readonly times: number;
      /** Whether the call takes effect and only its answer is an error. */
      readonly done: boolean;
    }
  | { readonly act: 'runtime-hangs'; readonly rpc: RpcName; readonly pod?: string; readonly forMs: number }
  | { readonly act: 'runtime-away'; readonly forMs: number }
  /** What becomes of the runtime's container events. `late`: each arrives with the second one after it. */
  | { readonly act: 'events'; readonly become: 'lost' | 'doubled' | 'late'; readonly forMs: number }
  | { readonly act: 'event-streams-end' }
  | { readonly act: 'api-fault'; readonly fault: ApiFault; readonly match: FaultMatch; readonly times: number }
  | { readonly act: 'api-away'; readonly forMs: number }
  | { readonly act: 'watches'; readonly become: 'cut' | 'ended' | 'silent' | 'doubled' }
  | { readonly act: 'compact' }
  | { readonly act: 'disk-fails'; readonly code: 'EIO' | 'ENOSPC'; readonly torn: boolean; readonly operations: number }
  | ({ readonly act: 'csi' } & CsiFault)
  | ({ readonly act: 'dra' } & DraFault)
  | ({ readonly act: 'devices'; readonly resource: DeviceResource } & DeviceFault)
  /** Something happens to a device. */
  | {
      readonly act: 'device';
      readonly resource: DeviceResource;
      readonly id: string;
      readonly become: 'unhealthy' | 'unlisted';
      readonly forMs: number;
    }
  /** A device plugin ends, and starts again. */
  | { readonly act: 'plugin-away'; readonly resource: DeviceResource; readonly forMs: number }
  /** The driver ends, and starts again. */
  | { readonly act: 'csi-away' | 'dra-away'; readonly forMs: number }
  | { readonly act: 'clock-jumps'; readonly byMs: number }
  /** SIGKILL after so many more operations on files or calls to the runtime: 0 is at once. Another kubelet follows. */
  | {
      readonly act: 'kill';
      readonly after?: 'file-operations' | 'runtime-calls';
      readonly count: number;
      readonly downMs: number;
    }
  | { readonly act: 'stop'; readonly downMs: number }
  /** All processes end; records and files stay. */
  | { readonly act: 'reboot'; readonly downMs: number };

/** The end of a story that broke a promise. */
export interface StoryFailure {
  /** Which promise, in a few words that stay the same while a story is shrunk. */
  readonly promise: string;
  readonly message: string;
  readonly atMs: number;
}
