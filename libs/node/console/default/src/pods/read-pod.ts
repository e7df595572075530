import { withDeadline } from '@podwright/concurrency';
import type { PodPage } from '@podwright/console-interface';
import type { JournalEntry } from '@podwright/journal-interface';
import { journalPod, type JournalPod } from '@podwright/journal-interface';
import { podUid, type Pod } from '@podwright/kube-types';
import type { PodStats, Summary } from '@podwright/stats-interface';
import type { ConsoleParts } from '../console-needs.js';
import { laneOf } from './pod-lanes.js';
import { podPage } from './pod-page.js';
import { podRow } from './pod-row.js';

const statsMaxAgeMs = 2_000;
const statsTimeoutMs = 2_000;

export interface AskedPod {
  readonly namespace: string;
  readonly name: string;
  readonly uid?: string | undefined;
}

/** All about one pod; undefined for one that nobody knows. Rejects with the signal's reason. */
export async function readPod(
  parts: ConsoleParts,
  { namespace, name, uid: asked }: AskedPod,
  signal: AbortSignal | undefined,
): Promise<PodPage | undefined> {
  const { explainer, pods, statuses, volumes, events } = parts;
  const explanation = await explainer.explainPod(namespace, name, {
    ...(asked !== undefined && { uid: asked }),
    ...(signal && { signal }),
  });
  const { uid } = explanation.pod;
  if (explanation.known === 'unknown' || uid === undefined) return undefined;
  const pod = desired(pods.getPodByFullName(`${name}_${namespace}`), uid);
  const status = pod && (statuses.getPodStatus(uid) ?? pod.status);
  const [stats, entries] = await Promise.all([
    pod === undefined ? undefined : statsOf(parts, uid, signal),
    allEntries(parts, uid, signal),
  ]);
  const mounted = pod === undefined ? [] : volumes.getMountedVolumes(uid).map((volume) => volume.name);
  const known = { explanation, pod, status, stats, entries, mounted: new Set(mounted) };
  const ofPod = (events?.recent() ?? []).filter((event) => event.podUid === uid);
  const lane = laneOf(parts, uid, pod && journalPod(pod));
  return {
    ...podPage({ ...known, events: ofPod }),
    ...(pod !== undefined && { row: podRow(pod, status, explanation) }),
    ...(lane !== undefined && { lane }),
  };
}

const desired = (pod: Pod | undefined, uid: string): Pod | undefined =>
  pod !== undefined && podUid(pod) === uid ? pod : undefined;

async function allEntries(
  { journal }: Pick<ConsoleParts, 'journal'>,
  podUid: JournalPod['uid'],
  signal: AbortSignal | undefined,
): Promise<readonly JournalEntry[]> {
  const entries: JournalEntry[] = [];
  for await (const entry of journal.stored({ podUid }, signal)) {
    entries.push(entry);
    // A pod that fails for days has more than anybody reads.
    if (entries.length > 2_000) entries.splice(0, 1_000);
  }
  return entries;
}

/** Undefined when they cannot be read soon: the page is worth more than its numbers. */
async function statsOf(
  { stats, clock, logger }: ConsoleParts,
  uid: string,
  signal: AbortSignal | undefined,
): Promise<PodStats | undefined> {
  try {
    const options = { podUids: [uid], maxAgeMs: statsMaxAgeMs };
    const read = (either: AbortSignal): Promise<Summary> => stats.summary({ ...options, signal: either });
    const { pods } = await withDeadline(clock, statsTimeoutMs, read, signal);
    return pods.find(({ podRef }) => podRef.uid === uid);
  } catch (error) {
    signal?.throwIfAborted();
    logger.debug(2, 'A page of the console is without the use of its pod', { podUid: uid, error });
    return undefined;
  }
}
