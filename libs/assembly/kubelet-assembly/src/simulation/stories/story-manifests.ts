import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Pod } from '@podwright/kube-types';

/** The manifests of static pods in a folder. */
export class StoryManifests {
  /** UIDs by name. */
  private readonly present = new Map<string, string>();
  private readonly removed = new Set<string>();
  /** UIDs of versions that another one has replaced. */
  private readonly replaced = new Set<string>();

  constructor(readonly dir: string) {
    mkdirSync(dir);
  }

  /** Names of the static pods whose manifests are there. */
  get names(): ReadonlySet<string> {
    return new Set(this.present.keys());
  }

  /** Of the static pod in its newest version. */
  uidOf(name: string): string | undefined {
    return this.present.get(name);
  }

  write(pod: Pod): void {
    const name = pod.metadata.name ?? '';
    // The kubelet would make a UID from the path as well, which is another one in each run.
    const uid = createHash('sha256').update(JSON.stringify(pod)).digest('hex').slice(0, 32);
    const before = this.present.get(name);
    if (before !== undefined && before !== uid) this.replaced.add(before);
    this.present.set(name, uid);
    const manifest = { ...pod, metadata: { ...pod.metadata, uid } };
    writeFileSync(path.join(this.dir, `${name}.json`), JSON.stringify(manifest));
  }

  remove(name: string): void {
    this.present.delete(name);
    this.removed.add(`${name}-node`);
    rmSync(path.join(this.dir, `${name}.json`), { force: true });
  }

  /** Whether the manifest behind this mirror pod has been removed before. */
  wasRemoved({ metadata }: Pick<Pod, 'metadata'>): boolean {
    return this.removed.has(metadata.name ?? '');
  }

  /** Whether another version has taken this one's place; it may have come back since. */
  wasReplaced(uid: string): boolean {
    return this.replaced.has(uid);
  }
}
