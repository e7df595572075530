import { describe, expect, it } from '@jest/globals';
import type { ConsoleMessage } from '@podwright/console-interface';
import type { Decision } from '@podwright/journal-interface';
import { journalPod } from '@podwright/journal-interface';
import type { Pod } from '@podwright/kube-types';
import { eventually } from '@podwright/time';
import { createTestNode, type TestNode } from '../fixtures/test-node.js';
import { Live } from './live.js';

const podOf = (index: number): Pod => ({
  metadata: { uid: `u${index}`, namespace: 'shop', name: `web-${index}` },
  spec: { containers: [{ name: 'main', image: 'web:1' }] },
});
const ready = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };

function watch(node: TestNode): { readonly messages: ConsoleMessage[]; readonly live: Live } {
  const live = new Live(node.deps as never, { nodeName: 'node-1', hostRoot: '/none', maxWatchers: 2, startedMs: 0 });
  const messages: ConsoleMessage[] = [];
  void (async () => {
    for await (const message of live.watch(new AbortController().signal)) messages.push(message);
  })();
  return { messages, live };
}

describe('what is done while somebody watches', () => {
  it('is little on a node of 200 pods: only a pod with news is explained again', async () => {
    const node = createTestNode();
    const pods = Array.from({ length: 200 }, (_, index) => podOf(index));
    for (const pod of pods) node.pods.add(pod, ready);
    const { messages, live } = watch(node);
    await eventually(() => messages.length > 0); // others get a turn in between, of which the virtual clock does not know
    await node.clock.advance(60_000);
    expect(node.explainer.explanations).toBe(200);
    expect(messages.filter(({ name }) => name === 'pods' || name === 'lanes')).toEqual([]);
    const [pod = podOf(0)] = pods;
    const failed: Decision = {
      ...{ kind: 'container.failed', pod: journalPod(pod), container: 'main', reason: 'ErrImagePull', error: 'no' },
    };
    for (let times = 0; times < 100; times++) node.journal.report(failed);
    await node.clock.advance(2_000);
    expect(node.explainer.explanations).toBe(201);
    node.pods.setStatus(pod, { ...ready, podIP: '10.0.0.9' });
    await node.clock.advance(2_000);
    expect(node.explainer.explanations).toBe(202);
    const rows = messages.flatMap((message) => (message.name === 'pods' ? message.data.changed : []));
    expect(rows.map(({ uid, podIp }) => [uid, podIp])).toEqual([['u0', '10.0.0.9']]);
    await live.stop();
  });

  it('goes on for pods whose explanation may change as time passes', async () => {
    const node = createTestNode();
    node.pods.add(podOf(0));
    const { live } = watch(node);
    await node.clock.advance(35_500);
    expect(node.explainer.explanations).toBe(4);
    await live.stop();
  });

  it('explains all pods again when the runtime is gone, and when it is back', async () => {
    const node = createTestNode();
    for (let index = 0; index < 3; index++) node.pods.add(podOf(index), ready);
    const { live } = watch(node);
    await node.clock.advance(2_000);
    node.journal.report({ kind: 'sync.paused', errors: ['container runtime is down'] });
    await node.clock.advance(2_000);
    expect(node.explainer.explanations).toBe(6);
    await live.stop();
  });

  it('tells the facts and the explanation of the node when they change', async () => {
    const node = createTestNode();
    let headline = 'The node is Ready.';
    const explainNode = node.explainer.explainNode.bind(node.explainer);
    node.explainer.explainNode = async () => ({ ...(await explainNode()), headline });
    const { messages, live } = watch(node);
    await node.clock.advance(30_000);
    expect(messages.filter(({ name }) => name === 'node' || name === 'facts')).toEqual([]);
    headline = 'The node is not Ready.';
    node.pods.add({ ...podOf(0), spec: { containers: [{ name: 'main', resources: { requests: { cpu: '1' } } }] } });
    node.journal.report({ kind: 'node.condition', type: 'Ready', status: 'False', reason: 'r', message: 'm' });
    await node.clock.advance(6_000);
    const told = messages.flatMap((message): readonly unknown[] => {
      if (message.name === 'node') return [message.data.headline];
      if (message.name !== 'facts') return [];
      return [message.data.resources.find(({ name }) => name === 'cpu')?.requested];
    });
    expect(new Set(told)).toEqual(new Set([1000, 'The node is not Ready.']));
    await live.stop();
  });

  it('does not wait for a runtime that hangs', async () => {
    const node = createTestNode({ images: { listImages: () => new Promise(() => undefined) } });
    const { messages, live } = watch(node);
    await node.clock.advance(8_000);
    expect(messages[0]?.name).toBe('hello');
    expect(messages.filter(({ name }) => name === 'sample').length).toBeGreaterThanOrEqual(3);
    await live.stop();
    expect(node.clock.pendingTimers).toBe(0);
  });

  it('fails for those who watch when the node cannot be explained, and begins anew with the next one', async () => {
    const node = createTestNode();
    const explainNode = node.explainer.explainNode.bind(node.explainer);
    node.explainer.explainNode = () => Promise.reject(new Error('no disk'));
    const live = new Live(node.deps as never, { nodeName: 'node-1', hostRoot: '/none', maxWatchers: 2, startedMs: 0 });
    const { signal } = new AbortController();
    await expect(live.watch(signal)[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'unavailable' });
    expect(live.count).toBe(0);
    node.explainer.explainNode = explainNode;
    expect((await live.watch(signal)[Symbol.asyncIterator]().next()).value).toMatchObject({ name: 'hello' });
    await live.stop();
  });
});
