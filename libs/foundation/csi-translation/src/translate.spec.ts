import { describe, expect, it } from '@jest/globals';
import type { PersistentVolume, Volume } from '@podwright/kube-types';
import { hasInTreeSource, translateInline, translatePersistentVolume } from './translate.js';

type Spec = NonNullable<PersistentVolume['spec']>;
type Csi = Spec['csi'];
type Source = Omit<Volume, 'name'>;

const inline = (source: Source): PersistentVolume => translateInline({ name: 'data', ...source }, 'prod');
const ofSpec = (spec: Spec, metadata: PersistentVolume['metadata'] = {}): PersistentVolume =>
  translatePersistentVolume({ metadata: { name: 'pv-1', ...metadata }, spec });
const both = { fsType: 'ext4', readOnly: true };

// The expectations are those of upstream's tests where it has one.
describe('volumes of a pod', () => {
  it.each<[string, Source, string, string, Csi]>([
    [
      'aws',
      { awsElasticBlockStore: { volumeID: 'vol-1', ...both } },
      'ebs.csi.aws.com-vol-1',
      'ReadWriteOnce',
      { driver: 'ebs.csi.aws.com', volumeHandle: 'vol-1', ...both, volumeAttributes: { partition: '0' } },
    ],
    [
      'aws, with zone and partition',
      { awsElasticBlockStore: { volumeID: 'aws://us-east-1/vol-1', partition: 2 } },
      'ebs.csi.aws.com-vol-1',
      'ReadWriteOnce',
      { driver: 'ebs.csi.aws.com', volumeHandle: 'vol-1', volumeAttributes: { partition: '2' } },
    ],
    [
      'gce',
      { gcePersistentDisk: { pdName: 'pd', fsType: 'ext4' } },
      'pd.csi.storage.gke.io-pd',
      'ReadWriteOnce',
      {
        driver: 'pd.csi.storage.gke.io',
        volumeHandle: 'projects/UNSPECIFIED/zones/UNSPECIFIED/disks/pd',
        fsType: 'ext4',
        volumeAttributes: { partition: '' },
      },
    ],
    [
      'gce, read-only, with partition',
      { gcePersistentDisk: { pdName: 'pd', partition: 1, ...both } },
      'pd.csi.storage.gke.io-pd',
      'ReadOnlyMany',
      {
        driver: 'pd.csi.storage.gke.io',
        volumeHandle: 'projects/UNSPECIFIED/zones/UNSPECIFIED/disks/pd',
        ...both,
        volumeAttributes: { partition: '1' },
      },
    ],
    [
      'azure disk',
      { azureDisk: { diskName: 'd', diskURI: '/sub/d', cachingMode: 'None', kind: 'managed', ...both } },
      '/sub/d',
      'ReadWriteOnce',
      {
        driver: 'disk.csi.azure.com',
        volumeHandle: '/sub/d',
        ...both,
        volumeAttributes: { kind: 'Managed', cachingmode: 'None', fstype: 'ext4' },
      },
    ],
    [
      'azure file',
      { azureFile: { shareName: 'share', secretName: 'azure-storage-account-acc-secret', readOnly: true } },
      '#acc#share#data#prod',
      'ReadWriteMany',
      {
        driver: 'file.csi.azure.com',
        volumeHandle: '#acc#share#data#prod',
        readOnly: true,
        volumeAttributes: { sharename: 'share' },
        nodeStageSecretRef: { name: 'azure-storage-account-acc-secret', namespace: 'prod' },
      },
    ],
    [
      'cinder',
      { cinder: { volumeID: 'v', ...both } },
      'cinder.csi.openstack.org-v',
      'ReadWriteOnce',
      { driver: 'cinder.csi.openstack.org', volumeHandle: 'v', ...both, volumeAttributes: {} },
    ],
    [
      'vsphere',
      { vsphereVolume: { volumePath: '[ds] a.vmdk', fsType: 'ext4', storagePolicyName: 'gold' } },
      'csi.vsphere.vmware.com-[ds] a.vmdk',
      'ReadWriteOnce',
      {
        driver: 'csi.vsphere.vmware.com',
        volumeHandle: '[ds] a.vmdk',
        fsType: 'ext4',
        volumeAttributes: { storagepolicyname: 'gold' },
      },
    ],
    [
      'portworx',
      { portworxVolume: { volumeID: 'v', fsType: 'ext4' } },
      'pxd.portworx.com-v',
      'ReadWriteOnce',
      { driver: 'pxd.portworx.com', volumeHandle: 'v', fsType: 'ext4', volumeAttributes: {} },
    ],
    [
      'portworx, read-only',
      { portworxVolume: { volumeID: 'v', readOnly: true } },
      'pxd.portworx.com-v',
      'ReadOnlyMany',
      { driver: 'pxd.portworx.com', volumeHandle: 'v', volumeAttributes: {} },
    ],
  ])('%s', (_name, source, name, accessMode, csi) => {
    expect(inline(source)).toEqual({
      metadata: { name },
      spec: { accessModes: [accessMode], volumeMode: 'Filesystem', csi },
    });
    expect(hasInTreeSource({ name: 'data', ...source })).toBe(true);
  });

  it('takes the default namespace for the secret of a pod without one', () => {
    const azureFile = { shareName: 'share', secretName: 'mine' };
    expect(translateInline({ name: 'data', azureFile }, '').spec?.csi?.volumeHandle).toBe('#mine#share#data#default');
  });

  it.each<[string, Source, string]>([
    [
      'an AWS volume without a volume',
      { awsElasticBlockStore: { volumeID: 'aws://us-east-1/snap-1' } },
      'failed to translate Kubernetes ID to EBS Volume ID Invalid format for AWS volume (aws://us-east-1/snap-1)',
    ],
    [
      'an AWS volume in a folder',
      { awsElasticBlockStore: { volumeID: 'aws:///a/vol-1' } },
      'failed to translate Kubernetes ID to EBS Volume ID Invalid format for AWS volume (aws:///a/vol-1)',
    ],
    [
      'an azure disk of another kind',
      { azureDisk: { diskName: 'd', diskURI: 'u', kind: 'Dedicated' } },
      'kind(Dedicated) is not supported in csi migration',
    ],
    ['another volume', { emptyDir: {} }, 'could not find in-tree plugin translation logic for "data"'],
  ])('refuses %s', (_name, source, message) => {
    expect(() => inline(source)).toThrow(expect.objectContaining({ message, code: 'invalid-argument' }));
  });
});

