import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PodApi, status } from '../fixtures/pod-api.js';
import { TestShell } from '../fixtures/test-shell.js';

const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: a, image: nginx}]}\n';
const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {mode: test}\n';

describe('podwright apply', () => {
  const api = new PodApi();
  let shell: TestShell;
  let folder: string;

  beforeEach(async () => {
    await api.start();
    shell = new TestShell(api.socket);
    folder = await mkdtemp(path.join(tmpdir(), 'podwright-apply-'));
  });
  afterEach(async () => {
    await api.stop();
    await rm(folder, { recursive: true });
  });
  const writes = (): readonly string[] =>
    api.requests.filter(({ method }) => method !== 'GET').map(({ method, url }) => `${method} ${url}`);

  it('creates, leaves alone and replaces; config maps come before the pods that need them', async () => {
    const first = await shell.run('apply -f -', `${pod}---\n# comment\n---\n${configMap}`);
    expect(first).toEqual({ code: 0, out: 'configmap/settings created\npod/web created\n', err: '' });
    const second = await shell.run('apply -f - -n default', `${pod.replace('nginx', 'httpd')}---\n${configMap}`);
    expect(second.out).toBe('configmap/settings unchanged\npod/web configured\n');
  });

  it('lets the server validate everything before it writes anything', async () => {
    await shell.run('apply -f -', `${pod}---\n${configMap}`);
    const [settings, web] = ['configmaps/settings', 'pods/web'].map((name) => `PUT /api/v1/namespaces/default/${name}`);
    expect(writes()).toEqual([`${settings}?dryRun=All`, `${web}?dryRun=All`, settings, web]);
  });

  it('reads folders, and with -R those below', async () => {
    await writeFile(path.join(folder, 'pod.yaml'), pod);
    await writeFile(path.join(folder, 'notes.txt'), 'no manifest');
    await mkdir(path.join(folder, 'below'));
    await writeFile(
      path.join(folder, 'below', 'settings.json'),
      JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'deep' } }),
    );
    expect((await shell.run(`apply -f ${folder}`)).out).toBe('pod/web created\n');
    expect((await shell.run(`apply -Rf ${folder}`)).out).toBe('configmap/deep created\npod/web unchanged\n');
  });

  it('refuses a folder with a pipe instead of waiting for its writer', async () => {
    await writeFile(path.join(folder, 'pod.yaml'), pod);
    const pipe = path.join(folder, 'settings.yaml');
    execFileSync('mkfifo', [pipe]);
    const { code, err } = await shell.run(`apply -f ${folder}`);
    expect([code, err]).toEqual([1, `error: the path "${pipe}" is no regular file\n`]);
    expect(writes()).toEqual([]);
  });

  it('runs one pod for a workload, as podman does', async () => {
    const deployment = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'shop', namespace: 'prod', labels: { not: 'taken' } },
      spec: {
        replicas: 3,
        template: { metadata: { labels: { app: 'shop' } }, spec: { containers: [{ name: 'a', image: 'x' }] } },
      },
    };
    expect(await shell.run('apply -f -', JSON.stringify(deployment))).toEqual({
      code: 0,
      out: 'pod/shop-pod created\n',
      err: 'Warning: STDIN: Deployment "shop": spec.replicas is 3, but one pod is run\n',
    });
    expect(api.requests.at(-1)?.body).toEqual({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'shop-pod', namespace: 'prod', labels: { app: 'shop' } },
      spec: { containers: [{ name: 'a', image: 'x' }] },
    });
  });

  it('refuses by kind, name and place what it does not take, and sends nothing', async () => {
    const service = 'apiVersion: v1\nkind: Service\nmetadata: {name: web}\n';
    const list = JSON.stringify({
      apiVersion: 'v1',
      kind: 'List',
      items: [{ apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'once' }, spec: { template: { spec: {} } } }],
    });
    await writeFile(path.join(folder, 'a.yaml'), `${pod}---\n${service}`);
    await writeFile(path.join(folder, 'b.json'), list);
    const { code, out, err } = await shell.run(`apply -f ${folder}`);
    expect({ code, out, writes: writes() }).toEqual({ code: 1, out: '', writes: [] });
    expect(err.replaceAll(folder, 'DIR')).toBe(
      'DIR/a.yaml, document 2: Service "web" (v1) is not supported: podwright takes Pod, ConfigMap, Secret and List, and Deployment, DaemonSet and Job, of which it runs one pod\n' +
        'DIR/b.json, items[0]: Job "once": spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"\n',
    );
  });

  it('prints the causes of an invalid object', async () => {
    api.answers.set('/api/v1/namespaces/default/pods/web', ({ method }, response) => {
      if (method === 'GET') return status(response, 404, 'NotFound', 'pods "web" not found');
      const causes = [
        { field: 'spec.containers[0].image', message: 'Required value' },
        { field: 'spec.x', message: 'Forbidden' },
      ];
      status(response, 422, 'Invalid', 'Pod "web" is invalid: [...]', { kind: 'Pod', name: 'web', causes });
    });
    const { code, err } = await shell.run('apply -f -', pod);
    expect(code).toBe(1);
    expect(err).toBe('The Pod "web" is invalid: \n* spec.containers[0].image: Required value\n* spec.x: Forbidden\n');
  });

  it('names the file of an object that is refused', async () => {
    api.answers.set('/api/v1/namespaces/default/pods/web', (_, response) =>
      status(response, 409, 'Conflict', 'static pod'),
    );
    expect((await shell.run('apply -f -', pod)).err).toBe(
      'Error from server (Conflict): error when applying "STDIN": static pod\n',
    );
  });

  it('validates without writing', async () => {
    expect((await shell.run('apply -f - --dry-run=client', pod)).out).toBe('pod/web created (dry run)\n');
    expect(writes()).toEqual([]);
    expect((await shell.run('apply -f - --dry-run=server', pod)).out).toBe('pod/web created (server dry run)\n');
    expect(writes()).toEqual(['PUT /api/v1/namespaces/default/pods/web?dryRun=All']);
    expect((await shell.run('apply -f - -o name', pod)).out).toBe('pod/web\n');
  });

  it.each([
    ['apply', '', 'must specify -f'],
    ['apply -f nowhere.yaml', '', 'the path "nowhere.yaml" does not exist'],
    ['apply -f -', '# nothing\n', 'no objects passed to apply'],
    ['apply -f -', 'a: [', 'error parsing STDIN: invalid YAML at line 1'],
    ['apply -f -', 'kind: Pod\n', `STDIN: Object 'apiVersion' is missing`],
    ['apply -f -', 'a: 1\na: 2\n', 'error parsing STDIN: a: duplicate key (line 2)'],
    ['apply -f -', 'apiVersion: v1\nkind: Pod\n', 'STDIN: Pod has no name'],
    ['apply -f -', pod.replace('web', 'on'), 'STDIN: Pod: metadata.name must be a string, not true'],
    [
      'apply -n x -f -',
      pod.replace('name: web', 'name: web, namespace: other'),
      `does not match the namespace "x". You must pass '--namespace=other'`,
    ],
  ])('refuses %s of %j', async (line, stdin, message) => {
    const { code, out, err } = await shell.run(line, stdin);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(message);
  });
});
