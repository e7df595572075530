import { podUid, type Pod } from '@podwright/kube-types';
import { newerPod } from './resource-version.js';
import { isReady } from './status-reports.js';
import type { VersionedStatus } from './versioned-status.js';

interface Sent {
  readonly version: number;
  /** UID of the object that has the status: the pod, or its mirror pod; undefined when there was none. */
  readonly apiUid: string | undefined;
  readonly status: VersionedStatus['status'];
  /** The server's answer, until the watch shows it too. */
  answer: Pod | undefined;
  /** API object and status that were found equal; both are immutable. */
  compared: { readonly pod: Pod; readonly status: VersionedStatus['status'] } | undefined;
}

/** What the API server has accepted of each pod, by pod UID. */
export class SentStatuses {
  private readonly sent = new Map<string, Sent>();

  accept(uid: string, { version, status }: VersionedStatus, pod: Pod | undefined): void {
    const apiUid = pod === undefined ? undefined : podUid(pod);
    this.sent.set(uid, { version, apiUid, status, answer: pod, compared: undefined });
  }

  /** Whether the object with this UID has this version or a later one. */
  isAccepted(uid: string, apiUid: string, version: number): boolean {
    const sent = this.sent.get(uid);
    return sent !== undefined && sent.apiUid === apiUid && sent.version >= version;
  }

  /** As `isAccepted`, for any object, and also when there was none. */
  hasVersion(uid: string, version: number): boolean {
    return (this.sent.get(uid)?.version ?? 0) >= version;
  }

  wasReady(uid: string): boolean {
    const look = this.look(uid);
    return look !== undefined && isReady(look);
  }

  /** The status that was accepted last. */
  look(uid: string): VersionedStatus['status'] | undefined {
    return this.sent.get(uid)?.status;
  }

  /** As `look`, when an API object has it. */
  shown(uid: string): VersionedStatus['status'] | undefined {
    const sent = this.sent.get(uid);
    return sent?.apiUid === undefined ? undefined : sent.status;
  }

  /** The newer of the watched object and the server's last answer; `unsure` when that cannot be determined. */
  newest(uid: string, watched: Pod | undefined): Pod | 'unsure' | undefined {
    const sent = this.sent.get(uid);
    const answer = sent?.answer;
    if (sent === undefined || watched === undefined || answer === undefined) return watched;
    const newer = podUid(answer) === podUid(watched) ? newerPod(watched, answer) : watched;
    if (newer === watched) sent.answer = undefined;
    return newer ?? 'unsure';
  }

  wasCompared(uid: string, pod: Pod, { status }: VersionedStatus): boolean {
    const compared = this.sent.get(uid)?.compared;
    return compared?.pod === pod && compared.status === status;
  }

  noteCompared(uid: string, pod: Pod, { status }: VersionedStatus): void {
    const sent = this.sent.get(uid);
    if (sent !== undefined) sent.compared = { pod, status };
  }

  forget(uid: string): void {
    this.sent.delete(uid);
  }

  keepOnly(podUids: ReadonlyMap<string, unknown>): void {
    for (const uid of this.sent.keys()) if (!podUids.has(uid)) this.sent.delete(uid);
  }
}
