import { createToken, type Lifecycle } from '@podwright/assembly-interface';
import type { CgroupTree } from './data/cgroup-tree.js';
import type { ConsoleMessage } from './data/console-message.js';
import type { JournalPage, JournalQuery } from './data/journal-page.js';
import type { PodPage } from './data/pod-page.js';

/**
 * The data of a web page that shows the node to people. It only reads. It works, and holds memory, only while somebody
 * watches or asks. Upstream has no counterpart; cAdvisor's page on port 4194 was one.
 */
export interface Console extends Lifecycle {
  /** True when it is switched on. When it is not, the members that show something fail with `unavailable`. */
  readonly enabled: boolean;
  /** `host:port` of its own listener; undefined when it has none, or is not started. */
  address(): string | undefined;
  /**
   * Messages from now on, `hello` first. What waits for a slow watcher is joined, so that it stays small; one that takes
   * nothing for a minute is let go. Ends when the signal aborts or the console stops. Throws `resource-exhausted` when too
   * many watch already. It counts as a watcher from the call on, until it ends.
   */
  watch(signal: AbortSignal): AsyncIterable<ConsoleMessage>;
  /** How many watch at the moment. */
  watchers(): number;
  /** `uid` chooses one of several that had the name. Undefined for a pod that nobody knows. */
  pod(
    namespace: string,
    name: string,
    options?: { readonly uid?: string; readonly signal?: AbortSignal },
  ): Promise<PodPage | undefined>;
  cgroups(signal?: AbortSignal): Promise<CgroupTree>;
  journal(query: JournalQuery, signal?: AbortSignal): Promise<JournalPage>;
}

export const CONSOLE = createToken<Console>('kubelet.console/v1');
