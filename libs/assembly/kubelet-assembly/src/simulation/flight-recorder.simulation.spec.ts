import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { configure } from '@podwright/assembly-interface';
import { flightRecorderModule } from '@podwright/flight-recorder';
import { FLIGHT_RECORDER } from '@podwright/flight-recorder-interface';
import type { Prober, Probers } from '@podwright/probe-interface';
import { serverModule } from '@podwright/server';
import { eventually } from '@podwright/time';
import type { KubeletProgram } from '../kubelet-program.js';
import { runReplayCommand } from '../replay/replay-command.js';
import { SimulatedCluster } from './simulated-cluster.js';
import { SimulatedNode } from './simulated-node.js';
import { simulatedPod } from './simulated-pod.js';

const canary = 'canary-7f3a';

const noProber: Prober<unknown> = { probe: () => Promise.reject(new Error('not scripted')) };
const noProbers: Probers = { exec: noProber, httpGet: noProber, tcpSocket: noProber, grpc: noProber };

async function recordingOf({ dir }: SimulatedNode): Promise<string> {
  const directory = path.join(dir, 'root/flight-recorder');
  return path.join(directory, (await readdir(directory)).sort().at(-1) ?? '');
}

async function partsOf(recording: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of recording) parts.push(part);
  return Buffer.concat(parts);
}

const kubelet: KubeletProgram = { program: 'kubelet', parts: [] };

const replay = (...argv: readonly string[]): Promise<Replayed> => replayOf(kubelet, ...argv);

interface Replayed {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function replayOf(program: KubeletProgram, ...argv: readonly string[]): Promise<Replayed> {
  let [out, err] = ['', ''];
  const written = [
    jest.spyOn(process.stdout, 'write').mockImplementation((text) => ((out += String(text)), true)),
    jest.spyOn(process.stderr, 'write').mockImplementation((text) => ((err += String(text)), true)),
  ];
  try {
    return { code: await runReplayCommand(argv, program), out, err };
  } finally {
    written.forEach((each) => each.mockRestore());
  }
}

describe('a recording of a node', () => {
  let node: SimulatedNode;
  afterEach(() => node.dispose());

  const main = { name: 'main', image: 'registry.test/main:1', imagePullPolicy: 'IfNotPresent' } as const;
  const failing = simulatedPod('failing', {
    containers: [{ ...main, name: 'web', livenessProbe: { exec: { command: ['check'] }, periodSeconds: 5 } }],
  });
  const crashing = simulatedPod('crashing', { containers: [{ ...main, name: 'job' }] });

  /** Two minutes with a crash loop and a probe that fails, of a kubelet that is killed. */
  async function recorded(): Promise<string> {
    const exec: Probers['exec'] = {
      probe: async (_action, { containerId }) =>
        ++probes > 4
          ? { result: 'failure', output: `${canary} ${containerId}` }
          : { result: 'success', output: canary },
    };
    let probes = 0;
    node = await SimulatedNode.create({
      modules: [flightRecorderModule],
      probers: { ...noProbers, exec },
    });
    node.runtime.programs.set('job', { exitAfterMs: 3_000, exitCode: 7, onStop: 'ignore' });
    node.runtime.faults.delay({ rpc: 'startContainer' }, 150);
    // A replayed kubelet is some microseconds late, and the event of an end must not come before it asks for the end.
    node.runtime.faults.delay({ rpc: 'stopContainer' }, 5);
    node.want(failing, crashing);
    await node.boot();
    await node.clock.advance(120_000);
    const file = await recordingOf(node);
    await eventually(async () => (await stat(file)).size > 0);
    await node.kill();
    return file;
  }

  it('replays a crash loop and a failing probe up to a kill, and explains each moment', async () => {
    const file = await recorded();
    expect(gunzipSync(await readFile(file)).toString()).not.toContain(canary);
    const { code, out } = await replay(file);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(
        /where the recording ends: the kubelet went on, or was killed\n.*\n\d+ decisions about 2 pods: no difference\n$/,
      ),
    ]);
    const known = { code: 0, out: expect.stringContaining('runs') };
    expect(await replay(file, '--until', '+1s', 'explain', 'pod', 'crashing')).toMatchObject(known);
    const unknown = { code: 1, out: expect.stringContaining('default/none') };
    expect(await replay(file, '--until', '+1s', 'explain', 'pod', 'none')).toMatchObject(unknown);
    expect((await replay(file, '--until', '+30s', 'explain', 'node')).out).toContain('Node node');
    const late = await replay(file, '--until', '+999s', 'explain', 'node');
    expect(late.err).toMatch(
      /^warning: the recording ends at \+1\d\d\.\d+s, before --until \+999s: this is as of its end\n$/,
    );
    await expect(replay(file, '--until', '2025-12-31T23:59:59Z')).rejects.toThrow(
      'the recording begins at 2026-01-01T',
    );
    // The kubelet that was recorded may still serve its socket.
    const localSocket = path.join(node.dir, 'served.sock');
    const served = createServer().listen(localSocket);
    await once(served, 'listening');
    const serving: KubeletProgram = {
      ...kubelet,
      parts: [{ options: () => [configure(serverModule, { localSocket })] }],
    };
    const moment = ['--until', '2026-01-01T00:00:30Z', 'explain', 'pod', 'default/crashing'];
    expect((await replayOf(serving, file, ...moment)).out).toContain('exit code 7');
    served.close();
  });

