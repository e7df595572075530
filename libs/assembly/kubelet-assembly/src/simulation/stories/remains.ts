import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { SimulatedRuntime } from '@podwright/simulated-runtime';

/** Folders of a kubelet in which each entry belongs to a pod. */
const folders = ['root/pods', 'root/pod_memory', 'pod-logs', 'container-logs'];

/** What is left of pods on a node that has none any more. */
export function remains(dir: string, { control }: SimulatedRuntime): readonly string[] {
  const entries = folders.flatMap((folder) => {
    const place = path.join(dir, folder);
    return (existsSync(place) ? readdirSync(place) : []).map((name) => `${folder}/${name}`);
  });
  return [
    ...entries,
    ...control.containers().map(({ name, id }) => `container ${name} ${id}`),
    ...control.sandboxes.map(({ id }) => `sandbox ${id}`),
  ];
}