describe('PersistentVolumes', () => {
  const claimRef = { namespace: 'prod', name: 'db' };

  it.each<[string, Spec, PersistentVolume['metadata'], Spec]>([
    [
      'aws',
      { awsElasticBlockStore: { volumeID: 'aws:///vol-1', ...both }, accessModes: ['ReadWriteMany'] },
      {},
      {
        accessModes: ['ReadWriteMany'],
        csi: { driver: 'ebs.csi.aws.com', volumeHandle: 'vol-1', ...both, volumeAttributes: { partition: '0' } },
      },
    ],
    [
      'azure disk',
      { azureDisk: { diskName: 'd', diskURI: 'u' } },
      {},
      { csi: { driver: 'disk.csi.azure.com', volumeHandle: 'u', volumeAttributes: { kind: 'Managed' } } },
    ],
    [
      'azure file, of its own namespace',
      {
        azureFile: { shareName: 's', secretName: 'azure-storage-account-acc-secret', secretNamespace: 'keys' },
        claimRef,
      },
      { annotations: { 'kubernetes.io/azure-file-resource-group': 'rg' } },
      {
        claimRef,
        csi: {
          driver: 'file.csi.azure.com',
          volumeHandle: 'rg#acc#s#pv-1#keys',
          volumeAttributes: { sharename: 's' },
          nodeStageSecretRef: { name: 'azure-storage-account-acc-secret', namespace: 'keys' },
        },
      },
    ],
    [
      'azure file, of the namespace of the claim',
      { azureFile: { shareName: 's', secretName: 'mine' }, claimRef },
      {},
      {
        claimRef,
        csi: {
          driver: 'file.csi.azure.com',
          volumeHandle: '#mine#s#pv-1#prod',
          volumeAttributes: { sharename: 's' },
          nodeStageSecretRef: { name: 'mine', namespace: 'prod' },
        },
      },
    ],
    [
      'cinder',
      { cinder: { volumeID: 'v', ...both, secretRef: { name: 'unused' } } },
      {},
      { csi: { driver: 'cinder.csi.openstack.org', volumeHandle: 'v', ...both, volumeAttributes: {} } },
    ],
    [
      'vsphere',
      { vsphereVolume: { volumePath: 'p' } },
      {},
      { csi: { driver: 'csi.vsphere.vmware.com', volumeHandle: 'p', volumeAttributes: {} } },
    ],
    [
      'portworx',
      { portworxVolume: { volumeID: 'v', ...both } },
      { annotations: { 'openstorage.io/auth-secret-name': 'n' } },
      { csi: { driver: 'pxd.portworx.com', volumeHandle: 'v', fsType: 'ext4', volumeAttributes: {} } },
    ],
  ])('%s', (_name, spec, metadata, expected) => {
    expect(ofSpec(spec, metadata)).toEqual({ metadata: { name: 'pv-1', ...metadata }, spec: expected });
    expect(hasInTreeSource(spec)).toBe(true);
    expect(hasInTreeSource(expected)).toBe(false);
  });

  it('passes the secret of portworx to every call of the driver', () => {
    const annotations = { 'openstorage.io/auth-secret-name': 'n', 'openstorage.io/auth-secret-namespace': 'ns' };
    const secret = { name: 'n', namespace: 'ns' };
    expect(ofSpec({ portworxVolume: { volumeID: 'v' } }, { annotations }).spec?.csi).toEqual({
      driver: 'pxd.portworx.com',
      volumeHandle: 'v',
      volumeAttributes: {},
      controllerPublishSecretRef: secret,
      nodeStageSecretRef: secret,
      nodePublishSecretRef: secret,
      controllerExpandSecretRef: secret,
      nodeExpandSecretRef: secret,
    });
  });

  const beta = 'failure-domain.beta.kubernetes.io/zone';
  const stable = 'topology.kubernetes.io/zone';
  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['no label', {}, 'zones/UNSPECIFIED'],
    ['one zone', { [stable]: 'us-a1-b' }, 'zones/us-a1-b'],
    ['both labels', { [stable]: 'us-a1-b', [beta]: 'us-a1-c' }, 'zones/us-a1-c'],
    ['two zones', { [beta]: 'us-a1-b__us-a1-c' }, 'regions/us-a1'],
  ])('gce: the handle with %s', (_name, labels, place) => {
    const { spec } = ofSpec({ gcePersistentDisk: { pdName: 'pd' } }, { labels });
    expect(spec?.csi?.volumeHandle).toBe(`projects/UNSPECIFIED/${place}/disks/pd`);
  });

  it.each([
    ['us-a1-b__eu-a1-c', 'multiple or no regions gotten from zones, got: map[eu-a1:{} us-a1:{}]'],
    ['us-a1-b__west', 'zone in unexpected format, expected: {locale}-{region}-{zone}, got: west'],
  ])('gce: refuses the zones %s', (zones, why) => {
    const labels = { [stable]: zones };
    expect(() => ofSpec({ gcePersistentDisk: { pdName: 'pd' } }, { labels })).toThrow(
      `failed to get region from zones: ${why}`,
    );
  });

  it.each<[readonly string[] | undefined, readonly string[] | undefined]>([
    [undefined, undefined],
    [[], ['ReadWriteOnce']],
    [['ReadWriteMany'], ['ReadWriteOnce']],
    [['ReadOnlyMany'], ['ReadOnlyMany']],
    [['ReadOnlyMany', 'ReadWriteMany'], ['ReadWriteOnce']],
    [['ReadOnlyMany', 'ReadWriteOnce'], ['ReadWriteOnce']],
    [['ReadWriteOncePod'], ['ReadWriteOnce']],
  ])('gce: the access modes %j become %j', (accessModes, expected) => {
    const spec = { gcePersistentDisk: { pdName: 'pd' }, ...(accessModes && { accessModes }) };
    expect(ofSpec(spec).spec?.accessModes).toEqual(expected);
  });

  it('refuses an azure file without a namespace', () => {
    expect(() => ofSpec({ azureFile: { shareName: 's', secretName: 'n' } })).toThrow(
      'could not find a secret namespace in PersistentVolumeSource or ClaimRef',
    );
    expect(() => ofSpec({ nfs: { server: 's', path: '/' } })).toThrow(
      'could not find in-tree plugin translation logic for "pv-1"',
    );
  });
});
