import type { JournalEntry, JournalPod } from '@podwright/journal-interface';
import type { RefusedManifest } from './explain-unknown-pod.js';

/** The last refusal of each manifest that this kubelet process has read, unless it is well again. */
export function currentManifests(entries: readonly JournalEntry[]): readonly RefusedManifest[] {
  const opened = entries.findLast(({ kind }) => kind === 'journal.opened')?.seq ?? 0;
  const last = new Map<string, RefusedManifest>();
  for (const entry of entries) {
    if (entry.kind === 'manifest.refused' && entry.seq > opened) last.set(entry.origin, entry);
    if (entry.kind === 'manifest.settled') last.delete(entry.origin);
  }
  return [...last.values()];
}

/** What else has the pod's name: another pod that is ignored, or a newer manifest of it that is refused. */
export function notesOnName(
  { namespace, name, uid }: JournalPod,
  ignored: readonly JournalEntry<'pod.ignored'>[],
  manifests: readonly RefusedManifest[],
): readonly string[] {
  const other = ignored.findLast(({ pod }) => pod.namespace === namespace && pod.name === name && pod.uid !== uid);
  const refused = manifests.filter(({ origin }) => {
    const file = (origin.split('/').at(-1) ?? '').replace(/\.\w+$/, '');
    return file !== '' && (file === name || name.startsWith(`${file}-`));
  });
  return [
    ...(other ? [`Another pod of this name, from ${other.origin ?? other.source}, is ignored.`] : []),
    ...refused.map(({ origin, error }) => `The manifest ${origin} is refused as it is now: ${error}`),
  ];
}
