import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { allocatedClaim, cdiName, podOf, podWithClaims, preparedDevice } from '@podwright/dra-interface/contract';
import { KubeletError } from '@podwright/errors';
import { settleEventLoop } from '@podwright/time';
import { createClaimDraManager } from './claim-dra-manager.module.js';
import { cleanHarnesses, createDraHarness, type DraHarness } from './fixtures/dra-harness.js';

afterEach(cleanHarnesses);

const gpu = 'gpu.example.com';
const nic = 'nic.example.com';
const never = new AbortController().signal;
const stateOf = ({ around }: DraHarness): Promise<string> =>
  readFile(path.join(around.rootDir, 'dra_manager_state'), 'utf8');
const claimNames = async (harness: DraHarness): Promise<readonly string[]> => {
  const { Data: data } = JSON.parse(await stateOf(harness)) as { Data: string };
  const { ClaimInfoStateList: list } = JSON.parse(data) as { ClaimInfoStateList: { ClaimName: string }[] | null };
  return (list ?? []).map(({ ClaimName }) => ClaimName);
};
const withClaim = async (harness: DraHarness, ...drivers: readonly string[]): Promise<void> => {
  harness.setClaim('a', allocatedClaim('a', { reservedFor: ['p', 'q'], ...(drivers.length > 0 && { drivers }) }));
};
const metricsOf = async ({ metrics }: DraHarness, name: string): Promise<readonly string[]> =>
  (await metrics.render()).split('\n').filter((line) => line.startsWith(name) && !/_bucket|_sum/.test(line));

describe('the start', () => {
  it('creates the file, and is refused by one that is corrupt', async () => {
    const harness = await createDraHarness();
    expect(await claimNames(harness)).toEqual([]);
    await writeFile(
      path.join(harness.around.rootDir, 'dra_manager_state'),
      (await stateOf(harness)).replace('v1', 'v2'),
    );
    await expect(harness.restart()).rejects.toThrow(
      'create ResourceClaim cache: GetOrCreate() on checkpoint state: failed to get checkpoint dra_manager_state: checkpoint is corrupted',
    );
  });

  it.each(['prepare', 'unprepare'] as const)(
    'leaves a file without a list, and %s of a pod without claims an empty one',
    async (call) => {
      const harness = await createDraHarness();
      const list = async (): Promise<string> =>
        (JSON.parse(await stateOf(harness)) as { Data: string }).Data.replace(/.*"ClaimInfoStateList":/, '');
      expect(await list()).toBe('null}');
      await harness.manager[call](podWithClaims('p', {}));
      expect(await list()).toBe('[]}');
    },
  );

  it('removes what a kubelet that was killed has left of a write', async () => {
    const harness = await createDraHarness();
    const leftovers = ['.dra_manager_state.1-1', '.dra_health_state.1-1'];
    for (const name of [...leftovers, '.other.1-1']) await writeFile(path.join(harness.around.rootDir, name), '{');
    const next = await harness.restart();
    expect(await readdir(next.around.rootDir)).toEqual(['.other.1-1', 'dra_manager_state']);
  });

  it('names the option that is out of range', async () => {
    const { metrics, logger, around } = await createDraHarness();
    const deps = { metrics, logger, clock: around.clock } as never;
    expect(() => createClaimDraManager(deps, { callTimeoutMs: -1 })).toThrow('callTimeoutMs');
  });
});

