import type { Pod } from '@podwright/kube-types';
import { isSidecar } from '@podwright/kube-types';
import type { Clock } from '@podwright/time';

interface Turn {
  readonly ended: Promise<void>;
  end(): void;
}

/**
 * Sidecars stop after all regular containers, in reverse order; other containers do not wait. Source: kubernetes v1.36
 * pkg/kubelet/kuberuntime/kuberuntime_termination_order.go.
 */
export class TerminationOrder {
  private readonly turns = new Map<string, Turn>();
  private readonly prerequisites = new Map<string, readonly Turn[]>();

  /** `running`: names of the running containers; nothing waits for others. */
  constructor(
    pod: Pod,
    running: ReadonlySet<string>,
    private readonly clock: Clock,
  ) {
    const turnOf = (name: string): Turn => {
      const turn = newTurn();
      if (!running.has(name)) turn.end();
      this.turns.set(name, turn);
      return turn;
    };
    const regular = pod.spec.containers.map(({ name }) => turnOf(name));
    let later: readonly Turn[] = [];
    for (const container of [...(pod.spec.initContainers ?? [])].reverse()) {
      const turn = turnOf(container.name);
      if (!isSidecar(container)) continue;
      this.prerequisites.set(container.name, [...regular, ...later]);
      later = [turn];
    }
  }

  /** Waits for the container's turn, at most `limitSeconds`. Resolves with the whole seconds that it waited. */
  async waitForTurn(name: string, limitSeconds: number): Promise<number> {
    const prerequisites = this.prerequisites.get(name);
    if (prerequisites === undefined) return 0;
    const startedAt = this.clock.monotonic();
    await new Promise<void>((resolve) => {
      const limit = this.clock.setTimer(limitSeconds * 1000, resolve);
      void Promise.all(prerequisites.map(({ ended }) => ended)).then(() => {
        limit.cancel();
        resolve();
      });
    });
    return Math.floor((this.clock.monotonic() - startedAt) / 1000);
  }

  markTerminated(name: string): void {
    this.turns.get(name)?.end();
  }
}

function newTurn(): Turn {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { ended, end: () => end() };
}
