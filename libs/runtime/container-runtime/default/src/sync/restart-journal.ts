import { LruMap } from '@podwright/cache';
import type { RuntimePodStatus } from '@podwright/container-runtime-interface';
import { journalPod, type Journal } from '@podwright/journal-interface';
import type { Container, EphemeralContainer, Pod } from '@podwright/kube-types';

// More than the containers of a node that wait at a time.
const mostWaits = 2_000;

interface RestartWait {
  readonly delayMs: number;
  readonly untilMs: number;
}

/** Reports what becomes of a container that has exited; its wait only once, though each sync finds it again. */
export class RestartJournal {
  /** Ids of the exited containers whose wait is reported. */
  private readonly waits = new LruMap<true>(mostWaits);

  constructor(private readonly journal: Journal | undefined) {}

  decided(
    pod: Pod,
    container: Container | EphemeralContainer,
    status: RuntimePodStatus,
    wait: RestartWait | undefined,
  ): void {
    const last = status.containers.find(({ name, state }) => name === container.name && state === 'exited');
    if (this.journal === undefined || last === undefined) return;
    const { id, exitCode } = last;
    if (wait !== undefined && this.waits.get(id) === true) return;
    if (wait !== undefined) this.waits.set(id, true);
    const back = wait !== undefined && { backOffUntilMs: wait.untilMs };
    this.journal.report({
      kind: 'container.restart',
      pod: journalPod(pod),
      container: container.name,
      action: wait === undefined ? 'now' : 'waits',
      exitCode,
      backOffMs: wait?.delayMs ?? 0,
      ...back,
    });
  }
}
