import { describe, expect, it } from '@jest/globals';
import type { ImageService, RuntimeService } from '@podwright/cri-client-interface';
import type { KubeHttpRequest, KubeTransport } from '@podwright/kube-client-interface';
import type { Pod } from '@podwright/kube-types';
import type { PodCheckpoints } from '@podwright/pod-checkpoint-interface';
import { VirtualClock } from '@podwright/time';
import { recordedCheckpoints } from '../seams/recorded-checkpoints.js';
import { recordedRandom } from '../seams/recorded-inputs.js';
import { recordedImages, recordedRuntime } from '../seams/recorded-runtime.js';
import { recordedTransport } from '../seams/recorded-transport.js';
import { RecordingTape } from '../tape/recording-tape.js';

const canary = 'canary-7f3a';
const inBase64 = Buffer.from(canary).toString('base64');
const bytes = (text: string): Uint8Array => Buffer.from(text);

const pod = {
  metadata: { name: 'p', annotations: { 'kubectl.kubernetes.io/last-applied-configuration': canary, kept: 'kept' } },
  spec: {
    containers: [
      {
        name: 'main',
        env: [{ name: 'PASSWORD', value: canary }],
        lifecycle: { preStop: { httpGet: { port: 80, httpHeaders: [{ name: 'Authorization', value: canary }] } } },
      },
    ],
    initContainers: [{ name: 'first', env: [{ name: 'PASSWORD', value: canary }] }],
    ephemeralContainers: [{ name: 'debug', env: [{ name: 'PASSWORD', value: canary }] }],
  },
  status: {
    containerStatuses: [
      { name: 'main', state: { waiting: { reason: 'PostStartHookError', message: `exited with 1: ${canary}` } } },
    ],
  },
} as unknown as Pod;
const secret = { metadata: pod.metadata, data: { key: inBase64 }, stringData: { key: canary } };
const refusal = {
  kind: 'Status',
  message: `Invalid value: "${canary}": kept`,
  details: { retryAfterSeconds: 1, causes: [{ message: `Invalid value: "${canary}"` }] },
};

function recorder(): { readonly tape: RecordingTape; readonly text: () => string } {
  const lines: string[] = [];
  return {
    tape: new RecordingTape(new VirtualClock(), (line) => lines.push(line), undefined),
    text: () => lines.slice(1).join('\n'),
  };
}

async function recordedAnswer(path: string, answer: unknown, contentType = 'application/json'): Promise<string> {
  const { tape, text } = recorder();
  const asked: KubeHttpRequest[] = [];
  const send: KubeTransport['send'] = async (request) => {
    asked.push(request);
    const body = bytes(`${JSON.stringify(answer)}\n`);
    const headers = { 'content-type': contentType, 'set-cookie': canary, 'www-authenticate': canary };
    // In two parts, as a connection may cut it.
    return {
      status: 200,
      headers,
      body: (async function* () {
        yield body.subarray(0, 9);
        yield body.subarray(9);
      })(),
    };
  };
  const request: KubeHttpRequest = {
    method: 'POST',
    path,
    headers: { authorization: `Bearer ${canary}`, accept: 'application/vnd.kubernetes.protobuf' },
    body: JSON.stringify({
      metadata: { generateName: 'made-', annotations: { note: canary } },
      spec: { token: canary, request: inBase64, audiences: [canary] },
      message: canary,
    }),
  };
  const { body } = await recordedTransport({ send } as unknown as KubeTransport, tape).send(
    request,
    new AbortController().signal,
  );
  for await (const chunk of body) void chunk;
  expect(asked[0]?.headers['authorization']).toContain(canary);
  return text();
}

