import { readFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ConsoleMessageName, ConsoleMessages } from '@podwright/console-interface';
import { CONSOLE } from '@podwright/console-interface';
import { EXPLAINER } from '@podwright/explain-interface';
import { eventually } from '@podwright/time';
import { SimulatedNode } from './simulated-node.js';
import { simulatedPod } from './simulated-pod.js';

/** A client of the stream, as a browser is one. */
class Stream {
  private text = '';

  private constructor(private readonly response: IncomingMessage) {
    response.setEncoding('utf8').on('data', (piece: string) => void (this.text += piece));
    response.on('error', () => undefined);
  }

  static open(address: string, token: string): Promise<Stream> {
    const headers = { cookie: `podwright-console=${token}` };
    return new Promise((resolve, reject) => {
      const request = get(`http://${address}/console/live`, { headers }, (response) => resolve(new Stream(response)));
      request.once('error', reject);
    });
  }

  of<N extends ConsoleMessageName>(name: N): readonly ConsoleMessages[N][] {
    return this.text.split('\n\n').flatMap((event) => {
      const [, named, data] = /^event: (\w+)\ndata: (.*)$/.exec(event) ?? [];
      return named === name ? [JSON.parse(data ?? '') as ConsoleMessages[N]] : [];
    });
  }

  close(): void {
    this.response.destroy();
  }
}

describe('the console of a kubelet', () => {
  let node: SimulatedNode;
  beforeEach(async () => {
    node = await SimulatedNode.create({ options: { '@podwright/console': { address: '127.0.0.1:0' } } });
    await node.boot();
  });
  afterEach(() => node.dispose());

  it('shows over its stream how a pod starts, restarts and goes, and works only meanwhile', async () => {
    const token = (await readFile(path.join(node.dir, 'root/console/token'), 'utf8')).trim();
    const console = node.part(CONSOLE);
    const stream = await Stream.open(console.address() ?? '', token);
    // Sockets need real time, the kubelet the virtual one.
    const until = (condition: () => boolean): Promise<void> =>
      eventually(async () => {
        if (!condition()) await node.clock.advance(500);
        return condition();
      });
    await until(() => stream.of('hello').length === 1);
    expect(stream.of('hello')[0]).toMatchObject({ pods: [], node: { name: 'node' }, explanation: { ready: true } });

    for (const rpc of ['runPodSandbox', 'pullImage', 'startContainer'] as const) {
      node.runtime.faults.delay({ rpc }, 700);
    }
    const pod = simulatedPod('web', { restartPolicy: 'Always' });
    node.want(pod);
    const rows = () => stream.of('pods').flatMap(({ changed }) => changed);
    const lane = () =>
      stream
        .of('lanes')
        .flatMap(({ changed }) => changed)
        .at(-1);
    await until(() => rows().at(-1)?.situation === 'ready');
    expect(rows()[0]).toMatchObject({ uid: 'uid-web', name: 'web', source: 'file' });
    expect(lane()?.spans.map(({ phase }) => phase)).toEqual(
      expect.arrayContaining(['sandbox', 'image', 'start', 'running', 'ready']),
    );
    expect(stream.of('images').at(-1)?.images[0]?.users).toEqual([
      { namespace: 'default', pod: 'web', container: 'main' },
    ]);

    node.runtime.control.exitContainer(node.runtime.control.container('uid-web', 'main')?.id ?? '', 1);
    await until(() => rows().at(-1)?.restarts === 1);
    expect(lane()?.marks.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['started', 'exited', 'restarted']));
    await until(() => stream.of('sample').at(-1)?.pods[0]?.uid === 'uid-web');
    const kinds = stream.of('journal').flatMap(({ entries }) => entries.map(({ kind }) => kind));
    expect(kinds).toEqual(expect.arrayContaining(['pod.received', 'image.pull', 'container.exited']));
    // What it tells is what the explainer says.
    const { headline } = await node.part(EXPLAINER).explainPod('default', 'web');
    expect(rows().at(-1)?.headline).toBe(headline);

    node.want();
    await until(() => stream.of('pods').some(({ removed }) => removed.includes('uid-web')));
    await until(() => lane()?.marks.at(-1)?.kind === 'ended');
    stream.close();
    await until(() => console.watchers() === 0);
  });
});
