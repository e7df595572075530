import { CLOCK, LOGGER, needs, pick, type Needs } from '@podwright/assembly-interface';
import { KeyedLanes } from '@podwright/concurrency';
import { hasCode, KubeletError } from '@podwright/errors';
import { KUBE_CLIENT, pods as podResource } from '@podwright/kube-client-interface';
import {
  configHashAnnotation,
  configMirrorAnnotation,
  findApiReferences,
  isStaticPod,
  podFullName,
  podSource,
  podUid,
} from '@podwright/kube-types';
import type { Node, Pod } from '@podwright/kube-types';
import { FailureLog } from '@podwright/logging';
import { REGISTERED_NODE } from '@podwright/node-status-interface';
import { POD_MANAGER, type MirrorPodClient } from '@podwright/pod-manager-interface';
import { withLinkedSignal } from '@podwright/time';
import { isMirrorPodOf, toMirrorPod } from './mirror-pod.js';

export const apiMirrorPodsNeeds = needs({
  client: pick(KUBE_CLIENT, 'create', 'delete', 'get'),
  pods: POD_MANAGER,
  node: pick(REGISTERED_NODE, 'current', 'watch'),
  clock: CLOCK,
  logger: LOGGER,
});

/** {@link MirrorPodClient} over the API server. */
export class ApiMirrorPods implements MirrorPodClient {
  private readonly stopping = new AbortController();
  private readonly lanes: KeyedLanes<string, Pod>;
  private readonly failureLog: FailureLog;
  private unsubscribe: (() => void) | undefined;
  private registeredUid: string | undefined;

  constructor(private readonly deps: Needs<typeof apiMirrorPodsNeeds>) {
    this.failureLog = new FailureLog(deps.logger, deps.clock);
    this.lanes = new KeyedLanes<string, Pod>({
      run: (_fullName, pod, signal) => this.bringInLine(pod, signal),
      onError: (fullName, error) =>
        deps.logger.error('Mirror pod could not be brought in line', { pod: fullName, error }),
    });
  }

  async start(): Promise<void> {
    this.unsubscribe ??= this.deps.node.watch(() => this.onNode());
    this.onNode();
  }

  async stop(): Promise<void> {
    this.unsubscribe?.();
    this.stopping.abort(new KubeletError('mirror pods are no longer kept', { code: 'cancelled' }));
    await this.lanes.stop();
  }

  async create(staticPod: Pod, signal?: AbortSignal): Promise<void> {
    const mirrorPod = toMirrorPod(staticPod, this.usableNode());
    try {
      await this.untilStopped(signal, (options) => this.deps.client.create(podResource, mirrorPod, options));
    } catch (error) {
      if (!hasCode(error, 'already-exists') || !(await this.existsAlready(mirrorPod, signal))) throw error;
    }
  }

  async delete(fullName: string, uid: string | undefined, signal?: AbortSignal): Promise<boolean> {
    const separator = fullName.indexOf('_');
    if (separator < 1 || separator === fullName.length - 1) {
      const message = `failed to parse the pod full name ${JSON.stringify(fullName)}`;
      throw new KubeletError(message, { code: 'invalid-argument' });
    }
    const [name, namespace] = [fullName.slice(0, separator), fullName.slice(separator + 1)];
    this.deps.logger.debug(2, 'Deleting a mirror pod', { pod: `${namespace}/${name}`, podUid: uid });
    const rules = { gracePeriodSeconds: 0, ...(uid !== undefined && { preconditions: { uid } }) };
    try {
      await this.untilStopped(signal, (options) =>
        this.deps.client.delete(podResource, { namespace, name }, { ...options, ...rules }),
      );
      return true;
    } catch (error) {
      // The mirror pod is gone, or another object now has the name.
      if (!hasCode(error, 'not-found') && !hasCode(error, 'aborted'))
        this.report('Failed deleting a mirror pod', fullName, error);
      return false;
    }
  }

  async reconcile(staticPod: Pod): Promise<void> {
    const fullName = podFullName(staticPod);
    this.lanes.submit(fullName, staticPod);
    await this.lanes.whenIdle(fullName);
  }

