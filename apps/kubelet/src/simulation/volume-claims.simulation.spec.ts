import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { nodes, persistentVolumeClaims, persistentVolumes } from '@podwright/kube-client-interface';
import type { Node, PersistentVolumeClaim, PersistentVolume, Volume } from '@podwright/kube-types';
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
    const whole = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], glusterfs, claimRef, ...spec };
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
