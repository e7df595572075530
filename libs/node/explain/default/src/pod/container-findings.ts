import type { ExplainedContainer, ExplainedExit, PodSituation, StepState } from '@podwright/explain-interface';
import type { JournalEntry } from '@podwright/journal-interface';
import { span } from '../print/span.js';
import { isNewer, type Story } from '../story.js';
import { recordedExits } from './container-exits.js';
import type { PodContainer } from './container-list.js';
import { retryAfter, retryOf, type Finding } from './finding.js';
import { missingObject, withoutApiServer } from './missing-object.js';
import type { PodQuestion } from './pod-question.js';

export interface ContainerFinding {
  readonly state: StepState;
  readonly sinceMs?: number;
  readonly finding: Finding;
}

/** Of a container that waits for its image. */
export const imageReasons =
  /^(ErrImage|ImagePull|InvalidImageName|ImageInspect|RegistryUnavailable|SignatureValidation)/;

/** Why a container has not started, or does not stay up; undefined when it runs, or has nothing to do yet. */
export function startFinding(
  question: PodQuestion,
  container: PodContainer,
  explained: ExplainedContainer,
): ContainerFinding | undefined {
  return failedStart(question, container, explained) ?? exitedAgain(question, container, explained);
}

function failedStart(
  { story, nowMs }: PodQuestion,
  { name, image, status }: PodContainer,
  { state, exits }: ExplainedContainer,
): ContainerFinding | undefined {
  if (state === 'running') return undefined;
  const started = story.last('container.started', ({ container }) => container === name);
  const hook = story.last('hook.failed', ({ container, hook: of }) => container === name && of === 'postStart');
  if (
    hook !== undefined &&
    !isNewer(
      hook,
      story.last('container.exited', (exit) => exit.container === name && exit.containerId !== hook.containerId),
    )
  ) {
    const lastFailure = {
      step: 'start',
      atMs: hook.atMs,
      error: `the postStart hook failed after ${span(hook.durationMs)}`,
    } as const;
    const finding: Finding = {
      situation: 'post-start-failed',
      about: { container: name },
      lastFailure,
      ...retryOf(story.last('pod.sync')),
    };
    return { state: 'failed', sinceMs: hook.atMs, finding };
  }
  const failing = story.failing(
    story.all('container.failed', ({ container, reason }) => container === name && !imageReasons.test(reason)),
    started,
  );
  const waiting = status?.state?.waiting;
  const shown = waiting?.reason !== undefined && /Error$/.test(waiting.reason) && !imageReasons.test(waiting.reason);
  if (failing === undefined && (!shown || exits.length > 0)) return undefined;
  const reason = failing?.last.reason ?? waiting?.reason ?? '';
  const error = failing?.last.error ?? waiting?.message ?? '';
  const object = missingObject(error);
  const sinceMs = failing?.first.atMs;
  return {
    state: 'failed',
    ...(sinceMs !== undefined && { sinceMs }),
    finding: {
      situation: failureSituation(reason, error, object),
      about: { container: name, user: `Container ${name}`, image, object: object ?? 'an object of the API' },
      waitsFor: { what: `container ${name}`, ...(sinceMs !== undefined && { sinceMs }) },
      lastFailure: {
        ...{ step: 'start', atMs: failing?.last.atMs ?? nowMs, error: `${reason}: ${error}` },
        ...(failing && { times: failing.times, sinceMs: failing.first.atMs }),
      },
      ...retryAfter(
        story.last('container.restart', ({ container }) => container === name)?.backOffUntilMs,
        story.last('pod.sync'),
        nowMs,
      ),
    },
  };
}

function failureSituation(reason: string, error: string, object: string | undefined): PodSituation {
  if (withoutApiServer.test(error)) return 'object-without-api-server';
  if (object !== undefined) return 'config-object-missing';
  if (/runAsNonRoot|non-root|non-numeric user/i.test(error)) return 'run-as-root-refused';
  if (/PostStartHookError/.test(reason)) return 'post-start-failed';
  if (/executable file not found|no such file or directory/i.test(error)) return 'command-not-found';
  if (/permission denied|exec format error/i.test(error)) return 'command-not-allowed';
  if (reason === 'CreateContainerConfigError') return 'container-config';
  return reason === 'CreateContainerError' ? 'container-create-failed' : 'container-start-failed';
}

