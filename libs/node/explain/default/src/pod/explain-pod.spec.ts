import { describe, expect, it } from '@jest/globals';
import type { PodSituation } from '@podwright/explain-interface';
import { printPod } from '../print/print-pod.js';
import { admitted, explained, received, sandbox, started, story } from '../fixtures/pod-story.js';

const running = { name: 'main', image: '', imageID: '', ready: false, restartCount: 0 };

describe('explainPod', () => {
  it.each<[PodSituation, string]>([
    ['image-not-found', 'failed to resolve reference "registry.test/main:1": registry.test/main:1: not found'],
    ['image-unauthorized', 'pull access denied, repository does not exist or may require authorization'],
    ['image-unauthorized', 'unexpected status from HEAD request: 401 Unauthorized'],
    ['image-unreachable', 'dial tcp: lookup registry.test: no such host'],
    ['image-unreachable', 'dial tcp 10.0.0.1:443: connect: connection refused'],
    ['image-registry-error', 'unexpected status from HEAD request: 500 Internal Server Error'],
    ['image-registry-error', 'unexpected status from HEAD request: 429 Too Many Requests'],
    ['image-failed', 'unexpected EOF'],
    ['disk-full', 'write /var/lib/x: no space left on device'],
  ])('takes an image error for %s: %s', (situation, error) => {
    const failed = {
      kind: 'image.pull',
      image: 'registry.test/main:1',
      state: 'failed',
      reason: 'ErrImagePull',
    } as const;
    const entries = story(received, admitted, sandbox, { ...failed, error, durationMs: 500, backOffUntilMs: 70_000 });
    expect(explained(entries)).toMatchObject({
      situation,
      lastFailure: { step: 'image', atMs: 4_000, error, times: 1 },
      retryAtMs: 70_000,
      waitsFor: { sinceMs: 3_500 },
    });
  });

  it('says of a back-off that is over when the next try is due', () => {
    const pull = {
      kind: 'image.pull',
      image: 'registry.test/main:1',
      state: 'failed',
      reason: 'ErrImagePull',
    } as const;
    const failed = { ...pull, error: 'no such host', durationMs: 500, backOffUntilMs: 30_000 };
    const sync = { kind: 'pod.sync', state: 'sync', durationMs: 1, error: 'no such host', failures: 1 } as const;
    const overdue = explained(story(received, admitted, sandbox, failed));
    expect(overdue.retryAtMs).toBe(30_000);
    expect(printPod(overdue)).toMatch(/^Next try {4}due now$/m);
    const waits = explained(story(received, admitted, sandbox, failed, { ...sync, nextLookAtMs: 68_000 }));
    expect(waits.retryAtMs).toBe(68_000);
  });

  it.each<[PodSituation, string, string]>([
    ['config-object-missing', 'CreateContainerConfigError', 'secret "token" not found'],
    ['config-object-missing', 'CreateContainerConfigError', "couldn't find key password in Secret default/token"],
    ['run-as-root-refused', 'CreateContainerConfigError', 'container has runAsNonRoot and image will run as root'],
    ['container-config', 'CreateContainerConfigError', 'failed to sync configmap cache'],
    ['disk-full', 'CreateContainerConfigError', "ENOSPC: no space left on device, mkdir '/var/lib/kubelet/pods/u'"],
    ['container-start-failed', 'RunContainerError', 'write /sys/fs/cgroup/cpuset/x: no space left on device'],
    ['container-create-failed', 'CreateContainerError', 'context deadline exceeded'],
    ['command-not-found', 'RunContainerError', 'exec: "serve": executable file not found in $PATH'],
    ['command-not-allowed', 'RunContainerError', 'exec /serve: permission denied'],
    ['container-start-failed', 'RunContainerError', 'runc create failed: cgroup is gone'],
  ])('takes a failed start for %s: %s: %s', (situation, reason, error) => {
    const entries = story(received, admitted, sandbox, { kind: 'container.failed', container: 'main', reason, error });
    const explanation = explained(entries);
    expect(explanation).toMatchObject({ situation, lastFailure: { step: 'start', error: `${reason}: ${error}` } });
    expect(explanation.headline + explanation.advice).not.toMatch(/[{}?]/);
  });

  it('tells what keeps a pod from its sandbox when the sync fails before it', () => {
    const error = "ENOSPC: no space left on device, mkdir '/var/lib/kubelet/pods/uid-web'";
    const failed = {
      kind: 'pod.sync',
      state: 'sync',
      durationMs: 1,
      error,
      failures: 2,
      failingSinceMs: 3_000,
    } as const;
    const entries = story(received, admitted, failed, { ...failed, nextLookAtMs: 70_000 });
    expect(explained(entries)).toMatchObject({
      ...{
        situation: 'disk-full',
        headline: expect.stringContaining('The sandbox of the pod cannot be created, because'),
      },
      waitsFor: { what: 'its sandbox', sinceMs: 3_000 },
      lastFailure: { step: 'sandbox', atMs: 4_000, error, times: 2 },
      retryAtMs: 70_000,
    });
  });

  it('measures the way of a pod to the kubelet only when the kubelet was there', () => {
    const opened = { kind: 'journal.opened', pid: 1 } as const;
    const tookMs = (createdAtMs: number): number | undefined =>
      explained(story(opened, { ...received, createdAtMs } as typeof received)).steps[0]?.tookMs;
    expect([tookMs(1_500), tookMs(500)]).toEqual([500, undefined]);
  });

  it('tells of a second container with a trouble of its own', () => {
    const status = {
      containerStatuses: [
        { ...running, state: { waiting: { reason: 'ImagePullBackOff' } } },
        { ...running, name: 'side', state: { waiting: { reason: 'InvalidImageName', message: 'bad name' } } },
        { ...running, name: 'next', state: { waiting: { reason: 'ContainerCreating' } } },
      ],
    };
    const failed = { kind: 'image.pull', image: 'registry.test/main:1', state: 'failed' } as const;
    const entries = story(received, admitted, sandbox, { ...failed, reason: 'ErrImagePull', error: 'not found' });
    const spec = { containers: ['main', 'side', 'next'].map((name) => ({ name, image: 'registry.test/main:1' })) };
    expect(explained(entries, { status, spec }).notes).toEqual([
      'Container side does not run either, InvalidImageName: bad name.',
    ]);
  });

  it.each<[PodSituation, string]>([
    ['volume-object-missing', 'MountVolume.SetUp failed for volume "data": configmap "pages" not found'],
    ['volume-driver-missing', 'driver name disk.test not found in the list of registered CSI drivers'],
    ['volume-host-path', 'hostPath type check failed: /data is not a directory'],
    ['volume-failed', 'mount.nfs: Connection timed out'],
  ])('takes a volume error for %s: %s', (situation, error) => {
    const failed = { kind: 'volume.failed', volume: 'data', plugin: 'p', operation: 'mount', failures: 3 } as const;
    const entries = story(received, admitted, { ...failed, error, retryAtMs: 64_000 });
    const explanation = explained(entries, { spec: { volumes: [{ name: 'data' }] } });
    expect(explanation).toMatchObject({ situation, lastFailure: { times: 3 }, retryAtMs: 64_000 });
    expect(explanation.steps.find(({ step }) => step === 'volumes')).toMatchObject({
      state: 'failed',
      facts: { missing: ['data'] },
    });
  });

  it('is printed with the last phase of a pod that is gone', () => {
    const explanation = explained(story(received, admitted), { status: { phase: 'Running' } });
    const [head, ofGone] = [explanation, { ...explanation, known: 'gone' as const }].map(printPod);
    expect([head, ofGone]).toEqual([
      expect.stringContaining('  (Running, from api, '),
      expect.stringContaining('  (gone, last Running, from api, '),
    ]);
  });

  it('waits for volumes, or for its turn until the first one is mounted', () => {
    const spec = { volumes: [{ name: 'data' }, { name: 'more' }] };
    const headline = (mounted: readonly string[]): string =>
      explained(story(received, admitted), { spec, state: { mounted } }).headline;
    expect([headline([]), headline(['data'])]).toEqual([
      'The pod waits for its volumes data, more, or for its turn among the pods that start.',
      'The pod waits for its volumes more.',
    ]);
  });

  it('says what refused the directories of a pod, and not that it waits for its volumes', () => {
    const error = "ENOSPC: no space left on device, mkdir '/var/lib/kubelet/pods/u'";
    const sync = { kind: 'pod.sync', state: 'sync', durationMs: 1, error, failures: 2 } as const;
    const spec = { volumes: [{ name: 'data' }] };
    const explanation = explained(story(received, admitted, sync), { spec });
    expect(explanation).toMatchObject({ situation: 'disk-full', lastFailure: { step: 'sandbox', error, times: 2 } });
    const states = explanation.steps.map(({ step, state }) => `${step} ${state}`);
    expect(states).toEqual(expect.arrayContaining(['volumes later', 'sandbox failed']));
    const gaveUp = { kind: 'volumes.waiting', operation: 'mount', waitedMs: 9, error: 'no answer' } as const;
    const waits = { ...gaveUp, volumes: ['data'], unattached: [], unresolved: [] };
    expect(explained(story(received, admitted, waits, sync), { spec }).situation).toBe('volume-failed');
  });

  it('points to the runtime when a sandbox or a container is long in coming', () => {
    const sync = { kind: 'pod.sync', state: 'sync', durationMs: 1 } as const;
    // A pull is progress.
    const pull = { kind: 'image.pull', image: 'i', state: 'pulled', durationMs: 9 } as const;
    const of = (entries: ReturnType<typeof story>, ...times: readonly number[]): readonly PodSituation[] =>
      times.map((nowMs) => explained(entries, { nowMs }).situation);
    const [waiting, made] = [story(received, admitted, sync), story(received, admitted, sandbox)];
    expect(of(waiting, 22_999, 23_000)).toEqual(['sandbox-starting', 'sandbox-overdue']);
    expect(of(made, 22_999, 23_000)).toEqual(['starting', 'start-overdue']);
    expect(of(story(received, admitted, sandbox, pull), 23_000, 24_000)).toEqual(['starting', 'start-overdue']);
  });

  it('knows nothing of a failure that a success followed', () => {
    const failed = { kind: 'sandbox.failed', attempt: 0, durationMs: 9, step: 'create', error: 'no' } as const;
    expect(explained(story(received, admitted, failed))).toMatchObject({ situation: 'sandbox-failed' });
    const soon = explained(story(received, admitted, failed, sandbox), { nowMs: 5_000 });
    expect(soon).toMatchObject({ situation: 'starting' });
  });

  it('joins an exit with the kill by the kernel that caused it', () => {
    const exited = {
      kind: 'container.exited',
      container: 'main',
      containerId: 'c1',
      exitCode: 137,
      reason: 'OOMKilled',
    } as const;
    const oom = {
      ...({ kind: 'oom.killed', podUid: 'uid-web', containerId: 'c1', process: 'java', pid: 7 } as const),
      ...{ cgroup: '/pod/c1', limitCgroup: '/pod/c1', usageBytes: 1024, limitBytes: 1024 },
    } as const;
    const waits = {
      kind: 'container.restart',
      container: 'main',
      action: 'waits',
      exitCode: 137,
      backOffMs: 20_000,
    } as const;
    const entries = story(
      received,
      admitted,
      sandbox,
      started,
      oom,
      { ...exited, restartCount: 0 },
      { ...waits, backOffUntilMs: 75_000 },
    );
    const status = { containerStatuses: [{ ...running, state: { waiting: { reason: 'CrashLoopBackOff' } } }] };
    const { situation, retryAtMs, containers } = explained(entries, { status });
    expect([situation, retryAtMs]).toEqual(['out-of-memory', 75_000]);
    expect(containers[0]).toMatchObject({
      ...{ state: 'waiting', reason: 'CrashLoopBackOff', backOffUntilMs: 75_000 },
      exits: [{ exitCode: 137, signal: 'SIGKILL', oom: { limitOf: 'container', limitBytes: 1024, process: 'java' } }],
    });
  });

  it('counts the ends in a row that are the same', () => {
    const exit = (containerId: string, exitCode: number) => {
      const exited = { kind: 'container.exited', container: 'main', containerId, exitCode } as const;
      return { ...exited, reason: 'Error', restartCount: 0 } as const;
    };
    const status = {
      containerStatuses: [{ ...running, restartCount: 2, state: { waiting: { reason: 'CrashLoopBackOff' } } }],
    };
    const of = (...codes: readonly number[]) =>
      explained(story(received, admitted, sandbox, started, ...codes.map((code, at) => exit(`c${at}`, code))), {
        status,
      });
    expect(of(1, 2, 3)).toMatchObject({
      headline: 'Container main crashes again and again, the last time with exit code 3.',
      lastFailure: { times: 1 },
    });
    expect(of(1, 3, 3)).toMatchObject({ lastFailure: { times: 2 } });
    expect(of(3, 3, 3).headline).toBe('Container main crashes again and again, with exit code 3.');
  });

  it('says that the next start is due when the back-off is over and no sync has come', () => {
    const exited = { kind: 'container.exited', container: 'main', containerId: 'c1', exitCode: 1 } as const;
    const waits = { kind: 'container.restart', container: 'main', action: 'waits', exitCode: 1 } as const;
    const sync = { kind: 'pod.sync', state: 'sync', durationMs: 1, nextLookAtMs: 62_000 } as const;
    const entries = story(
      ...[received, admitted, sandbox, started],
      { ...exited, reason: 'Error', restartCount: 0 },
      ...[{ ...waits, backOffMs: 10_000, backOffUntilMs: 58_000 }, sync],
    );
    const status = { containerStatuses: [{ ...running, state: { waiting: { reason: 'CrashLoopBackOff' } } }] };
    const explanation = explained(entries, { status });
    expect(explanation).toMatchObject({
      waitsFor: { what: 'the next start of container main, which is due', sinceMs: 58_000 },
      retryAtMs: 58_000,
    });
    expect(explanation.steps.find(({ step }) => step === 'start')).toMatchObject({ state: 'waiting' });
    expect(printPod(explanation)).toMatch(/^Next try {4}due now$/m);
  });

  it('names who made a start slow', () => {
    const entries = story(received, admitted, sandbox, { ...started, imageMs: 42_000 } as typeof started);
    expect(explained(entries).slowest).toEqual({ step: 'image', tookMs: 42_000, ofMs: 3_000, of: 'main' });
  });

  it('says of a slow start that it waited for what was missing', () => {
    const error = 'hostPath type check failed: /data is not a directory';
    const volume = { volume: 'data', plugin: 'p' } as const;
    const failed = { kind: 'volume.failed', ...volume, operation: 'mount', failures: 1, retryAtMs: 0, error } as const;
    const mounted = { kind: 'volume.mounted', ...volume, waitedMs: 13_000 } as const;
    const ready = { kind: 'volumes.ready', volumes: ['data'], waitedMs: 13_000 } as const;
    const waits = Array.from({ length: 12 }, () => ({ kind: 'pod.admitted', durationMs: 1 }) as const);
    const spec = { volumes: [{ name: 'data' }] };
    const { slowest, notes } = explained(story(received, failed, ...waits, mounted, ready, sandbox, started), { spec });
    expect(slowest).toEqual({ step: 'volumes', tookMs: 13_000, ofMs: 17_000, of: 'data', error });
    expect(notes).toEqual([
      `The start took 17s, 13s of it for volumes (data): it failed until what it lacked was there, the last time with: ${error}.`,
    ]);
  });

  it('names no step as the reason of a slow start of which it had a small part', () => {
    const waits = Array.from({ length: 12 }, () => ({ kind: 'pod.admitted', durationMs: 1 }) as const);
    expect(explained(story(received, ...waits, sandbox, started))).toMatchObject({
      slowest: { step: 'sandbox', tookMs: 120, ofMs: 14_000 },
      notes: [],
    });
  });

  it.each([
    ['threshold', '91 % full, more than imageGCHighThresholdPercent 85 (unused for 1h)'],
    ['age', 'imageMaximumGCAge (unused for 1h)'],
    ['eviction', 'the node was short of disk'],
  ] as const)('says who removed an image that must not be pulled: %s', (cause, why) => {
    const names = ['registry.test/other:2', 'docker.io/library/main:latest'];
    const entries = story(
      ...[received, admitted, sandbox],
      { kind: 'image.removed', imageId: 'sha256:1', names, cause, sizeBytes: 1, unusedMs: 3_600_000 },
      ...[
        { kind: 'image.gc', cause: 'threshold', usagePercent: 91, highThresholdPercent: 85, freedBytes: 1, removed: 1 },
        { kind: 'image.pull', image: 'main', state: 'never' },
      ].map((each) => each as typeof received),
    );
    const explanation = explained(entries, { spec: { containers: [{ name: 'main', image: 'main' }] } });
    expect(explanation.situation).toBe('image-removed');
    expect(explanation.headline).toContain(why);
  });

  it('says how far an eviction was below its threshold, and why it took this pod', () => {
    const [signal, resource, readAt] = ['nodefs.inodesFree', 'inodes', ''];
    const rank = { namespace: 'default', priority: 0, request: 0, exceedsRequest: true };
    const entries = story(received, admitted, sandbox, started, {
      ...{ kind: 'eviction', time: '', dryRun: false, conditions: [], reclaimed: [], reclaimFor: signal },
      signals: [{ signal, resource, available: 900, capacity: 20_000, readAt }],
      thresholds: [{ signal, quantity: 1_000, gracePeriodMs: 0, met: true }],
      rankings: [
        {
          ...{ signal, resource, measured: ['root'] },
          pods: [
            { ...rank, name: 'web', uid: 'uid-web', usage: 12_000 },
            { ...rank, name: 'other', uid: 'uid-other', usage: 10 },
          ],
        },
      ],
      evicted: [
        {
          ...{ namespace: 'default', name: 'web', uid: 'uid-web', signal, gracePeriodSeconds: 1 },
          message: 'The node was low on resource: inodes. ',
        },
      ],
    });
    const explanation = explained(entries, { status: { phase: 'Failed', reason: 'Evicted' } });
    expect(explanation).toMatchObject({ situation: 'evicted-pressure', notes: expect.any(Array) as never });
    expect(explanation.notes).toEqual([
      "nodefs.inodesFree was 900 of 20000, and evictionHard asks for 1000: it counts inodes, of which each file takes one, on the disk of the kubelet's root folder.",
      'It was number 1 of 2 pods to evict: it used 12000, more than its request of 0, and its priority is 0.',
    ]);
  });

  it('says that nobody of the node sent a signal', () => {
    const exited = {
      kind: 'container.exited',
      ...{ container: 'main', containerId: 'c1', exitCode: 137, reason: 'Error' },
      restartCount: 0,
    } as const;
    const status = {
      conditions: [{ type: 'Ready', status: 'True' }],
      containerStatuses: [{ ...running, restartCount: 1, ready: true, state: { running: {} } }],
    };
    const again = { ...started, containerId: 'c2' } as typeof started;
    const notesOf = (...told: readonly (typeof started)[]): readonly string[] =>
      explained(story(received, admitted, sandbox, ...told), { status }).notes;
    const lost = { kind: 'journal.lost', entries: 3, cause: 'disk' } as const;
    const note = expect.stringMatching(/^SIGKILL did not come from the kubelet/);
    expect(notesOf(started, exited, again)).toEqual([note]);
    // A kill by the kubelet may be among what is missing.
    expect(notesOf(exited, again)).toEqual([]);
    expect(notesOf(started, lost, exited, again)).not.toContainEqual(note);
    expect(notesOf(lost, started, exited, again)).toContainEqual(note);
  });

  it('names the answer of the liveness probe beside the end it caused, and none of it for the container that runs now', () => {
    const probe = { kind: 'probe.result', container: 'main', probe: 'liveness', threshold: 2, inARow: 2 } as const;
    const output = "cat: can't open '/healthy'\n";
    const failed = { ...probe, containerId: 'c1', outcome: 'failure', output, changed: true } as const;
    const kill = { kind: 'container.kill', container: 'main', containerId: 'c1', cause: 'liveness-probe' } as const;
    const exited = { kind: 'container.exited', container: 'main', containerId: 'c1', exitCode: 137 } as const;
    const status = {
      conditions: [{ type: 'Ready', status: 'True' }],
      containerStatuses: [
        { ...running, containerID: 'test://c2', restartCount: 1, ready: true, state: { running: {} } },
      ],
    };
    const entries = story(
      ...[received, admitted, sandbox, started, failed],
      { ...kill, gracePeriodSeconds: 1, resumed: false, message: 'Container main failed liveness probe' },
      { ...exited, reason: 'Error', restartCount: 0 },
      { ...started, containerId: 'c2' } as typeof started,
    );
    const explanation = explained(entries, { status });
    expect(explanation).toMatchObject({
      situation: 'restarted-for-probe',
      lastFailure: { error: expect.stringMatching(/liveness probe; the probe answered: cat: can't open '\/healthy'$/) },
      containers: [{ probes: [], exits: [{ probeOutput: output }] }],
    });
    expect(printPod(explanation).match(/can't open/g)).toHaveLength(1);
  });

  it('takes a result that changes once in the life of each container for no flapping', () => {
    const probe = { kind: 'probe.result', container: 'main', probe: 'liveness', threshold: 2, inARow: 2 } as const;
    const failed = { ...probe, outcome: 'failure', output: 'no', changed: true } as const;
    const succeeded = { ...probe, outcome: 'success', output: '', changed: true } as const;
    const kinds = { livenessProbe: { exec: { command: ['ask'] } } };
    const seen = {
      spec: { containers: [{ name: 'main', image: 'registry.test/main:1', ...kinds }] },
      status: {
        phase: 'Running',
        containerStatuses: [{ ...running, ready: true, state: { running: { startedAt: '1970-01-01T00:00:01Z' } } }],
      },
    } as const;
    const of = (...lives: readonly string[]): PodSituation =>
      explained(
        story(
          ...[received, admitted, sandbox, started],
          ...lives.map((containerId, index) => ({ ...(index % 2 === 0 ? failed : succeeded), containerId })),
        ),
        seen,
      ).situation;
    expect([of('c1', 'c2', 'c3'), of('c1', 'c1', 'c1')]).toEqual(['running', 'probe-flapping']);
  });

  it('says which resource a pod lacks for which no other pod can make room', () => {
    const message =
      'Unexpected error while attempting to recover from admission failure: preemption: error finding a set of pods to preempt: no set of running pods found to reclaim resources: [(res: cpu, q: 298000), ]';
    const refused = { kind: 'pod.refused', operation: 'add', reason: 'UnexpectedAdmissionError', message } as const;
    const { situation, headline } = explained(story(received, refused));
    expect([situation, headline]).toEqual(['refused-resources', expect.stringContaining('too little cpu')]);
  });

  it('advises to edit the file of a refused pod that comes from one', () => {
    const refused = { kind: 'pod.refused', operation: 'add', reason: 'OutOfcpu', message: 'no' } as const;
    const of = (source: 'file' | 'api') => explained(story({ ...received, source } as typeof received, refused)).advice;
    expect([of('file'), of('api')]).toEqual([
      'Edit or remove its file, and lower its requests or free cpu on the node; a refused pod never runs.',
      'Delete the pod, and lower its requests or free cpu on the node; a refused pod never runs.',
    ]);
  });

  it('forgets the former life of a static pod that came again', () => {
    const refused = { kind: 'pod.refused', operation: 'add', reason: 'OutOfcpu', message: 'no' } as const;
    const entries = story(received, refused, { kind: 'pod.ended' }, received, admitted);
    expect(explained(entries, { nowMs: 6_000 })).toMatchObject({ situation: 'sandbox-starting' });
  });

  it('says which finalizers keep a pod that has ended', () => {
    const metadata = { deletionTimestamp: '1970-01-01T00:00:01Z' as never, finalizers: ['test/backup'] };
    const entries = story(received, { kind: 'pod.ending', cause: 'deleted' }, { kind: 'pod.ended', endingMs: 1_000 });
    expect(explained(entries, { metadata, state: { work: 'finished' } })).toMatchObject({
      situation: 'ending-finalizers',
      waitsFor: { what: 'finalizers test/backup', sinceMs: 3_000 },
    });
  });

  it('says of a sidecar whose startup probe failed that it is being stopped, with the time left', () => {
    const kill = { kind: 'container.kill', container: 'side', containerId: 'c1', cause: 'startup-probe' } as const;
    const side = { kind: 'container.started', container: 'side', containerId: 'c1', type: 'sidecar' } as const;
    const entries = story(
      ...[received, admitted, sandbox],
      { ...side, restartCount: 0, imageMs: 1, durationMs: 1 },
      { ...kill, gracePeriodSeconds: 75, resumed: false, message: 'failed startup probe' },
    );
    const spec = {
      initContainers: [{ name: 'side', restartPolicy: 'Always', startupProbe: { exec: { command: ['up'] } } }],
    } as const;
    const status = {
      initContainerStatuses: [
        { ...running, name: 'side', started: false, state: { running: { startedAt: '1970-01-01T00:00:04Z' } } },
      ],
    };
    expect(explained(entries, { spec, status })).toMatchObject({
      situation: 'probe-stopping',
      headline: 'Container side is being stopped, because its startup probe failed.',
      waitsFor: { what: 'the end of container side (20s of its grace period left)', sinceMs: 5_000 },
      notes: [],
    });
  });

  it('tells the grace period that runs from one that is over', () => {
    const kill = {
      kind: 'container.kill',
      container: 'main',
      containerId: 'c1',
      cause: 'pod',
      resumed: false,
    } as const;
    const ending = (gracePeriodSeconds: number) =>
      story(
        received,
        started,
        { kind: 'pod.ending', cause: 'deleted' },
        { ...kill, gracePeriodSeconds, message: 'Stopping' },
      );
    expect(explained(ending(90), { state: { work: 'ending' } })).toMatchObject({ situation: 'ending-grace' });
    expect(explained(ending(30), { state: { work: 'ending' } })).toMatchObject({ situation: 'ending-overdue' });
    // A pod that the kubelet does not know has no container that it waits for.
    expect(explained(ending(30), { state: { work: 'none', pod: undefined as never } })).toMatchObject({
      situation: 'ended',
    });
  });
});