  it('is kept when its case fails', async () => {
    node = await SimulatedNode.create();
    node.runtime.faults.hang({ rpc: 'createContainer' });
    node.want(crashing);
    await node.boot();
    await node.clock.advance(20_000);
    const dir = await mkdtemp(path.join(tmpdir(), 'kept-recording-'));
    const file = await node.recording?.keep(dir);
    const { code, out } = await replay(file ?? '');
    expect([code, out]).toEqual([0, expect.stringContaining('decisions about 1 pod: no difference')]);
    await rm(dir, { recursive: true });
  });

  it('stops at the first decision that another configuration changes', async () => {
    const file = await recorded();
    const { code, out } = await replay(file, '--set', 'crashLoopBackOff={"maxContainerRestartPeriod":"15s"}');
    expect([code, out]).toEqual([1, expect.stringContaining('the first difference: default/crashing, ')]);
    expect(out).toMatch(
      /\n! .*container\.restart container=job .* backOffMs=20000 .*container\.restart .* backOffMs=15000\n/,
    );
    await expect(replay(file, '--set', 'maxPods=-1')).rejects.toThrow('maxPods (--max-pods) -1 must not be');
    await expect(replay(file, '--set', 'featureGates={"Nope":true}')).rejects.toThrow('feature gate: Nope');
    expect((await readdir(tmpdir())).filter((name) => name.startsWith(`kubelet-replay-${process.pid}-`))).toEqual([]);
  });
});

describe('a recording of a node that runs for long', () => {
  let node: SimulatedNode;
  afterEach(() => node.dispose());

  it('replays from the oldest segment that is kept, after pods have come, gone and crashed', async () => {
    let probes = 0;
    const exec: Probers['exec'] = {
      probe: async () => ({ result: ++probes % 20 === 0 ? 'failure' : 'success', output: canary }),
    };
    node = await SimulatedNode.create({
      modules: [flightRecorderModule],
      options: { '@podwright/flight-recorder': { maxDiskBytes: 64 * 1024 } },
      probers: { ...noProbers, exec },
    });
    node.runtime.programs.set('job', { exitAfterMs: 3_000, exitCode: 7, onStop: 'ignore' });
    const main = { name: 'main', image: 'registry.test/main:1', imagePullPolicy: 'IfNotPresent' } as const;
    const lasting = [
      simulatedPod('probed', {
        // A run of failures that had begun before would begin again.
        containers: [
          {
            ...main,
            name: 'web',
            livenessProbe: { exec: { command: ['check'] }, periodSeconds: 5, failureThreshold: 1 },
          },
        ],
      }),
      simulatedPod('crashing', { containers: [{ ...main, name: 'job' }] }),
      simulatedPod('quiet'),
    ];
    node.want(...lasting);
    await node.boot();
    for (let round = 0; round < 7; round++) {
      node.want(...lasting, simulatedPod(`passing-${round}`), simulatedPod(`passing-${round + 1}`));
      await node.clock.advance(60_000);
    }
    await node.kill();
    const directory = path.join(node.dir, 'root/flight-recorder');
    const names = (await readdir(directory)).sort();
    expect([names.length > 1, names[0]]).toEqual([true, expect.not.stringContaining('-000001.')]);
    const { code, out } = await replay(directory, '--all');
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/ s after its start, .* where the recording ends[^]*: no difference/),
    ]);
  });
});

