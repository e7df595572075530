import type { LaneMark, LaneSpan, PodLane, PodRow } from '@podwright/console-interface';

/** Ages in seconds before now; the second one absent: it lasts. */
type Span = readonly [phase: LaneSpan['phase'], from: number, until?: number | undefined, of?: string];
type Mark = readonly [kind: LaneMark['kind'], age: number, text: string, of?: string];

export interface MadeUpPod {
  readonly row: PodRow;
  readonly lane: PodLane;
  readonly cpuNanoCores: number;
  readonly memoryWorkingSetBytes: number;
}

interface Story extends Partial<Omit<PodRow, 'uid' | 'namespace' | 'name'>> {
  readonly name: string;
  readonly spans: readonly Span[];
  readonly marks?: readonly Mark[];
  readonly cpu?: number;
  readonly mib?: number;
}

const mib = 1024 ** 2;
/** Age of what began before the ten minutes that lanes show. */
const long = 7200;

/** Pods of a small shop on a node, some of them in trouble. */
const stories: readonly Story[] = [
  {
    name: 'kube-system/kube-proxy-4xk7v',
    spans: [['ready', long]],
    cpu: 4,
    mib: 31,
    qosClass: 'BestEffort',
    labels: { 'k8s-app': 'kube-proxy' },
  },
  {
    name: 'kube-system/coredns-668d6bf9bc-2hvqz',
    spans: [['ready', long]],
    cpu: 9,
    mib: 44,
    memoryLimitBytes: 170 * mib,
  },
  { name: 'kube-system/flannel-cfpxk', spans: [['ready', long]], cpu: 6, mib: 52 },
  {
    name: 'shop/checkout-7d9c5b4f6-lq8wn',
    situation: 'crash-loop',
    cpuLimitMillis: 500,
    memoryLimitBytes: 256 * mib,
    headline: 'Container app crashes again and again, with exit code 1.',
    ready: false,
    readyContainers: 0,
    restarts: 6,
    spans: [
      ['ready', long, 520],
      ['back-off', 520, 480, 'app'],
      ['running', 480, 462],
      ['back-off', 462, 382, 'app'],
      ['running', 382, 361],
      ['back-off', 361, 201, 'app'],
      ['running', 201, 180],
      ['back-off', 180, undefined, 'app'],
    ],
    marks: [
      ['exited', 520, 'exit code 1, Error: payments.shop.svc: connection refused', 'app'],
      ['restarted', 480, 'started again, restart 4', 'app'],
      ['exited', 462, 'exit code 1, Error: payments.shop.svc: connection refused', 'app'],
      ['restarted', 382, 'started again, restart 5', 'app'],
      ['exited', 361, 'exit code 1, Error: payments.shop.svc: connection refused', 'app'],
      ['restarted', 201, 'started again, restart 6', 'app'],
      ['exited', 180, 'exit code 1, Error: payments.shop.svc: connection refused', 'app'],
    ],
    cpu: 0,
    mib: 2,
  },
  {
    name: 'shop/search-5f7dd8f9c4-x2pkd',
    situation: 'readiness-failing',
    headline: 'Container app runs, and its readiness probe fails, so it gets no traffic.',
    ready: false,
    readyContainers: 0,
    spans: [
      ['ready', long, 240],
      ['running', 240],
    ],
    marks: [
      ['probe-failed', 262, 'readiness probe: HTTP probe failed with statuscode: 503', 'app'],
      ['probe-failed', 240, 'readiness probe: HTTP probe failed with statuscode: 503', 'app'],
      ['probe-failed', 120, 'readiness probe: HTTP probe failed with statuscode: 503', 'app'],
      ['probe-failed', 40, 'readiness probe: HTTP probe failed with statuscode: 503', 'app'],
    ],
    cpu: 640,
    mib: 402,
    memoryLimitBytes: 512 * mib,
  },
  {
    name: 'shop/cart-6b5d7c9f8d-7vwzr',
    situation: 'out-of-memory',
    headline: 'Container app runs out of memory and is restarted.',
    restarts: 1,
    spans: [
      ['ready', long, 150],
      ['running', 148, 131],
      ['ready', 131],
    ],
    marks: [
      ['oom', 150, 'the kernel killed process 48213 (java) for want of memory'],
      ['exited', 150, 'exit code 137, OOMKilled', 'app'],
      ['restarted', 148, 'started again, restart 1', 'app'],
    ],
    cpu: 88,
    mib: 201,
    memoryLimitBytes: 256 * mib,
  },
  { name: 'shop/frontend-c8f6d7b5c-h4m2k', spans: [['ready', long]], cpu: 121, mib: 143, memoryLimitBytes: 256 * mib },
  {
    name: 'shop/frontend-c8f6d7b5c-zz9tq',
    spans: [
      ['queue', 330, 329],
      ['volumes', 329, 326],
      ['sandbox', 326, 321],
      ['image', 321, 268, 'app'],
      ['start', 268, 264],
      ['running', 264, 231],
      ['ready', 231],
    ],
    marks: [
      ['received', 330, 'received from api'],
      ['started', 264, 'started', 'app'],
    ],
    cpu: 110,
    mib: 139,
    memoryLimitBytes: 256 * mib,
  },
  {
    name: 'ml/trainer-0',
    situation: 'image-pulling',
    headline: 'Image registry.example/ml/trainer:2.4 is being pulled for container trainer.',
    phase: 'Pending',
    ready: false,
    readyContainers: 0,
    spans: [
      ['queue', 104, 103],
      ['volumes', 103, 101],
      ['sandbox', 101, 95],
      ['image', 95, undefined, 'trainer'],
    ],
    marks: [['received', 104, 'received from api']],
    cpu: 0,
    mib: 1,
  },
  {
    name: 'db/postgres-0',
    situation: 'ending-volume',
    headline: 'The containers of the pod have ended, and volume data cannot be unmounted.',
    phase: 'Running',
    ready: false,
    readyContainers: 0,
    deletedAtMs: 290,
    spans: [
      ['ready', long, 290],
      ['ending', 290],
    ],
    marks: [
      ['exited', 268, 'exit code 0, Completed', 'postgres'],
      ['failed', 266, 'unmount: device or resource busy', 'data'],
      ['failed', 138, 'unmount: device or resource busy', 'data'],
    ],
    cpu: 0,
    mib: 0,
  },
  {
    name: 'batch/report-29341080-w8xk2',
    situation: 'evicted-pressure',
    headline: 'The pod was evicted, because the node ran short of memory.',
    phase: 'Failed',
    ready: false,
    readyContainers: 0,
    spans: [
      ['queue', 570, 569],
      ['sandbox', 569, 566],
      ['start', 566, 565],
      ['ready', 565, 402],
      ['ending', 402, 371],
    ],
    marks: [
      ['received', 570, 'received from api'],
      ['evicted', 402, 'The node was low on resource: memory.'],
      ['ended', 371, 'ended'],
    ],
    cpu: 0,
    mib: 0,
  },
  {
    name: 'batch/backup-29341100-9sdfj',
    situation: 'succeeded',
    headline: 'The pod has succeeded: all its containers ended with exit code 0.',
    phase: 'Succeeded',
    ready: false,
    readyContainers: 0,
    spans: [
      ['queue', 200, 199],
      ['volumes', 199, 190],
      ['sandbox', 190, 187],
      ['start', 187, 185],
      ['ready', 185, 92],
    ],
    marks: [
      ['received', 200, 'received from api'],
      ['exited', 92, 'exit code 0, Completed', 'backup'],
      ['ended', 91, 'ended'],
    ],
    cpu: 0,
    mib: 0,
  },
  { name: 'monitoring/node-exporter-8ncpw', spans: [['ready', long]], cpu: 11, mib: 22 },
  { name: 'monitoring/prometheus-0', spans: [['ready', long]], cpu: 212, mib: 611, memoryLimitBytes: 1024 * mib },
];

