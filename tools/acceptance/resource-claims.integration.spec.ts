import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { hasCode } from '@podwright/errors';
import { resourceClaims, resourceSlices } from '@podwright/kube-client-interface';
import type { Pod, PodSpec } from '@podwright/kube-types';
import { labSupport } from '@podwright/lab';
import { PodResourcesClient } from '@podwright/pod-resources-interface/contract';
import { DraNode } from './dra-node.js';
import { expectPodExplained } from './explained.js';
import { main, podManifest, script, type PodManifest } from './pod-manifests.js';
import { useLab } from './test-lab.js';

jest.setTimeout(180_000);

const patient = { withinMs: 90_000 };
const support = labSupport();
const onLab = support.ok ? describe : describe.skip;
const claimed = { resources: { claims: [{ name: 'gpu' }] } };

function podWith(
  name: string,
  claim: NonNullable<PodSpec['resourceClaims']>[number],
  more: Partial<PodSpec> = {},
): PodManifest {
  const spec = { terminationGracePeriodSeconds: 1, resourceClaims: [claim] };
  return podManifest(name, { containers: [main(claimed)], ...spec, ...more });
}
const withClaim = (name: string, claim = name): PodManifest => podWith(name, { name: 'gpu', resourceClaimName: claim });
const healthOf = ({ status }: Pod): unknown => status?.containerStatuses?.[0]?.allocatedResourcesStatus;

