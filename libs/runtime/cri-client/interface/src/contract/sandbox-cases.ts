import { expect, it } from '@podwright/contract';
import { ContainerState, PodSandboxState } from '../index.js';
import type { ContractPods } from './contract-pods.js';
import { differs, type CriCapabilities } from './cri-harness.js';

export function sandboxCases(pods: () => ContractPods, capabilities: CriCapabilities, timeoutMs: number): void {
  const repeats = differs(capabilities, 'repeated-creation-answers-the-first');

  it(
    'runs a sandbox, shows it ready, stops it and removes it',
    async () => {
      const { runtime } = pods().harness;
      const config = pods().config({
        labels: { app: 'web', empty: '', 'example.com/ünïcode': '✓' },
        annotations: { note: 'x'.repeat(10_000), 'kubernetes.io/config.source': 'file' },
      });
      const id = await pods().run(config);
      const ready = await pods().sandbox(id);
      expect(ready).toMatchObject({
        id,
        metadata: config.metadata,
        state: PodSandboxState.SANDBOX_READY,
        labels: config.labels,
        annotations: config.annotations,
      });
      expect(ready.network?.ip ?? '').not.toBe('');
      // Nanoseconds: too large for a double to hold exactly.
      expect(ready.createdAt > 2n ** 53n).toBe(true);

      await pods().settled(runtime.stopPodSandbox({ podSandboxId: id }));
      await pods().settled(runtime.stopPodSandbox({ podSandboxId: id }));
      expect(await pods().sandbox(id)).toMatchObject({
        state: PodSandboxState.SANDBOX_NOTREADY,
        createdAt: ready.createdAt,
      });
      await pods().settled(runtime.removePodSandbox({ podSandboxId: id }));
      await pods().settled(runtime.removePodSandbox({ podSandboxId: id }));
      await pods().refused(runtime.podSandboxStatus({ podSandboxId: id }), 'not-found');
    },
    timeoutMs,
  );

  it(
    'lists sandboxes by id, state and labels, all of which must match',
    async () => {
      const { runtime } = pods().harness;
      const uid = pods().config().metadata?.uid;
      const a = await pods().run(pods().config({ labels: { suite: `${uid}`, tier: 'a' } }));
      const b = await pods().run(pods().config({ labels: { suite: `${uid}`, tier: 'b' } }));
      await pods().settled(runtime.stopPodSandbox({ podSandboxId: b }));
      const list = async (
        filter: NonNullable<Parameters<typeof runtime.listPodSandbox>[0]['filter']>,
      ): Promise<string[]> =>
        (await pods().settled(runtime.listPodSandbox({ filter }))).items.map(({ id }) => id).sort();

      expect(await list({ labelSelector: { suite: `${uid}` } })).toEqual([a, b].sort());
      expect(await list({ labelSelector: { suite: `${uid}`, tier: 'b' } })).toEqual([b]);
      expect(await list({ id: a })).toEqual([a]);
      expect(await list({ id: a, labelSelector: { tier: 'b' } })).toEqual([]);
      const ready = { state: PodSandboxState.SANDBOX_READY };
      const notReady = { state: PodSandboxState.SANDBOX_NOTREADY };
      expect(await list({ state: ready, labelSelector: { suite: `${uid}` } })).toEqual([a]);
      expect(await list({ state: notReady, labelSelector: { suite: `${uid}` } })).toEqual([b]);
      expect(await list({ id: 'nothing-has-this-id' })).toEqual([]);
    },
    timeoutMs,
  );

  it(
    'gives the list and the status of a sandbox the same facts',
    async () => {
      const { runtime } = pods().harness;
      const id = await pods().run(pods().config({ labels: { app: 'web' }, annotations: { note: 'n' } }));
      const { items } = await pods().settled(runtime.listPodSandbox({ filter: { id } }));
      const { metadata, state, createdAt, labels, annotations } = await pods().sandbox(id);
      expect(items).toEqual([expect.objectContaining({ id, metadata, state, createdAt, labels, annotations })]);
    },
    timeoutMs,
  );

  it(
    'makes no second sandbox of the same name, namespace, uid and attempt, until the first is removed',
    async () => {
      const { runtime } = pods().harness;
      const config = pods().config();
      const id = await pods().run(config);
      const taken = ['already-exists', 'failed-precondition', 'unknown'] as const;
      const again = async (): Promise<void> => {
        const second = runtime.runPodSandbox({ config });
        if (repeats) expect((await pods().settled(second)).podSandboxId).toBe(id);
        else expect(await pods().refused(second, ...taken)).toContain('is reserved for');
      };
      await again();
      await pods().settled(runtime.stopPodSandbox({ podSandboxId: id }));
      await again();
      const next = { ...config, metadata: { ...config.metadata, attempt: 1 } };
      expect(await pods().run(next)).not.toBe(id);
      await pods().settled(runtime.removePodSandbox({ podSandboxId: id }));
      expect(await pods().run(config)).not.toBe(id);
    },
    timeoutMs,
  );

  it(
    'stops the containers of a stopped sandbox and removes those of a removed one',
    async () => {
      const { runtime } = pods().harness;
      const id = await pods().run();
      const containerId = await pods().start(id, 'runs-until-stopped');
      await pods().settled(runtime.stopPodSandbox({ podSandboxId: id }));
      expect((await pods().container(containerId)).state).toBe(ContainerState.CONTAINER_EXITED);
      await pods().settled(runtime.removePodSandbox({ podSandboxId: id }));
      expect(await pods().containerIds(id)).toEqual([]);
      await pods().refused(runtime.containerStatus({ containerId }), 'not-found');
    },
    timeoutMs,
  );

  it(
    'starts no container in a stopped sandbox',
    async () => {
      const { runtime } = pods().harness;
      const id = await pods().run();
      await pods().settled(runtime.stopPodSandbox({ podSandboxId: id }));
      await pods().refused(pods().start(id, 'runs-until-stopped'), 'not-found', 'failed-precondition', 'unknown');
    },
    timeoutMs,
  );

  it(
    'answers not-found for sandboxes it does not know, except to stop and remove them',
    async () => {
      const { runtime } = pods().harness;
      const podSandboxId = 'nothing-has-this-id';
      await pods().refused(runtime.podSandboxStatus({ podSandboxId }), 'not-found');
      const forwarded = runtime.portForward({ podSandboxId, port: [80] });
      if (differs(capabilities, 'streams-check-late'))
        expect((await pods().settled(forwarded)).url).toContain('/portforward/');
      else await pods().refused(forwarded, 'not-found');
      const code = differs(capabilities, 'errors-without-code') ? 'unknown' : 'not-found';
      await pods().refused(pods().create(podSandboxId, 'exits-0'), code);
      await pods().settled(runtime.removePodSandbox({ podSandboxId }));
      // Success and not-found are both right: the kubelet treats both as stopped.
      await pods()
        .settled(runtime.stopPodSandbox({ podSandboxId }))
        .catch((error: unknown) => {
          expect(error).toMatchObject({ code: 'not-found' });
        });
    },
    timeoutMs,
  );
}
