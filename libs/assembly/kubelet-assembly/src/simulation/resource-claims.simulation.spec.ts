import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { resourceClaims } from '@podwright/kube-client-interface';
import type { Pod, ResourceClaim } from '@podwright/kube-types';
import { ScriptedDraDriver } from './scripted-dra-driver.js';
import { isReady, SimulatedCluster } from './simulated-cluster.js';

const namespace = 'default';
const device = 'gpu.example.com/device=d0';

describe('pods with resource claims', () => {
  let sim: SimulatedCluster;
  let driver: ScriptedDraDriver;

  beforeEach(async () => {
    driver = new ScriptedDraDriver();
    sim = await SimulatedCluster.create({ jitterless: true, modules: [driver.module] });
    sim.node.runtime.store.load('registry.test/main:1');
    await sim.node.boot();
    await sim.until('the node is Ready', async () => isReady(await sim.apiNode()));
  });
  afterEach(() => sim.dispose());

  /** A pod that uses the claim `db`, which is allocated to it. */
  async function run(): Promise<Pod> {
    const made = { metadata: { namespace, name: 'db' }, spec: {} } as ResourceClaim;
    await sim.finish(sim.admin.create(resourceClaims, made));
    const pod = await sim.bind('web', {
      resourceClaims: [{ name: 'gpu', resourceClaimName: 'db' }],
      containers: [
        {
          name: 'main',
          image: 'registry.test/main:1',
          imagePullPolicy: 'IfNotPresent',
          resources: { claims: [{ name: 'gpu' }] },
        },
      ],
    });
    const results = [{ driver: 'gpu.example.com', pool: 'node', device: 'd0', request: 'gpu' }];
    const reservedFor = [{ resource: 'pods', name: 'web', uid: pod.metadata.uid ?? '' }];
    const patch = { type: 'merge', body: { status: { allocation: { devices: { results } }, reservedFor } } } as const;
    await sim.finish(sim.admin.patch(resourceClaims, { namespace, name: 'db' }, patch, { subresource: 'status' }));
    return pod;
  }
  const shownHealth = async (): Promise<unknown> =>
    (await sim.pod('web'))?.status?.containerStatuses?.[0]?.allocatedResourcesStatus;
  const untilHealth = (health: string): Promise<number> =>
    sim.until(`the pod shows ${health}`, async () => JSON.stringify(await shownHealth()).includes(`"${health}"`));

  it('wait for the driver, and start with its device once it has prepared the claim', async () => {
    await run();
    const refused = (): readonly string[] =>
      sim.node.events().flatMap(({ reason, message }) => (reason === 'FailedPrepareDynamicResources' ? [message] : []));
    await sim.until('the driver is missed', async () =>
      refused().includes(
        'Failed to prepare dynamic resources: prepare dynamic resources: DRA driver gpu.example.com is not registered',
      ),
    );
    expect((await sim.pod('web'))?.status?.phase).toBe('Pending');
    await sim.finish(driver.register());
    await sim.untilReady('web', 180_000);
    expect(driver.calls).toEqual(['prepare db']);
    await untilHealth('Healthy');
    expect(await shownHealth()).toEqual([
      { name: 'claim:gpu', resources: [{ resourceID: device, health: 'Healthy' }] },
    ]);
  });

  it('keep their claim over a kill of the kubelet, and release it before they are gone', async () => {
    await sim.finish(driver.register());
    await run();
    await sim.untilReady('web', 180_000);
    await sim.node.kill();
    driver.healthy = false;
    await sim.node.boot();
    await sim.finish(driver.register());
    await untilHealth('Unhealthy');
    // The sandbox runs on, so nothing is prepared again.
    expect(driver.calls).toEqual(['prepare db']);
    // The runtime's events about the stop cause more attempts at once.
    driver.faults.push(...Array<string>(5).fill('busy'));
    await sim.delete('web', 1);
    await sim.until('the driver is asked', async () => driver.calls.includes('unprepare db'));
    await sim.node.clock.advance(2_000);
    expect(await sim.pod('web')).toBeDefined();
    await sim.untilGone('web', 180_000);
    expect(driver.calls).toEqual(['prepare db', ...Array<string>(6).fill('unprepare db')]);
  });

  it('release their claim after a deletion by force while no kubelet ran', async () => {
    await sim.finish(driver.register());
    await run();
    await sim.untilReady('web', 180_000);
    await sim.node.kill();
    await sim.delete('web', 0);
    await sim.node.boot();
    await sim.finish(driver.register());
    await sim.until('the claim is unprepared', async () => driver.calls.includes('unprepare db'), 180_000);
    expect(driver.calls).toEqual(['prepare db', 'unprepare db']);
  });
});
