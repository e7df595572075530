import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@podwright/time';
import { golden } from '../fixtures/golden.js';
import { donePod, settings, token, vmNode, webEvents, webPod } from '../fixtures/objects.js';
import { PodApi } from '../fixtures/pod-api.js';
import { TestShell } from '../fixtures/test-shell.js';

describe('podwright get', () => {
  const api = new PodApi();
  let shell: TestShell;

  beforeEach(async () => {
    await api.start();
    shell = new TestShell(api.socket);
    for (const object of [webPod, donePod, settings, token, vmNode, ...webEvents]) api.put(object);
  });
  afterEach(() => api.stop());

  it.each([
    ['get-pods', 'get pods'],
    ['get-pods-wide', 'get po -owide -A'],
    ['get-pods-labels', 'get pods --show-labels -L app,x/tier'],
    ['get-pod-yaml', 'get pod web -o yaml'],
    ['get-pods-json', 'get pods -o json -l app=none'],
    ['get-secret-json', 'get secret token -ojson'],
    ['get-all', 'get all'],
    ['get-nodes', 'get nodes -o wide'],
    ['get-events', 'get events'],
  ])('prints %s as kubectl does', async (name, line) => {
    const { code, out, err } = await shell.run(line);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toBe(golden(name, out));
  });

  it('prints names and fields', async () => {
    expect((await shell.run('get pods,cm -o name')).out).toBe('pod/web\npod/done\nconfigmap/settings\n');
    const range = '{range .items[*]}{.metadata.name}{"\\t"}{.status.phase}{"\\n"}{end}';
    expect((await shell.run(['get', 'pods', '-o', `jsonpath=${range}`])).out).toBe('web\tRunning\ndone\tSucceeded\n');
  });

  it('prints what it found, then what it did not find, and fails', async () => {
    const { code, out, err } = await shell.run('get pods web nope --no-headers');
    expect({ code, err }).toEqual({ code: 1, err: 'Error from server (NotFound): pods "nope" not found\n' });
    expect(out).toMatch(/^web +2\/3 /);
    expect(await shell.run('get pod nope --ignore-not-found')).toEqual({ code: 0, out: '', err: '' });
  });

  it('says that there is nothing', async () => {
    expect(await shell.run('get pods -n other')).toEqual({
      code: 0,
      out: '',
      err: 'No resources found in other namespace.\n',
    });
    expect((await shell.run('get pods -A -l app=none')).err).toBe('No resources found\n');
  });

  it('passes selectors to the server', async () => {
    await shell.run(['get', 'pods', '-l', 'app in (a,b)', '--field-selector', 'status.phase=Running']);
    expect(api.requests.at(-1)?.url).toBe(
      '/api/v1/namespaces/default/pods?labelSelector=app+in+%28a%2Cb%29&fieldSelector=status.phase%3DRunning',
    );
  });

  it('prints changes until the user interrupts', async () => {
    const running = shell.start('get pods web -w');
    await eventually(() => api.watches === 1);
    api.put(donePod);
    api.put({ ...webPod, metadata: { ...webPod.metadata, deletionTimestamp: '2026-05-01T11:59:59Z' } } as never);
    await eventually(() => running.out().split('\n').length === 4);
    running.interrupt();
    const { code, out, err } = await running.ended;
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect(out).toBe(golden('get-watch', out));
  });

  it.each([
    ['get', 'Required resource not specified.'],
    ['get frob', `the server doesn't have a resource type "frob"`],
    ['get pods web -l a=b', 'name cannot be provided when a selector is specified'],
    ['get pods web -A', 'a resource cannot be retrieved by name across all namespaces'],
    ['get pods -o foo', 'unable to match a printer suitable for the output format "foo"'],
    ['get pods pod/web', 'there is no need to specify a resource type as a separate argument'],
    ['get pods,cm -w', 'you may only specify a single resource type'],
    ['get pods -o json --show-labels', '--show-labels option cannot be used with json printer'],
  ])('refuses %s', async (line, message) => {
    const { code, out, err } = await shell.run(line);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(`error: ${message}`);
  });
});
