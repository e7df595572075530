import { CLOCK, LOGGER, needs, pick, type Needs } from '@podwright/assembly-interface';
import { messageOf } from '@podwright/errors';
import { configHashAnnotation, podFullName, podUid, type Pod } from '@podwright/kube-types';
import { LOCAL_OBJECTS, type LocalObjectChange } from '@podwright/local-objects-interface';
import type { PodSourceReader } from '@podwright/pod-config-interface';
import { defaultPod } from '@podwright/pod-manifest';
import type { Timer } from '@podwright/time';
import type { LocalPodsConfig } from './local-pods-config.js';

export const localPodsNeeds = needs({ objects: pick(LOCAL_OBJECTS, 'list', 'watch'), clock: CLOCK, logger: LOGGER });

const retryMs = 1000;

/**
 * The pods that people put on this node through the local API. It trusts the store, as the kubelet trusts an API
 * server: what was accepted once runs on, also when a later version would refuse it. Delivers changes of one turn of the
 * event loop together, except that it delivers a forced deletion before the pod's removal.
 */
export class LocalPods implements PodSourceReader {
  readonly source = 'local';
  private readonly delivered = new WeakMap<Pod, Pod>();
  private deliver: ((pods: readonly Pod[]) => void) | undefined;
  private unwatch: (() => void) | undefined;
  private due: Timer | undefined;

  constructor(
    private readonly deps: Needs<typeof localPodsNeeds>,
    private readonly config: LocalPodsConfig,
  ) {}

  async open(deliver: (pods: readonly Pod[]) => void): Promise<void> {
    this.deliver = deliver;
    this.unwatch = this.deps.objects.watch((change) => {
      if (change.kind === 'Pod') this.note(change);
    });
    this.deliverNow();
  }

  async close(): Promise<void> {
    this.deliver = undefined;
    this.unwatch?.();
    this.due?.cancel();
    this.due = undefined;
  }

  // Its object disappears with the next change. A kubelet that missed this one would give the pod the full grace period
  // of its spec.
  private note({ type, object }: LocalObjectChange<'Pod'>): void {
    if (type === 'MODIFIED' && object.metadata.deletionGracePeriodSeconds === 0) this.deliverNow(object);
    else this.deliverIn(0);
  }

  private deliverIn(delayMs: number): void {
    this.due ??= this.deps.clock.setTimer(delayMs, () => {
      this.due = undefined;
      this.deliverNow();
    });
  }

  private deliverNow(forced?: Pod): void {
    try {
      const { items } = this.deps.objects.list('Pod');
      const others = forced === undefined ? items : items.filter((pod) => podFullName(pod) !== podFullName(forced));
      const pods = forced === undefined ? others : [...others, forced];
      this.deliver?.(pods.map((pod) => this.localPod(pod)));
    } catch (error) {
      this.deps.logger.error('the pods of the local API cannot be read, they run on', { error: messageOf(error) });
      this.deliverIn(retryMs);
    }
  }

  // The same object each time, so that the pod config need not compare it.
  private localPod(stored: Pod): Pod {
    const known = this.delivered.get(stored);
    if (known !== undefined) return known;
    const { metadata, spec, ...rest } = defaultPod(stored, this.config);
    const annotations = { ...metadata.annotations, [configHashAnnotation]: podUid(stored) };
    const pod: Pod = {
      ...rest,
      metadata: { ...metadata, annotations },
      spec: { ...spec, nodeName: this.config.nodeName },
      status: { phase: 'Pending' },
    };
    this.delivered.set(stored, pod);
    return pod;
  }
}
