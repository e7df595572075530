import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from '@jest/globals';
import { describeVolumePluginContract } from '@podwright/volume-interface/contract';
import greetingVolume from './greeting-volume.js';

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

// The suite that every plugin passes which makes folders of its own.
describeVolumePluginContract('the greeting', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'greeting-volume-'));
  folders.push(folder);
  const podDir = path.join(folder, 'pods', 'uid-1');
  await mkdir(podDir, { recursive: true });
  const pod = { metadata: { name: 'p', namespace: 'default', uid: 'uid-1' }, spec: { containers: [{ name: 'c' }] } };
  const volume = { name: 'hello', flexVolume: { driver: 'example.dev/greeting' } };
  const restart = () => greetingVolume.create({}, undefined);
  return { plugin: restart(), spec: { volume, pod, podDir }, restart };
});
