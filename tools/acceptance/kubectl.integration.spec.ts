import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { findKubectl, labSupport } from '@podwright/lab';
import { createTestApiServer, type ApiListener } from '@podwright/test-apiserver';
import { createSystemClock, createSystemRandom } from '@podwright/time';

const pod = (image: string, extra: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', labels: { app: 'web' } },
  spec: { containers: [{ name: 'c', image, ports: [{ containerPort: 80 }] }], ...extra },
});

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

let dir: string;
let listener: ApiListener;
let program: string;

/** Each row follows the one before: arguments, the object of `-f FILE`, and what comes out. */
const rows: readonly (readonly [string, object | undefined, RegExp])[] = [
  ['version', undefined, /Server Version: v1\.36\./],
  ['api-resources --api-group=node.k8s.io', undefined, /runtimeclasses +node\.k8s\.io\/v1 +false +RuntimeClass/],
  ['auth whoami', undefined, /Username +admin/],
  ['explain pod.spec.containers.env.name', undefined, /FIELD: name <string>/],
  ['apply -f FILE', pod('a:1'), /^pod\/web created/],
  ['apply -f FILE', pod('a:1'), /^pod\/web unchanged/],
  ['apply -f FILE', pod('a:2'), /^pod\/web configured/],
  ['apply -f FILE', pod('a:2', { nonsense: 1 }), /strict decoding error: unknown field "spec\.nonsense"/],
  ['apply --server-side --force-conflicts -f FILE', pod('a:2'), /^pod\/web serverside-applied/],
  ['get pods', undefined, /^NAME +READY +STATUS +RESTARTS +AGE\nweb +0\/1 +Pending +0 /],
  ['get pod web -o jsonpath={.spec.containers[0].image}', undefined, /^a:2$/],
  ['describe pod web', undefined, /Image: +a:2/],
  ['label pod web x=y', undefined, /^pod\/web labeled/],
  ['annotate pod web x=y', undefined, /^pod\/web annotated/],
  ['create secret generic s --from-literal=a=b', undefined, /^secret\/s created/],
  ['get secret s', undefined, /s +Opaque +1 /],
  ['create serviceaccount robot', undefined, /^serviceaccount\/robot created/],
  ['create token robot', undefined, /^ey/],
  ['create -f FILE', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } }, /^node\/n1 created/],
  ['taint node n1 a=b:NoSchedule', undefined, /^node\/n1 tainted/],
  ['cordon n1', undefined, /^node\/n1 cordoned/],
  ['get nodes', undefined, /n1 +Unknown,SchedulingDisabled +<none>/],
  ['drain n1', undefined, /node\/n1 drained/],
  ['patch pod web -p {"metadata":{"labels":{"z":"1"}}}', undefined, /^pod\/web patched/],
  ['wait --for=condition=Ready pod/web --timeout=1s', undefined, /timed out waiting for the condition/],
  ['delete pod web', undefined, /pod "web" deleted/],
  ['get pods', undefined, /No resources found in default namespace/],
];

// Debian's package: it comes the same way as the lab's other programs.
const support = labSupport();
const withKubectl = support.ok ? describe : describe.skip;

withKubectl(`kubectl on the API server in memory${support.ok ? '' : ` (skipped: ${support.reason})`}`, () => {
  beforeAll(async () => {
    dir = await mkdtemp(path.join(os.tmpdir(), 'podwright-kubectl-'));
    program = await findKubectl(() => undefined);
    const server = createTestApiServer({ clock: createSystemClock(), random: createSystemRandom(), schedule: true });
    listener = await server.listen();
    await writeFile(path.join(dir, 'config'), listener.kubeconfig({ name: 'admin', groups: ['system:masters'] }));
  }, 300_000);

  afterAll(async () => {
    await listener.stop();
    await rm(dir, { recursive: true, force: true });
  });

  it.each(rows)('%s', async (line, object, expected) => {
    const file = path.join(dir, 'object.json');
    if (object !== undefined) await writeFile(file, JSON.stringify(object));
    const args = line.split(' ').map((word) => (word === 'FILE' ? file : word));
    const { stdout, stderr } = await run(program, ['--kubeconfig', path.join(dir, 'config'), ...args]);
    expect(stdout + stderr).toMatch(expected);
  });
});

function run(command: string, args: readonly string[]): Promise<Ran> {
  const options = { timeout: 30_000, env: { ...process.env, HOME: dir } };
  return new Promise((resolve) =>
    execFile(command, args, options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr }),
    ),
  );
}
