import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Pod } from '@podwright/kube-types';
import { describePodResourcesContract, PodResourcesClient } from '@podwright/pod-resources-interface/contract';
import { cleanHarnesses, createServerHarness } from './fixtures/server-harness.js';
import { createGrpcPodResourcesServer } from './grpc-pod-resources-server.module.js';

afterEach(cleanHarnesses);

describePodResourcesContract('GrpcPodResourcesServer', () => createServerHarness());

const pod: Pod = { metadata: { name: 'a', namespace: 'n', uid: 'u' }, spec: { containers: [{ name: 'c' }] } };

describe('GrpcPodResourcesServer', () => {
  it('has nothing exclusive to tell where no manager gives anything out', async () => {
    const { deps, server, setPods } = await createServerHarness();
    const { assignments: _without, ...rest } = deps;
    setPods({ known: [pod], active: [pod] });
    const bare = createGrpcPodResourcesServer(rest, { socket: server.socket });
    await bare.start();
    const client = new PodResourcesClient(bare.socket);
    const container = { name: 'c', devices: [], cpuIds: [], memory: [], dynamicResources: [] };
    expect(await client.list()).toEqual({ podResources: [{ name: 'a', namespace: 'n', containers: [container] }] });
    client.close();
    await bare.stop();
  });

  it('lists pods that have ended too when it is told so, after what they held was taken back', async () => {
    const { server, setPods, released } = await createServerHarness({ listActivePods: false });
    setPods({ known: [pod], active: [] });
    await server.start();
    const client = new PodResourcesClient(server.socket);
    expect((await client.list()).podResources.map(({ name }) => name)).toEqual(['a']);
    expect(released()).toBe(1);
    client.close();
    await server.stop();
  });

  it('counts calls and errors by version, and lets calls through again as time goes by', async () => {
    const { deps, server, clock } = await createServerHarness();
    await server.start();
    const client = new PodResourcesClient(server.socket);
    await client.list('v1alpha1');
    await expect(client.get('n', 'missing')).rejects.toThrow('not found');
    for (let i = 0; i < 8; i++) await client.allocatable();
    await expect(client.list()).rejects.toThrow('rejected by rate limit');
    await clock.advance(10);
    await client.list();
    client.close();
    await server.stop();
    const lines = (await deps.metrics.render()).split('\n').filter((line) => line.startsWith('kubelet_pod_resources'));
    expect(lines).toEqual([
      'kubelet_pod_resources_endpoint_errors_get{server_api_version="v1"} 1',
      'kubelet_pod_resources_endpoint_requests_get{server_api_version="v1"} 1',
      'kubelet_pod_resources_endpoint_requests_get_allocatable{server_api_version="v1"} 8',
      'kubelet_pod_resources_endpoint_requests_list{server_api_version="v1"} 1',
      'kubelet_pod_resources_endpoint_requests_total{server_api_version="v1"} 10',
      'kubelet_pod_resources_endpoint_requests_total{server_api_version="v1alpha1"} 1',
    ]);
  });

  it('takes the place of a file, not that of a directory, and makes no folder', async () => {
    const { deps, server } = await createServerHarness();
    await mkdir(server.socket);
    await expect(server.start()).rejects.toThrow(
      /^cannot serve pod resources on .*kubelet\.sock: .*; look whether its folder is there/,
    );
    expect(server.healthy().ok).toBe(false);
    await rm(server.socket, { recursive: true });
    await writeFile(server.socket, 'a file');
    await server.start();
    expect(server.healthy()).toEqual({ ok: true });
    await mkdir(`${server.socket}-d`);
    const lost = createGrpcPodResourcesServer(deps, { socket: path.join(`${server.socket}-d`, 'missing', 'x.sock') });
    await expect(lost.start()).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('names the option that is out of range', async () => {
    const { deps } = await createServerHarness();
    expect(() => createGrpcPodResourcesServer(deps, { qps: 0 })).toThrow('pod-resources options: qps');
  });
});
