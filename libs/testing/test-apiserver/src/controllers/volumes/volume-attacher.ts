import type { ApiObject, Stored } from '@podwright/api-machinery';
import { createHash } from 'node:crypto';
import { deepEqual, isTerminalPhase, objectKey } from '@podwright/kube-types';
import type { Node, PersistentVolume, VolumeAttachment } from '@podwright/kube-types';
import type { ObjectRegistry } from '../../registry/object-registry.js';
import type { ServerContext } from '../../registry/server-context.js';
import { systemUser } from '../../registry/system-objects.js';
import { asPod } from '../../strategies/pod-strategy.js';
import type { Controller } from '../controller.js';
import { claimNamesOf } from './pod-claims.js';

const managedAnnotation = 'volumes.kubernetes.io/controller-managed-attach-detach';
const csiPrefix = 'kubernetes.io/csi/';
const causes = new Set([
  'pods',
  'nodes',
  'persistentvolumeclaims',
  'persistentvolumes',
  'volumeattachments.storage.k8s.io',
]);

interface WantedVolume {
  /** As in the node's status. */
  readonly uniqueName: string;
  readonly attachmentName: string;
  readonly persistentVolume: string;
  readonly attacher: string;
  readonly sharable: boolean;
}

/**
 * Attaches the volumes of a node's pods, and detaches them when no pod wants them and the node no longer uses them: the
 * attach/detach controller and external-attacher in one. Attaching takes no time and calls no driver. Volumes of other
 * kinds than CSI are attached as soon as the node uses them. Source: kubernetes v1.36
 * pkg/controller/volume/attachdetach.
 */
export function volumeAttacher({ store, table }: ServerContext, registry: ObjectRegistry): Controller {
  const attachments = table.get('volumeattachments', 'storage.k8s.io');
  return ({ resource }) => {
    if (!causes.has(resource)) return;
    for (const node of [...store.values('nodes')]) settle(node as Stored<Node>);
    for (const attachment of allAttachments()) {
      if (store.get('nodes', attachment.spec?.nodeName ?? '') === undefined) registry.remove(attachments, attachment);
    }
  };

  function settle(node: Stored<Node>): void {
    if (node.metadata.annotations?.[managedAnnotation] !== 'true') return;
    const name = node.metadata.name ?? '';
    const inUse = node.status?.volumesInUse ?? [];
    const wanted = wantedOn(name).filter((volume) => volume.sharable || !attachedElsewhere(volume, name));
    const kept = (node.status?.volumesAttached ?? [])
      .map(({ name: attached }) => attached)
      .filter((attached) => inUse.includes(attached) || wanted.some(({ uniqueName }) => uniqueName === attached));
    const ofOtherKinds = inUse.filter((used) => !used.startsWith(csiPrefix));
    const attached = [...new Set([...kept, ...wanted.map(({ uniqueName }) => uniqueName), ...ofOtherKinds])];
    for (const volume of wanted) attach(volume, name);
    report(node, attached);
    for (const attachment of allAttachments()) {
      if (attachment.spec?.nodeName !== name || attached.includes(uniqueNameOf(attachment))) continue;
      registry.remove(attachments, attachment);
    }
  }

  function wantedOn(node: string): readonly WantedVolume[] {
    const pods = [...store.values('pods')].map(asPod).filter(({ spec, status }) => {
      return spec.nodeName === node && !isTerminalPhase(status?.phase);
    });
    const wanted = pods.flatMap((pod) =>
      claimNamesOf(pod).flatMap((claim) => wantedOf(node, objectKey(pod.metadata.namespace, claim)) ?? []),
    );
    return [...new Map(wanted.map((volume) => [volume.uniqueName, volume])).values()];
  }

  function wantedOf(node: string, claimKey: string): WantedVolume | undefined {
    const claim = store.get('persistentvolumeclaims', claimKey) as { spec?: { volumeName?: string } } | undefined;
    const volume = store.get('persistentvolumes', claim?.spec?.volumeName ?? '') as
      | Stored<PersistentVolume>
      | undefined;
    const { csi, claimRef, accessModes = [] } = volume?.spec ?? {};
    if (volume === undefined || csi === undefined || claimRef?.uid === undefined || !mustAttach(csi.driver))
      return undefined;
    const { driver, volumeHandle } = csi;
    const hash = createHash('sha256').update(`${volumeHandle}${driver}${node}`).digest('hex');
    return {
      uniqueName: `${csiPrefix}${driver}^${volumeHandle}`,
      attachmentName: `csi-${hash}`,
      persistentVolume: volume.metadata.name ?? '',
      attacher: driver,
      sharable: accessModes.some((mode) => mode === 'ReadWriteMany' || mode === 'ReadOnlyMany'),
    };
  }

  function mustAttach(driver: string): boolean {
    const object = store.get('csidrivers.storage.k8s.io', driver) as
      | { spec?: { attachRequired?: boolean } }
      | undefined;
    return object?.spec?.attachRequired !== false;
  }

  function attach({ attachmentName, attacher, persistentVolume }: WantedVolume, nodeName: string): void {
    const known = registry.find(attachments, '', attachmentName);
    if (known === undefined) {
      const metadata = { name: attachmentName } as ApiObject['metadata'];
      const spec = { attacher, nodeName, source: { persistentVolumeName: persistentVolume } };
      registry.create({ resource: attachments, namespace: '', user: systemUser }, { metadata, spec });
    }
    const made = registry.find(attachments, '', attachmentName) as Stored<VolumeAttachment> | undefined;
    if (made !== undefined && made.status?.attached !== true)
      registry.put(attachments, { ...made, status: { attached: true } });
  }

  function report(node: Stored<Node>, names: readonly string[]): void {
    const volumesAttached = names.map((name) => ({ name, devicePath: '' }));
    if (deepEqual(volumesAttached, node.status?.volumesAttached ?? [])) return;
    // Creating an attachment may have changed nothing of the node, but another controller may have.
    const current = store.get('nodes', node.metadata.name ?? '') as Stored<Node> | undefined;
    if (current === undefined) return;
    registry.put(table.get('nodes'), { ...current, status: { ...current.status, volumesAttached } });
  }

  function attachedElsewhere({ persistentVolume }: WantedVolume, node: string): boolean {
    return allAttachments().some(
      ({ spec }) => spec?.source?.persistentVolumeName === persistentVolume && spec?.nodeName !== node,
    );
  }

  function uniqueNameOf({ spec }: Stored<VolumeAttachment>): string {
    const volume = store.get('persistentvolumes', spec?.source?.persistentVolumeName ?? '');
    const { csi } = (volume as Stored<PersistentVolume> | undefined)?.spec ?? {};
    return csi === undefined ? '' : `${csiPrefix}${csi.driver}^${csi.volumeHandle}`;
  }

  function allAttachments(): readonly Stored<VolumeAttachment>[] {
    return [...store.values('volumeattachments.storage.k8s.io')] as Stored<VolumeAttachment>[];
  }
}
