import { describe, expect, it } from '@jest/globals';
import type { PodExplanation } from '@podwright/explain-interface';
import type { JournalEntry } from '@podwright/journal-interface';
import { configSourceAnnotation, type Pod, type PodStatus } from '@podwright/kube-types';
import { podPage, type PodKnowledge } from './pod-page.js';
import { podRow } from './pod-row.js';

const hostile = '<script>alert(1)</script>\u202Ebidi "quoted" \u0000';

const pod: Pod = {
  metadata: {
    ...{ uid: 'u1', namespace: 'shop', name: 'x'.repeat(253), labels: { note: hostile } },
    annotations: {
      [configSourceAnnotation]: 'file',
      note: hostile,
      'kubectl.kubernetes.io/last-applied-configuration': '{"env":[{"name":"PASSWORD","value":"hunter2"}]}',
    },
    deletionTimestamp: '2026-01-01T00:01:00Z',
  },
  spec: {
    initContainers: [
      { name: 'setup', image: 'setup:1' },
      { name: 'proxy', image: 'proxy:1', restartPolicy: 'Always', resources: { requests: { cpu: '50m' } } },
    ],
    containers: [
      {
        ...{ name: 'main', image: 'web:1', env: [{ name: 'PASSWORD', value: 'hunter2' }] },
        resources: { requests: { cpu: '250m', memory: '64Mi' }, limits: { memory: '128Mi' } },
        ports: [{ containerPort: 80 }, { name: 'dns', containerPort: 53, protocol: 'UDP' }],
        volumeMounts: [
          { name: 'data', mountPath: '/data' },
          { name: 'key', mountPath: '/key', readOnly: true },
        ],
        livenessProbe: { httpGet: { port: 'http', path: '/healthz' }, periodSeconds: 5 },
        readinessProbe: { exec: { command: ['cat', '/ready'] }, failureThreshold: 1, timeoutSeconds: 2 },
        startupProbe: { grpc: { port: 9000 } },
      },
    ],
    volumes: [
      { name: 'data', emptyDir: {} },
      { name: 'key', secret: { secretName: 'key' } },
    ],
  },
};
const status: PodStatus = {
  ...{ phase: 'Running', podIP: '10.0.0.7', startTime: '2026-01-01T00:00:00Z' },
  initContainerStatuses: [
    {
      ...{ name: 'setup', ready: true, restartCount: 2, image: '', imageID: '' },
      state: { terminated: { exitCode: 0, reason: 'Completed' } },
    },
    { name: 'proxy', ready: true, restartCount: 0, image: '', imageID: '', state: { running: {} } },
  ],
  containerStatuses: [
    {
      ...{ name: 'main', ready: false, restartCount: 3, image: 'web:1', imageID: 'sha256:1' },
      state: { waiting: { reason: 'CrashLoopBackOff' } },
    },
  ],
} as unknown as PodStatus;
const explanation = { situation: 'crash-loop', headline: hostile, ready: false } as PodExplanation;

describe('a row of a pod', () => {
  it('sums up what it asks for and how it is', () => {
    const row = podRow(pod, status, explanation);
    expect(row).toMatchObject({
      ...{ uid: 'u1', source: 'file', phase: 'Running', situation: 'crash-loop', qosClass: 'Burstable' },
      ...{ startedAtMs: Date.UTC(2026, 0, 1), deletedAtMs: Date.UTC(2026, 0, 1, 0, 1), podIp: '10.0.0.7' },
      ...{ restarts: 5, containers: 2, readyContainers: 1 },
      ...{ cpuRequestMillis: 300, memoryRequestBytes: 64 * 2 ** 20, memoryLimitBytes: 128 * 2 ** 20 },
    });
    expect(row).not.toHaveProperty('cpuLimitMillis');
  });

  it('passes hostile text on as text', () => {
    const row = JSON.parse(JSON.stringify(podRow(pod, status, explanation))) as ReturnType<typeof podRow>;
    expect([row.labels['note'], row.headline, row.name.length]).toEqual([hostile, hostile, 253]);
  });

  it('is there for a pod without a status', () => {
    const bare: Pod = { metadata: { uid: 'u2', namespace: 'shop', name: 'bare' }, spec: { containers: [] } };
    expect(podRow(bare, undefined, explanation)).toMatchObject({ source: 'api', phase: 'Pending', restarts: 0 });
  });
});

