import type {
  ExplainedCondition,
  ExplainedContact,
  ExplainedEviction,
  ExplainedImageGc,
  ExplainedImageRemoval,
  ExplainedOutage,
} from '@podwright/explain-interface';
import type { JournalEntry } from '@podwright/journal-interface';
import { bytes } from '../print/span.js';
import type { Story } from '../story.js';

const most = 5;

/** The times in which the node was not Ready, newest first. */
export function outagesOf(story: Story): readonly ExplainedOutage[] {
  const outages: ExplainedOutage[] = [];
  for (const { atMs, status, reason, message } of story.all('node.condition', ({ type }) => type === 'Ready')) {
    const open = outages.at(-1);
    const isOpen = open !== undefined && open.untilMs === undefined;
    if (status === 'True' && isOpen) outages[outages.length - 1] = { ...open, untilMs: atMs };
    // A new reason continues the same outage; the newest one says most.
    else if (status !== 'True' && isOpen) outages[outages.length - 1] = { ...open, reason, message };
    else if (status !== 'True') outages.push({ fromMs: atMs, reason, message });
  }
  return outages.reverse().slice(0, most);
}

const goodStatus: Readonly<Record<string, string>> = { Ready: 'True' };

/** The last word on each condition, without those that say that all is well, except Ready. */
export function conditionsOf(story: Story): readonly ExplainedCondition[] {
  const last = new Map<string, ExplainedCondition>();
  for (const { type, status, reason, message, atMs } of story.all('node.condition')) {
    const before = last.get(type);
    const sinceMs = before?.status === status ? (before.sinceMs ?? atMs) : atMs;
    last.set(type, { type, status, reason, message, sinceMs });
  }
  return [...last.values()].filter(({ type, status }) => type === 'Ready' || status !== (goodStatus[type] ?? 'False'));
}

export function evictionsOf(story: Story): readonly ExplainedEviction[] {
  // A pass is reported once more when one of its pods did not end.
  return story
    .all('eviction')
    .filter(({ time }, index, all) => all.findIndex((other) => other.time === time) === index)
    .flatMap(({ atMs, evicted }) =>
      evicted.map(({ namespace, name, signal, message }) => ({
        ...{ atMs, namespace, name, signal },
        message: message.trim(),
      })),
    )
    .reverse()
    .slice(0, most);
}

export function imageRemovalsOf(story: Story): readonly ExplainedImageRemoval[] {
  return story
    .all('image.removed')
    .map(({ atMs, imageId, names, cause, sizeBytes, unusedMs, error }) => ({
      ...{ atMs, image: names[0] ?? imageId, cause, sizeBytes },
      ...(unusedMs !== undefined && { unusedMs }),
      ...(error !== undefined && { error }),
    }))
    .reverse()
    .slice(0, most);
}

export function imageGcsOf(story: Story): readonly ExplainedImageGc[] {
  return story
    .all('image.gc')
    .map((pass) => {
      const { atMs, cause, usagePercent, highThresholdPercent, freedBytes, removed } = pass;
      const error = pass.error ?? shortage(pass);
      return {
        ...{ atMs, cause, freedBytes, removed },
        ...(usagePercent !== undefined && { usagePercent }),
        ...(highThresholdPercent !== undefined && { highThresholdPercent }),
        ...(error !== undefined && { error }),
      };
    })
    .reverse()
    .slice(0, most);
}

/** All images went that could, and that was not enough. */
function shortage({ bytesToFree, freedBytes }: JournalEntry<'image.gc'>): string | undefined {
  if (bytesToFree === undefined || freedBytes >= bytesToFree) return undefined;
  return `wanted to free ${bytes(bytesToFree)}, freed ${bytes(freedBytes)}: what is left is in use, or is not images`;
}

/** Calls for the node's own objects that have failed since their last success. */
export function contactsOf(story: Story, leaseRenewedAtMs: number | undefined): readonly ExplainedContact[] {
  const contacts: ExplainedContact[] = [];
  const lease = story.failing(story.all('lease.failed'), story.last('lease.renewed'));
  if (lease !== undefined && (leaseRenewedAtMs === undefined || leaseRenewedAtMs < lease.last.atMs)) {
    contacts.push({ what: 'lease', sinceMs: lease.first.atMs, error: lease.last.error });
  }
  const status = story.failing(story.all('node.status.failed'), story.last('node.status.accepted'));
  if (status !== undefined) {
    const { error, advice } = status.last;
    contacts.push({ what: 'status', sinceMs: status.first.atMs, error, ...(advice !== undefined && { advice }) });
  }
  return contacts;
}
