import { CLOCK, LOGGER } from '@podwright/assembly-interface';
import { KeyedLanes } from '@podwright/concurrency';
import { hasCode, KubeletError } from '@podwright/errors';
import { KUBE_CLIENT, pods as podResource, type KubeClient } from '@podwright/kube-client-interface';
import { configHashAnnotation, configMirrorAnnotation, isStaticPod, podFullName, podUid } from '@podwright/kube-types';
import type { Node, Pod } from '@podwright/kube-types';
import { TroubleLog, type Logger } from '@podwright/logging';
import { REGISTERED_NODE, type RegisteredNode } from '@podwright/node-status-interface';
import { POD_MANAGER, type MirrorPodClient, type PodManager } from '@podwright/pod-manager-interface';
import type { Clock } from '@podwright/time';
import { inject, injectable } from 'tsyringe';
import { isMirrorPodOf, toMirrorPod } from './mirror-pod.js';

/** {@link MirrorPodClient} over the API server. */
@injectable()
export class ApiMirrorPods implements MirrorPodClient {
  private readonly stopping = new AbortController();
  private readonly lanes: KeyedLanes<string, Pod>;
  private readonly trouble: TroubleLog;
  private unsubscribe: (() => void) | undefined;
  private registeredUid: string | undefined;

  constructor(
    @inject(KUBE_CLIENT) private readonly client: Pick<KubeClient, 'create' | 'delete' | 'get'>,
    @inject(POD_MANAGER) private readonly pods: PodManager,
    @inject(REGISTERED_NODE) private readonly node: Pick<RegisteredNode, 'current' | 'watch'>,
    @inject(CLOCK) clock: Clock,
    @inject(LOGGER) private readonly logger: Logger,
  ) {
    this.trouble = new TroubleLog(logger, clock);
    this.lanes = new KeyedLanes<string, Pod>({
      run: (_fullName, pod, signal) => this.bringInLine(pod, signal),
      onError: (fullName, error) => logger.error('Mirror pod could not be brought in line', { pod: fullName, error }),
    });
  }

  async start(): Promise<void> {
    this.unsubscribe ??= this.node.watch(() => this.onNode());
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
      await this.client.create(podResource, mirrorPod, this.callOptions(signal));
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
    this.logger.debug(2, 'Deleting a mirror pod', { pod: `${namespace}/${name}`, podUid: uid });
    const options = {
      ...this.callOptions(signal),
      gracePeriodSeconds: 0,
      ...(uid !== undefined && { preconditions: { uid } }),
    };
    try {
      await this.client.delete(podResource, { namespace, name }, options);
      return true;
    } catch (error) {
      // Gone already, or another object has the name by now.
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
    const pod = this.pods.getPodByUid(podUid(given));
    if (pod === undefined || !isStaticPod(pod)) return;
    const fullName = podFullName(pod);
    const mirrorPod = this.pods.getMirrorPodOf(pod);
    if (mirrorPod !== undefined) {
      if (mirrorPod.metadata.deletionTimestamp === undefined && isMirrorPodOf(mirrorPod, pod)) return;
      this.logger.info('Trying to delete pod', { pod: fullName, podUid: podUid(mirrorPod) });
      if (!(await this.delete(fullName, podUid(mirrorPod), signal))) return;
      this.logger.info("Deleted mirror pod as it didn't match the static Pod", { pod: fullName });
    }
    const node = this.node.current();
    if (node === undefined) {
      const message = 'No need to create a mirror pod, since failed to get node info from the cluster';
      this.logger.debug(2, message, { pod: fullName });
      return;
    }
    if (node.metadata?.deletionTimestamp !== undefined) {
      const message = 'No need to create a mirror pod, since node has been removed from the cluster';
      this.logger.info(message, { node: node.metadata.name, pod: fullName });
      return;
    }
    this.logger.info('Creating a mirror pod for static pod', { pod: fullName });
    try {
      await this.create(pod, signal);
      this.trouble.over('Mirror pods are made again');
    } catch (error) {
      if (!signal.aborted) this.report('Failed creating a mirror pod for', fullName, error);
    }
  }

  // The API server names the object that is in the way, but not its annotations.
  private async existsAlready({ metadata }: Pod, signal: AbortSignal | undefined): Promise<boolean> {
    const { namespace = '', name = '', annotations } = metadata;
    const found = await this.client
      .get(podResource, { namespace, name }, this.callOptions(signal))
      .catch((error: unknown) => {
        if (hasCode(error, 'not-found')) return undefined;
        throw error;
      });
    const hash = found?.metadata.annotations?.[configMirrorAnnotation];
    return hash !== undefined && hash === annotations?.[configHashAnnotation];
  }

  private usableNode(): Node & { readonly metadata: { readonly name: string; readonly uid: string } } {
    const problem = (text: string): KubeletError =>
      new KubeletError(`failed to get node UID: ${text}`, { code: 'failed-precondition' });
    const node = this.node.current();
    if (node === undefined) throw problem('the node is not registered');
    const { name = '', uid = '', deletionTimestamp } = node.metadata ?? {};
    if (uid === '') throw problem(`UID unset for node ${name}`);
    if (deletionTimestamp !== undefined) throw problem(`node ${name} is being deleted`);
    return { ...node, metadata: { ...node.metadata, name, uid } };
  }

  // A node that was deleted and made again has another UID: its mirror pods go with the old one.
  private onNode(): void {
    const node = this.node.current();
    const uid = node?.metadata?.deletionTimestamp === undefined ? node?.metadata?.uid : undefined;
    if (uid === undefined || uid === this.registeredUid) return;
    this.registeredUid = uid;
    for (const pod of this.pods.getPods()) if (isStaticPod(pod)) void this.reconcile(pod);
  }

  private callOptions(signal: AbortSignal | undefined): { readonly signal: AbortSignal } {
    return { signal: signal === undefined ? this.stopping.signal : AbortSignal.any([signal, this.stopping.signal]) };
  }

  private report(what: string, pod: string, error: unknown): void {
    this.trouble.failed(`${what} ${KubeletError.from(error).code}`, what, { pod, error });
  }
}

export interface ApiMirrorPodsDeps {
  readonly client: Pick<KubeClient, 'create' | 'delete' | 'get'>;
  readonly pods: PodManager;
  readonly node: Pick<RegisteredNode, 'current' | 'watch'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Makes one without a container. */
export function createApiMirrorPods(deps: ApiMirrorPodsDeps): MirrorPodClient {
  const { client, pods, node, clock, logger } = deps;
  return new ApiMirrorPods(client, pods, node, clock, logger);
}
