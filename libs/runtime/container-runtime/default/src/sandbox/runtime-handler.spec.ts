import { afterEach, describe, expect, it } from '@jest/globals';
import { NamespaceMode, type RuntimeService } from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import type { EnsureImageRequest } from '@podwright/image-interface';
import { createRuntimeHarness, type RuntimeHarness } from '../fixtures/runtime-harness.js';
import { podWith, statusWith } from '../fixtures/records.js';

const broken = (): Promise<never> => Promise.reject(new KubeletError('broken', { code: 'unknown' }));

describe('the runtime handler of a pod', () => {
  let harness: RuntimeHarness;
  afterEach(() => harness.remove());

  it.each([
    [undefined, ''],
    ['', ''],
    ['sandboxed', 'runsc'],
  ])('of class %j is %j, for the sandbox and in its metrics', async (runtimeClassName, handler) => {
    harness = await createRuntimeHarness();
    await harness.sync(podWith(runtimeClassName === undefined ? {} : { runtimeClassName }));
    expect(harness.fake.requestOf('runPodSandbox')).toMatchObject({ runtimeHandler: handler });
    const metrics = await harness.metrics.render();
    expect(metrics).toContain(`kubelet_run_podsandbox_duration_seconds_count{runtime_handler="${handler}"} 1`);
    expect(metrics).not.toContain('kubelet_started_user_namespaced_pods_total 1');
  });

  it('is counted with what fails', async () => {
    harness = await createRuntimeHarness();
    harness.fake.on('runPodSandbox', () => Promise.reject(new KubeletError('no', { code: 'unknown' })));
    await harness.sync(podWith({ runtimeClassName: 'sandboxed' }));
    const metrics = await harness.metrics.render();
    expect(metrics).toContain('kubelet_run_podsandbox_errors_total{runtime_handler="runsc"} 1');
  });

  it.each([
    [false, [undefined]],
    [true, ['runsc']],
  ])('goes with the calls for images when that is asked for (%s)', async (runtimeClassInImageCriApi, expected) => {
    const requests: EnsureImageRequest[] = [];
    const images = {
      ensureImageExists: async (request: EnsureImageRequest) => {
        requests.push(request);
        return { imageRef: 'ref' };
      },
    };
    harness = await createRuntimeHarness({ deps: { images }, config: { runtimeClassInImageCriApi } });
    await harness.sync(podWith({ runtimeClassName: 'sandboxed' }));
    expect(requests.map(({ runtimeHandler }) => runtimeHandler)).toEqual(expected);
  });

  it('that has no user namespaces keeps a pod with users of its own from running', async () => {
    const problem = "can't set `spec.hostUsers: false`, runtime does not support user namespaces";
    const getOrCreate = (): Promise<never> =>
      Promise.reject(new KubeletError(problem, { code: 'failed-precondition' }));
    harness = await createRuntimeHarness({ deps: { userNamespaces: { getOrCreate } } });
    const { results } = await harness.sync(podWith({ hostUsers: false }));
    expect(harness.events).toEqual([`Warning FailedCreatePodSandBox pod: Failed to create pod sandbox: ${problem}`]);
    expect(results.at(-1)?.error?.message).toBe(
      `Failed to generate sandbox config for pod "web_default(uid-1)": ${problem}`,
    );
    expect(harness.fake.calls).toEqual([]);
    const metrics = await harness.metrics.render();
    expect(metrics).toContain('kubelet_started_user_namespaced_pods_total 1');
    expect(metrics).toContain('kubelet_started_user_namespaced_pods_errors_total 1');
  });

  it.each<[string, number, Partial<RuntimeService>, string | undefined]>([
    ['its sandbox', 1, { podSandboxStatus: broken }, undefined],
    ['one of its containers', 1, { createContainer: broken }, undefined],
    ['nothing', 0, {}, undefined],
    ['a container in a sandbox that it has', 0, { createContainer: broken }, 'sandbox-1'],
  ])('counts a pod with users of its own when %s fails', async (_name, expected, methods, present) => {
    harness = await createRuntimeHarness();
    for (const [method, answer] of Object.entries(methods)) harness.fake.on(method as 'createContainer', answer);
    await harness.sync(podWith({ hostUsers: false }), statusWith([], present === undefined ? [] : undefined));
    const metrics = await harness.metrics.render();
    const name = 'kubelet_started_user_namespaced_pods_errors_total';
    expect(metrics.split('\n').find((line) => line.startsWith(name))).toBe(`${name} ${expected}`);
  });

  it('gives sandbox and containers the same users', async () => {
    const ids = [{ hostId: 65_536, containerId: 0, length: 65_536 }];
    const usernsOptions = { mode: NamespaceMode.POD, uids: ids, gids: ids };
    const asked: string[] = [];
    harness = await createRuntimeHarness({
      deps: {
        userNamespaces: {
          getOrCreate: async (_, handler) => {
            asked.push(handler);
            return usernsOptions;
          },
        },
      },
    });
    await harness.sync(podWith({ hostUsers: false, runtimeClassName: 'sandboxed' }));
    const securityContext = { namespaceOptions: { usernsOptions } };
    expect(harness.fake.requestOf('runPodSandbox')).toMatchObject({ config: { linux: { securityContext } } });
    expect(harness.fake.requestOf('createContainer')).toMatchObject({
      config: { linux: { securityContext } },
      sandboxConfig: { linux: { securityContext } },
    });
    expect(new Set(asked)).toEqual(new Set(['runsc']));
  });
});