  private async bringInLine(given: Pod, signal: AbortSignal): Promise<void> {
    const pod = this.deps.pods.getPodByUid(podUid(given));
    if (pod === undefined || !isStaticPod(pod) || refersToLocalObjects(pod)) return;
    const fullName = podFullName(pod);
    const mirrorPod = this.deps.pods.getMirrorPodOf(pod);
    if (mirrorPod !== undefined) {
      if (mirrorPod.metadata.deletionTimestamp === undefined && isMirrorPodOf(mirrorPod, pod)) return;
      this.deps.logger.info('Trying to delete pod', { pod: fullName, podUid: podUid(mirrorPod) });
      if (!(await this.delete(fullName, podUid(mirrorPod), signal))) return;
      this.deps.logger.info("Deleted mirror pod as it didn't match the static Pod", { pod: fullName });
    }
    const node = this.deps.node.current();
    if (node === undefined) {
      const message = 'No need to create a mirror pod, since failed to get node info from the cluster';
      this.deps.logger.debug(2, message, { pod: fullName });
      return;
    }
    if (node.metadata?.deletionTimestamp !== undefined) {
      const message = 'No need to create a mirror pod, since node has been removed from the cluster';
      this.deps.logger.info(message, { node: node.metadata.name, pod: fullName });
      return;
    }
    this.deps.logger.info('Creating a mirror pod for static pod', { pod: fullName });
    try {
      await this.create(pod, signal);
      this.failureLog.over('Mirror pods are made again');
    } catch (error) {
      if (!signal.aborted) this.report('Failed creating a mirror pod for', fullName, error);
    }
  }

  // The API server's error names the conflicting object, but not its annotations.
  private async existsAlready({ metadata }: Pod, signal: AbortSignal | undefined): Promise<boolean> {
    const { namespace = '', name = '', annotations } = metadata;
    const found = await this.untilStopped(signal, (options) =>
      this.deps.client.get(podResource, { namespace, name }, options),
    ).catch((error: unknown) => {
      if (hasCode(error, 'not-found')) return undefined;
      throw error;
    });
    const hash = found?.metadata.annotations?.[configMirrorAnnotation];
    return hash !== undefined && hash === annotations?.[configHashAnnotation];
  }

  private usableNode(): Node & { readonly metadata: { readonly name: string; readonly uid: string } } {
    const problem = (text: string): KubeletError =>
      new KubeletError(`failed to get node UID: ${text}`, { code: 'failed-precondition' });
    const node = this.deps.node.current();
    if (node === undefined) throw problem('the node is not registered');
    const { name = '', uid = '', deletionTimestamp } = node.metadata ?? {};
    if (uid === '') throw problem(`UID unset for node ${name}`);
    if (deletionTimestamp !== undefined) throw problem(`node ${name} is being deleted`);
    return { ...node, metadata: { ...node.metadata, name, uid } };
  }

  // A node that was deleted and created again has another UID: its mirror pods are deleted with the old one.
  private onNode(): void {
    const node = this.deps.node.current();
    const uid = node?.metadata?.deletionTimestamp === undefined ? node?.metadata?.uid : undefined;
    if (uid === undefined || uid === this.registeredUid) return;
    this.registeredUid = uid;
    for (const pod of this.deps.pods.getPods()) if (isStaticPod(pod)) void this.reconcile(pod);
  }

  private untilStopped<T>(
    signal: AbortSignal | undefined,
    call: (options: { readonly signal: AbortSignal }) => Promise<T>,
  ): Promise<T> {
    return withLinkedSignal([signal, this.stopping.signal], (either) => call({ signal: either }));
  }

  private report(what: string, pod: string, error: unknown): void {
    this.failureLog.failed(`${what} ${KubeletError.from(error).code}`, what, { pod, error });
  }
}

// The API server refuses a mirror pod with references. It also would not know the objects that this pod uses.
const refersToLocalObjects = (pod: Pod): boolean => podSource(pod) === 'local' && findApiReferences(pod).length > 0;
