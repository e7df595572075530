import { KubeletError, messageOf } from '@podwright/errors';
import { objectKey } from '@podwright/kube-types';
import type { ClaimFile } from '../checkpoint/claim-file.js';
import type { ClaimInfo } from './claim-info.js';

/** The claims in use, by namespace and name, and their checkpoint. Source: kubernetes v1.36 pkg/kubelet/cm/dra/claiminfo.go. */
export class ClaimCache {
  private readonly claims = new Map<string, ClaimInfo>();
  private saved = true;

  constructor(private readonly file: ClaimFile) {}

  /** Rejects when the checkpoint cannot be read: without it prepared claims would be forgotten. */
  async load(): Promise<void> {
    for (const info of await this.file.readOrCreate()) this.put(info);
    // As upstream, a new file has no list until the first pod starts or has ended, whether it uses a claim or not.
    this.saved = this.claims.size > 0;
  }

  get(namespace: string, claimName: string): ClaimInfo | undefined {
    return this.claims.get(objectKey(namespace, claimName));
  }

  put(info: ClaimInfo): void {
    this.claims.set(objectKey(info.namespace, info.claimName), info);
  }

  delete({ namespace, claimName }: ClaimInfo): void {
    this.claims.delete(objectKey(namespace, claimName));
  }

  all(): readonly ClaimInfo[] {
    return [...this.claims.values()];
  }

  ofPod(podUid: string): readonly ClaimInfo[] {
    return this.all().filter(({ podUids }) => podUids.has(podUid));
  }

  /** Whether the claims as they are now are on disk. */
  get isSaved(): boolean {
    return this.saved;
  }

  /** Resolves when the claims as they are now are on disk. `what` begins the message of a failure. */
  async save(what: 'cache' | 'state'): Promise<void> {
    this.saved = false;
    await this.file.write(this.all()).catch((error: unknown) => {
      const message = `checkpoint ResourceClaim ${what}: ${messageOf(error)}`;
      throw new KubeletError(message, { code: 'unavailable', cause: error });
    });
    this.saved = true;
  }
}
