import type { ApiObject, Stored } from '@podwright/api-machinery';
import { compareQuantities, matchesLabelSelector, objectKey } from '@podwright/kube-types';
import type { PersistentVolume, PersistentVolumeClaim, VolumeAttachment } from '@podwright/kube-types';
import type { ObjectRegistry } from '../../registry/object-registry.js';
import type { ServerContext } from '../../registry/server-context.js';
import type { Controller } from '../controller.js';
import { provisionedVolume } from './provisioned-volume.js';

const attachmentsKey = 'volumeattachments.storage.k8s.io';
const causes = new Set([
  'persistentvolumeclaims',
  'persistentvolumes',
  'storageclasses.storage.k8s.io',
  attachmentsKey,
]);

type Claim = Stored<PersistentVolumeClaim>;
type Volume = Stored<PersistentVolume>;

/**
 * Binds claims to volumes: to the one that the claim names or that names the claim, else to the smallest that fits,
 * else to a new one of the claim's storage class. Volumes of deleted claims become Released, or are deleted. Source:
 * kubernetes v1.36 pkg/controller/volume/persistentvolume/pv_controller.go. Binds at once also where the storage class
 * waits for the first consumer.
 */
export function claimBinder({ store, table }: ServerContext, registry: ObjectRegistry): Controller {
  const claims = table.get('persistentvolumeclaims');
  const volumes = table.get('persistentvolumes');
  return ({ resource }) => {
    if (!causes.has(resource)) return;
    for (const volume of [...store.values('persistentvolumes')]) settleVolume(volume as Volume);
    for (const claim of [...store.values('persistentvolumeclaims')]) settleClaim(claim as Claim);
  };

  function settleVolume(volume: Volume): void {
    const { claimRef, persistentVolumeReclaimPolicy: policy } = volume.spec ?? {};
    const phase = volume.status?.phase;
    if (claimRef?.uid === undefined) {
      if (phase !== 'Available') setPhase(volume, 'Available');
      return;
    }
    const claim = store.get('persistentvolumeclaims', objectKey(claimRef.namespace, claimRef.name ?? ''));
    if (claim?.metadata.uid === claimRef.uid) return;
    // As external-provisioner, which deletes no volume that is attached.
    if (policy === 'Delete' && !isAttached(volume)) registry.remove(volumes, volume);
    else if (phase !== 'Released') setPhase(volume, 'Released');
  }

  function settleClaim(claim: Claim): void {
    const { phase } = claim.status ?? {};
    if (phase === 'Bound' || phase === 'Lost') {
      const volume = store.get('persistentvolumes', claim.spec?.volumeName ?? '');
      if (volume === undefined && phase === 'Bound') registry.put(claims, { ...claim, status: { phase: 'Lost' } });
      return;
    }
    const volume = volumeFor(claim) ?? provision(claim);
    if (volume !== undefined) bind(claim, volume);
    else if (phase !== 'Pending') registry.put(claims, { ...claim, status: { phase: 'Pending' } });
  }

  function volumeFor(claim: Claim): Volume | undefined {
    const free = ([...store.values('persistentvolumes')] as Volume[]).filter((volume) => isFreeFor(volume, claim));
    const named = claim.spec?.volumeName ?? '';
    if (named !== '') return free.find(({ metadata }) => metadata.name === named);
    const reserved = free.find(({ spec }) => spec?.claimRef !== undefined);
    return reserved ?? free.filter((volume) => fits(volume, claim)).sort(bySize)[0];
  }

  function provision(claim: Claim): Volume | undefined {
    const { storageClassName = '', volumeName = '' } = claim.spec ?? {};
    const storageClass = store.get('storageclasses.storage.k8s.io', storageClassName);
    if (storageClass === undefined || volumeName !== '') return undefined;
    const volume = provisionedVolume(claim, storageClass);
    return volume && (registry.put(volumes, volume) as Volume);
  }

  function bind(claim: Claim, volume: Volume): void {
    const { name = '', namespace = '', uid = '', resourceVersion = '' } = claim.metadata;
    const claimRef = { kind: 'PersistentVolumeClaim', apiVersion: 'v1', name, namespace, uid, resourceVersion };
    registry.put(volumes, {
      ...volume,
      metadata: annotated(volume, { 'pv.kubernetes.io/bound-by-controller': 'yes' }),
      spec: { ...volume.spec, claimRef },
      status: { phase: 'Bound' },
    });
    const bound = { 'pv.kubernetes.io/bind-completed': 'yes', 'pv.kubernetes.io/bound-by-controller': 'yes' };
    registry.put(claims, {
      ...claim,
      metadata: annotated(claim, bound),
      spec: { ...claim.spec, volumeName: volume.metadata.name },
      status: { phase: 'Bound', accessModes: volume.spec?.accessModes, capacity: volume.spec?.capacity },
    });
  }

  function isAttached({ metadata }: Volume): boolean {
    const attachments = [...store.values(attachmentsKey)] as Stored<VolumeAttachment>[];
    return attachments.some(({ spec }) => spec?.source?.persistentVolumeName === metadata.name);
  }

  function setPhase(volume: Volume, phase: string): void {
    registry.put(volumes, { ...volume, status: { phase } });
  }
}

function isFreeFor({ metadata, spec }: Volume, claim: Claim): boolean {
  const { claimRef } = spec ?? {};
  if (metadata.deletionTimestamp !== undefined || claimRef?.uid === claim.metadata.uid) return claimRef !== undefined;
  if (claimRef === undefined) return true;
  // Reserved by hand for a claim of this name, whichever its UID.
  const { name, namespace } = claim.metadata;
  return claimRef.uid === undefined && claimRef.name === name && claimRef.namespace === namespace;
}

function fits({ metadata, spec = {} }: Volume, { spec: wanted = {} }: Claim): boolean {
  return (
    spec.claimRef === undefined &&
    (spec.storageClassName ?? '') === (wanted.storageClassName ?? '') &&
    (spec.volumeMode ?? 'Filesystem') === (wanted.volumeMode ?? 'Filesystem') &&
    (wanted.accessModes ?? []).every((mode) => spec.accessModes?.includes(mode)) &&
    compareQuantities(spec.capacity?.['storage'], wanted.resources?.requests?.['storage']) >= 0 &&
    (wanted.selector === undefined || matchesLabelSelector(wanted.selector, metadata.labels ?? {}))
  );
}

function bySize(left: Volume, right: Volume): number {
  return compareQuantities(left.spec?.capacity?.['storage'], right.spec?.capacity?.['storage']);
}

function annotated({ metadata }: ApiObject, annotations: Readonly<Record<string, string>>): ApiObject['metadata'] {
  return { ...metadata, annotations: { ...metadata.annotations, ...annotations } };
}
