import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@podwright/contract';
import { createMountTools } from '@podwright/filesystem';
import { createMemoryLogger } from '@podwright/logging';
import { runProgram } from '@podwright/program';
import { createSystemClock } from '@podwright/time';
import type { VolumePlugin } from '@podwright/volume-interface';
import { describeVolumePluginContract, type VolumePluginHarness } from '@podwright/volume-interface/contract';
import { success, writeScriptDriver } from './fixtures/script-driver.js';
import { FlexDriver } from './flex-driver.js';
import { createFlexVolumePlugin } from './flex-volume-plugin.js';

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

/** A driver that is a shell script and whose volumes are plain directories. */
async function createFlexHarness(): Promise<VolumePluginHarness> {
  const folder = await mkdtemp(join(tmpdir(), 'flex-contract-'));
  folders.push(folder);
  const podDir = join(folder, 'pods/uid-1');
  await mkdir(podDir, { recursive: true });
  const { executable } = await writeScriptDriver(join(folder, 'example.dev~disk'), {
    mount: success,
    unmount: `rm -rf "$2" && ${success}`,
  });
  const logger = createMemoryLogger();
  const clock = createSystemClock();
  const mounts = createMountTools();
  const disks = { formatAndMount: () => Promise.reject(new Error('no disk')), resize: async () => undefined };
  const restart = (): VolumePlugin => {
    const driver = new FlexDriver(
      { run: runProgram, clock, logger },
      { name: 'example.dev/disk', executable, callTimeoutMs: 60_000 },
    );
    const capabilities = { attach: false, selinuxRelabel: true, supportsMetrics: false, fsGroup: true };
    return createFlexVolumePlugin(
      { driver, mounts, disks, clock, logger, pluginsDir: join(folder, 'plugins') },
      { ...capabilities, requiresFSResize: false },
    );
  };
  const pod = { metadata: { name: 'p', namespace: 'default', uid: 'uid-1' }, spec: { containers: [{ name: 'c' }] } };
  const volume = { name: 'data', flexVolume: { driver: 'example.dev/disk' } };
  return { plugin: restart(), spec: { volume, pod, podDir }, restart };
}

describeVolumePluginContract('a FlexVolume driver', createFlexHarness);