describe('a process that is killed', () => {
  it('before the driver answers, unprepares for the pod that is gone meanwhile', async () => {
    const harness = await createDraHarness();
    await harness.driver(gpu, { prepare: () => new Promise(() => undefined) });
    await withClaim(harness);
    void harness.manager.prepare(podOf('p', 'a'));
    await harness.around.clock.runUntil(async () => (await claimNames(harness)).length === 1, 1_000);
    harness.around.sourcesReady = false;
    const next = await harness.restart();
    const driver = await next.driver(gpu);
    await next.reconcile();
    expect([driver.calls, next.manager.holdsClaims('p')]).toEqual([[], true]);
    next.around.sourcesReady = true;
    await next.around.clock.advance(1_000);
    await settleEventLoop();
    expect([driver.calls, await claimNames(next)]).toEqual([['unprepare a'], []]);
  });

  it('after the driver has answered, prepares again, and believes the new answer alone', async () => {
    const harness = await createDraHarness();
    await withClaim(harness);
    await harness.driver(gpu);
    const pod = podOf('p', 'a');
    await harness.manager.prepare(pod);
    const next = await harness.restart();
    const device = { requestNames: [], poolName: 'n1', deviceName: 'd7', cdiDeviceIds: ['d=7'] };
    await next.driver(gpu, { prepare: async () => ({ claims: { 'uid-a': { error: '', devices: [device] } } }) });
    await next.manager.prepare(pod);
    expect(next.manager.cdiDevicesOf(pod, pod.spec.containers[0]!)).toEqual(['d=7']);
  });

  it('while the driver unprepares, unprepares again', async () => {
    const harness = await createDraHarness();
    await withClaim(harness);
    await harness.driver(gpu, { unprepare: () => new Promise(() => undefined) });
    const pod = podOf('p', 'a');
    await harness.manager.prepare(pod);
    void harness.manager.unprepare(pod);
    await settleEventLoop();
    const next = await harness.restart();
    const driver = await next.driver(gpu);
    await next.manager.unprepare(pod);
    expect([driver.calls, await claimNames(next)]).toEqual([['unprepare a'], []]);
  });
});

describe('a claim that is allocated anew', () => {
  const refused =
    'prepare dynamic resources: ResourceClaim a was allocated anew, but its earlier devices are not unprepared yet for the pods p';
  const allocatedAnew = (driver: string): ReturnType<typeof allocatedClaim> => {
    const claim = allocatedClaim('a', { reservedFor: ['q'] });
    const results = [{ driver, pool: 'n1', device: 'd1', request: 'gpu' }];
    return { ...claim, status: { ...claim.status, allocation: { devices: { results } } } };
  };

  it('never gives a pod the devices of the pod before it', async () => {
    const harness = await createDraHarness();
    const driver = await harness.driver(gpu);
    await withClaim(harness);
    await harness.manager.prepare(podOf('p', 'a'));
    harness.setClaim('a', allocatedAnew(gpu));
    await expect(harness.manager.prepare(podOf('q', 'a'))).rejects.toThrow(refused);
    expect(harness.manager.holdsClaims('q')).toBe(false);
    await harness.manager.unprepare(podOf('p', 'a'));
    await harness.manager.prepare(podOf('q', 'a'));
    expect(driver.calls).toEqual(['prepare a', 'unprepare a', 'prepare a']);
  });

  it('to another driver while no kubelet ran waits for the driver before it', async () => {
    const harness = await createDraHarness();
    await harness.driver(gpu);
    await withClaim(harness);
    await harness.manager.prepare(podOf('p', 'a'));
    harness.setClaim('a', allocatedAnew(nic));
    const next = await harness.restart();
    const driver = await next.driver(nic);
    await expect(next.manager.prepare(podOf('q', 'a'))).rejects.toThrow(refused);
    await next.driver(gpu);
    await next.manager.unprepareOthers(new Set(['q']));
    await next.manager.prepare(podOf('q', 'a'));
    expect(driver.calls).toEqual(['prepare a']);
  });
});