onLab(`resource claims with a DRA driver${support.ok ? '' : ` (skipped: ${support.reason})`}`, () => {
  const bed = useLab();
  let dra: DraNode;

  beforeAll(async () => {
    dra = await DraNode.start(bed(), 'dra');
  });
  afterAll(async () => dra?.stop());

  // Each case leaves nothing prepared, in no file and in no object.
  afterEach(async () => {
    const { node, driver, root } = dra;
    driver.faults.clear();
    for (const { metadata } of await node.kubelet.kubelet.pods())
      await node.delete(metadata.name ?? '').catch((error: unknown) => {
        // The kubelet shows a pod for a moment whose object is gone.
        if (!hasCode(error, 'not-found')) throw error;
      });
    await node.kubelet.waitFor('nothing is prepared', async () => (await driver.prepared()).length === 0, patient);
    await node.kubelet.waitFor('the checkpoint is empty', async () => (await checkpoint(root)).length === 0, patient);
    const claims = async (): Promise<readonly string[]> =>
      (await node.admin.list(resourceClaims)).items.map(({ metadata }) => metadata?.name ?? '');
    for (const name of await claims()) await node.admin.delete(resourceClaims, { namespace: 'default', name });
    await node.kubelet.waitFor('the claims are gone', async () => (await claims()).length === 0, patient);
  });

  async function checkpoint(root: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const { Data } = JSON.parse(await readFile(path.join(root, 'dra_manager_state'), 'utf8')) as {
      readonly Data: string;
    };
    const { ClaimInfoStateList } = JSON.parse(Data) as { readonly ClaimInfoStateList: readonly [] | null };
    return ClaimInfoStateList ?? [];
  }
  const exec = async (pod: string, text: string): Promise<string> => {
    const [found] = await bed().runtime.running(pod);
    if (found === undefined) throw new Error(`no running container in pod ${pod}`);
    return (await bed().runtime.exec(found.id, ...script(text))).trim();
  };
  /** The devices in a pod's container, as its files show them. */
  const devicesIn = (pod: string): Promise<string> =>
    exec(pod, 'ls /dev | grep gpu; env | grep ^GPU_ | sort; ls /etc | grep gpu');
  const seen = (index: number): string => `gpu-${index}\nGPU_${index}=yes\ngpu-${index}`;
  const callsOf = (claim: string): readonly string[] =>
    dra.driver.calls.filter(({ claims }) => claims.includes(claim)).map(({ rpc }) => rpc);
  const untilCalled = (rpc: 'NodePrepareResources' | 'NodeUnprepareResources', claim: string): Promise<boolean> =>
    dra.node.kubelet.waitFor(`${rpc} of ${claim}`, async () => callsOf(claim).includes(rpc), patient);
  /** Kills the kubelet during the call, in which the driver has or has not done the work, and starts it again. */
  async function killDuring(
    rpc: 'NodePrepareResources' | 'NodeUnprepareResources',
    claim: string,
    done: boolean,
  ): Promise<void> {
    await untilCalled(rpc, claim);
    if (done) {
      const prepared = rpc === 'NodePrepareResources';
      const isDone = async (): Promise<boolean> =>
        (await dra.driver.prepared()).includes(`default/${claim}`) === prepared;
      await dra.node.kubelet.waitFor(`the work of ${rpc}`, isDone, patient);
    }
    await dra.killKubelet();
    dra.driver.faults.clear();
    await dra.node.kubelet.start();
  }

  it('give containers their devices, and the runtime, agents, the checkpoint and the status know them', async () => {
    const { node, root } = dra;
    const { metadata } = await dra.createClaim('own');
    const created = await node.create(withClaim('own'));
    const pod = await node.untilReady('own', patient);
    expect(await devicesIn('own')).toBe(seen(0));
    expect(await exec('own', 'echo x >/dev/gpu-0 && stat -c %t,%T /dev/gpu-0')).toBe('1,3');
    const id = `gpu.example.com/device=${metadata?.uid}-gpu-0`;
    expect(await checkpoint(root)).toEqual([
      {
        ...{
          ClaimUID: metadata?.uid,
          ClaimName: 'own',
          Namespace: 'default',
          PodUIDs: { [created.metadata.uid ?? '']: {} },
        },
        DriverState: {
          'gpu.example.com': {
            Devices: [
              { PoolName: 'dra', DeviceName: 'gpu-0', ShareID: null, RequestNames: ['gpu'], CDIDeviceIDs: [id] },
            ],
          },
        },
      },
    ]);
    await node.until('own', 'shows health', (found) => JSON.stringify(healthOf(found) ?? '').includes('Healthy'));
    expect(pod.status?.phase).toBe('Running');
    const client = new PodResourcesClient(path.join(root, 'pod-resources/kubelet.sock'));
    const { podResources } = await client.list().finally(() => client.close());
    expect(
      podResources.flatMap(({ containers }) => containers.flatMap(({ dynamicResources }) => dynamicResources)),
    ).toEqual([
      {
        ...{ claimName: 'own', claimNamespace: 'default' },
        claimResources: [
          {
            ...{ cdiDevices: [{ name: id }], driverName: 'gpu.example.com', poolName: 'dra', deviceName: 'gpu-0' },
            shareId: undefined,
          },
        ],
      },
    ]);
    expect(dra.driver.sliceErrors).toEqual([]);
  });

  it('show in the pod what the driver says about its device, also from a driver that was killed', async () => {
    const { node, driver, root } = dra;
    await dra.createClaim('sick');
    await node.create(withClaim('sick'));
    await node.untilReady('sick', patient);
    const untilHealth = (health: string, message?: string): Promise<Pod> =>
      node.until(
        'sick',
        `shows ${health}`,
        (pod) => {
          const text = JSON.stringify(healthOf(pod) ?? '');
          return text.includes(`"health":"${health}"`) && text.includes(message ?? '');
        },
        patient,
      );
    await untilHealth('Healthy');
    driver.setHealth('gpu-0', 'Unhealthy', 'too hot');
    await untilHealth('Unhealthy', 'too hot');
    await driver.die();
    await untilHealth('Unknown');
    driver.setHealth('gpu-0', 'Healthy');
    await driver.start(root, { socketName: 'dra-2.sock' });
    await untilHealth('Healthy');
    expect(await devicesIn('sick')).toBe(seen(0));
    expect(callsOf('sick')).toEqual(['NodePrepareResources']);
  });

  it('are shared by pods, made from templates and for extended resources', async () => {
    const { node, driver } = dra;
    await dra.createClaim('both');
    await node.create(withClaim('one', 'both'));
    await node.create(withClaim('two', 'both'));
    await node.create(podWith('made', { name: 'gpu', resourceClaimTemplateName: 'gpu' }));
    const quantity = { 'example.com/gpu': '1' };
    await node.create(
      podManifest('extended', {
        terminationGracePeriodSeconds: 1,
        containers: [main({ resources: { limits: quantity, requests: quantity } })],
      }),
    );
    for (const name of ['one', 'two', 'made', 'extended']) await node.untilReady(name, patient);
    expect(await devicesIn('one')).toBe(seen(0));
    expect(await devicesIn('two')).toBe(seen(0));
    expect([await devicesIn('made'), await devicesIn('extended')].sort()).toEqual([seen(1), seen(2)]);
    expect(callsOf('both').filter((rpc) => rpc === 'NodePrepareResources')).toHaveLength(1);
    await node.delete('one');
    await node.untilGone('one', patient);
    expect(await driver.prepared()).toContain('default/both');
    expect(callsOf('both')).not.toContain('NodeUnprepareResources');
  });

  it.each([
    ['before the driver has prepared', false],
    ['after the driver has prepared', true],
  ])('survive a kill of the kubelet %s', async (_when, done) => {
    const { node, driver } = dra;
    const name = done ? 'late' : 'early';
    driver.faults.add({ type: 'hang', done }, { rpc: 'NodePrepareResources', claim: name });
    await dra.createClaim(name);
    await node.create(withClaim(name));
    await killDuring('NodePrepareResources', name, done);
    await node.untilReady(name, patient);
    expect(await devicesIn(name)).toBe(seen(0));
  });

  it.each([
    ['before the driver has released', false],
    ['after the driver has released', true],
  ])('are released after a kill of the kubelet %s', async (_when, done) => {
    const { node, driver } = dra;
    const name = done ? 'released' : 'releasing';
    await dra.createClaim(name);
    await node.create(withClaim(name));
    await node.untilReady(name, patient);
    // A running pod outlives its kubelet with its devices, and nothing is prepared again.
    await dra.killKubelet();
    await node.kubelet.start();
    await node.kubelet.untilUp();
    driver.faults.add({ type: 'hang', done }, { rpc: 'NodeUnprepareResources', claim: name });
    await node.delete(name);
    await killDuring('NodeUnprepareResources', name, done);
    await node.untilGone(name, patient);
    expect(callsOf(name).filter((rpc) => rpc === 'NodePrepareResources')).toHaveLength(1);
  });

  it('keep their pod until the driver has released them, and say why', async () => {
    const { node, driver } = dra;
    await dra.createClaim('busy');
    driver.faults.add({ type: 'claim-error', message: 'no power' }, { rpc: 'NodePrepareResources' }, 100);
    await node.create(withClaim('busy'));
    await node.untilEvent(
      'busy',
      'FailedPrepareDynamicResources',
      /^Failed to prepare dynamic resources: prepare dynamic resources: NodePrepareResources failed for ResourceClaim busy: no power$/,
      patient,
    );
    await expectPodExplained(node.kubelet, 'busy', 'claims-failed');
    driver.faults.clear();
    await node.untilReady('busy', patient);
    driver.faults.add({ type: 'skip-claims' }, { rpc: 'NodeUnprepareResources' });
    await node.delete('busy');
    await node.untilGone('busy', patient);
    expect(callsOf('busy').filter((rpc) => rpc === 'NodeUnprepareResources')).toHaveLength(2);
  });

  it('of a pod that is deleted by force while no kubelet runs are released by the next one', async () => {
    const { node } = dra;
    await dra.createClaim('forced');
    await node.create(withClaim('forced'));
    await node.untilReady('forced', patient);
    await dra.killKubelet();
    await node.delete('forced', 0);
    await node.kubelet.start();
    await untilCalled('NodeUnprepareResources', 'forced');
    await node.untilEnded('forced', patient);
    // The driver offers its devices again although the kubelet has deleted its slice.
    const slices = async (): Promise<boolean> => (await node.admin.list(resourceSlices)).items.length === 1;
    await node.kubelet.waitFor('the slice is there', slices, patient);
  });
});
