import { KubeletError, messageOf } from '@podwright/errors';
import { podUid, type PersistentVolume, type Pod } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { MetricsRegistry } from '@podwright/metrics';
import type { SeLinux } from '@podwright/selinux';
import { specName, type VolumePlugin, type VolumeSpec } from '@podwright/volume-interface';
import { accessModeLabel, pluginLabel } from './access-mode.js';
import { seLinuxOptionsOf } from './pod-labels.js';
import { SeLinuxMetrics, type SeLinuxFault } from './selinux-metrics.js';

export interface SeLinuxVolumesDeps {
  readonly seLinux: SeLinux;
  readonly metrics: MetricsRegistry;
  readonly logger: Logger;
}

export interface SeLinuxRequest {
  readonly pod: Pod;
  readonly spec: VolumeSpec;
  readonly plugin: VolumePlugin;
  /** Unique over the node's volumes; two pods with one volume have the same. */
  readonly uniqueName: string;
}

interface DesiredVolume {
  /** What the first pod asked for. */
  readonly original: string;
  /** What the volume is mounted with, for all its pods. */
  readonly mountLabel: string;
  readonly pods: Set<string>;
}

/**
 * Decides which label desired volumes are mounted with. The first pod of a volume decides for all, until the last one
 * is released. Source: kubernetes v1.36 pkg/kubelet/volumemanager/cache/desired_state_of_world.go,
 * pkg/volume/util/selinux.go.
 */
export class SeLinuxVolumes {
  private readonly volumes = new Map<string, DesiredVolume>();
  private readonly metrics: SeLinuxMetrics;

  constructor(
    private readonly deps: SeLinuxVolumesDeps,
    /** `mountAll`: labels for PersistentVolumes of every access mode, else only for those of ReadWriteOncePod. */
    private readonly options: { readonly mountAll: boolean },
  ) {
    this.metrics = new SeLinuxMetrics(deps.metrics);
  }

  /**
   * The label for `context=`, empty for none. May be called again for a pod that has the volume already. Throws
   * `failed-precondition` when the pod's labels do not fit together or do not fit those of other pods; the pod must wait.
   */
  decide(request: SeLinuxRequest): { readonly mountLabel: string } {
    const { uniqueName, spec, pod } = request;
    const canMount = this.deps.seLinux.enabled && (request.plugin.supportsSeLinuxMount?.(spec) ?? false);
    const wanted = this.deps.seLinux.enabled ? this.labelOf(request, canMount) : '';
    const original = wanted ?? '';
    const known = this.volumes.get(uniqueName);
    const uid = podUid(pod);
    if (known === undefined) {
      const mountLabel = mountsWithLabel(spec.persistentVolume, this.options.mountAll) ? original : '';
      this.volumes.set(uniqueName, { original, mountLabel, pods: new Set([uid]) });
      if (original !== '')
        this.metrics.admitted(pluginLabel(request.plugin, spec), accessModeLabel(spec.persistentVolume));
      return { mountLabel };
    }
    if (!known.pods.has(uid) && canMount && wanted !== undefined && original !== known.original) {
      const labels = `${JSON.stringify(known.original)} and ${JSON.stringify(original)}`;
      const message = `conflicting SELinux labels of volume ${specName(spec)}: ${labels}`;
      this.fault(request, 'volume_context_mismatch', new KubeletError(message, { code: 'failed-precondition' }));
    }
    known.pods.add(uid);
    return { mountLabel: known.mountLabel };
  }

  /** The pod no longer wants the volume. May be called for a pod that never had it. */
  release(podUid: string, uniqueName: string): void {
    const known = this.volumes.get(uniqueName);
    known?.pods.delete(podUid);
    if (known?.pods.size === 0) this.volumes.delete(uniqueName);
  }

  /** Undefined: the pod's containers want several, so that there is nothing to compare with other pods. */
  private labelOf(request: SeLinuxRequest, canMount: boolean): string | undefined {
    const { pod, spec } = request;
    const labels = new Set<string>();
    for (const options of seLinuxOptionsOf(pod, spec.volume.name)) {
      try {
        labels.add(this.deps.seLinux.labels(options).file);
      } catch (error) {
        const message = `failed to construct SELinux label from context ${JSON.stringify(options)}: ${messageOf(error)}`;
        this.fault(request, 'container', new KubeletError(message, { code: 'failed-precondition', cause: error }));
        return '';
      }
    }
    if (labels.size > 1) {
      const message = `multiple SELinux labels found: ${[...labels].sort().join(',')}`;
      this.fault(request, 'pod_context_mismatch', new KubeletError(message, { code: 'failed-precondition' }));
      return undefined;
    }
    const isRecursive = pod.spec.securityContext?.seLinuxChangePolicy === 'Recursive';
    const [label = ''] = labels;
    return canMount && !isRecursive ? label : '';
  }

  /** Throws where labels are mounted, and warns of what would throw elsewhere. */
  private fault({ spec, plugin, pod }: SeLinuxRequest, fault: SeLinuxFault, error: KubeletError): void {
    const isError = mountsWithLabel(spec.persistentVolume, this.options.mountAll);
    this.metrics.count(fault, isError, pluginLabel(plugin, spec), accessModeLabel(spec.persistentVolume));
    if (isError) throw error;
    const podUID = podUid(pod);
    this.deps.logger.debug(4, 'SELinux labels of a volume do not fit together, ignored', { podUID, error });
  }
}

/**
 * Whether volumes of this access mode are mounted with a label. Source: kubernetes v1.36 pkg/volume/util/selinux.go
 * VolumeSupportsSELinuxMount.
 */
function mountsWithLabel(persistentVolume: PersistentVolume | undefined, mountAll: boolean): boolean {
  if (persistentVolume === undefined) return false;
  const modes = persistentVolume.spec?.accessModes ?? [];
  return mountAll || (modes.length === 1 && modes[0] === 'ReadWriteOncePod');
}

/**
 * The error of a volume that is mounted with another label, and must be unmounted, its device included, before the pod
 * can have it. Source: kubernetes v1.36 pkg/kubelet/volumemanager/cache/actual_state_of_world.go.
 */
export function seLinuxMountMismatch(uniqueName: string): KubeletError {
  const message = `waiting for unmount of volume ${JSON.stringify(uniqueName)}, because it is already mounted to a different pod with a different SELinux label`;
  return new KubeletError(message, { code: 'failed-precondition' });
}
