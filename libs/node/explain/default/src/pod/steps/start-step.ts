import type { ExplainedContainer } from '@podwright/explain-interface';
import { startFinding, type ContainerFinding } from '../container-findings.js';
import { containersOf, isUp, type PodContainer } from '../container-list.js';
import { stepResult, type StepResult } from '../finding.js';
import { isOverdue } from './overdue.js';
import { probeKill } from '../probe-kill.js';
import { hasStarted, isEnding, type PodQuestion } from '../pod-question.js';

/** The start of the containers, init containers first. */
export function startStep(
  question: PodQuestion,
  explained: readonly ExplainedContainer[],
  image: StepResult,
): StepResult {
  const { story, state } = question;
  const containers = containersOf(state.pod, state.status);
  const started = story.all('container.started');
  const last = started.at(-1);
  const names = new Set(started.map(({ container }) => container));
  const facts = { containersStarted: names.size > 0 ? names.size : undefined };
  if (!isEnding(question)) {
    for (const [index, container] of containers.entries()) {
      const found =
        startFinding(question, container, explained[index] as ExplainedContainer) ??
        (containers.every(isUp) ? undefined : initWait(question, container, explained[index]));
      if (found !== undefined) {
        const { state: of, sinceMs, finding } = found;
        return stepResult('start', of, { sinceMs, facts: { ...facts, container: container.name } }, finding);
      }
    }
  }
  const isDone = containers.length > 0 ? containers.every(isUp) : last !== undefined;
  if (isDone || (isEnding(question) && last !== undefined)) {
    const firsts = started.filter(({ restartCount }) => restartCount === 0);
    const tookMs = firsts.length > 0 ? Math.max(...firsts.map(({ durationMs }) => durationMs)) : undefined;
    return stepResult('start', 'done', { sinceMs: last?.atMs, tookMs, facts });
  }
  if (isEnding(question)) return stepResult('start', 'skipped');
  const next = containers.find((container) => !isUp(container));
  const hasImage = image.finding === undefined;
  if (!hasStarted(question) || next === undefined || !hasImage) return stepResult('start', 'later');
  const sinceMs = story.last('sandbox.created')?.atMs;
  const progress = [story.last('sandbox.created'), story.last('image.pull'), last, story.last('container.exited')];
  const finding = {
    situation: isOverdue(question, ...progress) ? 'start-overdue' : 'starting',
    about: { container: next.name },
    waitsFor: { what: `container ${next.name}`, ...(sinceMs !== undefined && { sinceMs }) },
  } as const;
  return stepResult('start', 'now', { sinceMs, facts: { ...facts, container: next.name } }, finding);
}

function initWait(
  question: PodQuestion,
  { name, type, status }: PodContainer,
  explained: ExplainedContainer | undefined,
): ContainerFinding | undefined {
  const running = status?.state?.running;
  if (running === undefined || type === 'regular' || type === 'ephemeral') return undefined;
  if (type === 'sidecar' && status?.started === true) return undefined;
  const killed = probeKill(question, name, explained?.probes ?? []);
  if (killed !== undefined) return { state: 'waiting', finding: killed };
  const sinceMs = Date.parse(String(running.startedAt));
  const situation = type === 'init' ? 'init-running' : 'sidecar-starting';
  const what = type === 'init' ? `the end of init container ${name}` : `the start of sidecar ${name}`;
  return { state: 'now', sinceMs, finding: { situation, about: { container: name }, waitsFor: { what, sinceMs } } };
}
