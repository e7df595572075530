import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { KubeletError } from '@podwright/errors';

/** `<root>/pods`, the folder of all pods' directories. */
export class PodsDir {
  private resolved: string;

  constructor(rootDir: string) {
    this.resolved = join(rootDir, 'pods');
  }

  get path(): string {
    return this.resolved;
  }

  /** Makes the folder. Its path has no links afterwards, as the paths in the mount table. */
  async make(): Promise<void> {
    await mkdir(this.resolved, { recursive: true, mode: 0o750 });
    this.resolved = await realpath(this.resolved);
  }

  /** Throws for a UID that cannot be a name: UIDs come from manifests, so they are not trusted as parts of a path. */
  of(podUid: string): string {
    if (podUid === '' || podUid === '.' || podUid === '..' || podUid.includes('/')) {
      throw new KubeletError(`pod UID ${JSON.stringify(podUid)} cannot be the name of a directory`, {
        code: 'invalid-argument',
      });
    }
    return join(this.resolved, podUid);
  }
}
