import { hasCode, KubeletError } from '@podwright/errors';
import type { EventRecorder } from '@podwright/events-interface';
import { persistentVolumeClaims } from '@podwright/kube-client-interface';
import type { KubeClient } from '@podwright/kube-client-interface';
import { compareQuantities, quantityToBytes } from '@podwright/kube-types';
import type { PersistentVolumeClaim } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import { isReadOnlySpec, specName, volumeFailure } from '@podwright/volume-interface';
import type { ExpandableVolumes } from '@podwright/volume-interface';
import { within } from '../within.js';
import { failedPatch, finishedPatch, inProgressPatch, isLegacyResize, resizeOf } from './claim-resize-status.js';
import type { ClaimStatusPatch } from './claim-resize-status.js';
import type { Expansion, ExpansionRequest } from './expansion-request.js';

export interface NodeExpanderDeps {
  /** Absent without an API server: no volume is expanded. */
  readonly client?: Pick<KubeClient, 'get' | 'patch'> | undefined;
  readonly events: EventRecorder;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
}

/** One expansion, with the claim as the API server has it. */
interface Attempt {
  readonly request: ExpansionRequest;
  readonly expandable: ExpandableVolumes;
  readonly client: Pick<KubeClient, 'get' | 'patch'>;
  readonly oldBytes: number;
  readonly newSize: string;
  readonly signal: AbortSignal;
  claim: PersistentVolumeClaim;
}

const done: Expansion = { status: 'done' };
const annotationNotRequired = 'volume.kubernetes.io/node-expansion-not-required';

/**
 * Grows volumes on the node once the controller has grown them, and writes the outcome into the status of their claims.
 * Source: kubernetes v1.36 pkg/volume/util/operationexecutor/node_expander.go and operation_generator.go
 * expandVolumeDuringMount, nodeExpandVolume, legacyCallNodeExpandOnPlugin.
 */
export class NodeExpander {
  /** Volumes whose expansion has failed for good at least once. */
  private readonly failedForGood = new Set<string>();

  constructor(private readonly deps: NodeExpanderDeps) {}

  /**
   * For a volume that was just mounted or mapped. Rejects with the cause; the caller says during which operation. Also
   * `wait` lets the mount go on.
   */
  async expandOnMount(request: ExpansionRequest, signal: AbortSignal): Promise<Expansion> {
    return this.expand(request, undefined, signal);
  }

  /**
   * For a mounted volume whose last known size is `oldBytes`. A rejection is recorded as event `VolumeResizeFailed` of
   * the pod, in upstream's whole words. After `done` the caller stores the size.
   */
  async expandInUse(request: ExpansionRequest, oldBytes: number, signal: AbortSignal): Promise<Expansion> {
    try {
      return await this.expand(request, oldBytes, signal);
    } catch (error) {
      const { code, message } = KubeletError.from(error);
      const text = `NodeExpandVolume.NodeExpandVolume failed for volume ${quoted(request)} : ${message}`;
      this.deps.events.event({ kind: 'Pod', pod: request.spec.pod }, 'Warning', 'VolumeResizeFailed', text);
      throw new KubeletError(text, { code, cause: error });
    }
  }

  /** For a volume that left the node. */
  forget(volumeName: string): void {
    this.failedForGood.delete(volumeName);
  }

  private async expand(
    request: ExpansionRequest,
    oldBytes: number | undefined,
    signal: AbortSignal,
  ): Promise<Expansion> {
    const { client } = this.deps;
    const { expandable } = request.plugin;
    const { persistentVolume } = request.spec;
    const size = persistentVolume?.spec?.capacity?.['storage'] ?? '0';
    const claimRef = persistentVolume?.spec?.claimRef;
    // Without a claim it is a volume in the pod's spec that a CSI driver has taken over.
    if (client === undefined || claimRef?.name === undefined || expandable?.requiresFsResize() !== true) return done;
    if (oldBytes !== undefined && quantityToBytes(size) <= oldBytes) return done;
    const { namespace = '', name } = claimRef;
    const claim = await within('mountVolume.NodeExpandVolume get PVC failed ', () =>
      client.get(persistentVolumeClaims, { namespace, name }, { signal }),
    );
    const claimed = claim.status?.capacity?.['storage'] ?? '0';
    if (oldBytes === undefined && compareQuantities(claimed, size) >= 0) return done;
    if (isReadOnlySpec(request.spec)) {
      const text = `MountVolume.NodeExpandVolume failed for volume ${quoted(request)} requested read-only file system`;
      this.tell(request, claim, 'Warning', 'FileSystemResizeFailed', text);
      return { status: 'done', bytes: quantityToBytes(size) };
    }
    const isLegacy = isLegacyResize(claim);
    const newSize = isLegacy ? size : (resizeOf(claim).allocated ?? '0');
    const sizes = { oldBytes: oldBytes ?? quantityToBytes(claimed), newSize };
    const attempt = { request, expandable, client, ...sizes, signal, claim };
    return isLegacy ? this.expandLegacy(attempt) : this.expandRecoverably(attempt);
  }

