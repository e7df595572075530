import type { JournalEntry } from '@podwright/journal-interface';
import type { PodSituation } from '@podwright/explain-interface';
import { isNewer } from '../../story.js';
import { containersOf, isUp, type PodContainer } from '../container-list.js';
import { retryAfter, retryOf, stepResult, type Finding, type StepResult } from '../finding.js';
import { removalOf } from '../removed-image.js';
import { hasStarted, isEnding, type PodQuestion } from '../pod-question.js';

type Pull = JournalEntry<'image.pull'>;

/** The images of all containers; the first one that is not there decides. */
export function imageStep(question: PodQuestion): StepResult {
  const { story, state } = question;
  const containers = containersOf(state.pod, state.status);
  const pulls = story.all('image.pull');
  const lastOf = (image: string): Pull | undefined => pulls.findLast((pull) => pull.image === image);
  const open = containers.filter(
    (container) => !isUp(container) && container.status?.lastState?.terminated === undefined,
  );
  for (const container of open) {
    const started = story.last('container.started', ({ container: name }) => name === container.name);
    const pull = lastOf(container.image);
    if (pull === undefined || isNewer(started, pull)) continue;
    const blocked = blockedBy(question, container, pull);
    if (blocked !== undefined && !isEnding(question)) return blocked;
  }
  const failed = open.map((container) => withoutJournal(question, container)).find((result) => result !== undefined);
  if (failed !== undefined && !isEnding(question)) return failed;
  const last = pulls.findLast(({ state: of }) => of === 'pulled' || of === 'present');
  const started = story.all('container.started');
  const tookMs = started.length > 0 ? Math.max(...started.map(({ imageMs }) => imageMs)) : last?.durationMs;
  const bytes = pulls.reduce((sum, { sizeBytes = 0 }) => sum + sizeBytes, 0);
  const pulled = new Set(pulls.filter(({ state: of }) => of === 'pulled').map(({ image }) => image)).size;
  const facts = { pulled: pulled > 0 ? pulled : undefined, sizeBytes: bytes > 0 ? bytes : undefined };
  if (containers.some(isUp) || started.length > 0 || last !== undefined) {
    return stepResult('image', 'done', { sinceMs: last?.atMs, tookMs, facts });
  }
  return stepResult('image', isEnding(question) ? 'skipped' : hasStarted(question) ? 'now' : 'later');
}

function blockedBy(
  { story, node, nowMs }: PodQuestion,
  { name, image }: PodContainer,
  pull: Pull,
): StepResult | undefined {
  const { state, atMs } = pull;
  const about = { container: name, image };
  if (state === 'queued' || state === 'pulling') {
    const sinceMs = state === 'queued' ? atMs : (queuedBefore(story.all('image.pull'), pull)?.atMs ?? atMs);
    const situation = state === 'queued' ? 'image-queued' : 'image-pulling';
    const finding: Finding = { situation, about, waitsFor: { what: `image ${image}`, sinceMs } };
    return stepResult('image', state === 'queued' ? 'waiting' : 'now', { sinceMs, facts: { image } }, finding);
  }
  if (state !== 'failed' && state !== 'never') return undefined;
  const good = story.last('image.pull', (entry) => entry.image === image && entry.state === 'pulled');
  const failures = story.all('image.pull', (entry) => entry.image === image && entry.state === state);
  const failing = story.failing(failures, good) ?? { first: pull, last: pull, times: 1 };
  const error = pull.error ?? `Container image "${image}" is not present with pull policy of Never`;
  const removal = removalOf(image, node);
  const sinceMs = failing.first.atMs - (failing.first.durationMs ?? 0);
  const finding: Finding = {
    situation: state !== 'never' ? situationOf(pull.reason ?? '', error) : removal ? 'image-removed' : 'image-never',
    about: { ...about, ...(removal !== undefined && { removal }) },
    waitsFor: { what: `image ${image}`, sinceMs },
    lastFailure: { step: 'image', atMs, error, times: failing.times, sinceMs: failing.first.atMs },
    ...retryAfter(pull.backOffUntilMs, story.last('pod.sync'), nowMs),
  };
  const facts = { image, reason: pull.reason, attempts: failing.times };
  return stepResult('image', 'failed', { sinceMs, tookMs: pull.durationMs, facts }, finding);
}

function queuedBefore(pulls: readonly Pull[], pull: Pull): Pull | undefined {
  return pulls.findLast((other) => other.image === pull.image && other.state === 'queued' && other.seq < pull.seq);
}

const waitingReasons: ReadonlySet<string> = new Set([
  'ErrImagePull',
  'ImagePullBackOff',
  'ErrImageNeverPull',
  'InvalidImageName',
  'ImageInspectError',
  'RegistryUnavailable',
  'SignatureValidationFailed',
]);

/** What the status says, when the journal has no pull of the image: it may have the failure of the container. */
function withoutJournal({ story, nowMs }: PodQuestion, { name, image, status }: PodContainer): StepResult | undefined {
  const { reason = '', message = '' } = status?.state?.waiting ?? {};
  if (!waitingReasons.has(reason)) return undefined;
  const failing = story.failing(
    story.all('container.failed', (failed) => failed.container === name && failed.reason === reason),
    undefined,
  );
  const sinceMs = failing?.first.atMs;
  const since = sinceMs === undefined ? {} : { sinceMs };
  const finding: Finding = {
    situation: reason === 'ErrImageNeverPull' ? 'image-never' : situationOf(reason, message),
    about: { container: name, image },
    waitsFor: { what: `image ${image}`, ...since },
    lastFailure: { step: 'image', atMs: failing?.last.atMs ?? nowMs, error: message, ...since },
    ...(failing && retryOf(story.last('pod.sync'))),
  };
  return stepResult('image', 'failed', { sinceMs, facts: { image, reason } }, finding);
}

function situationOf(reason: string, error: string): PodSituation {
  if (reason === 'InvalidImageName' || /couldn't parse image|invalid reference format/i.test(error))
    return 'image-invalid';
  if (reason === 'ErrImageNeverPull') return 'image-never';
  // Before "not found": registries say "not found, or requires authorization" for images that are private.
  if (/\b40[13]\b|unauthorized|authorization failed|denied|forbidden/i.test(error)) return 'image-unauthorized';
  if (/no such host|connection refused|i\/o timeout|dial tcp|deadline exceeded|x509|tls:/i.test(error)) {
    return 'image-unreachable';
  }
  if (reason === 'RegistryUnavailable') return 'image-unreachable';
  if (/\b429\b|\b5\d\d [A-Z]|toomanyrequests/i.test(error)) return 'image-registry-error';
  if (/not found|manifest unknown|does not exist/i.test(error)) return 'image-not-found';
  return 'image-failed';
}
