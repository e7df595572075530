import type { RuntimePodStatus } from '@podwright/container-runtime-interface';
import type { Journal } from '@podwright/journal-interface';
import type { RecordChange } from './diff-pods.js';

const nanosecondsPerMs = 1_000_000n;

/** Reports the containers that have exited, with what their inspection found. */
export function reportExits(
  journal: Journal | undefined,
  { uid, namespace, name, containers }: RuntimePodStatus,
  changes: readonly RecordChange[],
): void {
  if (journal === undefined) return;
  for (const { type, containerId } of changes) {
    const container = type === 'ContainerDied' ? containers.find(({ id }) => id === containerId) : undefined;
    // A sandbox, or a container whose record is gone already.
    if (container?.state !== 'exited') continue;
    const { exitCode, reason, message, startedAt, finishedAt, restartCount } = container;
    journal.report({
      kind: 'container.exited',
      pod: { uid, namespace, name },
      container: container.name,
      containerId,
      exitCode,
      reason,
      ...(message !== '' && { message }),
      ...(startedAt > 0n && { startedAtMs: Number(startedAt / nanosecondsPerMs) }),
      ...(finishedAt > 0n && { finishedAtMs: Number(finishedAt / nanosecondsPerMs) }),
      restartCount,
    });
  }
}
