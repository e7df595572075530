import { join } from 'node:path';
import { sha256Hex } from './csi-source.js';

export const csiPluginName = 'kubernetes.io/csi';

/** `<root>/plugins/kubernetes.io/csi`: what the plugin keeps for the node. */
export function pluginFolder(rootDir: string): string {
  return join(rootDir, 'plugins', csiPluginName);
}

/** The folder of one volume of a pod: the target of publishing is `mount` in it, next to the data file. */
export function podVolumeFolder(podDir: string, volumeName: string): string {
  return join(podDir, 'volumes', csiPluginName.replace('/', '~'), volumeName);
}

/** Where a driver publishes a volume for one pod. */
export function publishTarget(podDir: string, volumeName: string): string {
  return join(podVolumeFolder(podDir, volumeName), 'mount');
}

/** Where a driver stages a volume for all pods of the node; the data file is next to it. */
export function stagingTarget(rootDir: string, driver: string, handle: string): string {
  return stagingIn(join(pluginFolder(rootDir), driver, sha256Hex(handle)));
}

/** The staging target in the folder of a volume. */
export function stagingIn(folder: string): string {
  return join(folder, 'globalmount');
}
