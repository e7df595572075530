import type { CachedFolder } from './cached-folder.js';
import type { StripedLocks } from './striped-locks.js';

/**
 * Images that the kubelet is about to pull: a file per image, which stays until the last of its pulls ends, and a count
 * of the pulls in this process. Source: kubernetes v1.36 pkg/kubelet/images/pullmanager/image_pull_manager.go.
 */
export class PullIntents {
  private readonly underWay = new Map<string, number>();

  constructor(
    private readonly folder: CachedFolder<string>,
    private readonly locks: StripedLocks,
  ) {}

  /** Rejects when the file cannot be written. */
  begin(image: string): Promise<void> {
    return this.locks.run(image, async () => {
      await this.folder.write(image);
      this.underWay.set(image, (this.underWay.get(image) ?? 0) + 1);
    });
  }

  /**
   * Rejects when the file cannot be removed. It then stays, as upstream's does, until the end of the next pull of the
   * image, or a start at which the image is on the node. Upstream also counts the pull as running for good, so that no
   * later pull of this process removes the file.
   */
  end(image: string): Promise<void> {
    return this.locks.run(image, async () => {
      if (!this.endsLast(image)) return;
      await this.folder.remove(image);
    });
  }

  /** As {@link end}, but the file stays in any case. */
  leave(image: string): Promise<void> {
    return this.locks.run(image, async () => void this.endsLast(image));
  }

  private endsLast(image: string): boolean {
    const others = (this.underWay.get(image) ?? 0) - 1;
    if (others > 0) this.underWay.set(image, others);
    else this.underWay.delete(image);
    return others <= 0;
  }

  /**
   * Runs `task` under the image's lock, so that no intent appears or ends meanwhile. `has` tells whether an intent
   * exists, of this process or of an earlier one.
   */
  whileStill<T>(image: string, task: (has: () => Promise<boolean>) => Promise<T>): Promise<T> {
    const has = async (): Promise<boolean> => this.underWay.has(image) || (await this.folder.get(image)) !== undefined;
    return this.locks.run(image, () => task(has));
  }
}
