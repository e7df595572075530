import type { JournalEntry } from '@podwright/journal-interface';
import { isNewer, type Story } from '../story.js';

export interface OpenKill {
  readonly kill: JournalEntry<'container.kill'>;
  /** The last attempt that has ended; its error says why the container still runs. */
  readonly killed: JournalEntry<'container.killed'> | undefined;
}

/** Containers that the kubelet has begun to stop and that have not exited, the first one first. */
export function openKills(story: Story): readonly OpenKill[] {
  return story.all('container.kill').flatMap((kill, index, kills) => {
    const isOfIt = ({ containerId }: { readonly containerId: string }): boolean => containerId === kill.containerId;
    const killed = story.last('container.killed', isOfIt);
    const isLast = !kills.slice(index + 1).some(isOfIt);
    const hasExited = story.last('container.exited', isOfIt) !== undefined;
    const isOpen = isLast && !hasExited && (!isNewer(killed, kill) || killed?.error !== undefined);
    return isOpen ? [{ kill, killed }] : [];
  });
}