function exitedAgain(
  { story, nowMs }: PodQuestion,
  { name, type }: PodContainer,
  { state, exits, restarts, backOffUntilMs, reason }: ExplainedContainer,
): ContainerFinding | undefined {
  const [exit] = exits;
  if (exit === undefined || state === 'running') return undefined;
  // It has succeeded for good, or has to wait for nothing but the end of the pod.
  const isToRunAgain = state === 'waiting' || backOffUntilMs !== undefined;
  if (!isToRunAgain && (exit.exitCode === 0 || type === 'ephemeral')) return undefined;
  const sinceMs = exit.finishedAtMs;
  const differs = exits.some(({ exitCode }) => exitCode !== exit.exitCode);
  const isBackOff = backOffUntilMs !== undefined || reason === 'CrashLoopBackOff';
  const dueMs = backOffUntilMs === undefined ? backOffEnd(story, name) : undefined;
  const wait =
    dueMs !== undefined
      ? { what: `the next start of container ${name}, which is due`, sinceMs: dueMs }
      : {
          what: isBackOff ? `the back-off of container ${name}` : `container ${name}`,
          ...(sinceMs !== undefined && { sinceMs }),
        };
  return {
    state: isBackOff || dueMs !== undefined ? 'waiting' : 'failed',
    ...(sinceMs !== undefined && { sinceMs }),
    finding: {
      situation: exitSituation(type, exit),
      about: {
        container: name,
        exitCode: String(exit.exitCode),
        restarts: String(restarts),
        with: differs ? 'the last time with' : 'with',
      },
      waitsFor: wait,
      lastFailure: {
        step: 'start',
        atMs: sinceMs ?? story.last('container.exited')?.atMs ?? 0,
        error: exitText(exit),
        times: sameExits(story, name, exit),
      },
      ...(backOffUntilMs === undefined
        ? retryAfter(dueMs, dueMs === undefined ? story.last('pod.sync') : undefined, nowMs)
        : { retryAtMs: backOffUntilMs }),
    },
  };
}

/** When the last back-off of a container ends, unless it has started since. */
function backOffEnd(story: Story, name: string): number | undefined {
  const restart = story.last('container.restart', ({ container }) => container === name);
  const later = [
    story.last('container.started', ({ container }) => container === name),
    story.last('container.exited', ({ container }) => container === name),
  ];
  return restart?.action === 'waits' && later.every((entry) => isNewer(restart, entry))
    ? restart.backOffUntilMs
    : undefined;
}

/** How often in a row it has ended like this, as far as the journal goes back. */
function sameExits(story: Story, name: string, { exitCode, reason, killedFor }: ExplainedExit): number {
  const isSame = ({ containerId, ...exit }: JournalEntry<'container.exited'>): boolean =>
    exit.exitCode === exitCode &&
    exit.reason === reason &&
    story.last('container.kill', (kill) => kill.containerId === containerId)?.message === killedFor;
  const exits = recordedExits(name, story);
  const other = exits.findIndex((exit) => !isSame(exit));
  return Math.max(1, other === -1 ? exits.length : other);
}

function exitSituation(type: PodContainer['type'], exit: ExplainedExit): PodSituation {
  if (isOutOfMemory(exit)) return 'out-of-memory';
  if (/liveness probe/.test(exit.killedFor ?? '')) return 'liveness-restart';
  if (/startup probe/.test(exit.killedFor ?? '')) return 'startup-restart';
  if (/PostStartHook/.test(exit.killedFor ?? '')) return 'post-start-failed';
  if (type === 'init') return 'init-failing';
  return exit.exitCode === 0 ? 'exit-loop' : 'crash-loop';
}

export const isOutOfMemory = ({ reason, oom }: ExplainedExit): boolean => reason === 'OOMKilled' || oom !== undefined;

/** `exit code 137 (SIGKILL), OOMKilled`, with the container's last words. */
export function exitText({ exitCode, signal, reason, message, killedFor, probeOutput }: ExplainedExit): string {
  const code = `exit code ${exitCode}${signal === undefined ? '' : ` (${signal})`}`;
  const why = killedFor ?? (reason === 'Error' || reason === 'Completed' ? undefined : reason);
  const ended = why === undefined ? code : `${code}${killedFor === undefined ? ',' : ':'} ${why}`;
  const answered = probeOutput === undefined ? ended : `${ended}; the probe answered: ${probeOutput.trim()}`;
  return message === undefined || message === '' ? answered : `${answered}: ${message}`;
}
