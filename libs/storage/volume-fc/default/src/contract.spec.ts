import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll } from '@podwright/contract';
import { describeVolumePluginContract, type VolumePluginHarness } from '@podwright/volume-interface/contract';
import { ScriptedFabric } from './fixtures/scripted-fabric.js';

const nodes: ScriptedFabric[] = [];
afterAll(() => Promise.all(nodes.map((node) => node.close())));

async function createFcHarness(): Promise<VolumePluginHarness> {
  const node = await ScriptedFabric.create();
  nodes.push(node);
  await mkdir(node.podDir, { recursive: true });
  // What a pod writes goes with the mount, and is no longer in the directory.
  node.mounts.beforeEach = async (operation, target) => {
    if (operation !== 'unmount') return;
    for (const name of await readdir(target)) await rm(join(target, name));
  };
  return { plugin: node.plugin(), spec: node.spec({ wwids: ['3600508b4'] }), restart: () => node.plugin() };
}

describeVolumePluginContract('Fibre Channel', createFcHarness);
