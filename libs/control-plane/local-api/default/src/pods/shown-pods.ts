import { configSourceAnnotation, podSource, podUid, type Pod, type PodStatus } from '@podwright/kube-types';
import type { LocalObjects } from '@podwright/local-objects-interface';
import type { PodManager } from '@podwright/pod-manager-interface';
import type { StatusManager } from '@podwright/status-interface';

export interface ShownPodsParts {
  readonly objects: Pick<LocalObjects, 'get' | 'list'>;
  readonly pods: Pick<PodManager, 'getPods' | 'getPodByFullName'>;
  readonly statuses: Pick<StatusManager, 'getPodStatus'>;
}

/** The pods of this node as clients see them: those of the store and, read-only, those of other sources. */
export class ShownPods {
  constructor(private readonly parts: ShownPodsParts) {}

  list(): readonly Pod[] {
    return [...this.parts.objects.list('Pod').items.map((pod) => this.show(pod)), ...this.others()];
  }

  /** Pods of other sources. */
  others(): readonly Pod[] {
    return this.parts.pods
      .getPods()
      .filter((pod) => podSource(pod) !== 'local')
      .map((pod) => this.withStatus(pod));
  }

  get(namespace: string, name: string): Pod | undefined {
    const stored = this.parts.objects.get('Pod', namespace, name);
    if (stored !== undefined) return this.show(stored);
    const other = this.parts.pods.getPodByFullName(`${name}_${namespace}`);
    return other === undefined || podSource(other) === 'local' ? undefined : this.withStatus(other);
  }

  /** A pod of the store as clients see it. */
  show(stored: Pod): Pod {
    const { metadata } = stored;
    const annotations = { ...metadata.annotations, [configSourceAnnotation]: 'local' };
    return this.withStatus({ ...stored, metadata: { ...metadata, annotations } });
  }

  private withStatus(pod: Pod): Pod {
    const status: PodStatus = this.parts.statuses.getPodStatus(podUid(pod)) ?? pod.status ?? { phase: 'Pending' };
    return { apiVersion: 'v1', kind: 'Pod', ...pod, status };
  }
}