it('takes a claim off the disk with the next try when the disk refused', async () => {
  const harness = await createDraHarness();
  await harness.driver(gpu);
  await withClaim(harness);
  await harness.manager.prepare(podOf('p', 'a'));
  const file = path.join(harness.around.rootDir, 'dra_manager_state');
  const before = await readFile(file, 'utf8');
  await rm(file);
  await mkdir(path.join(file, 'in the way'), { recursive: true });
  await expect(harness.manager.unprepare(podOf('p', 'a'))).rejects.toThrow('checkpoint ResourceClaim state');
  await rm(file, { recursive: true });
  await writeFile(file, before);
  await harness.manager.unprepare(podOf('p', 'a'));
  expect(await readFile(file, 'utf8')).not.toContain('uid-a');
});

it('a pod that is gone keeps its claims until its containers have ended', async () => {
  const harness = await createDraHarness();
  const driver = await harness.driver(gpu);
  await withClaim(harness);
  await harness.manager.prepare(podOf('p', 'a'));
  harness.around.ending.add('p');
  await harness.reconcile();
  expect(driver.calls).toEqual(['prepare a']);
  harness.around.ending.delete('p');
  await harness.around.clock.advance(1_000);
  await settleEventLoop();
  expect(driver.calls).toEqual(['prepare a', 'unprepare a']);
});

describe('pods that share a claim', () => {
  it('wait for each other: one prepares while another one unprepares', async () => {
    const harness = await createDraHarness();
    await withClaim(harness);
    let answer: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (answer = resolve));
    const driver = await harness.driver(gpu, {
      unprepare: async () => {
        await asked;
        return { claims: { 'uid-a': { error: '' } } };
      },
    });
    const [first, second] = [podOf('p', 'a'), podOf('q', 'a')];
    await harness.manager.prepare(first);
    const ended = harness.manager.unprepare(first);
    const started = harness.manager.prepare(second);
    await settleEventLoop();
    expect(driver.calls).toEqual(['prepare a', 'unprepare a']);
    answer();
    await Promise.all([ended, started]);
    expect(driver.calls).toEqual(['prepare a', 'unprepare a', 'prepare a']);
    expect(harness.manager.cdiDevicesOf(second, second.spec.containers[0]!)).toEqual([cdiName(gpu, 'a')]);
  });

  it('do not wait when their signal aborts', async () => {
    const harness = await createDraHarness();
    await withClaim(harness);
    await harness.driver(gpu, { prepare: () => new Promise(() => undefined) });
    void harness.manager.prepare(podOf('p', 'a'));
    await settleEventLoop();
    const ending = new AbortController();
    const waiting = expect(harness.manager.prepare(podOf('q', 'a'), ending.signal)).rejects.toThrow('terminated');
    ending.abort(new KubeletError('terminated', { code: 'cancelled' }));
    await waiting;
  });
});

it('asks once for a claim that a pod names twice, and reaches the claims of the pod group behind the option', async () => {
  const harness = await createDraHarness({ groupClaims: true });
  const driver = await harness.driver(gpu);
  const claim = allocatedClaim('a', { owner: 'somebody' });
  const ownerReferences = [
    { apiVersion: 'scheduling.k8s.io/v1alpha2', kind: 'PodGroup', name: 'g', uid: 'u', controller: true },
  ];
  const reservedFor = [{ apiGroup: 'scheduling.k8s.io', resource: 'podgroups', name: 'g', uid: 'u' }];
  harness.setClaim('a', {
    ...claim,
    metadata: { ...claim.metadata, ownerReferences },
    status: { ...claim.status, reservedFor },
  });
  const claims = ['x', 'y'].map((name) => ({ name, resourceClaimTemplateName: 't' }));
  const resourceClaimStatuses = ['x', 'y'].map((name) => ({ name, resourceClaimName: 'a' }));
  const pod = podWithClaims('p', { claims, status: { resourceClaimStatuses } });
  await expect(harness.manager.prepare(pod)).rejects.toThrow('(Pod is not owner)');
  const inGroup = (podGroupName: string): typeof pod => ({
    ...pod,
    spec: { ...pod.spec, schedulingGroup: { podGroupName } },
  });
  await expect(harness.manager.prepare(inGroup('h'))).rejects.toThrow('(neither Pod nor PodGroup h is the owner)');
  await harness.manager.prepare(inGroup('g'));
  expect(driver.calls).toEqual(['prepare a']);
});

