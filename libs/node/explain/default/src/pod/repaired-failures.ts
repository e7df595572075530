import type { StepName } from '@podwright/explain-interface';
import type { JournalEntry } from '@podwright/journal-interface';
import { isNewer, type Story } from '../story.js';
import { imageReasons } from './container-findings.js';

export interface RepairedFailure {
  readonly step: StepName;
  /** From the first failure until the success. */
  readonly tookMs: number;
  readonly of?: string;
  /** Of the last failure. */
  readonly error: string;
}

interface Attempt {
  readonly step: StepName;
  readonly of?: string;
  readonly entry: JournalEntry;
  /** Of a failure; absent for a success. */
  readonly error?: string;
}

/** What failed during the first start of a pod and then succeeded. */
export function repairedFailures(story: Story): readonly RepairedFailure[] {
  const attempts = story.entries.flatMap(attemptOf);
  return attempts.flatMap((first, index) => {
    const same = (other: Attempt): boolean => other.step === first.step && other.of === first.of;
    const success = attempts.find(
      (other) => same(other) && other.error === undefined && isNewer(other.entry, first.entry),
    );
    const isFirst = !attempts.slice(0, index).some(same);
    if (first.error === undefined || success === undefined || !isFirst) return [];
    const last = attempts.findLast((other) => same(other) && isNewer(success.entry, other.entry));
    const { step, of, error } = first;
    const tookMs = success.entry.atMs - first.entry.atMs;
    return [{ step, tookMs, ...(of !== undefined && { of }), error: last?.error ?? error }];
  });
}

function attemptOf(entry: JournalEntry): readonly Attempt[] {
  switch (entry.kind) {
    case 'volume.failed':
      return entry.operation === 'unmount' ? [] : [{ step: 'volumes', of: entry.volume, entry, error: entry.error }];
    case 'volume.mounted':
      return [{ step: 'volumes', of: entry.volume, entry }];
    case 'image.pull': {
      const attempt = { step: 'image', of: entry.image, entry } as const;
      if (entry.state === 'pulled' || entry.state === 'present') return [attempt];
      if (entry.state === 'never')
        return [{ ...attempt, error: 'the image is not on the node, and its pull policy is Never' }];
      return entry.state === 'failed' ? [{ ...attempt, error: entry.error ?? '' }] : [];
    }
    case 'sandbox.failed':
      return [{ step: 'sandbox', entry, error: entry.error }];
    case 'sandbox.created':
      return [{ step: 'sandbox', entry }];
    case 'container.failed':
      return imageReasons.test(entry.reason) ? [] : [{ step: 'start', of: entry.container, entry, error: entry.error }];
    case 'container.started':
      return [{ step: 'start', of: entry.container, entry }];
    default:
      return [];
  }
}
