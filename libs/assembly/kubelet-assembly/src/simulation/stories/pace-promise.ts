import type { RpcName } from '@podwright/cri-client-interface';
import { BrokenPromise } from './broken-promise.js';
import { runtimeUid, type Scene } from './promises.js';

const watched: ReadonlySet<RpcName> = new Set([
  ...(['runPodSandbox', 'createContainer', 'startContainer', 'pullImage'] as const),
  ...(['stopContainer', 'stopPodSandbox', 'removeContainer', 'removePodSandbox'] as const),
]);
const windowMs = 10_000;
// One try each half second, as long as the runtime is just starting a container.
const mostCalls = 20;

/** What fails is not tried again without a pause: this many calls of one kind for one pod are a loop. */
export class PacePromise {
  private readonly uids = new Set<string>();
  /** Times of the last calls, by kind and pod. */
  private readonly recent = new Map<string, number[]>();
  private callsSeen = 0;

  constructor(private readonly scene: Pick<Scene, 'runtime' | 'pods' | 'nowMs'>) {}

  check(): void {
    const { runtime } = this.scene;
    for (const pod of this.scene.pods()) this.uids.add(runtimeUid(pod));
    for (const { podUid } of runtime.control.sandboxes) this.uids.add(podUid);
    const { all } = runtime.calls;
    for (; this.callsSeen < all.length; this.callsSeen++) {
      const call = all[this.callsSeen];
      const uid = call?.subjects.find((subject) => this.uids.has(subject));
      if (call !== undefined && watched.has(call.rpc)) this.count(`${call.rpc} of ${uid ?? call.subject}`);
    }
  }

  private count(key: string): void {
    const nowMs = this.scene.nowMs();
    const times = this.recent.get(key) ?? [];
    this.recent.set(key, times);
    times.push(nowMs);
    while ((times[0] ?? nowMs) <= nowMs - windowMs) times.shift();
    if (times.length <= mostCalls) return;
    throw new BrokenPromise('what fails is tried again after a pause', `${times.length} ${key} in ten seconds`);
  }
}
