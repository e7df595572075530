import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@podwright/time';
import { golden } from '../fixtures/golden.js';
import { PodApi } from '../fixtures/pod-api.js';
import { TestShell } from '../fixtures/test-shell.js';
import type { ApiObject } from '../client/resources.js';

describe('podwright run', () => {
  const api = new PodApi();
  let shell: TestShell;

  beforeEach(async () => {
    await api.start();
    shell = new TestShell(api.socket);
  });
  afterEach(() => api.stop());

  /** Gives the pod a status, as the kubelet does. */
  const report = (status: object): ApiObject => {
    const created = api.requests.find(({ method }) => method === 'POST')?.body as ApiObject;
    return api.put({ ...created, metadata: { ...created.metadata, namespace: 'default' }, status } as never);
  };

  it('creates a pod', async () => {
    const { code, out } = await shell.run('run web --image=nginx');
    expect({ code, out }).toEqual({ code: 0, out: 'pod/web created\n' });
    expect(api.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(['POST /api/v1/namespaces/default/pods']);
  });

  it('prints the pod as kubectl does', async () => {
    const words = [
      'run',
      'web',
      '--image=nginx',
      '--port=80',
      '--env=A=b=c',
      '--env',
      'C=',
      '-l',
      'a=b,c=d',
      '--restart=Never',
      '--dry-run=client',
      '-oyaml',
      '--command',
      '--',
      'sh',
      '-c',
      'echo hi',
    ];
    const { out } = await shell.run(words);
    expect(out).toBe(golden('run-yaml', out));
    expect(api.requests).toEqual([]);
  });

  it("attaches, ends with the container's exit code and deletes the pod", async () => {
    api.answers.set('/api/v1/namespaces/default/pods/job/log', (_, response) => response.end('before\n'));
    api.session = (socket) => {
      socket.send(Buffer.from('\u0001during\n'));
      socket.send(Buffer.from(`\u0003${JSON.stringify({ status: 'Success' })}`));
      socket.close();
    };
    const running = shell.start('run job --image=busybox --restart=Never --attach --rm -q -- work');
    await eventually(() => api.watches === 1);
    report({ phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] });
    await eventually(() => running.out() === 'before\nduring\n' && api.watches === 1);
    report({
      phase: 'Failed',
      containerStatuses: [{ name: 'job', state: { terminated: { exitCode: 3, reason: 'Error', message: 'broken' } } }],
    });
    const { code, err } = await running.ended;
    expect({ code, err }).toEqual({ code: 3, err: 'pod default/job terminated (Error)\nbroken\n' });
    expect(api.requests.at(-1)).toMatchObject({ method: 'DELETE', url: '/api/v1/namespaces/default/pods/job' });
  });

  it('prints the logs of a pod that has ended already', async () => {
    api.answers.set('/api/v1/namespaces/default/pods/job/log', (_, response) => response.end('all of it\n'));
    const running = shell.start('run job --image=busybox --restart=OnFailure -i --rm -- work');
    await eventually(() => api.watches === 1);
    report({ phase: 'Succeeded' });
    expect(await running.ended).toEqual({
      code: 0,
      out: 'all of it\npod "job" deleted from default namespace\n',
      err: '',
    });
  });

  it('prints the rest of the logs when the container has ended before the attach', async () => {
    const logs = ['one\n', 'one\ntwo\n'];
    api.answers.set('/api/v1/namespaces/default/pods/job/log', (_, response) => response.end(logs.shift()));
    api.refusal = 'container job not found in pod job_default';
    const running = shell.start('run job --image=busybox --restart=Never --attach -q -- work');
    await eventually(() => api.watches === 1);
    report({ phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] });
    await eventually(() => running.out() === 'one\ntwo\n' && api.watches === 1);
    report({ phase: 'Succeeded' });
    const { code, out, err } = await running.ended;
    expect({ code, out }).toEqual({ code: 0, out: 'one\ntwo\n' });
    expect(err).toBe(
      "warning: couldn't attach to pod/job, falling back to streaming logs: container job not found in pod job_default\n",
    );
  });

  it('deletes the pod also when the user interrupts', async () => {
    const running = shell.start('run job --image=busybox --restart=Never --attach --rm -q -- work');
    await eventually(() => api.watches === 1);
    report({ phase: 'Pending' });
    running.interrupt();
    expect(await running.ended).toEqual({ code: 1, out: '', err: '' });
    expect(api.requests.at(-1)).toMatchObject({ method: 'DELETE', url: '/api/v1/namespaces/default/pods/job' });
  });

  it('gives up on a pod that does not start', async () => {
    const running = shell.start('run job --image=busybox -i --pod-running-timeout=2s');
    await eventually(() => api.watches === 1);
    await shell.clock.advance(2_000);
    expect((await running.ended).err).toBe('error: timed out waiting for the condition on pods/job\n');
  });

  it.each([
    ['run web', 'required flag(s) "image" not set'],
    ['run --image=x', 'NAME is required for run'],
    ['run web --image=x -t', '-i/--stdin is required for containers with -t/--tty=true'],
    ['run web --image=x --rm', '--rm should only be used for attached containers'],
    ['run web --image=x --restart=Foo', 'invalid restart policy: Foo'],
    ['run web --image=x --env=A', 'invalid env: A'],
    ['run web --image=x --port=0', 'invalid port: 0'],
  ])('refuses %s', async (line, message) => {
    const { code, err } = await shell.run(line);
    expect(code).toBe(1);
    expect(err).toContain(`error: ${message}`);
    expect(api.requests).toEqual([]);
  });
});