it('without the option, claims for extended resources are overlooked', async () => {
  const harness = await createDraHarness({ extendedResources: false });
  const driver = await harness.driver(gpu);
  const extendedResourceClaimStatus = { resourceClaimName: 'a', requestMappings: [] };
  await harness.manager.prepare(podWithClaims('p', { status: { extendedResourceClaimStatus } }));
  expect(driver.calls).toEqual([]);
});

describe('metrics', () => {
  it('count operations, calls of drivers and claims in use', async () => {
    const harness = await createDraHarness();
    await withClaim(harness, gpu, nic);
    const pod = podOf('p', 'a');
    await expect(harness.manager.prepare(pod)).rejects.toThrow('not registered');
    await harness.driver(gpu);
    await harness.driver(nic, { versions: ['v1beta1.DRAPlugin'] });
    await harness.manager.prepare(pod);
    expect(await metricsOf(harness, 'dra_')).toEqual([
      'dra_grpc_operations_duration_seconds_count{driver_name="gpu.example.com",grpc_status_code="OK",method_name="/k8s.io.kubelet.pkg.apis.dra.v1.DRAPlugin/NodePrepareResources"} 1',
      'dra_grpc_operations_duration_seconds_count{driver_name="nic.example.com",grpc_status_code="OK",method_name="/k8s.io.kubelet.pkg.apis.dra.v1beta1.DRAPlugin/NodePrepareResources"} 1',
      'dra_operations_duration_seconds_count{is_error="false",operation_name="PrepareResources"} 1',
      'dra_operations_duration_seconds_count{is_error="true",operation_name="PrepareResources"} 1',
      'dra_resource_claims_in_use{driver_name="<any>"} 1',
      'dra_resource_claims_in_use{driver_name="gpu.example.com"} 1',
      'dra_resource_claims_in_use{driver_name="nic.example.com"} 1',
    ]);
    await harness.manager.unprepare(pod);
    expect(await metricsOf(harness, 'dra_resource')).toEqual(['dra_resource_claims_in_use{driver_name="<any>"} 0']);
  });
});

describe('plugins of a driver', () => {
  it.each([
    [[], 'empty list of supported gRPC services (aka supported versions)'],
    [
      ['v1alpha3.Node'],
      'none of services supported by the plugin (["v1alpha3.Node"]) are supported by the kubelet (["v1.DRAPlugin" "v1beta1.DRAPlugin"])',
    ],
  ])('with the services %j are refused', async (versions, problem) => {
    const { handler } = await createDraHarness();
    const plugin = { name: gpu, endpoint: '/dra.sock', versions };
    const message = `invalid supported gRPC versions of DRA driver plugin ${gpu} at endpoint /dra.sock: ${problem}`;
    await expect(handler.validate(plugin, never)).rejects.toThrow(message);
    await expect(handler.register(plugin, never)).rejects.toThrow(message);
  });

  it('are called by the first service of their list that is known', async () => {
    const harness = await createDraHarness();
    await withClaim(harness);
    await harness.driver(gpu, { versions: ['v2.DRAPlugin', 'v1beta1.DRAPlugin', 'v1.DRAPlugin'] });
    await harness.manager.prepare(podOf('p', 'a'));
    expect((await metricsOf(harness, 'dra_grpc'))[0]).toContain('dra.v1beta1.DRAPlugin');
  });

  it('may be two: the newest that is connected is called', async () => {
    const harness = await createDraHarness();
    await withClaim(harness);
    const [older, newer] = [await harness.driver(gpu), await harness.driver(gpu)];
    newer.setConnected(false);
    await harness.manager.prepare(podOf('p', 'a'));
    expect([older.calls, newer.calls]).toEqual([['prepare a'], []]);
    older.setConnected(false);
    await harness.manager.unprepare(podOf('p', 'a'));
    expect([older.calls, newer.calls]).toEqual([['prepare a'], ['unprepare a']]);
    const again = { name: gpu, endpoint: `${gpu}#0`, versions: ['v1.DRAPlugin'] };
    await expect(harness.handler.register(again, never)).rejects.toThrow(
      `endpoint ${gpu}#0 already registered for DRA driver plugin ${gpu}`,
    );
    await newer.leave();
    await newer.leave();
    await harness.manager.prepare(podOf('p', 'a'));
    expect(older.calls).toEqual(['prepare a', 'prepare a']);
  });
});

