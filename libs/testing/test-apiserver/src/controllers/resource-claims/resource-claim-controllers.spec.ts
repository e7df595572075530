import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Pod, ResourceClaim } from '@podwright/kube-types';
import { createSeededRandom, VirtualClock } from '@podwright/time';
import { ApiCaller } from '../../cases/api-caller.js';
import { createTestApiServer, type TestApiServer } from '../../test-api-server.js';

const group = '/apis/resource.k8s.io/v1';
const claimsPath = `${group}/namespaces/default/resourceclaims`;
const templatesPath = `${group}/namespaces/default/resourceclaimtemplates`;
const podsPath = '/api/v1/namespaces/default/pods';
const driver = 'gpu.example.com';

const request = (name: string, more: object = {}): object => ({ name, exactly: { deviceClassName: 'gpu', ...more } });
const specOf = (...requests: readonly object[]): object => ({ devices: { requests } });
const pod = (name: string, resourceClaims: readonly object[], resources: object = {}): object => ({
  metadata: { name },
  spec: { nodeName: 'n1', containers: [{ name: 'c', image: 'i', resources }], resourceClaims },
});
const using = (resourceClaimName: string): object => ({ name: 'gpu', resourceClaimName });
const fromTemplate = { name: 'gpu', resourceClaimTemplateName: 'one' };

describe('resource claims', () => {
  let server: TestApiServer;
  let admin: ApiCaller;

  beforeEach(async () => {
    const options = { clock: new VirtualClock(), random: createSeededRandom('claims'), resourceClaims: true };
    server = createTestApiServer(options);
    admin = new ApiCaller(server.transport());
    await admin.post('/api/v1/nodes', { metadata: { name: 'n1' } });
    await admin.post(`${group}/deviceclasses`, {
      metadata: { name: 'gpu' },
      spec: {
        selectors: [{ cel: { expression: `device.driver == "${driver}"` } }],
        extendedResourceName: 'example.com/gpu',
      },
    });
    await admin.post(templatesPath, { metadata: { name: 'one' }, spec: { spec: specOf(request('g')) } });
  });

  const offer = (...devices: readonly string[]): Promise<unknown> =>
    admin.post(`${group}/resourceslices`, {
      metadata: { name: 'n1-gpu' },
      spec: {
        ...{ driver, nodeName: 'n1', pool: { name: 'n1', generation: 1, resourceSliceCount: 1 } },
        devices: devices.map((name) => ({ name })),
      },
    });
  const claim = async (name: string): Promise<ResourceClaim> =>
    (await admin.get(`${claimsPath}/${name}`)).body as unknown as ResourceClaim;
  const devicesOf = async (name: string): Promise<readonly string[]> =>
    ((await claim(name)).status?.allocation?.devices?.results ?? []).map(
      ({ device, request: of }) => `${of}=${device}`,
    );
  const podOf = async (name: string): Promise<Pod> => (await admin.get(`${podsPath}/${name}`)).body as unknown as Pod;
  const claimNames = async (): Promise<readonly (string | undefined)[]> =>
    ((await admin.get(claimsPath)).body.items ?? []).map(({ metadata }) => metadata?.name);
  const end = (name: string): Promise<unknown> => admin.delete(`${podsPath}/${name}?gracePeriodSeconds=0`);

  it('get free devices of their pod’s node, all or none, and give them back when no pod needs them', async () => {
    await admin.post(claimsPath, { metadata: { name: 'two' }, spec: specOf(request('g', { count: 2 })) });
    await admin.post(claimsPath, {
      metadata: { name: 'more' },
      spec: specOf(request('g', { count: 2 }), request('h')),
    });
    await admin.post(podsPath, pod('a', [using('two')]));
    await admin.post(podsPath, pod('b', [using('two')]));
    expect(await devicesOf('two')).toEqual([]);
    await offer('d0', 'd1', 'd2');
    expect(await devicesOf('two')).toEqual(['g=d0', 'g=d1']);
    expect((await claim('two')).status?.reservedFor?.map(({ name }) => name).sort()).toEqual(['a', 'b']);
    await admin.post(podsPath, pod('c', [using('more')]));
    expect(await devicesOf('more')).toEqual([]);
    await end('a');
    expect(await devicesOf('two')).toHaveLength(2);
    await end('b');
    expect((await claim('two')).status).toEqual({});
    expect((await claim('two')).metadata?.finalizers ?? []).toEqual([]);
    expect(await devicesOf('more')).toEqual(['g=d0', 'g=d1', 'h=d2']);
  });

  it('wait for their pods before they are deleted', async () => {
    await offer('d0');
    await admin.post(claimsPath, { metadata: { name: 'own' }, spec: specOf(request('g')) });
    await admin.post(podsPath, pod('a', [using('own')]));
    await admin.delete(`${claimsPath}/own`);
    expect(await devicesOf('own')).toEqual(['g=d0']);
    await end('a');
    expect(await claimNames()).toEqual([]);
  });

  it('come from templates, and go with their pod', async () => {
    await offer('d0', 'd1');
    await admin.post(podsPath, pod('a', [fromTemplate]));
    const [status] = (await podOf('a')).status?.resourceClaimStatuses ?? [];
    const made = status?.resourceClaimName ?? '';
    expect(made).toMatch(/^a-gpu-/);
    expect((await claim(made)).metadata).toMatchObject({
      annotations: { 'resource.kubernetes.io/pod-claim-name': 'gpu' },
      ownerReferences: [{ kind: 'Pod', name: 'a', controller: true }],
    });
    expect(await devicesOf(made)).toEqual(['g=d0']);
    await admin.post(podsPath, pod('b', [fromTemplate]));
    expect(await claimNames()).toHaveLength(2);
    const succeeded = { ...(await podOf('b')), status: { ...(await podOf('b')).status, phase: 'Succeeded' } };
    await admin.put(`${podsPath}/b/status`, succeeded);
    expect(await claimNames()).toEqual([made]);
    await end('a');
    expect(await claimNames()).toEqual([]);
  });

  it('stand behind extended resources of device classes', async () => {
    await offer('d0', 'd1');
    const resources = { requests: { 'example.com/gpu': '2', cpu: '1' }, limits: { 'example.com/gpu': '2' } };
    await admin.post(podsPath, pod('a', [], resources));
    const { extendedResourceClaimStatus: status } = (await podOf('a')).status ?? {};
    expect(status?.requestMappings).toEqual([
      { containerName: 'c', resourceName: 'example.com/gpu', requestName: 'container-0-request-1' },
    ]);
    const name = status?.resourceClaimName ?? '';
    expect(await devicesOf(name)).toEqual(['container-0-request-1=d0', 'container-0-request-1=d1']);
    const node = new ApiCaller(server.transport({ name: 'system:node:n1', groups: ['system:nodes'] }));
    expect((await node.get(`${claimsPath}/${name}`)).status).toBe(200);
  });
});
