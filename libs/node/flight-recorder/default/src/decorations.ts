import { decoration, RANDOM, type Decoration } from '@podwright/assembly-interface';
import { IMAGE_SERVICE, RUNTIME_CONNECTION, RUNTIME_SERVICE } from '@podwright/cri-client-interface';
import { KUBE_TRANSPORT } from '@podwright/kube-client-interface';
import { LIFECYCLE_HOOKS } from '@podwright/lifecycle-hooks-interface';
import { POD_CHECKPOINTS } from '@podwright/pod-checkpoint-interface';
import { POD_CONFIG } from '@podwright/pod-config-interface';
import { PROBERS } from '@podwright/probe-interface';
import { IMAGE_FS_STATS, STATS_PROVIDER } from '@podwright/stats-interface';
import { recordedCheckpoints } from './seams/recorded-checkpoints.js';
import {
  recordedHooks,
  recordedImageFsStats,
  recordedPodConfig,
  recordedProbers,
  recordedRandom,
  recordedStats,
} from './seams/recorded-inputs.js';
import { recordedConnection, recordedImages, recordedRuntime } from './seams/recorded-runtime.js';
import { recordedTransport } from './seams/recorded-transport.js';
import type { RecordingTape } from './tape/recording-tape.js';

interface HasTape {
  readonly tape: RecordingTape;
}

/** The seams of the kubelet, each wrapped so that what comes in is on the tape. */
export const recordedSeams: readonly Decoration<HasTape>[] = [
  decoration(RUNTIME_SERVICE, ({ tape }: HasTape, inner) => recordedRuntime(inner, tape)),
  decoration(IMAGE_SERVICE, ({ tape }: HasTape, inner) => recordedImages(inner, tape)),
  decoration(RUNTIME_CONNECTION, ({ tape }: HasTape, inner) => recordedConnection(inner, tape)),
  decoration(KUBE_TRANSPORT, ({ tape }: HasTape, inner) => recordedTransport(inner, tape)),
  decoration(POD_CONFIG, ({ tape }: HasTape, inner) => recordedPodConfig(inner, tape)),
  decoration(POD_CHECKPOINTS, ({ tape }: HasTape, inner) => recordedCheckpoints(inner, tape)),
  decoration(LIFECYCLE_HOOKS, ({ tape }: HasTape, inner) => recordedHooks(inner, tape)),
  decoration(RANDOM, ({ tape }: HasTape, inner) => recordedRandom(inner, tape)),
  decoration(PROBERS, ({ tape }: HasTape, inner) => recordedProbers(inner, tape)),
  decoration(STATS_PROVIDER, ({ tape }: HasTape, inner) => recordedStats(inner, tape)),
  decoration(IMAGE_FS_STATS, ({ tape }: HasTape, inner) => recordedImageFsStats(inner, tape)),
];
