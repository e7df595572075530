import { expect, it } from '@podwright/contract';
import { KubeletError } from '@podwright/errors';
import { ContainerEventType, ContainerState } from '../index.js';
import type { ContainerEventResponse } from '../index.js';
import type { ContractPods } from './contract-pods.js';
import type { CriCapabilities } from './cri-harness.js';

export function callCases(pods: () => ContractPods, capabilities: CriCapabilities, timeoutMs: number): void {
  it(
    'says who it is and that runtime and network are ready',
    async () => {
      const { runtime, connection } = pods().harness;
      const version = await pods().settled(runtime.version({}));
      expect(version.version).toBe('0.1.0');
      expect([version.runtimeName, version.runtimeVersion, version.runtimeApiVersion]).toEqual([
        connection.runtimeName,
        connection.runtimeVersion,
        connection.runtimeApiVersion,
      ]);
      expect(connection.runtimeName).not.toBe('');
      const { status } = await pods().settled(runtime.status({}));
      const ready = Object.fromEntries(
        (status?.conditions ?? []).map((condition) => [condition.type, condition.status]),
      );
      expect(ready).toMatchObject({ RuntimeReady: true, NetworkReady: true });
    },
    timeoutMs,
  );

  it(
    'ends a running call with the reason of its signal, and takes no call with an aborted one',
    async () => {
      const { runtime, exec } = pods().harness;
      const containerId = await pods().start(await pods().run(), 'runs-until-stopped');
      const controller = new AbortController();
      const call = runtime.execSync({ containerId, cmd: exec.hangs }, { signal: controller.signal });
      call.catch(() => undefined);
      await pods().harness.pass(300);
      const reason = new KubeletError('the pod was deleted', { code: 'aborted' });
      controller.abort(reason);
      await expect(pods().settled(call)).rejects.toBe(reason);
      await expect(runtime.removeContainer({ containerId }, { signal: controller.signal })).rejects.toBe(reason);
      expect((await pods().container(containerId)).state).toBe(ContainerState.CONTAINER_RUNNING);
      await pods().refused(runtime.version({}, { signal: AbortSignal.abort() }), 'cancelled');
    },
    timeoutMs,
  );

  it(
    'ends a call at its deadline',
    async () => {
      const { runtime, exec } = pods().harness;
      const containerId = await pods().start(await pods().run(), 'runs-until-stopped');
      const call = runtime.execSync({ containerId, cmd: exec.hangs }, { timeoutMs: 500 });
      // The runtime knows the deadline too and may be first; containerd 1.6 then says so with a code of its own.
      expect(await pods().refused(call, 'deadline-exceeded', 'unknown')).toContain('context deadline exceeded');
    },
    timeoutMs,
  );

  it(
    'answers 50 calls at once',
    async () => {
      const { runtime } = pods().harness;
      const id = await pods().run();
      const answers = await pods().settled(
        Promise.all(Array.from({ length: 50 }, () => runtime.podSandboxStatus({ podSandboxId: id }))),
      );
      expect(new Set(answers.map(({ status }) => status?.id))).toEqual(new Set([id]));
    },
    timeoutMs,
  );

  it(
    'carries big answers',
    async () => {
      const { runtime } = pods().harness;
      const sandbox = await pods().run();
      const annotations = { big: 'ä'.repeat(100_000), other: 'y'.repeat(100_000) };
      for (let n = 0; n < 10; n++) {
        await pods().create(sandbox, 'exits-0', { metadata: { name: `big-${n}` }, annotations });
      }
      const { containers } = await pods().settled(runtime.listContainers({ filter: { podSandboxId: sandbox } }));
      expect(containers.map((container) => container.annotations)).toEqual(Array(10).fill(annotations));
    },
    timeoutMs,
  );

  (capabilities.containerEvents ? it : it.skip)(
    'streams the events of a container in their order, until the reader leaves (needs a runtime with events)',
    async () => {
      const { runtime } = pods().harness;
      const sandbox = await pods().run();
      const seen: ContainerEventResponse[] = [];
      let containerId = '';
      const reading = (async (): Promise<void> => {
        for await (const event of runtime.getContainerEvents({})) {
          seen.push(event);
          if (
            event.containerId === containerId &&
            event.containerEventType === ContainerEventType.CONTAINER_DELETED_EVENT
          )
            return;
        }
      })();
      // A case that ends before it waits for them closes the harness, which ends the stream.
      reading.catch(() => undefined);
      await pods().harness.pass(100);
      containerId = await pods().start(sandbox, 'runs-until-stopped');
      await pods().settled(runtime.stopContainer({ containerId, timeout: 1n }));
      await pods().settled(runtime.removeContainer({ containerId }));
      await pods().settled(reading);
      const own = seen.filter((event) => event.containerId === containerId);
      expect(own.map(({ containerEventType }) => containerEventType)).toEqual([
        ContainerEventType.CONTAINER_CREATED_EVENT,
        ContainerEventType.CONTAINER_STARTED_EVENT,
        ContainerEventType.CONTAINER_STOPPED_EVENT,
        ContainerEventType.CONTAINER_DELETED_EVENT,
      ]);
      expect(own[1]?.podSandboxStatus?.id).toBe(sandbox);
      expect(own[0]?.createdAt).toBeGreaterThan(2n ** 53n);
    },
    timeoutMs,
  );

  (capabilities.containerEvents ? it.skip : it)(
    'says that it has no event stream (needs a runtime without events)',
    async () => {
      const first = pods().harness.runtime.getContainerEvents({})[Symbol.asyncIterator]().next();
      await pods().refused(first, 'unimplemented');
    },
    timeoutMs,
  );

  (capabilities.outage ? it : it.skip)(
    'fails at once while the runtime is away, and works with the first call after it is back (needs a harness that can take it away)',
    async () => {
      const { runtime, images, outage, exec } = pods().harness;
      const sandbox = await pods().run();
      const containerId = await pods().start(sandbox, 'runs-until-stopped');
      const cut = runtime.execSync({ containerId, cmd: exec.hangs });
      cut.catch(() => undefined);
      await pods().harness.pass(300);
      await outage?.begin();
      await pods().refused(cut, 'unavailable', 'cancelled', 'unknown');
      for (let n = 0; n < 10; n++) {
        await pods().refused(runtime.listPodSandbox({}, { timeoutMs: 5_000 }), 'unavailable');
        await pods().refused(images.listImages({}, { timeoutMs: 5_000 }), 'unavailable');
        await pods().harness.pass(100);
      }
      await outage?.end();
      expect((await pods().container(containerId)).state).toBe(ContainerState.CONTAINER_RUNNING);
      expect((await pods().settled(images.listImages({}))).images.length).toBeGreaterThan(0);
    },
    timeoutMs,
  );
}
