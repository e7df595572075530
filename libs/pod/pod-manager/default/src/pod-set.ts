import { podFullName, podUid } from '@podwright/kube-types';
import type { Pod } from '@podwright/kube-types';

/** Pods by UID, with an index by full name; the last pod put under a name wins. */
export class PodSet {
  private readonly byUid = new Map<string, Pod>();
  private readonly byFullName = new Map<string, Pod>();
  private listed: readonly Pod[] | undefined;

  get(uid: string): Pod | undefined {
    return this.byUid.get(uid);
  }

  getByFullName(fullName: string): Pod | undefined {
    return this.byFullName.get(fullName);
  }

  /** In order of first arrival. Cached until the next change, because reads are far more frequent. */
  list(): readonly Pod[] {
    return (this.listed ??= Object.freeze([...this.byUid.values()]));
  }

  put(pod: Pod): void {
    this.byUid.set(podUid(pod), pod);
    this.byFullName.set(podFullName(pod), pod);
    this.listed = undefined;
  }

  delete(pod: Pod): void {
    const uid = podUid(pod);
    this.byUid.delete(uid);
    // A changed manifest gives a successor with the same name, which may arrive before its predecessor leaves.
    const named = this.byFullName.get(podFullName(pod));
    if (named !== undefined && podUid(named) === uid) this.byFullName.delete(podFullName(pod));
    this.listed = undefined;
  }

  clear(): void {
    this.byUid.clear();
    this.byFullName.clear();
    this.listed = undefined;
  }
}
