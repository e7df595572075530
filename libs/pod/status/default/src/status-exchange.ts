import { hasCode } from '@podwright/errors';
import { pods, type KubeClient } from '@podwright/kube-client-interface';
import { configMirrorAnnotation, isMirrorPod, isTerminalPhase, type Pod } from '@podwright/kube-types';
import type { ConditionGates } from '@podwright/status-interface';
import { mergeStatus } from './merge-status.js';
import { statusPatch } from './status-patch.js';
import type { VersionedStatus } from './versioned-status.js';

/**
 * `gone`: the object does not exist. `foreign`: its name belongs to another pod. `accepted`: `pod` is its new state.
 */
export type ExchangeOutcome =
  | { readonly kind: 'gone' }
  | { readonly kind: 'foreign' }
  | { readonly kind: 'deleted' }
  | { readonly kind: 'accepted'; readonly pod: Pod; readonly changed: boolean };

export interface ExchangeContext {
  readonly client: Pick<KubeClient, 'get' | 'patch' | 'delete'>;
  readonly podUid: string;
  readonly entry: VersionedStatus;
  /** The last known state of the object; undefined: it must be read. */
  readonly known: Pod | undefined;
  readonly couldHaveRunningContainers: boolean;
  /** RFC 3339, whole seconds. */
  readonly now: string;
  readonly gates: ConditionGates;
  readonly signal: AbortSignal;
}

/**
 * Whether the API object shows the status of this pod: it is the pod itself, or its mirror pod, which has the pod's UID
 * as hash.
 */
export function showsPod({ metadata }: Pod, uid: string, { staticPod }: VersionedStatus): boolean {
  return staticPod ? metadata.annotations?.[configMirrorAnnotation] === uid : metadata.uid === uid;
}

/**
 * Whether the kubelet should delete the object: the pod is finished and only the kubelet holds the object. A mirror pod
 * is deleted with its static pod instead.
 */
export function canBeDeleted(pod: Pod, { finished }: VersionedStatus): boolean {
  const phase = pod.status?.phase;
  const terminal = isTerminalPhase(phase);
  return finished && terminal && pod.metadata.deletionTimestamp !== undefined && !isMirrorPod(pod);
}

/**
 * Sends one status to the API server and deletes the object of a finished pod. Does not read an object that the watch
 * has delivered: the patch carries its resource version, so that the server rejects it if the object has changed; only
 * then it reads and patches as upstream does.
 * Source: kubernetes v1.36 pkg/kubelet/status/status_manager.go syncPod. Rejects as {@link KubeClient} does.
 */
export async function exchangeStatus(context: ExchangeContext): Promise<ExchangeOutcome> {
  const { known } = context;
  if (known !== undefined && showsPod(known, context.podUid, context.entry)) {
    try {
      return await deleteIfOver(context, await patch(context, known, true));
    } catch (error) {
      if (hasCode(error, 'not-found')) return { kind: 'gone' };
      if (!hasCode(error, 'aborted')) throw error;
    }
  }
  try {
    const live = await context.client.get(pods, nameOf(context), callOptions(context));
    if (!showsPod(live, context.podUid, context.entry)) return { kind: 'foreign' };
    return await deleteIfOver(context, await patch(context, live, false));
  } catch (error) {
    if (hasCode(error, 'not-found')) return { kind: 'gone' };
    throw error;
  }
}

async function patch(
  context: ExchangeContext,
  shown: Pod,
  onlyIfNewest: boolean,
): Promise<{ readonly pod: Pod; readonly changed: boolean }> {
  const { client, entry, couldHaveRunningContainers, now, gates } = context;
  const { uid, resourceVersion, generation } = shown.metadata;
  const wanted = mergeStatus(shown.status ?? {}, entry.status, {
    couldHaveRunningContainers,
    now,
    gates,
    ...(generation !== undefined && { generation }),
  });
  const status = statusPatch(shown.status ?? {}, wanted);
  if (status === undefined) return { pod: shown, changed: false };
  const metadata = { uid, ...(onlyIfNewest && resourceVersion !== undefined && { resourceVersion }) };
  const body = { metadata, status };
  const pod = await client.patch(
    pods,
    nameOf(context),
    { type: 'strategic-merge', body },
    { ...callOptions(context), subresource: 'status' },
  );
  return { pod, changed: true };
}

async function deleteIfOver(
  context: ExchangeContext,
  sent: { readonly pod: Pod; readonly changed: boolean },
): Promise<ExchangeOutcome> {
  const { uid } = sent.pod.metadata;
  if (!canBeDeleted(sent.pod, context.entry)) return { kind: 'accepted', ...sent };
  try {
    await context.client.delete(pods, nameOf(context), {
      ...callOptions(context),
      gracePeriodSeconds: 0,
      ...(uid !== undefined && { preconditions: { uid } }),
    });
  } catch (error) {
    // After a conflict the object is read: it may be another pod of this name, which is not ours to delete.
    if (!hasCode(error, 'not-found')) throw error;
  }
  return { kind: 'deleted' };
}

const nameOf = ({ entry: { namespace, name } }: ExchangeContext): { namespace: string; name: string } => ({
  namespace,
  name,
});
const callOptions = ({ signal }: ExchangeContext): { signal: AbortSignal; budget: 'status' } => ({
  signal,
  budget: 'status',
});
