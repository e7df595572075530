import type { JournalEntry } from '@podwright/journal-interface';
import { podUid, type Pod } from '@podwright/kube-types';
import { amount } from '../print/amount.js';
import type { Story } from '../story.js';
import type { Finding } from './finding.js';

/** How far the node was below which threshold, and why it chose this pod. */
export function evictionNotes(story: Story, pod: Pod | undefined, { situation }: Finding): readonly string[] {
  const eviction = story.last('eviction');
  if (situation !== 'evicted-pressure' || eviction === undefined) return [];
  const uid = pod === undefined ? story.last('pod.ending')?.pod.uid : podUid(pod);
  return [...thresholdNote(eviction), ...rankNote(eviction, uid)];
}

function thresholdNote({ reclaimFor, signals, thresholds }: JournalEntry<'eviction'>): readonly string[] {
  const seen = signals.find(({ signal }) => signal === reclaimFor);
  const crossed = thresholds.find(({ signal, met }) => signal === reclaimFor && met);
  if (seen === undefined || crossed?.quantity === undefined) return [];
  const { signal, available, capacity } = seen;
  const kind = crossed.gracePeriodMs === 0 ? 'evictionHard' : 'evictionSoft';
  const [left, of, threshold] = [available, capacity, crossed.quantity].map((quantity) => amount(seen, quantity));
  return [`${signal} was ${left} of ${of}, and ${kind} asks for ${threshold}: ${measuredBy(signal)}.`];
}

/** What a signal counts: there may be room by another measure. */
function measuredBy(signal: string): string {
  if (signal === 'allocatableMemory.available') return 'the memory for pods, without what is reserved';
  if (signal.startsWith('memory')) return 'the memory of the node';
  if (signal.startsWith('pid')) return 'the process numbers of the node';
  const what = signal.endsWith('inodesFree') ? 'inodes, of which each file takes one,' : 'bytes';
  const where = /^(imagefs|containerfs)/.test(signal) ? "the runtime's disk" : "the disk of the kubelet's root folder";
  return `it counts ${what} on ${where}`;
}

function rankNote({ rankings, reclaimFor }: JournalEntry<'eviction'>, uid: string | undefined): readonly string[] {
  const ranking = rankings.find(({ signal }) => signal === reclaimFor);
  const rivals = ranking?.pods.filter(({ exempt }) => exempt === undefined) ?? [];
  const place = rivals.findIndex((each) => each.uid === uid);
  const own = rivals[place];
  if (ranking === undefined || own === undefined) return [];
  const { usage, request, exceedsRequest, priority } = own;
  const over = exceedsRequest ? 'more than its request' : 'not more than its request';
  const used =
    usage === undefined
      ? 'nobody knows what it used, and such pods go first'
      : `it used ${amount(ranking, usage)}, ${over} of ${amount(ranking, request)}, and its priority is ${priority}`;
  const count = `${rivals.length} ${rivals.length === 1 ? 'pod' : 'pods'}`;
  return [`It was number ${place + 1} of ${count} to evict: ${used}.`];
}
