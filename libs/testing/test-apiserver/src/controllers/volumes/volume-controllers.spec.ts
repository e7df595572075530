import { describe, expect, it } from '@jest/globals';
import { createSeededRandom, VirtualClock } from '@podwright/time';
import { ApiCaller } from '../../cases/api-caller.js';
import { createTestApiServer } from '../../test-api-server.js';

const volumesPath = '/api/v1/persistentvolumes';
const claimsPath = '/api/v1/namespaces/default/persistentvolumeclaims';
const podsPath = '/api/v1/namespaces/default/pods';
const attachmentsPath = '/apis/storage.k8s.io/v1/volumeattachments';
const attachAnnotation = { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' };

const volume = (name: string, storage: string, spec: object = {}): object => ({
  metadata: { name },
  spec: {
    capacity: { storage },
    accessModes: ['ReadWriteOnce'],
    csi: { driver: 'd', volumeHandle: name },
    storageClassName: '',
    ...spec,
  },
});
const claim = (name: string, storage: string, spec: object = {}): object => ({
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } }, storageClassName: '', ...spec },
});
const pod = (name: string, volumes: readonly object[], spec: object = {}): object => ({
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i' }], tolerations: [{ operator: 'Exists' }], volumes, ...spec },
});
const using = (claimName: string): object => ({ name: 'v', persistentVolumeClaim: { claimName } });

async function cluster(...nodes: readonly string[]): Promise<ApiCaller> {
  const options = { clock: new VirtualClock(), random: createSeededRandom('volumes'), schedule: true, volumes: true };
  const admin = new ApiCaller(createTestApiServer(options).transport());
  for (const name of nodes) await admin.post('/api/v1/nodes', { metadata: { name, annotations: attachAnnotation } });
  return admin;
}

async function names(admin: ApiCaller, path: string): Promise<readonly (string | undefined)[]> {
  return ((await admin.get(path)).body.items ?? []).map(({ metadata }) => metadata?.name);
}

describe('claims', () => {
  it('get the smallest volume that fits, and the pod waits for that', async () => {
    const admin = await cluster('n1');
    await admin.post(podsPath, pod('p', [using('data')]));
    await admin.post(claimsPath, claim('data', '2Gi'));
    const waiting = (await admin.get(`${podsPath}/p`)).body;
    expect(waiting).toMatchObject({
      status: { conditions: [{ message: 'pod has unbound immediate PersistentVolumeClaims' }] },
    });
    await admin.post(volumesPath, volume('small', '1Gi'));
    await admin.post(volumesPath, volume('raw', '3Gi', { volumeMode: 'Block' }));
    expect((await admin.get(`${claimsPath}/data`)).body).toMatchObject({ status: { phase: 'Pending' } });
    await admin.post(volumesPath, volume('large', '4Gi'));
    expect((await admin.get(`${claimsPath}/data`)).body).toMatchObject({
      metadata: { annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } },
      spec: { volumeName: 'large' },
      status: { phase: 'Bound', capacity: { storage: '4Gi' }, accessModes: ['ReadWriteOnce'] },
    });
    expect((await admin.get(`${volumesPath}/large`)).body).toMatchObject({
      spec: { claimRef: { name: 'data', namespace: 'default' }, volumeMode: 'Filesystem' },
      status: { phase: 'Bound' },
    });
    expect((await admin.get(`${podsPath}/p`)).body).toMatchObject({ spec: { nodeName: 'n1' } });
    await admin.delete(`${claimsPath}/data`);
    expect((await admin.get(`${volumesPath}/large`)).body).toMatchObject({ status: { phase: 'Released' } });
  });

  it('of a storage class get a volume of their own, which goes with them', async () => {
    const admin = await cluster();
    await admin.post('/apis/storage.k8s.io/v1/storageclasses', {
      metadata: { name: 'fast' },
      provisioner: 'd',
      parameters: { kind: 'disk', 'csi.storage.k8s.io/fstype': 'xfs' },
    });
    await admin.post(claimsPath, claim('data', '1Gi', { storageClassName: 'fast' }));
    expect((await admin.get(volumesPath)).body.items).toMatchObject([
      {
        spec: { csi: { driver: 'd', fsType: 'xfs', volumeAttributes: { kind: 'disk', capacity: '1Gi' } } },
        status: { phase: 'Bound' },
      },
    ]);
    await admin.delete(`${claimsPath}/data`);
    expect(await names(admin, volumesPath)).toEqual([]);
  });

  it('of generic ephemeral volumes are made for the pod', async () => {
    const admin = await cluster();
    const template = { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } };
    const { body } = await admin.post(
      podsPath,
      pod('p', [{ name: 'v', ephemeral: { volumeClaimTemplate: template } }]),
    );
    expect((await admin.get(`${claimsPath}/p-v`)).body.metadata).toMatchObject({
      ownerReferences: [{ kind: 'Pod', name: 'p', uid: body.metadata?.uid, controller: true }],
    });
    await admin.delete(`${podsPath}/p`);
    expect(await names(admin, claimsPath)).toEqual([]);
  });

  it('that ask for more grow their volume and leave the rest to the node', async () => {
    const admin = await cluster();
    await admin.post(volumesPath, volume('a', '1Gi'));
    await admin.post(claimsPath, claim('data', '1Gi'));
    await admin.patch('merge', `${claimsPath}/data`, { spec: { resources: { requests: { storage: '2Gi' } } } });
    expect((await admin.get(`${volumesPath}/a`)).body).toMatchObject({ spec: { capacity: { storage: '2Gi' } } });
    expect((await admin.get(`${claimsPath}/data`)).body).toMatchObject({
      status: {
        capacity: { storage: '1Gi' },
        allocatedResources: { storage: '2Gi' },
        allocatedResourceStatuses: { storage: 'NodeResizePending' },
      },
    });
  });
});

