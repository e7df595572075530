import { createToken } from '@podwright/assembly-interface';
import type { Pod, Volume } from '@podwright/kube-types';
import type { VolumeUsageSource } from './volume-usage.js';

/** One volume of one pod, as written in the spec. */
export interface VolumeSpec {
  readonly volume: Volume;
  readonly pod: Pod;
  /** `<root>/pods/<uid>`. */
  readonly podDir: string;
}

/** Sets one volume up and takes it down. Both are idempotent and may come again after a crash in between. */
export interface VolumeMounter {
  /** Path that containers mount. */
  readonly hostPath: string;
  readonly readOnly: boolean;
  readonly managed: boolean;
  readonly selinuxRelabel: boolean;
  /** How its usage is told. Absent: not at all, as for files of the node and of images. */
  readonly usage?: VolumeUsageSource;
  setUp(signal: AbortSignal): Promise<void>;
}

/** One kind of volume. Source: kubernetes v1.36 pkg/volume/plugins.go. */
export interface VolumePlugin {
  /** Upstream's name, such as `kubernetes.io/empty-dir`; with `/` replaced by `~` it is the folder below `volumes`. */
  readonly name: string;
  /** Mounted volumes are set up again at each sync of their pod, so that contents stay fresh. Default false. */
  readonly requiresRemount?: boolean;
  /** Exactly one plugin must support a volume. */
  canSupport(volume: Volume): boolean;
  newMounter(spec: VolumeSpec): VolumeMounter;
  /** Removes what `setUp` made, from the path alone: the pod object may be gone. Missing is fine. */
  tearDown(podDir: string, volumeName: string): Promise<void>;
}

/** All plugins of the assembly. */
export const VOLUME_PLUGINS = createToken<readonly VolumePlugin[]>('kubelet.volume-plugins/v1');
