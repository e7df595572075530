/**
 * Allows one started static pod per full name: a changed manifest gives a successor with another UID, which must not
 * run beside it. The others wait in order of arrival. Source: kubernetes v1.36 pkg/kubelet/pod_workers.go,
 * allowStaticPodStart.
 */
export class StaticPodOrder {
  private readonly started = new Map<string, string>();
  private readonly waiting = new Map<string, string[]>();

  /** `isGone`: whether a waiting pod will never start. */
  constructor(private readonly isGone: (uid: string) => boolean) {}

  wait(fullName: string, uid: string): void {
    this.waiting.set(fullName, [...(this.waiting.get(fullName) ?? []), uid]);
  }

  /** Gives the name to a pod that an earlier kubelet started, unless another pod has it. */
  hold(fullName: string, uid: string): void {
    if (!this.started.has(fullName)) this.started.set(fullName, uid);
  }

  /** True when the pod holds the name now; it keeps the name until {@link release}. */
  tryStart(fullName: string, uid: string): boolean {
    const holder = this.started.get(fullName);
    if (holder !== undefined) return holder === uid;
    if (this.next(fullName) !== uid) return false;
    this.started.set(fullName, uid);
    return true;
  }

  /** Releases the name, also for a pod that only waits for it. Every pod comes here in the end. */
  release(fullName: string, uid: string): void {
    if (this.started.get(fullName) === uid) this.started.delete(fullName);
    const others = this.waiting.get(fullName)?.filter((other) => other !== uid) ?? [];
    if (others.length === 0) this.waiting.delete(fullName);
    else this.waiting.set(fullName, others);
  }

  /** The first pod that waits, when no pod holds the name. */
  nextToStart(fullName: string): string | undefined {
    return this.started.has(fullName) ? undefined : this.next(fullName);
  }

  private next(fullName: string): string | undefined {
    return this.waiting.get(fullName)?.find((uid) => !this.isGone(uid));
  }
}
