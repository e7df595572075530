import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Container, Volume } from '@podwright/kube-types';
import { main } from './pod-manifests.js';

// Folders that Node needs. Not the whole root, because it contains the mounts of all other containers.
const folders = [path.dirname(process.execPath), '/lib', '/lib64'].filter((folder) => existsSync(folder));

/** Volumes of a pod with a {@link nodeContainer}. */
export const nodeVolumes: readonly Volume[] = folders.map((folder, index) => ({
  name: `node-${index}`,
  hostPath: { path: folder },
}));

/** A container that runs a script with the machine's own Node, because no image of the lab has one. */
export const nodeContainer = (name: string, text: string): Container =>
  main({
    name,
    command: [process.execPath, '-e', text],
    volumeMounts: folders.map((mountPath, index) => ({ name: `node-${index}`, mountPath, readOnly: true })),
  });
