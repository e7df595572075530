import { timeMs } from '@podwright/kube-types';
import { constants } from 'node:os';
import type { ExplainedExit, ExplainedOom } from '@podwright/explain-interface';
import type { JournalEntry } from '@podwright/journal-interface';
import { isNewer, type Story } from '../story.js';
import type { PodContainer } from './container-list.js';
import { probeOfKill } from './probe-kill.js';

const mostExits = 5;
const signals = new Map<number, string>(Object.entries(constants.signals).map(([name, number]) => [number, name]));

/** The exits of a container, newest first: those of the journal, then those of its status that the journal lacks. */
export function exitsOf({ name, status }: PodContainer, story: Story): readonly ExplainedExit[] {
  const recorded = recordedExits(name, story);
  const known = new Set(recorded.map(({ containerId }) => containerId));
  const fromJournal = recorded.map((exit) => {
    const { exitCode, reason, message, startedAtMs, finishedAtMs } = exit;
    const oom = oomOf(exit, story);
    const kill = story.last('container.kill', ({ containerId }) => containerId === exit.containerId);
    const killedFor = kill !== undefined && !isNewer(kill, exit) ? kill : undefined;
    const answer = killedFor && answerTo(killedFor, story);
    return {
      ...{ exitCode, reason },
      ...signalOf(exitCode),
      ...(message !== undefined && message !== '' && { message }),
      ...(startedAtMs !== undefined && { startedAtMs }),
      ...(finishedAtMs !== undefined && { finishedAtMs }),
      ...(oom && { oom }),
      ...(killedFor && { killedFor: killedFor.message }),
      ...(answer !== undefined && answer !== '' && { probeOutput: answer }),
    };
  });
  const fromStatus = [status?.state?.terminated, status?.lastState?.terminated].flatMap((terminated) => {
    if (terminated === undefined || known.has(bareId(terminated.containerID))) return [];
    const { exitCode, reason = 'Error', message } = terminated;
    const startedAtMs = timeMs(terminated.startedAt);
    const finishedAtMs = timeMs(terminated.finishedAt);
    return [
      {
        ...{ exitCode, reason },
        ...signalOf(exitCode),
        ...(message !== undefined && message !== '' && { message }),
        ...(startedAtMs !== undefined && { startedAtMs }),
        ...(finishedAtMs !== undefined && { finishedAtMs }),
      },
    ];
  });
  return [...fromJournal, ...fromStatus].slice(0, mostExits);
}

/** The exits that the journal has, newest first. A kubelet that has restarted reports an exit once more. */
export function recordedExits(name: string, story: Story): readonly JournalEntry<'container.exited'>[] {
  return story
    .all('container.exited', ({ container }) => container === name)
    .filter((exit, index, all) => all.findIndex(({ containerId }) => containerId === exit.containerId) === index)
    .toReversed();
}

/** The answer of the probe for which a container was stopped. */
function answerTo(kill: JournalEntry<'container.kill'>, story: Story): string | undefined {
  const probe = probeOfKill(kill);
  return story.last(
    'probe.result',
    (result) => result.containerId === kill.containerId && result.probe === probe && result.outcome === 'failure',
  )?.output;
}

function signalOf(exitCode: number): { readonly signal?: string } {
  const signal = signals.get(exitCode - 128);
  return signal === undefined ? {} : { signal };
}

export function bareId(id: string | undefined): string {
  return (id ?? '').replace(/^[^:]*:\/\//, '');
}

function oomOf(exit: JournalEntry<'container.exited'>, story: Story): ExplainedOom | undefined {
  const { containerId, startedAtMs = 0, finishedAtMs = exit.atMs } = exit;
  const killed = story.last(
    'oom.killed',
    (oom) =>
      oom.containerId === containerId ||
      (exit.reason === 'OOMKilled' &&
        oom.containerId === undefined &&
        oom.atMs >= startedAtMs &&
        oom.atMs <= finishedAtMs + 5_000),
  );
  if (killed === undefined) return undefined;
  const { atMs, process, pid, limitCgroup, cgroup, usageBytes, limitBytes } = killed;
  const limitOf =
    limitCgroup === '/'
      ? 'node'
      : limitCgroup === cgroup || limitCgroup.includes(containerId)
        ? 'container'
        : /pod[0-9a-f_-]+[^/]*$/.test(limitCgroup)
          ? 'pod'
          : 'other';
  return {
    ...{ atMs, process, pid, limitOf },
    ...(usageBytes !== undefined && { usageBytes }),
    ...(limitBytes !== undefined && { limitBytes }),
  };
}