/** The pods of the shop, as seen at `nowMs`. */
export function shopPods(nowMs: number): readonly MadeUpPod[] {
  return stories.map((story, index) => madeUpPod(story, `uid-${index}`, nowMs));
}

/** So many pods that repeat the stories of the shop, each with its own shift in time. */
export function manyPods(count: number, nowMs: number): readonly MadeUpPod[] {
  return Array.from({ length: count }, (_, index) => {
    const story = stories[index % stories.length] as Story;
    const name = `${story.name}-${index}`;
    return madeUpPod({ ...story, name }, `uid-${index}`, nowMs - (index % 7) * 1000);
  });
}

function madeUpPod(
  { name: full, spans, marks = [], cpu = 5, mib: used = 20, ...rest }: Story,
  uid: string,
  nowMs: number,
): MadeUpPod {
  const [namespace = '', name = ''] = full.split('/');
  const at = (ageSeconds: number): number => nowMs - ageSeconds * 1000;
  const lane: PodLane = {
    ...{ uid, namespace, name },
    spans: spans.map(([phase, from, until, of]) => ({
      ...{ phase, fromMs: at(from) },
      ...(until === undefined ? {} : { untilMs: at(until) }),
      ...(of === undefined ? {} : { of }),
    })),
    marks: marks.map(([kind, age, text, of]) => ({ kind, atMs: at(age), text, ...(of === undefined ? {} : { of }) })),
  };
  const row: PodRow = {
    ...{ uid, namespace, name, source: 'api', phase: 'Running', ready: true, situation: 'ready' },
    ...{ headline: 'The pod runs and is ready.', qosClass: 'Burstable', restarts: 0 },
    ...{ containers: 1, readyContainers: 1, cpuRequestMillis: 100, memoryRequestBytes: 64 * mib, podIp: '10.88.4.7' },
    ...{ startedAtMs: at(long), labels: { app: name.replace(/-[a-z0-9]+-[a-z0-9]+$/, '') } },
    ...rest,
    ...(rest.deletedAtMs === undefined ? {} : { deletedAtMs: at(rest.deletedAtMs) }),
  };
  return { row, lane, cpuNanoCores: cpu * 1e6, memoryWorkingSetBytes: used * mib };
}