describe('secrets that come in over the seams', () => {
  it.each<readonly [string, string, unknown]>([
    ['a token of a service account', '/api/v1/namespaces/n/serviceaccounts/a/token', { status: { token: canary } }],
    ['a token of a caller', '/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token: canary } }],
    ['a token that is refused', '/apis/authentication.k8s.io/v1/tokenreviews', refusal],
    ['a secret', '/api/v1/namespaces/n/secrets/s', { kind: 'Secret', ...secret }],
    ['secrets in a list', '/api/v1/namespaces/n/secrets', { kind: 'SecretList', items: [secret] }],
    ['secrets in a watch', '/api/v1/secrets?watch=true', { type: 'ADDED', object: { kind: 'Secret', ...secret } }],
    ['a pull secret', '/api/v1/namespaces/n/secrets/s', { data: { '.dockerconfigjson': inBase64 } }],
    ['a pull secret of old', '/api/v1/namespaces/n/secrets/s', { data: { '.dockercfg': inBase64 } }],
    ['a pod', '/api/v1/namespaces/n/pods/p/status', { kind: 'Pod', ...pod }],
    ['a pod of a namespace that is called secrets', '/api/v1/namespaces/secrets/pods/p', { kind: 'Pod', ...pod }],
    ['pods in a list', '/api/v1/pods?fieldSelector=spec.nodeName%3Dn', { kind: 'PodList', items: [pod] }],
    ['pods in a watch', '/api/v1/pods?watch=1', { type: 'MODIFIED', object: { kind: 'Pod', ...pod } }],
    ['an event', '/api/v1/namespaces/n/events', { kind: 'Event', message: canary }],
    ['a certificate', '/apis/certificates.k8s.io/v1/certificatesigningrequests', { kind: 'CertificateSigningRequest' }],
  ])('are not in the recording: %s', async (_name, path, answer) => {
    const json = await recordedAnswer(path, answer);
    expect(json).toContain('"t":"item"');
    expect([canary, inBase64].filter((each) => json.includes(each))).toEqual([]);
    if (JSON.stringify(answer).includes('PASSWORD')) expect(json).toMatch(/PASSWORD.*xxxxxxxxxxx.*kept|kept.*PASSWORD/);
  });

  it('are not in the recording when the server does not answer as JSON', async () => {
    const answers = [
      await recordedAnswer('/api/v1/pods', pod, 'application/vnd.kubernetes.protobuf'),
      await recordedAnswer('/api/v1/namespaces/n/secrets/s', secret, 'application/cbor'),
    ];
    expect(answers.filter((text) => text.includes(canary) || text.includes(inBase64) || text.includes('"$b"'))).toEqual(
      [],
    );
  });

  it('are not in the recording of the runtime, of a source of pods and of decisions', async () => {
    const { tape, text } = recorder();
    const info = { config: canary };
    const sandbox = { id: 's', annotations: pod.metadata.annotations };
    const inner = {
      createContainer: async () => ({ containerId: 'c' }),
      containerStatus: async () => ({ status: { id: 'c' }, info }),
      podSandboxStatus: async () => ({ status: sandbox, info }),
      listPodSandbox: async () => ({ items: [sandbox] }),
      execSync: async () => ({ stdout: bytes(canary), stderr: bytes(canary), exitCode: 1 }),
      exec: async () => ({ url: `http://127.0.0.1/${canary}` }),
      status: async () => ({ info }),
      pullImage: async () => ({ imageRef: 'i' }),
    };
    const runtime = recordedRuntime(inner as unknown as RuntimeService, tape) as unknown as typeof inner;
    const images = recordedImages(inner as unknown as ImageService, tape) as unknown as typeof inner;
    const ask = (call: (request: never) => Promise<unknown>, request: unknown): Promise<unknown> =>
      call(request as never);
    await ask(runtime.createContainer, { config: { envs: [{ key: 'PASSWORD', value: bytes(canary) }] } });
    await ask(runtime.execSync, { containerId: 'c', cmd: ['login', canary] });
    for (const method of ['containerStatus', 'podSandboxStatus', 'listPodSandbox', 'exec', 'status'] as const)
      await ask(runtime[method], { containerId: 'c' });
    await ask(images.pullImage, { image: { image: 'i' }, auth: { password: canary, identityToken: canary } });
    const left = { c: { postStart: { failure: canary }, kill: { message: canary, reason: 'kept' } } };
    const read: PodCheckpoints['read'] = (_uid, { decode }) => decode(left);
    const checkpoints = recordedCheckpoints({ read } as unknown as PodCheckpoints, tape);
    for (const time of ['first', 'again'])
      expect([time, checkpoints.read('u', { name: 'container-runtime.containers', decode: (json) => json })]).toEqual([
        time,
        left,
      ]);
    // Of a number without a name, a name or a key is made.
    const random = recordedRandom({ next: () => 0.7351, hex: () => canary }, tape);
    expect([random.next(), random.hex(4), random.next('sync u')]).toEqual([0.7351, canary, 0.7351]);
    tape.pods({ source: 'file', op: 'ADD', pods: [pod] });
    tape.decided({ kind: 'container.exited', message: canary } as never);
    tape.decided({ kind: 'probe.result', output: canary } as never);
    tape.decided({
      kind: 'pod.sync',
      error: `for "main" with PostStartHookError: "exited with 1: ${canary}"`,
    } as never);
    const written = text();
    expect(written.split('\n')).toHaveLength(14);
    expect(written.match(/0\.7351/g)).toHaveLength(1);
    expect([canary, inBase64].filter((each) => written.includes(each))).toEqual([]);
  });
});
