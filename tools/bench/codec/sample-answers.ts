import type { Container, PodSandbox } from '@podwright/cri-client-interface';
import { createSeededRandom, type Random } from '@podwright/time';
// oxlint-disable-next-line @nx/enforce-module-boundaries -- generated files are no part of the package's surface
import { runtimeServiceMethods } from '../../../libs/runtime/cri-client/default/src/fixtures/generated/server-codecs.js';

/** Answers of a full node as containerd sends them. Each has its maps in another order, as Go writes them. */
export interface SampleAnswers {
  readonly containers: readonly Buffer[];
  readonly sandboxes: readonly Buffer[];
}

export function sampleAnswers(containers: number, sandboxes: number, variants: number): SampleAnswers {
  const random = createSeededRandom('codec');
  const make = <T>(count: number, one: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => one(i));
  const allSandboxes = make(sandboxes, (index) => sandboxOf(index, random));
  const allContainers = make(containers, (index) =>
    containerOf(index, allSandboxes[index % sandboxes] as PodSandbox, random),
  );
  const shuffled = <T extends Container | PodSandbox>(item: T): T => ({
    ...item,
    labels: shuffle(item.labels, random),
    annotations: shuffle(item.annotations, random),
  });
  return {
    containers: make(variants, () =>
      runtimeServiceMethods.listContainers.encode({ containers: allContainers.map(shuffled) }),
    ),
    sandboxes: make(variants, () => runtimeServiceMethods.listPodSandbox.encode({ items: allSandboxes.map(shuffled) })),
  };
}

function sandboxOf(index: number, random: Random): PodSandbox {
  const uid = random.hex(16);
  const metadata = {
    name: `web-frontend-7d9c5b8f6d-${random.hex(3)}`,
    uid,
    namespace: `team-${index % 7}`,
    attempt: 0,
  };
  return {
    id: random.hex(32),
    metadata,
    state: 0,
    createdAt: 1_795_205_435_993_335_930n + BigInt(index),
    labels: {
      app: 'web-frontend',
      'app.kubernetes.io/instance': `shop-${index % 9}`,
      'app.kubernetes.io/managed-by': 'Helm',
      'pod-template-hash': '7d9c5b8f6d',
      ...podLabels(metadata),
    },
    annotations: {
      'kubernetes.io/config.seen': '2026-11-20T19:44:20.123456789Z',
      'kubernetes.io/config.source': 'api',
      'prometheus.io/port': '9090',
      'prometheus.io/scrape': 'true',
      // Every third pod comes from `kubectl apply`, which keeps the whole manifest in an annotation.
      ...(index % 3 === 0 ? { 'kubectl.kubernetes.io/last-applied-configuration': manifest(random) } : {}),
    },
    runtimeHandler: '',
  };
}

function containerOf(index: number, sandbox: PodSandbox, random: Random): Container {
  const { metadata } = sandbox;
  return {
    id: random.hex(32),
    podSandboxId: sandbox.id,
    metadata: { name: index % 2 === 0 ? 'web' : 'log-forwarder', attempt: 0 },
    image: {
      image: `sha256:${random.hex(32)}`,
      annotations: {},
      userSpecifiedImage: 'registry.example.com/shop/web-frontend:1.24.3',
      runtimeHandler: '',
      imageRef: '',
    },
    imageRef: `registry.example.com/shop/web-frontend@sha256:${random.hex(32)}`,
    state: 1,
    createdAt: 1_795_205_436_081_579_690n + BigInt(index),
    labels: { ...podLabels(metadata as NonNullable<typeof metadata>), 'io.kubernetes.container.name': 'web' },
    annotations: {
      'io.kubernetes.container.hash': random.hex(4),
      'io.kubernetes.container.ports': '[{"name":"http","containerPort":8080,"protocol":"TCP"}]',
      'io.kubernetes.container.restartCount': '0',
      'io.kubernetes.container.terminationMessagePath': '/dev/termination-log',
      'io.kubernetes.container.terminationMessagePolicy': 'File',
      'io.kubernetes.pod.terminationGracePeriod': '30',
    },
    imageId: '',
  };
}

function podLabels({ name, namespace, uid }: { name: string; namespace: string; uid: string }): Record<string, string> {
  return {
    'io.kubernetes.pod.name': name,
    'io.kubernetes.pod.namespace': namespace,
    'io.kubernetes.pod.uid': uid,
  };
}

function manifest(random: Random): string {
  const container = {
    name: 'web',
    image: 'registry.example.com/shop/web-frontend:1.24.3',
    env: [{ name: 'A', value: 'ä✓' }],
  };
  const containers = Array.from({ length: 12 }, () => ({ ...container, args: [random.hex(20)] }));
  return JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: random.hex(8) }, spec: { containers } });
}

function shuffle(map: Readonly<Record<string, string>>, random: Random): Record<string, string> {
  const entries = Object.entries(map).map((entry) => [random.next(), entry] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => a - b).map(([, entry]) => entry));
}
