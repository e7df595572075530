import { podFullName, podUid } from '@podwright/kube-types';
import type { Pod } from '@podwright/kube-types';

/** Pods by UID, with an index by full name in which the last one put wins. */
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

  /** In order of first arrival. Made once per change: readers ask far more often than pods come and go. */
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
    // A changed manifest gives a successor of the same name; it may have come before its predecessor left.
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