describe('ResourceSlices', () => {
  it('of all drivers are deleted at the start, once the node is known, and again after a failure', async () => {
    const first = await createDraHarness();
    await first.manager.stop();
    const { around } = first;
    around.wiped.length = 0;
    around.node = undefined;
    const { clock } = (await first.restart()).around;
    await clock.advance(1_200);
    expect(around.wiped).toEqual([]);
    around.node = { metadata: { name: 'n2' } };
    around.wipeFaults.push(new KubeletError('Unauthorized', { code: 'unauthenticated' }));
    await clock.advance(2_400);
    expect(around.wiped).toEqual(['spec.nodeName=n2']);
    await clock.advance(4_800);
    expect(around.wiped).toHaveLength(2);
    around.wipeFaults.push(new KubeletError('gone', { code: 'not-found' }));
    await clock.advance(600_000);
    expect(around.wiped).toHaveLength(2);
  });

  it('of a driver are deleted when it was away for 30 s, and kept when it came back', async () => {
    const harness = await createDraHarness();
    const { wiped, clock } = harness.around;
    await clock.advance(0);
    wiped.length = 0;
    const driver = await harness.driver(gpu);
    driver.setConnected(false);
    await clock.advance(29_000);
    driver.setConnected(true);
    await clock.advance(60_000);
    expect(wiped).toEqual([]);
    driver.setConnected(false);
    await clock.advance(20_000);
    await driver.leave();
    await clock.advance(10_000);
    expect(wiped).toEqual([`spec.driver=${gpu},spec.nodeName=n1`]);
    await clock.advance(600_000);
    expect(wiped).toHaveLength(1);
  });

  it('of a driver that comes back while their deletion fails are kept', async () => {
    const harness = await createDraHarness();
    const { wiped, wipeFaults, clock } = harness.around;
    await clock.advance(0);
    wiped.length = 0;
    const away = new KubeletError('connection refused', { code: 'unavailable' });
    wipeFaults.push(away, away, away);
    const driver = await harness.driver(gpu);
    driver.setConnected(false);
    await clock.advance(30_500);
    expect(wiped).toHaveLength(1);
    driver.setConnected(true);
    await clock.advance(600_000);
    expect(wiped).toHaveLength(1);
    // It may go and come again, also at once.
    driver.setConnected(false);
    driver.setConnected(true);
    driver.setConnected(false);
    await clock.advance(600_000);
    expect(wiped).toHaveLength(4);
  });
});

describe('a driver that answers with a share id', () => {
  it('has it on the disk and in the answer to agents', async () => {
    const harness = await createDraHarness();
    await withClaim(harness);
    await harness.driver(gpu, {
      prepare: async ([claim]) => {
        const { devices } = preparedDevice(gpu, claim!);
        return { claims: { 'uid-a': { error: '', devices: devices.map((each) => ({ ...each, shareId: 's' })) } } };
      },
    });
    const pod = podOf('p', 'a');
    await harness.manager.prepare(pod);
    expect(harness.manager.claimsOf(pod, pod.spec.containers[0]!)[0]?.devices[0]?.shareId).toBe('s');
    expect(await stateOf(harness)).toContain('\\"ShareID\\":\\"s\\"');
  });
});
