import { expect, it } from '@podwright/contract';
import {
  containerHashAnnotation,
  containerNameLabel,
  containerRestartCountAnnotation,
  ContainerState,
} from '../index.js';
import type { ContractPods } from './contract-pods.js';
import { differs, type CriCapabilities } from './cri-harness.js';

const broken = ['failed-precondition', 'unknown', 'already-exists'] as const;

export function containerCases(pods: () => ContractPods, capabilities: CriCapabilities, timeoutMs: number): void {
  const repeats = differs(capabilities, 'repeated-creation-answers-the-first');
  const exited = async (containerId: string): Promise<void> =>
    pods().until(async () => (await pods().container(containerId)).state === ContainerState.CONTAINER_EXITED);

  it(
    'creates, starts, stops and removes a container, and shows each state',
    async () => {
      const { runtime } = pods().harness;
      const sandbox = await pods().run();
      const labels = { [containerNameLabel]: 'main' };
      const annotations = { [containerHashAnnotation]: 'abc', [containerRestartCountAnnotation]: '3' };
      const id = await pods().create(sandbox, 'runs-until-stopped', {
        metadata: { name: 'main', attempt: 3 },
        labels,
        annotations,
      });
      const created = await pods().container(id);
      expect(created).toMatchObject({
        id,
        metadata: { name: 'main', attempt: 3 },
        state: ContainerState.CONTAINER_CREATED,
        startedAt: 0n,
        finishedAt: 0n,
        labels,
        annotations,
      });
      expect(created.image?.image ?? '').not.toBe('');
      expect(created.imageRef).not.toBe('');

      await pods().settled(runtime.startContainer({ containerId: id }));
      const running = await pods().container(id);
      expect(running).toMatchObject({
        state: ContainerState.CONTAINER_RUNNING,
        createdAt: created.createdAt,
        finishedAt: 0n,
      });
      expect(running.startedAt >= created.createdAt).toBe(true);

      await pods().settled(runtime.stopContainer({ containerId: id, timeout: 10n }));
      const stopped = await pods().container(id);
      expect(stopped).toMatchObject({
        state: ContainerState.CONTAINER_EXITED,
        startedAt: running.startedAt,
        reason: 'Error',
      });
      expect(stopped.finishedAt >= running.startedAt).toBe(true);
      expect([137, 143]).toContain(stopped.exitCode);
      await pods().settled(runtime.stopContainer({ containerId: id, timeout: 10n }));

      await pods().settled(runtime.removeContainer({ containerId: id }));
      await pods().settled(runtime.removeContainer({ containerId: id }));
      await pods().refused(runtime.containerStatus({ containerId: id }), 'not-found');
    },
    timeoutMs,
  );

  it.each([
    ['exits-0', 0, 'Completed'],
    ['exits-7', 7, 'Error'],
  ] as const)(
    'reports that a container %s',
    async (program, exitCode, reason) => {
      const id = await pods().start(await pods().run(), program);
      await exited(id);
      const status = await pods().container(id);
      expect(status).toMatchObject({ exitCode, reason });
      expect(status.finishedAt).toBeGreaterThan(status.createdAt);
    },
    timeoutMs,
  );

  (capabilities.outOfMemory ? it : it.skip)(
    'reports a container that ran out of memory (needs a runtime that limits memory)',
    async () => {
      const id = await pods().start(await pods().run(), 'runs-out-of-memory');
      await exited(id);
      // containerd learns of the lack of memory from another event than of the end, and may do so later.
      await pods().until(async () => (await pods().container(id)).reason !== 'Error');
      expect(await pods().container(id)).toMatchObject({ exitCode: 137, reason: 'OOMKilled' });
    },
    timeoutMs,
  );

  it(
    'kills a container that does not end within the time-out of the stop',
    async () => {
      const { runtime } = pods().harness;
      const id = await pods().start(await pods().run(), 'ignores-stop');
      // The program needs a moment before it can ignore anything.
      await pods().harness.pass(500);
      const before = (await pods().container(id)).startedAt;
      await pods().settled(runtime.stopContainer({ containerId: id, timeout: 1n }));
      const status = await pods().container(id);
      expect(status).toMatchObject({ state: ContainerState.CONTAINER_EXITED, exitCode: 137 });
      expect(status.finishedAt - before).toBeGreaterThanOrEqual(1_000_000_000n);
    },
    timeoutMs,
  );

  it(
    'lists containers by id, sandbox, state and labels, all of which must match',
    async () => {
      const { runtime } = pods().harness;
      const one = await pods().run();
      const two = await pods().run();
      const a = await pods().start(one, 'runs-until-stopped', {
        metadata: { name: 'a' },
        labels: { role: 'x', n: 'a' },
      });
      const b = await pods().create(one, 'runs-until-stopped', {
        metadata: { name: 'b' },
        labels: { role: 'x', n: 'b' },
      });
      const c = await pods().start(two, 'exits-0', { metadata: { name: 'c' }, labels: { role: 'x', n: 'c' } });
      await exited(c);
      const list = async (
        filter: NonNullable<Parameters<typeof runtime.listContainers>[0]['filter']>,
      ): Promise<string[]> =>
        (await pods().settled(runtime.listContainers({ filter }))).containers.map(({ id }) => id).sort();

      expect(await list({ podSandboxId: one })).toEqual([a, b].sort());
      expect(await list({ podSandboxId: one, state: { state: ContainerState.CONTAINER_RUNNING } })).toEqual([a]);
      expect(await list({ podSandboxId: one, state: { state: ContainerState.CONTAINER_CREATED } })).toEqual([b]);
      expect(await list({ podSandboxId: two, state: { state: ContainerState.CONTAINER_EXITED } })).toEqual([c]);
      expect(await list({ podSandboxId: one, labelSelector: { role: 'x', n: 'b' } })).toEqual([b]);
      expect(await list({ id: a })).toEqual([a]);
      expect(await list({ id: a, podSandboxId: two })).toEqual([]);
      const { containers } = await pods().settled(runtime.listContainers({ filter: { id: a } }));
      const { metadata, state, createdAt, labels, imageRef } = await pods().container(a);
      expect(containers).toEqual([expect.objectContaining({ podSandboxId: one, metadata, state, labels, imageRef })]);
      const listed = containers[0]?.createdAt ?? 0n;
      if (differs(capabilities, 'lists-show-runtime-creation')) expect(listed).toBeGreaterThan(0n);
      else expect(listed).toBe(createdAt);
    },
    timeoutMs,
  );

  it(
    'starts a container once only, and reserves its name in the sandbox',
    async () => {
      const { runtime } = pods().harness;
      const config = pods().config();
      const sandbox = await pods().run(config);
      const make = (attempt: number): Promise<string> =>
        pods().create(sandbox, 'exits-0', { metadata: { name: 'once', attempt } }, config);
      const id = await make(0);
      if (repeats) expect(await make(0)).toBe(id);
      else expect(await pods().refused(make(0), ...broken)).toContain('is reserved for');
      await pods().settled(runtime.startContainer({ containerId: id }));
      await pods().refused(runtime.startContainer({ containerId: id }), ...broken);
      await exited(id);
      await pods().refused(runtime.startContainer({ containerId: id }), ...broken);
      expect(await make(1)).not.toBe(id);
      await pods().settled(runtime.removeContainer({ containerId: id }));
      expect(await make(0)).not.toBe(id);
    },
    timeoutMs,
  );

  it(
    'removes a running container too',
    async () => {
      const { runtime } = pods().harness;
      const sandbox = await pods().run();
      const id = await pods().start(sandbox, 'runs-until-stopped');
      await pods().settled(runtime.removeContainer({ containerId: id }));
      expect(await pods().containerIds(sandbox)).toEqual([]);
    },
    timeoutMs,
  );

  it(
    'refuses containers it does not know, except to stop and remove them',
    async () => {
      const { runtime, exec } = pods().harness;
      const containerId = 'nothing-has-this-id';
      const others = differs(capabilities, 'errors-without-code') ? 'unknown' : 'not-found';
      await pods().refused(runtime.containerStatus({ containerId }), 'not-found');
      await pods().refused(runtime.startContainer({ containerId }), 'not-found');
      await pods().refused(runtime.execSync({ containerId, cmd: exec.speaks }), 'not-found');
      await pods().refused(runtime.exec({ containerId, cmd: exec.speaks, stdout: true }), others);
      await pods().refused(runtime.attach({ containerId, stdout: true }), others);
      await pods().refused(runtime.reopenContainerLog({ containerId }), others);
      await pods().refused(runtime.updateContainerResources({ containerId, linux: { cpuShares: 2n } }), others);
      await pods().refused(runtime.containerStats({ containerId }), others);
      await pods().settled(runtime.removeContainer({ containerId }));
      await pods()
        .settled(runtime.stopContainer({ containerId, timeout: 2n }))
        .catch((error: unknown) => {
          expect(error).toMatchObject({ code: 'not-found' });
        });
    },
    timeoutMs,
  );

  it(
    'runs a command in a container that runs, and gives its output and exit code',
    async () => {
      const { runtime, exec } = pods().harness;
      const id = await pods().create(await pods().run(), 'runs-until-stopped');
      const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
      const run = async (cmd: readonly string[], timeout?: bigint): Promise<readonly [string, string, number]> => {
        const request = { containerId: id, cmd, ...(timeout !== undefined && { timeout }) };
        const { stdout, stderr, exitCode } = await pods().settled(runtime.execSync(request));
        return [text(stdout), text(stderr), exitCode];
      };
      const spoken = ['out\n', 'err\n', 3];
      if (differs(capabilities, 'commands-in-created-containers')) expect(await run(exec.speaks)).toEqual(spoken);
      else await pods().refused(runtime.execSync({ containerId: id, cmd: exec.speaks }), ...broken);
      await pods().settled(runtime.startContainer({ containerId: id }));
      expect(await run(exec.speaks, 30n)).toEqual(spoken);
      if (differs(capabilities, 'late-commands-answer')) {
        expect(await run(exec.hangs, 1n)).toEqual(['', 'command timed out', -1]);
      } else {
        await pods().refused(runtime.execSync({ containerId: id, cmd: exec.hangs, timeout: 1n }), 'deadline-exceeded');
      }
      const { url } = await pods().settled(runtime.exec({ containerId: id, cmd: exec.speaks, stdout: true }));
      expect(new URL(url).pathname).not.toBe('/');
      await pods().settled(runtime.stopContainer({ containerId: id, timeout: 1n }));
      await pods().refused(runtime.execSync({ containerId: id, cmd: exec.speaks }), ...broken, 'not-found');
    },
    timeoutMs,
  );

  it(
    'updates the resources of a running container and opens its log anew',
    async () => {
      const { runtime } = pods().harness;
      const id = await pods().start(await pods().run(), 'runs-until-stopped');
      await pods().settled(runtime.updateContainerResources({ containerId: id, linux: { cpuShares: 512n } }));
      const { state, resources } = await pods().container(id);
      expect(state).toBe(ContainerState.CONTAINER_RUNNING);
      // containerd 1.6 does not tell the resources.
      expect(resources?.linux?.cpuShares ?? 512n).toBe(512n);
      await pods().settled(runtime.reopenContainerLog({ containerId: id }));
      await pods().settled(runtime.stopContainer({ containerId: id, timeout: 1n }));
      await pods().refused(runtime.reopenContainerLog({ containerId: id }), ...broken);
    },
    timeoutMs,
  );
}
