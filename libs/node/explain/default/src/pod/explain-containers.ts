import { timeMs } from '@podwright/kube-types';
import type { ExplainedContainer, ExplainedProbe } from '@podwright/explain-interface';
import type { JournalEntry } from '@podwright/journal-interface';
import { isNewer, type Story } from '../story.js';
import { bareId, exitsOf } from './container-exits.js';
import { containersOf, type PodContainer } from './container-list.js';
import type { PodQuestion } from './pod-question.js';

const recentMs = 600_000;

export function explainContainers({ story, state, nowMs }: PodQuestion): readonly ExplainedContainer[] {
  const containers = containersOf(state.pod, state.status);
  return (containers.length > 0 ? containers : fromJournal(story)).map((container) => explain(container, story, nowMs));
}

/** The containers of a pod that is gone, in the order in which they first started. */
function fromJournal(story: Story): readonly PodContainer[] {
  const types = new Map<string, PodContainer['type']>();
  for (const { container } of story.all('container.failed')) types.set(container, 'regular');
  for (const { container } of story.all('container.exited')) types.set(container, 'regular');
  for (const { container, type } of story.all('container.started')) types.set(container, type);
  return [...types].map(([name, type]) => ({ name, type, image: '' }));
}

function explain(container: PodContainer, story: Story, nowMs: number): ExplainedContainer {
  const { name, type, status } = container;
  const started = story.last('container.started', (entry) => entry.container === name);
  const exited = story.last('container.exited', (entry) => entry.container === name);
  const restart = story.last('container.restart', (entry) => entry.container === name);
  const backOffUntilMs = restart?.action === 'waits' && !isNewer(started, restart) ? restart.backOffUntilMs : undefined;
  const exits = exitsOf(container, story);
  return {
    ...{ name, type },
    ...currentState(container, isNewer(exited, started), exits[0]?.finishedAtMs, started?.atMs),
    ready: status?.ready ?? false,
    restarts: status?.restartCount ?? started?.restartCount ?? 0,
    exits,
    ...(backOffUntilMs !== undefined && backOffUntilMs > nowMs && { backOffUntilMs }),
    probes: probesOf(container, started, story, nowMs),
    facts: factsOf(container),
  };
}

type Current = Pick<ExplainedContainer, 'state' | 'reason' | 'message' | 'sinceMs'>;

function currentState(
  { status }: PodContainer,
  hasExited: boolean,
  exitMs: number | undefined,
  startMs: number | undefined,
): Current {
  const { running, terminated, waiting } = status?.state ?? {};
  if (running !== undefined) return { state: 'running', ...since(timeMs(running.startedAt)) };
  if (terminated !== undefined) {
    const { reason = 'Error', message } = terminated;
    return { state: 'terminated', reason, ...(message && { message }), ...since(timeMs(terminated.finishedAt)) };
  }
  if (waiting !== undefined) {
    const { reason, message } = waiting;
    return { state: 'waiting', ...(reason && { reason }), ...(message && { message }), ...since(exitMs) };
  }
  if (hasExited) return { state: 'terminated', ...since(exitMs) };
  return startMs === undefined ? { state: 'waiting' } : { state: 'running', sinceMs: startMs };
}

const since = (sinceMs: number | undefined): { readonly sinceMs?: number } =>
  sinceMs === undefined ? {} : { sinceMs };

/** The answers of the container that runs, or that ran last. */
function probesOf(
  { name, status }: PodContainer,
  started: JournalEntry<'container.started'> | undefined,
  story: Story,
  nowMs: number,
): readonly ExplainedProbe[] {
  const id = bareId(status?.containerID) || started?.containerId;
  return (['startup', 'liveness', 'readiness'] as const).flatMap((probe) => {
    const attempts = story.all(
      'probe.result',
      ({ container, containerId, probe: of }) =>
        container === name && of === probe && (id === undefined || containerId === id),
    );
    const last = attempts.at(-1);
    if (last === undefined) return [];
    const { outcome, atMs, output, inARow, threshold } = last;
    // Each restart begins anew, with a result that nobody has asked for.
    const changes = attempts.filter(({ changed, atMs: at }) => changed && at > nowMs - recentMs).length;
    return [{ probe, outcome, atMs, output, inARow, threshold, changes }];
  });
}

function factsOf({ image, spec }: PodContainer): ExplainedContainer['facts'] {
  const memory = spec?.resources?.limits?.memory;
  return { ...(image !== '' && { image }), ...(memory !== undefined && { memoryLimit: String(memory) }) };
}
