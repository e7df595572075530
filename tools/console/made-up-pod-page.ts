import type { PodPage } from '@podwright/console-interface';
import { stepNames, type ExplainedStep, type PodExplanation } from '@podwright/explain-interface';
import { journalOf } from './made-up-node.js';
import type { MadeUpPod } from './made-up-pods.js';

const mib = 1024 ** 2;

/** The page of a pod whose container exits again and again. */
export function pageOf(made: MadeUpPod, nowMs: number): PodPage {
  const { row, lane, cpuNanoCores, memoryWorkingSetBytes } = made;
  const answer = (index: number) => ({
    ...{ atMs: nowMs - (30 - index) * 10_000, outcome: index % 9 > 6 ? ('failure' as const) : ('success' as const) },
    output: index % 9 > 6 ? 'HTTP probe failed with statuscode: 503' : '',
  });
  return {
    explanation: explanationOf(made, nowMs),
    row,
    lane,
    containers: [
      {
        ...{
          name: 'migrate',
          type: 'init',
          image: 'registry.example/shop/migrate:1.4',
          state: 'terminated: Completed',
        },
        ...{ mounts: [], ports: [], probes: [] },
      },
      {
        ...{
          name: 'app',
          type: 'regular',
          image: 'registry.example/shop/checkout:1.9',
          imageId: `sha256:${'a'.repeat(64)}`,
        },
        ...{ state: row.ready ? 'running' : 'waiting: CrashLoopBackOff', cpuRequestMillis: 100, cpuLimitMillis: 500 },
        ...{ memoryRequestBytes: 64 * mib, memoryLimitBytes: 256 * mib, cpuNanoCores, memoryWorkingSetBytes },
        mounts: [
          { volume: 'config', path: '/etc/checkout', readOnly: true },
          { volume: 'kube-api-access-5k2xv', path: '/var/run/secrets/kubernetes.io/serviceaccount', readOnly: true },
        ],
        ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
        probes: [
          {
            ...{ probe: 'readiness', how: 'http-get :8080/healthz', periodMs: 10_000, timeoutMs: 1000 },
            ...{ failureThreshold: 3, history: Array.from({ length: 30 }, (_, index) => answer(index)) },
          },
        ],
      },
    ],
    volumes: [
      { name: 'config', kind: 'configMap', mounted: true, usedBytes: 4096 },
      { name: 'scratch', kind: 'emptyDir', mounted: true, usedBytes: 31 * mib, capacityBytes: 200 * mib },
      { name: 'kube-api-access-5k2xv', kind: 'projected', mounted: true },
    ],
    events: [
      {
        ...{ atMs: nowMs - 20_000, type: 'Warning', reason: 'BackOff', of: 'app', count: 14 },
        message: `Back-off restarting failed container app in pod ${row.name}_${row.namespace}`,
      },
      {
        ...{
          atMs: nowMs - 201_000,
          type: 'Normal',
          reason: 'Started',
          message: 'Container started',
          of: 'app',
          count: 7,
        },
      },
      {
        ...{ atMs: nowMs - 201_000, type: 'Normal', reason: 'Pulled', of: 'app', count: 7 },
        message: 'Container image "registry.example/shop/checkout:1.9" already present on machine',
      },
    ],
    decisions: journalOf([made], nowMs).toReversed(),
    labels: { ...row.labels, 'pod-template-hash': '7d9c5b4f6' },
    annotations: { 'example.org/owner': 'shop team' },
  };
}

function explanationOf({ row }: MadeUpPod, nowMs: number): PodExplanation {
  const took: Readonly<Record<string, number>> = {
    admission: 2,
    queue: 4,
    volumes: 310,
    sandbox: 620,
    network: 240,
    image: 2300,
  };
  const steps = stepNames.map((step): ExplainedStep => {
    if (step === 'ending') return { step, state: 'later', facts: {} };
    if (step === 'start') {
      return {
        ...{ step, state: 'failed', sinceMs: nowMs - 520_000, tookMs: 412 },
        facts: { container: 'app', restarts: row.restarts, backOffUntilMs: nowMs + 80_000 },
      };
    }
    if (step === 'probes') return { step, state: 'later', facts: {} };
    return {
      ...{ step, state: 'done', sinceMs: nowMs - 7_200_000, facts: {} },
      ...(took[step] === undefined ? {} : { tookMs: took[step] }),
    };
  });
  return {
    ...{
      apiVersion: 'explain.podwright.dev/v1alpha1',
      kind: 'PodExplanation',
      atMs: nowMs,
      known: 'here',
      source: 'api',
    },
    pod: { namespace: row.namespace, name: row.name, uid: row.uid },
    ...{ phase: row.phase, ready: row.ready, situation: row.situation, headline: row.headline },
    advice: `Read why with kubectl logs ${row.name} -n ${row.namespace} -c app.`,
    waitsFor: { what: 'the back-off of container app', sinceMs: nowMs - 180_000 },
    retryAtMs: nowMs + 80_000,
    lastFailure: {
      ...{ step: 'start', atMs: nowMs - 180_000, times: 4, sinceMs: nowMs - 520_000 },
      error: 'Error: cannot connect to payments.shop.svc: connection refused',
    },
    slowest: { step: 'image', tookMs: 2300, ofMs: 3888, of: 'registry.example/shop/checkout:1.9' },
    steps,
    containers: [
      {
        ...{ name: 'app', type: 'regular', state: row.ready ? 'running' : 'waiting', ready: row.ready },
        ...{ restarts: row.restarts, backOffUntilMs: nowMs + 80_000, probes: [], facts: {} },
        exits: [
          {
            ...{ exitCode: 1, reason: 'Error', startedAtMs: nowMs - 201_000, finishedAtMs: nowMs - 180_000 },
            message: 'Error: cannot connect to payments.shop.svc: connection refused',
          },
        ],
      },
    ],
    notes: ['The image was the slowest step of the start: 2.3 s of 3.9 s.'],
  };
}
