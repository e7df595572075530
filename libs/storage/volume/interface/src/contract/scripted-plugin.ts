import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Volume } from '@podwright/kube-types';
import type { VolumePlugin } from '../volume-plugin.js';

/** A plugin for emptyDir volumes that records its calls; the case decides their outcome. */
export interface ScriptedPlugin extends VolumePlugin {
  /** `setUp a`, `tearDown a`, in order. */
  readonly calls: string[];
  /** Called during each operation, which rejects when this does. */
  onCall: (call: string) => Promise<void>;
}

export function createScriptedPlugin(name: string, canSupport: (volume: Volume) => boolean): ScriptedPlugin {
  const pathOf = (podDir: string, volumeName: string): string =>
    join(podDir, 'volumes', name.replace('/', '~'), volumeName);
  const call = async (text: string): Promise<void> => {
    plugin.calls.push(text);
    await plugin.onCall(text);
  };
  const plugin: ScriptedPlugin = {
    name,
    calls: [],
    onCall: async () => undefined,
    canSupport,
    newMounter: ({ volume, podDir }) => ({
      hostPath: pathOf(podDir, volume.name),
      readOnly: false,
      managed: true,
      selinuxRelabel: true,
      usage: 'tree',
      setUp: async () => {
        await call(`setUp ${volume.name}`);
        await mkdir(pathOf(podDir, volume.name), { recursive: true });
      },
    }),
    tearDown: async (podDir, volumeName) => {
      await call(`tearDown ${volumeName}`);
      await rm(pathOf(podDir, volumeName), { recursive: true, force: true });
    },
  };
  return plugin;
}
