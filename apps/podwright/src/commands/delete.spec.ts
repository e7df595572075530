import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@podwright/time';
import { donePod, settings, webPod } from '../fixtures/objects.js';
import { PodApi } from '../fixtures/pod-api.js';
import { TestShell } from '../fixtures/test-shell.js';

describe('podwright delete', () => {
  const api = new PodApi();
  let shell: TestShell;

  beforeEach(async () => {
    await api.start();
    shell = new TestShell(api.socket);
    for (const object of [webPod, donePod, settings]) api.put(object);
  });
  afterEach(() => api.stop());
  const deletes = (): readonly string[] =>
    api.requests.filter(({ method }) => method === 'DELETE').map(({ url }) => url);

  it('deletes by name, by file and by label', async () => {
    const manifest = JSON.stringify(settings);
    expect((await shell.run('delete -f -', manifest)).out).toBe(
      'configmap "settings" deleted from default namespace\n',
    );
    expect((await shell.run('delete pods -l app=web')).out).toBe('pod "web" deleted from default namespace\n');
    expect((await shell.run('delete pod/done -o name')).out).toBe('pod/done\n');
    expect((await shell.run('delete pods --all')).out).toBe('No resources found\n');
  });

  it('waits until the pod is gone', async () => {
    const path = '/api/v1/namespaces/default/pods/web';
    api.answers.set(path, (_, response) => response.end(JSON.stringify(webPod))); // accepted, still ending
    const running = shell.start('delete pod web');
    await eventually(() => api.watches === 1);
    expect(running.out()).toBe('pod "web" deleted from default namespace\n');
    api.remove(webPod);
    expect((await running.ended).code).toBe(0);
  });

  it('deletes what pods use once they are gone', async () => {
    const path = '/api/v1/namespaces/default/pods/web';
    api.answers.set(path, (_, response) => response.end(JSON.stringify(webPod))); // accepted, still ending
    const manifest = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [settings, webPod] });
    const running = shell.start('delete -f -', { stdin: Readable.from([Buffer.from(manifest)]) });
    await eventually(() => api.watches === 1);
    expect(deletes()).toEqual([path]);
    api.remove(webPod);
    expect((await running.ended).out).toBe(
      'pod "web" deleted from default namespace\nconfigmap "settings" deleted from default namespace\n',
    );
  });

  it('gives up at the timeout', async () => {
    const path = '/api/v1/namespaces/default/pods/web';
    api.answers.set(path, (_, response) => response.end(JSON.stringify(webPod)));
    const running = shell.start('delete pod web --timeout=5s');
    await eventually(() => api.watches === 1);
    await shell.clock.advance(5_000);
    const { code, err } = await running.ended;
    expect({ code, err }).toEqual({ code: 1, err: 'error: timed out waiting for the condition on pods/web\n' });
  });

  it('passes the grace period on', async () => {
    await shell.run('delete pod web --grace-period=7 --wait=false');
    await shell.run('delete pod done --now');
    const forced = await shell.run('delete cm settings --force');
    expect(deletes()).toEqual([
      '/api/v1/namespaces/default/pods/web?gracePeriodSeconds=7',
      '/api/v1/namespaces/default/pods/done?gracePeriodSeconds=1',
      '/api/v1/namespaces/default/configmaps/settings?gracePeriodSeconds=0',
    ]);
    expect(forced.out).toBe('configmap "settings" force deleted from default namespace\n');
    expect(forced.err).toMatch(/^Warning: Immediate deletion does not wait/);
  });

  it('deletes what is there and names what is not', async () => {
    const { code, out, err } = await shell.run('delete pod nope web');
    expect(code).toBe(1);
    expect(out).toBe('pod "web" deleted from default namespace\n');
    expect(err).toBe('Error from server (NotFound): pods "nope" not found\n');
    expect((await shell.run('delete pod nope --ignore-not-found')).code).toBe(0);
  });

  it('only says what it would do', async () => {
    expect((await shell.run('delete pod web --dry-run=client')).out).toBe(
      'pod "web" deleted from default namespace (dry run)\n',
    );
    expect(deletes()).toEqual([]);
  });

  it.each([
    ['delete', 'You must provide one or more resources by argument or filename.'],
    ['delete pod', 'resource(s) were provided, but no name was specified'],
    ['delete pod web --all', 'name cannot be provided when a selector is specified'],
    ['delete pod web --now --grace-period=5', '--now and --grace-period cannot be specified together'],
    [
      'delete pod web --force --grace-period=5',
      '--force and --grace-period greater than 0 cannot be specified together',
    ],
    ['delete pod web --grace-period=x', 'invalid argument "x" for "--grace-period" flag'],
  ])('refuses %s', async (line, message) => {
    const { code, err } = await shell.run(line);
    expect(code).toBe(1);
    expect(err).toContain(`error: ${message}`);
    expect(deletes()).toEqual([]);
  });
});
