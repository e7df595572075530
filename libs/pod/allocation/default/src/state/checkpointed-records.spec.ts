import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { podAskingFor } from '@podwright/allocation-interface/contract';
import { VirtualClock } from '@podwright/time';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { temporaryDirectory } from '../fixtures/allocation-harness.js';
import { createAllocationState } from './allocation-state.module.js';

let rootDir = '';
beforeEach(async () => {
  rootDir = await temporaryDirectory();
});
afterEach(() => rm(rootDir, { recursive: true, force: true }));

const state = (config = {}) => createAllocationState({ clock: new VirtualClock() }, { rootDir, ...config });
const file = (name = 'allocated_pods_state') => path.join(rootDir, name);

describe('the checkpoint files', () => {
  it("lie in the root directory under upstream's names", async () => {
    const { allocated, actuated } = state();
    await allocated.store(podAskingFor('a', '1'));
    await actuated.setContainer('p', 'c', {});
    expect((await readdir(rootDir)).sort()).toEqual(['actuated_pods_state', 'allocated_pods_state']);
  });

  it.each(['allocated_pods_state', 'actuated_pods_state'] as const)(
    '%s that is corrupt keeps the kubelet from starting',
    async (name) => {
      await writeFile(file(name), '{"data":"{}","checksum":1}');
      const { allocated, actuated } = state();
      const start = name === 'allocated_pods_state' ? allocated.start() : actuated.start();
      await expect(start).rejects.toThrow(
        `could not restore state from checkpoint: checkpoint is corrupted, please drain this node and delete pod resource information checkpoint file "${file(name)}" before restarting Kubelet`,
      );
    },
  );

  it('a hundred pods at once cost a few writes', async () => {
    const { allocated } = state();
    const inodes = new Set<number>();
    let done = false;
    const watching = (async () => {
      while (!done)
        await stat(file()).then(
          ({ ino }) => inodes.add(ino),
          () => undefined,
        );
    })();
    await Promise.all(Array.from({ length: 100 }, (_, index) => allocated.store(podAskingFor(`p${index}`, '1'))));
    done = true;
    await watching;
    expect(inodes.size).toBeLessThanOrEqual(3);
    const again = state().allocated;
    await again.start();
    expect(again.of('uid-p99')).toBeDefined();
  });

  it('does not write what is there already', async () => {
    const { allocated } = state();
    await allocated.store(podAskingFor('a', '1'));
    const { ino, mtimeMs } = await stat(file());
    await allocated.store(podAskingFor('a', '1000m'));
    expect(await stat(file())).toMatchObject({ ino, mtimeMs });
  });

  it('removes temporary files that a killed process left, and no others', async () => {
    await writeFile(file('.allocated_pods_state.12-0'), 'half');
    await writeFile(file('.other.12-0'), 'half');
    await state().allocated.start();
    expect(await readdir(rootDir)).toEqual(['.other.12-0']);
  });

  it.each([
    [
      'keeps init containers and the pod level',
      {},
      '{"init":{},"main":{"requests":{"cpu":"1"}}}',
      '{"limits":{"cpu":"2"}}',
    ],
    [
      'leaves plain init containers out',
      { initContainerResize: false },
      '{"main":{"requests":{"cpu":"1"}}}',
      '{"limits":{"cpu":"2"}}',
    ],
    ['leaves the pod level out', { podLevelResize: false }, '{"init":{},"main":{"requests":{"cpu":"1"}}}', 'null'],
  ])('%s', async (_what, config, containers, podLevel) => {
    const { allocated } = state(config);
    const pod = podAskingFor('a', '1', {
      initContainers: [{ name: 'init', image: 'i' }],
      resources: { limits: { cpu: '2' } },
    });
    await allocated.store(pod);
    const { data } = JSON.parse(await readFile(file(), 'utf8')) as { data: string };
    expect(data).toBe(`{"entries":{"uid-a":{"ContainerResources":${containers},"PodLevelResources":${podLevel}}}}`);
    expect(allocated.withAllocation(pod)).toBe(pod);
  });
});
