import type { Gauge, MetricsRegistry } from '@podwright/metrics';

/** A fault of a pod's labels: an error where volumes are mounted with labels, else a warning about what would be one. */
export type SeLinuxFault = 'container' | 'pod_context_mismatch' | 'volume_context_mismatch';

const retried =
  "Kubelet can't start such a Pod then and it will retry, therefore value of this metric may not represent";
const later =
  'They are not errors yet, but they will become real errors when SELinuxMountReadWriteOncePod feature is expanded to all volume access modes.';
const podMismatch =
  'Number of errors when a Pod defines different SELinux contexts for its containers that use the same volume.';
const volumeMismatch =
  'Number of errors when a Pod uses a volume that is already mounted with a different SELinux context than the Pod needs.';

const help: Readonly<Record<`${SeLinuxFault}_${'errors' | 'warnings'}`, string>> = {
  container_errors: `Number of errors when kubelet cannot compute SELinux context for a container. ${retried} the actual nr. of containers.`,
  container_warnings:
    'Number of errors when kubelet cannot compute SELinux context for a container that are ignored. They will become real errors when SELinuxMountReadWriteOncePod feature is expanded to all volume access modes.',
  pod_context_mismatch_errors: `${podMismatch} ${retried} the actual nr. of Pods.`,
  pod_context_mismatch_warnings: `${podMismatch} ${later}`,
  volume_context_mismatch_errors: `${volumeMismatch} ${retried} the actual nr. of Pods.`,
  volume_context_mismatch_warnings: `${volumeMismatch} ${later}`,
};

/** Upstream's gauges, which only grow. Source: kubernetes v1.36 pkg/kubelet/volumemanager/metrics. */
export class SeLinuxMetrics {
  private readonly faults = new Map<string, Gauge>();
  private readonly admittedVolumes: Gauge;

  constructor(registry: MetricsRegistry) {
    for (const [name, text] of Object.entries(help)) {
      const labels = name.startsWith('volume') ? ['volume_plugin', 'access_mode'] : ['access_mode'];
      this.faults.set(name, registry.gauge({ name: `volume_manager_selinux_${name}_total`, help: text, labels }));
    }
    this.admittedVolumes = registry.gauge({
      name: 'volume_manager_selinux_volumes_admitted_total',
      help: 'Number of volumes whose SELinux context was fine and will be mounted with mount -o context option.',
      labels: ['volume_plugin', 'access_mode'],
    });
  }

  count(fault: SeLinuxFault, isError: boolean, volume_plugin: string, access_mode: string): void {
    const labels = fault === 'volume_context_mismatch' ? { volume_plugin, access_mode } : { access_mode };
    this.faults.get(`${fault}_${isError ? 'errors' : 'warnings'}`)?.add(1, labels);
  }

  admitted(volume_plugin: string, access_mode: string): void {
    this.admittedVolumes.add(1, { volume_plugin, access_mode });
  }
}