describe('attaching', () => {
  const attached = { status: { volumesAttached: [{ name: 'kubernetes.io/csi/d^a', devicePath: '' }] } };
  const onlyOn = (node: string): object => ({ nodeName: node });

  it('follows the pods, and waits until the node no longer uses the volume', async () => {
    const admin = await cluster('n1', 'n2');
    await admin.post(volumesPath, volume('a', '1Gi'));
    await admin.post(claimsPath, claim('data', '1Gi'));
    await admin.post(podsPath, pod('p', [using('data')], onlyOn('n1')));
    expect((await admin.get('/api/v1/nodes/n1')).body).toMatchObject(attached);
    expect((await admin.get(attachmentsPath)).body.items).toMatchObject([
      { spec: { attacher: 'd', nodeName: 'n1', source: { persistentVolumeName: 'a' } }, status: { attached: true } },
    ]);

    await admin.patch('merge', '/api/v1/nodes/n1/status', {
      status: { volumesInUse: ['kubernetes.io/csi/d^a', 'x/y'] },
    });
    await admin.post(podsPath, pod('q', [using('data')], onlyOn('n2')));
    expect((await admin.get('/api/v1/nodes/n2')).body.status).not.toHaveProperty('volumesAttached'); // one node at a time
    await admin.delete(`${podsPath}/p?gracePeriodSeconds=0`);
    expect((await admin.get('/api/v1/nodes/n1')).body).toMatchObject({
      status: { volumesAttached: [{ name: 'kubernetes.io/csi/d^a' }, { name: 'x/y' }] },
    });
    await admin.patch('merge', '/api/v1/nodes/n1/status', { status: { volumesInUse: [] } });
    expect((await admin.get('/api/v1/nodes/n1')).body).toMatchObject({ status: { volumesAttached: [] } });
    expect((await admin.get('/api/v1/nodes/n2')).body).toMatchObject(attached);
    expect((await admin.get(attachmentsPath)).body.items).toMatchObject([{ spec: { nodeName: 'n2' } }]);
  });

  it('is left out for drivers that need none', async () => {
    const admin = await cluster('n1');
    await admin.post('/apis/storage.k8s.io/v1/csidrivers', {
      metadata: { name: 'd' },
      spec: { attachRequired: false },
    });
    await admin.post(volumesPath, volume('a', '1Gi'));
    await admin.post(claimsPath, claim('data', '1Gi'));
    await admin.post(podsPath, pod('p', [using('data')], onlyOn('n1')));
    expect(await names(admin, attachmentsPath)).toEqual([]);
    expect((await admin.get('/api/v1/nodes/n1')).body.status).not.toHaveProperty('volumesAttached');
  });
});
