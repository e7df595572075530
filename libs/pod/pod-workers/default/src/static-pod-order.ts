/**
 * One started static pod per full name: its successor, made by a changed manifest, has another UID and must not run
 * beside it. The others wait in order of arrival. Source: kubernetes v1.36 pkg/kubelet/pod_workers.go, allowStaticPodStart.
 */
export class StaticPodOrder {
  private readonly started = new Map<string, string>();
  private readonly waiting = new Map<string, string[]>();

  /** `isGone` tells of a waiting UID that it will never start. */
  constructor(private readonly isGone: (uid: string) => boolean) {}

  wait(fullName: string, uid: string): void {
    this.waiting.set(fullName, [...(this.waiting.get(fullName) ?? []), uid]);
  }

  /** Gives the name to a pod that a former process started, unless somebody has it. */
  hold(fullName: string, uid: string): void {
    if (!this.started.has(fullName)) this.started.set(fullName, uid);
  }

  /** True when the pod holds the name now; it keeps it until {@link release}. */
  tryStart(fullName: string, uid: string): boolean {
    const holder = this.started.get(fullName);
    if (holder !== undefined) return holder === uid;
    if (this.next(fullName) !== uid) return false;
    this.setWaiting(fullName, (this.waiting.get(fullName) ?? []).slice(1));
    this.started.set(fullName, uid);
    return true;
  }

  /** Gives the name up, also for a pod that only waits for it. */
  release(fullName: string, uid: string): void {
    if (this.started.get(fullName) === uid) this.started.delete(fullName);
    this.setWaiting(
      fullName,
      (this.waiting.get(fullName) ?? []).filter((other) => other !== uid),
    );
  }

  /** Who may start now: the first that waits, when nobody holds the name. */
  nextToStart(fullName: string): string | undefined {
    return this.started.has(fullName) ? undefined : this.next(fullName);
  }

  private next(fullName: string): string | undefined {
    const waiting = this.waiting.get(fullName) ?? [];
    const first = waiting.findIndex((uid) => !this.isGone(uid));
    this.setWaiting(fullName, first < 0 ? [] : waiting.slice(first));
    return waiting[first];
  }

  private setWaiting(fullName: string, uids: string[]): void {
    if (uids.length === 0) this.waiting.delete(fullName);
    else this.waiting.set(fullName, uids);
  }
}
