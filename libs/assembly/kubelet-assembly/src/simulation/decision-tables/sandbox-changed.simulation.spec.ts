import { afterEach, describe, expect, it } from '@jest/globals';
import type { PodSpec } from '@podwright/kube-types';
import type { PodScene } from './pod-scene.js';
import { container } from './pod-scene.js';
import { openRemains, type Remains } from './pod-remains.js';

interface Row extends Remains {
  /** In the words of the table. */
  readonly row: string;
  readonly story: readonly string[];
  /** Whether the pod's users are told. */
  readonly told?: boolean;
}

const replaced = ['stop main 30', 'stop sandbox', 'sandbox 1', 'start main'];
const hostNetwork: Partial<PodSpec> = { hostNetwork: true };

const rows: readonly Row[] = [
  {
    row: 'no sandbox | create | attempt 0 | no old id',
    meanwhile: ({ node }) => node.runtime.control.loseEverything(),
    story: ['sandbox 0', 'start main'],
  },
  {
    row: 'more than one ready | create | newest + 1 | newest',
    meanwhile: async ({ node }) => {
      const { config } = node.runtime.control.sandboxes[0]!;
      await node.runtime.runPodSandbox({ config: { ...config, metadata: { ...config.metadata, attempt: 1 } } });
    },
    story: ['stop main 30', 'stop sandbox', 'sandbox 2', 'start main'],
    told: true,
  },
  {
    row: 'newest not ready | create | newest + 1 | newest',
    meanwhile: ({ node }) => node.runtime.control.killSandbox(node.runtime.control.sandboxes[0]?.id ?? ''),
    story: ['stop sandbox', 'sandbox 1', 'start main'],
    told: true,
  },
  {
    row: 'network namespace mode differs from spec.hostNetwork | create | newest + 1 | none, hence no event',
    before: {},
    spec: hostNetwork,
    story: replaced,
  },
  {
    row: 'network namespace mode differs, away from the host | create | newest + 1 | none',
    before: hostNetwork,
    spec: {},
    story: replaced,
  },
  {
    row: 'not host network, network status present, empty IP | create | newest + 1 | newest',
    meanwhile: ({ node }) => void (node.runtime.control.sandboxes[0]!.ip = ''),
    story: replaced,
    told: true,
  },
  { row: 'else (host network without an IP) | no', spec: hostNetwork, story: [] },
  { row: 'else | no', story: [] },
  {
    row: 'nothing else recreates a sandbox: no hash or image change does',
    before: {},
    spec: { containers: [container('main', { image: 'registry.test/main:2' })] },
    story: ['stop main 30', 'start main'],
  },
  {
    row: 'nothing else recreates a sandbox: no label change does',
    parts: { metadata: { labels: { a: 'b' } } },
    story: [],
  },
];

describe('a sandbox is changed', () => {
  let scene: PodScene;
  afterEach(() => scene.close());

  it.each(rows)('$row', async ({ row: _row, story, told = false, ...remains }) => {
    scene = await openRemains(remains);
    await scene.pass();
    expect(scene.story()).toEqual(story);
    expect(scene.events('SandboxChanged')).toEqual(
      told ? ['SandboxChanged: Pod sandbox changed, it will be killed and re-created.'] : [],
    );
    expect(scene.phase).toBe('Running');
  });
});
