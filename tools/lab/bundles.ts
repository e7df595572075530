import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { unlessMissing } from './commands.js';
import type { LabLayout } from './layout.js';

/** What a container of the lab leaves outside the lab's folders. */
export interface BundleTraces {
  readonly id: string;
  readonly cgroup?: string;
  /** The shim's socket; containerd chooses its path. */
  readonly shimSocket?: string;
}

/** Reads the bundles that containerd keeps while a container exists. After a crash they show what to clean up. */
export async function readBundles(layout: LabLayout): Promise<BundleTraces[]> {
  const tasks = path.join(layout.stateDir, 'io.containerd.runtime.v2.task');
  const traces: BundleTraces[] = [];
  for (const namespace of (await unlessMissing(readdir(tasks))) ?? []) {
    for (const id of (await unlessMissing(readdir(path.join(tasks, namespace)))) ?? []) {
      traces.push(await readBundle(path.join(tasks, namespace, id), id));
    }
  }
  return traces;
}

async function readBundle(dir: string, id: string): Promise<BundleTraces> {
  const spec = (await unlessMissing(readFile(path.join(dir, 'config.json'), 'utf8'))) ?? '';
  // A pattern instead of JSON: a kill of containerd may leave a half-written bundle.
  const cgroup = /"cgroupsPath"\s*:\s*"([^"]+)"/.exec(spec)?.[1];
  const address =
    (await unlessMissing(readFile(path.join(dir, 'address'), 'utf8'))) ??
    (await unlessMissing(readFile(path.join(dir, 'bootstrap.json'), 'utf8'))) ??
    '';
  const shimSocket = /unix:\/\/([^"\s]+)/.exec(address)?.[1];
  return {
    id,
    ...(cgroup === undefined || !cgroup.startsWith('/') ? {} : { cgroup }),
    ...(shimSocket === undefined ? {} : { shimSocket }),
  };
}