describe('the page of a pod', () => {
  const probe = { kind: 'probe.result', container: 'main', probe: 'liveness', outcome: 'failure', output: hostile };
  const knowledge: PodKnowledge = {
    ...{ explanation, pod, status, mounted: new Set(['data']) },
    stats: {
      ...{ podRef: { uid: 'u1', namespace: 'shop', name: 'web' }, startTime: '' },
      containers: [
        { name: 'main', startTime: '', cpu: { time: '', usageNanoCores: 7 }, memory: { time: '', workingSetBytes: 9 } },
      ],
      volume: [{ name: 'data', time: '', usedBytes: 1, capacityBytes: 2 }],
    },
    events: [
      {
        ...{ kind: 'Pod', namespace: 'shop', name: 'web', podUid: 'u1', fieldPath: 'spec.containers{main}' },
        ...{ type: 'Warning', reason: 'BackOff', message: 'later', firstAtMs: 1, lastAtMs: 8, count: 4 },
      },
      {
        ...{ kind: 'Pod', namespace: 'shop', name: 'web', podUid: 'u1', fieldPath: '' },
        ...{ type: 'Normal', reason: 'Scheduled', message: 'earlier', firstAtMs: 2, lastAtMs: 2, count: 1 },
      },
    ],
    entries: [
      { ...probe, seq: 1, atMs: 5 },
      { kind: 'pod.ended', seq: 2, atMs: 6 },
    ] as unknown as readonly JournalEntry[],
  };

  it('has containers with their use, mounts, ports and probes', () => {
    const [setup, proxy, main] = podPage(knowledge).containers;
    expect(setup).toMatchObject({ name: 'setup', type: 'init', state: 'terminated: Completed' });
    expect(proxy).toMatchObject({ name: 'proxy', type: 'sidecar', state: 'running', cpuRequestMillis: 50 });
    expect(main).toMatchObject({
      ...{ type: 'regular', imageId: 'sha256:1', state: 'waiting: CrashLoopBackOff' },
      ...{ cpuNanoCores: 7, memoryWorkingSetBytes: 9, memoryLimitBytes: 128 * 2 ** 20 },
      mounts: [
        { volume: 'data', path: '/data', readOnly: false },
        { volume: 'key', path: '/key', readOnly: true },
      ],
      ports: [
        { port: 80, protocol: 'TCP' },
        { name: 'dns', port: 53, protocol: 'UDP' },
      ],
    });
    expect(main?.probes).toEqual([
      { probe: 'startup', how: 'grpc :9000', periodMs: 10_000, timeoutMs: 1000, failureThreshold: 3, history: [] },
      {
        ...{ probe: 'liveness', how: 'http-get :http/healthz', periodMs: 5000, timeoutMs: 1000, failureThreshold: 3 },
        history: [{ atMs: 5, outcome: 'failure', output: hostile }],
      },
      {
        probe: 'readiness',
        how: 'exec cat /ready',
        periodMs: 10_000,
        timeoutMs: 2000,
        failureThreshold: 1,
        history: [],
      },
    ]);
  });

  it('has volumes, events and decisions, the newest first', () => {
    const { volumes, events, decisions } = podPage(knowledge);
    expect(volumes).toEqual([
      { name: 'data', kind: 'emptyDir', mounted: true, usedBytes: 1, capacityBytes: 2 },
      { name: 'key', kind: 'secret', mounted: false },
    ]);
    expect(events).toEqual([
      { atMs: 8, type: 'Warning', reason: 'BackOff', message: 'later', count: 4, of: 'main' },
      { atMs: 2, type: 'Normal', reason: 'Scheduled', message: 'earlier', count: 1 },
    ]);
    expect(decisions.map(({ kind }) => kind)).toEqual(['pod.ended', 'probe.result']);
  });

  it('shows no environment, neither the spec nor what kubectl has noted of it', () => {
    const page = podPage(knowledge);
    expect(JSON.stringify(page)).not.toMatch(/hunter2|PASSWORD/);
    expect(page.annotations).toMatchObject({ note: hostile });
  });

  it('is there for a pod that is gone', () => {
    const page = podPage({ explanation, mounted: new Set(), events: [], entries: knowledge.entries });
    expect(page).toMatchObject({ containers: [], volumes: [], labels: {}, annotations: {} });
    expect(page.decisions).toHaveLength(2);
  });
});