describe('a recording of a node of a cluster', () => {
  let cluster: SimulatedCluster;
  afterEach(() => cluster.dispose());

  it('holds no secret and replays to the same decisions', async () => {
    const answers: Prober<unknown> = { probe: async () => ({ result: 'success', output: canary }) };
    cluster = await SimulatedCluster.create({
      modules: [flightRecorderModule],
      probers: { ...noProbers, exec: answers, httpGet: answers },
    });
    const { node } = cluster;
    const registry = { auths: { 'registry.test': { username: 'u', password: canary } } };
    await cluster.put(
      {
        metadata: { name: 'pull' },
        type: 'kubernetes.io/dockerconfigjson',
        data: { '.dockerconfigjson': Buffer.from(JSON.stringify(registry)).toString('base64') },
      } as never,
      'Secret',
    );
    await cluster.put(
      {
        metadata: { name: 's', annotations: { 'kubectl.kubernetes.io/last-applied-configuration': canary } },
        data: { key: Buffer.from(canary).toString('base64') },
      } as never,
      'Secret',
    );
    await cluster.put({ metadata: { name: 'c' }, data: { plain: 'stays' } } as never, 'ConfigMap');
    await node.boot();
    await cluster.bindAll(['a', 'b'], {
      serviceAccountName: 'default',
      containers: [
        {
          name: 'main',
          image: 'registry.test/main:1',
          imagePullPolicy: 'Always',
          env: [
            { name: 'E', valueFrom: { secretKeyRef: { name: 's', key: 'key' } } },
            { name: 'PASSWORD', value: canary },
            { name: 'URL', value: `db://u:$(PASSWORD)-${canary}` },
          ],
          readinessProbe: { exec: { command: ['login', '$(PASSWORD)'] } },
          livenessProbe: { httpGet: { port: 80, httpHeaders: [{ name: 'Authorization', value: canary }] } },
          volumeMounts: [
            { name: 'v', mountPath: '/v' },
            { name: 'token', mountPath: '/token' },
          ],
        },
      ],
      imagePullSecrets: [{ name: 'pull' }],
      volumes: [
        { name: 'v', secret: { secretName: 's' } },
        { name: 'token', projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } },
      ],
    });
    await cluster.untilReady('a');
    await cluster.untilReady('b');
    const uid = (await cluster.pod('b'))?.metadata?.uid ?? '';
    const token = path.join(node.dir, 'root/pods', uid, 'volumes/kubernetes.io~projected/token/token');
    const secrets = [canary, Buffer.from(canary).toString('base64'), await readFile(token, 'utf8')];
    const asked = new AbortController();
    const onDemand = partsOf(node.part(FLIGHT_RECORDER).record(asked.signal));
    await node.clock.advance(30_000);
    await cluster.delete('a');
    await cluster.untilGone('a');
    asked.abort();
    const later = path.join(node.dir, 'later');
    await writeFile(later, await onDemand);
    await node.stop();
    const file = await recordingOf(node);
    for (const [each, decisions] of [
      [file, /[34]\d decisions about 2 pods: no difference\n/],
      [later, / s after its start, .* as long as was asked for\n[^]*\n[1-9]\d* decisions about 1 pod: no difference/],
    ] as const) {
      const text = gunzipSync(await readFile(each)).toString();
      expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
      const { code, out } = await replay(each);
      expect([code, out]).toEqual([0, expect.stringMatching(decisions)]);
    }
  });
});
