import { messageOf } from '@podwright/errors';
import type { Journal, JournalPod } from '@podwright/journal-interface';
import { isReady } from './status-reports.js';
import type { VersionedStatus } from './versioned-status.js';

/** Reports to the journal, if there is one, what became of statuses on their way to the API server. */
export class DeliveryJournal {
  constructor(private readonly journal: Pick<Journal, 'report'> | undefined) {}

  sent(uid: string, entry: VersionedStatus, durationMs: number): void {
    const { status } = entry;
    const { phase = 'Unknown' } = status;
    this.journal?.report({ kind: 'status.sent', pod: podOf(uid, entry), phase, ready: isReady(status), durationMs });
  }

  failed(uid: string, entry: VersionedStatus, error: unknown, outage: boolean): void {
    this.journal?.report({ kind: 'status.failed', pod: podOf(uid, entry), error: messageOf(error), outage });
  }

  podDeleted(uid: string, entry: VersionedStatus): void {
    this.journal?.report({ kind: 'pod.deleted', pod: podOf(uid, entry) });
  }
}

const podOf = (uid: string, { namespace, name }: VersionedStatus): JournalPod => ({ uid, namespace, name });