  /** With a resize controller that cannot recover from failures. */
  private async expandLegacy(attempt: Attempt): Promise<Expansion> {
    const finished: Expansion = { status: 'done', bytes: quantityToBytes(attempt.newSize) };
    try {
      await this.callPlugin(attempt);
    } catch (error) {
      if (hasCode(error, 'unimplemented')) return finished;
      if (hasCode(error, 'failed-precondition')) return this.inUse(attempt, error);
      throw error;
    }
    this.tellSuccess(attempt);
    if (compareQuantities(attempt.claim.status?.capacity?.['storage'], attempt.newSize) >= 0) return finished;
    await within('mountVolume.NodeExpandVolume update PVC status failed ', () =>
      patchStatus(attempt, finishedPatch(attempt.claim, attempt.newSize)),
    );
    return finished;
  }

  private async expandRecoverably(attempt: Attempt): Promise<Expansion> {
    const { claim, newSize, request } = attempt;
    const finished: Expansion = { status: 'done', bytes: quantityToBytes(newSize) };
    const { resizeStatus } = resizeOf(claim);
    const isFinished = resizeStatus === '' && compareQuantities(claim.status?.capacity?.['storage'], newSize) >= 0;
    if (isFinished && !needsEachNode(claim)) return finished;
    if (!isFinished && resizeStatus !== 'NodeResizePending' && resizeStatus !== 'NodeResizeInProgress') {
      this.deps.logger.debug(4, 'Volume expansion waits for the resize controller', { volume: request.volumeName });
      return { status: 'wait' };
    }
    // The user has changed the claim since an expansion failed: the controller must decide anew.
    const infeasibleOnFailure =
      this.failedForGood.has(request.volumeName) &&
      compareQuantities(claim.spec?.resources?.requests?.['storage'], newSize) !== 0;
    if (!isFinished) attempt.claim = await patchStatus(attempt, inProgressPatch(claim));
    try {
      await this.callPlugin(attempt);
    } catch (error) {
      if (isFinished && hasCode(error, 'unimplemented')) return finished;
      // A kubelet that stops says nothing about the volume.
      if (volumeFailure(error) === 'final' && !attempt.signal.aborted)
        await this.failForGood(attempt, error, infeasibleOnFailure);
      if (hasCode(error, 'failed-precondition')) return this.inUse(attempt, error);
      throw error;
    }
    this.failedForGood.delete(request.volumeName);
    this.tellSuccess(attempt);
    if (isFinished) return finished;
    await within('mountVolume.NodeExpandVolume update pvc status failed', () =>
      patchStatus(attempt, finishedPatch(attempt.claim, newSize)),
    );
    return finished;
  }

  private async callPlugin({ request, expandable, oldBytes, newSize, signal }: Attempt): Promise<void> {
    const { spec, mode, devicePath, deviceMountPath, volumePath } = request;
    const sizes = { oldBytes, newBytes: quantityToBytes(newSize) };
    await expandable.nodeExpand({ spec, mode, devicePath, deviceMountPath, volumePath, ...sizes }, signal);
  }

  private async failForGood(attempt: Attempt, error: unknown, infeasibleOnFailure: boolean): Promise<void> {
    const { volumeName } = attempt.request;
    this.failedForGood.add(volumeName);
    const infeasible =
      infeasibleOnFailure ||
      (['invalid-argument', 'out-of-range', 'not-found'] as const).some((code) => hasCode(error, code));
    const time = new Date(this.deps.clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
    try {
      await patchStatus(attempt, failedPatch(attempt.claim, error, { infeasible, time }));
    } catch (patchError) {
      // The error of the expansion counts; the next try writes the status again.
      const text = 'MountVolume.NodeExpandVolume failed to mark node expansion as failed';
      this.deps.logger.error(text, { volume: volumeName, error: patchError });
    }
  }

  private inUse({ request }: Attempt, error: unknown): Expansion {
    this.deps.logger.error('MountVolume.NodeExpandVolume failed', { volume: request.volumeName, error });
    return { status: 'in-use' };
  }

  private tellSuccess({ request, claim }: Attempt): void {
    const where = request.spec.pod.spec.nodeName ?? '';
    const text = `MountVolume.NodeExpandVolume succeeded for volume ${quoted(request)} ${where}`;
    this.tell(request, claim, 'Normal', 'FileSystemResizeSuccessful', text);
  }

  private tell(
    { spec }: ExpansionRequest,
    claim: PersistentVolumeClaim,
    ...event: readonly ['Normal' | 'Warning', string, string]
  ): void {
    this.deps.events.event({ kind: 'Pod', pod: spec.pod }, ...event);
    this.deps.events.event({ kind: 'PersistentVolumeClaim', object: claim }, ...event);
  }
}

/** Volumes that several nodes mount grow on each of them, also when another node was first and updated the claim. */
function needsEachNode({ metadata, spec }: PersistentVolumeClaim): boolean {
  if (spec?.accessModes?.includes('ReadWriteMany') !== true) return false;
  return metadata?.annotations?.[annotationNotRequired] === undefined;
}

async function patchStatus({ client, claim, signal }: Attempt, body: ClaimStatusPatch): Promise<PersistentVolumeClaim> {
  const { namespace = '', name = '' } = claim.metadata ?? {};
  return within(`patchPVCStatus failed to patch PVC ${JSON.stringify(name)}`, () =>
    client.patch(
      persistentVolumeClaims,
      { namespace, name },
      { type: 'strategic-merge', body },
      { subresource: 'status', signal },
    ),
  );
}

function quoted({ spec }: ExpansionRequest): string {
  return JSON.stringify(specName(spec));
}
