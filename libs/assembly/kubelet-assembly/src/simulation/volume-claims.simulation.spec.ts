import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { METRICS } from '@podwright/assembly-interface';
import {
  csiDrivers,
  nodes,
  persistentVolumeClaims,
  persistentVolumes,
  volumeAttachments,
} from '@podwright/kube-client-interface';
import type { Node, PersistentVolumeClaim, PersistentVolume, Volume } from '@podwright/kube-types';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ScriptedDisks, uniqueDiskName } from './scripted-disks.js';
import { isReady, SimulatedCluster } from './simulated-cluster.js';

const namespace = 'default';
const disk = uniqueDiskName('disk-1');
const named: Omit<Volume, 'name'> = { persistentVolumeClaim: { claimName: 'db' } };

describe('pods with claims', () => {
  let dir: string;
  let sim: SimulatedCluster;
  let disks: ScriptedDisks;

  beforeEach(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'podwright-disks-'));
    disks = new ScriptedDisks(dir);
    sim = await SimulatedCluster.create({ jitterless: true, modules: [disks.module] });
    sim.node.runtime.store.load('registry.test/main:1');
    await sim.node.boot();
    await sim.until('the node is Ready', async () => isReady(await sim.apiNode()));
  });
  afterEach(async () => {
    await sim.dispose();
    await rm(dir, { recursive: true, force: true });
  });

  async function addVolume(spec: PersistentVolume['spec'] = {}): Promise<void> {
    const glusterfs = { endpoints: 'e', path: 'disk-1' };
    const claimRef = { namespace, name: 'db', uid: await claimUid() };
    const source = spec.csi === undefined ? { glusterfs } : {};
    const whole = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], ...source, claimRef, ...spec };
    const object = { metadata: { name: 'pv-1' }, spec: { volumeMode: 'Filesystem', ...whole } };
    await sim.finish(sim.admin.create(persistentVolumes, object));
  }

  async function addClaim(name = 'db'): Promise<PersistentVolumeClaim> {
    const metadata = { namespace, name };
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, volumeName: 'pv-1' };
    return sim.finish(sim.admin.create(persistentVolumeClaims, { metadata, spec }));
  }

  async function claimUid(): Promise<string> {
    const { items } = await sim.finish(sim.admin.list(persistentVolumeClaims, { namespace }));
    return items[0]?.metadata?.uid ?? '';
  }

  function setPhase(phase: string, name = 'db'): Promise<unknown> {
    const patch = { type: 'merge', body: { status: { phase } } } as const;
    return sim.finish(sim.admin.patch(persistentVolumeClaims, { namespace, name }, patch, { subresource: 'status' }));
  }

  /** As the controller: writes what it has attached. */
  function attach(...names: readonly string[]): Promise<Node> {
    const volumesAttached = names.map((name) => ({ name, devicePath: `/dev/${path.basename(name)}` }));
    const patch = { type: 'merge', body: { status: { volumesAttached } } } as const;
    return sim.finish(sim.admin.patch(nodes, { name: 'node' }, patch, { subresource: 'status' }));
  }

  const inUse = async (): Promise<readonly string[]> => (await sim.apiNode())?.status?.volumesInUse ?? [];
  const run = (source = named, use: object = { volumeMounts: [{ name: 'data', mountPath: '/data' }] }) =>
    sim.bind('web', {
      volumes: [{ name: 'data', ...source }],
      containers: [{ name: 'main', image: 'registry.test/main:1', imagePullPolicy: 'IfNotPresent', ...use }],
    });
  const messages = (): readonly string[] =>
    sim.node.events().flatMap(({ reason, message }) => (reason === 'FailedMount' ? [message] : []));
  const untilRefused = (why: string): Promise<number> =>
    sim.until(`an event says ${why}`, async () => messages().some((message) => message.includes(why)));

  it('wait until their claim is bound, then until the controller has attached the volume', async () => {
    await addClaim();
    await addVolume();
    await run();
    await untilRefused(
      'Unable to attach or mount volumes: unmounted volumes=[data], unattached volumes=[], failed to process volumes=[data]: error processing PVC default/db: PVC is not bound',
    );
    expect(await inUse()).toEqual([]);
    await setPhase('Bound');
    await sim.until('the volume is in use', async () => (await inUse()).includes(disk));
    await sim.node.clock.advance(20_000);
    expect([disks.calls, isReady(await sim.pod('web'))]).toEqual([[], false]);
    await attach(disk);
    await sim.untilReady('web');
    expect(disks.calls).toEqual(['mountDevice disk-1 /dev/disk-1', 'setUp disk-1 web']);
  });

  it('are told to the controller at once, and not only with the next round of the node status', async () => {
    await addClaim();
    await addVolume();
    await setPhase('Bound');
    await sim.node.clock.advance(20_000);
    await run();
    const tookMs = await sim.until('the volume is in use', async () => (await inUse()).includes(disk));
    expect(tookMs).toBeLessThan(2_000);
  });

  it('release their volume in order: the pod’s mount, the device, and only then the volume in use', async () => {
    await addClaim();
    await addVolume();
    await setPhase('Bound');
    await run();
    await sim.until('the volume is in use', async () => (await inUse()).includes(disk));
    await attach(disk);
    await sim.untilReady('web');
    disks.calls.length = 0;
    await sim.delete('web');
    await sim.until('the volume is not in use', async () => {
      const isInUse = (await inUse()).includes(disk);
      if (!isInUse) expect(disks.calls).toEqual(['tearDown pv-1', 'unmountDevice disk-1']);
      return !isInUse;
    });
    await sim.untilGone('web');
    await attach();
  });

  it('are rejected when the node can attach no more volumes', async () => {
    const driver = 'disks.example.com';
    const spec = { nodeAllocatableUpdatePeriodSeconds: 60 };
    await sim.finish(sim.admin.create(csiDrivers, { metadata: { name: driver }, spec }));
    await addClaim();
    await addVolume({ csi: { driver, volumeHandle: 'vol-1' } });
    await setPhase('Bound');
    const name = `csi-${createHash('sha256').update(`vol-1${driver}node`).digest('hex')}`;
    const source = { persistentVolumeName: 'pv-1' };
    const attachment = { metadata: { name }, spec: { attacher: driver, nodeName: 'node', source } };
    await sim.finish(sim.admin.create(volumeAttachments, attachment));
    const attachError = { errorCode: 8, message: 'no more disks', time: '2026-01-01T00:00:00Z' };
    const patch = { type: 'merge', body: { status: { attached: false, attachError } } } as const;
    await sim.finish(sim.admin.patch(volumeAttachments, { name }, patch, { subresource: 'status' }));
    await run();
    const failed = async (): Promise<boolean> => (await sim.pod('web'))?.status?.phase === 'Failed';
    const tookMs = await sim.until('the pod has failed', failed, 180_000);
    expect(tookMs).toBeGreaterThan(120_000);
    const why =
      'Node has reached its volume attachment limit, rejecting pod. unmounted volumes=[data], unattached volumes=[data], failed to process volumes=[]: context deadline exceeded';
    const reason = 'VolumeAttachmentLimitExceeded';
    expect((await sim.pod('web'))?.status).toMatchObject({ reason, message: `Pod was rejected: ${why}` });
    expect(sim.node.events()).toContainEqual(expect.objectContaining({ type: 'Warning', reason, message: why }));
    expect(await sim.node.part(METRICS).render()).toContain(`kubelet_admission_rejections_total{reason="${reason}"} 1`);
    await sim.until('the volume is not in use', async () => (await inUse()).length === 0);
  });

  it('do not start with a claim that has lost its volume', async () => {
    await addClaim();
    await addVolume();
    await setPhase('Lost');
    await run();
    await untilRefused('error processing PVC default/db: PVC is not bound');
    expect(isReady(await sim.pod('web'))).toBe(false);
  });

  it('do not start with the volume of another claim', async () => {
    await addClaim();
    await addVolume({ claimRef: { namespace, name: 'db', uid: 'another' } });
    await setPhase('Bound');
    await run();
    await untilRefused(
      `error processing PVC default/db: found PV object pv-1 but its pv.Spec.ClaimRef.UID another does not point to claim.UID ${await claimUid()}`,
    );
  });

  it('do not use a block device as a file system', async () => {
    await addClaim();
    await addVolume({ volumeMode: 'Block' });
    await setPhase('Bound');
    await run();
    await untilRefused('volume data has volumeMode Block, but is specified in volumeMounts');
  });

  it('do not take a claim that was not made for them for their ephemeral volume', async () => {
    await addClaim('web-data');
    await addVolume();
    await setPhase('Bound', 'web-data');
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    await run({ ephemeral: { volumeClaimTemplate: { spec } } });
    await untilRefused('PVC default/web-data was not created for pod default/web (pod is not owner)');
  });
});
