import { messageOf } from '@podwright/errors';
import { journalPod, type Journal, type VolumesWaiting } from '@podwright/journal-interface';
import type { Pod } from '@podwright/kube-types';
import type { Clock } from '@podwright/time';
import type { FailedOperation } from './volume-operations.js';
import { uniqueVolumeName, type PodVolume, type VolumeTable } from './volume-table.js';

/** Reports what becomes of pods' volumes to the journal, if there is one. Times given are monotonic. */
export class VolumeJournal {
  constructor(
    private readonly deps: {
      readonly journal?: Journal | undefined;
      readonly clock: Clock;
      readonly table: VolumeTable;
    },
  ) {}

  ready(pod: Pod, volumes: readonly string[], wantedAtMs: number): void {
    this.deps.journal?.report({
      kind: 'volumes.ready',
      pod: journalPod(pod),
      volumes,
      waitedMs: this.since(wantedAtMs),
    });
  }

  waiting(
    pod: Pod,
    what: Pick<VolumesWaiting, 'operation' | 'volumes' | 'unattached' | 'unresolved'>,
    since: { readonly wantedAtMs: number; readonly error: unknown },
  ): void {
    const waitedMs = this.since(since.wantedAtMs);
    const error = messageOf(since.error);
    this.deps.journal?.report({ kind: 'volumes.waiting', pod: journalPod(pod), ...what, waitedMs, error });
  }

  mounted(record: PodVolume, wantedAtMs: number): void {
    this.deps.journal?.report({ kind: 'volume.mounted', ...named(record), waitedMs: this.since(wantedAtMs) });
  }

  unmounted(record: PodVolume, begunAtMs: number): void {
    this.deps.journal?.report({ kind: 'volume.unmounted', ...named(record), durationMs: this.since(begunAtMs) });
  }

  /** An operation on a volume as a whole is reported for each pod that waits for it, or for the last one that had it. */
  failed({ kind: operation, key, failures, pauseMs, error }: FailedOperation): void {
    const { journal, clock } = this.deps;
    if (journal === undefined) return;
    const rest = { operation, failures, error: messageOf(error), retryAtMs: clock.now() + pauseMs };
    for (const volume of this.volumesOf(key)) journal.report({ kind: 'volume.failed', ...volume, ...rest });
  }

  private volumesOf({ volume, podUid }: FailedOperation['key']): readonly ReturnType<typeof named>[] {
    const { table } = this.deps;
    const ofPods = podUid === undefined ? table.all() : table.of(podUid);
    // A pod that has the volume mounted does not wait for the operation of another.
    const concerned = (record: PodVolume): boolean => podUid !== undefined || record.state !== 'mounted';
    const records = ofPods.filter((record) => uniqueVolumeName(record) === volume && concerned(record));
    const shared = table.shared(volume);
    if (records.length > 0 || shared === undefined) return records.map(named);
    return [{ pod: journalPod(shared.spec.pod), volume, plugin: shared.plugin.name }];
  }

  private since(ms: number): number {
    return this.deps.clock.monotonic() - ms;
  }
}

function named({ spec: { pod }, outerNames: [outerName], name, plugin }: PodVolume) {
  return { pod: journalPod(pod), volume: outerName ?? name, plugin: plugin.name };
}
