import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { golden, utcTimes } from '../fixtures/golden.js';
import { donePod, settings, token, vmNode, webEvents, webPod } from '../fixtures/objects.js';
import { PodApi, status } from '../fixtures/pod-api.js';
import { TestShell } from '../fixtures/test-shell.js';

describe('podwright describe', () => {
  const api = new PodApi();
  let shell: TestShell;

  beforeEach(async () => {
    await api.start();
    shell = new TestShell(api.socket);
    for (const object of [webPod, donePod, settings, token, vmNode, ...webEvents]) api.put(object);
  });
  afterEach(() => api.stop());

  it.each([
    ['describe-pod', 'describe pod web'],
    ['describe-pods', 'describe pods'],
    ['describe-configmap', 'describe cm settings --show-events=false'],
    ['describe-secret', 'describe secret/token'],
    ['describe-node', 'describe node vm --show-events=false'],
  ])('prints %s as kubectl does', async (name, line) => {
    const { code, out, err } = await shell.run(line);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(utcTimes(out)).toBe(golden(name, out));
  });

  it('asks for the events of the one object', async () => {
    await shell.run('describe pod web');
    const asked = api.requests.map(({ url }) => decodeURIComponent(url)).find((url) => url.includes('/events'));
    expect(asked).toBe(
      '/api/v1/namespaces/default/events?fieldSelector=involvedObject.name=web,involvedObject.namespace=default,involvedObject.uid=uid-web',
    );
  });

  it('leaves events out when the server keeps none', async () => {
    api.answers.set('/api/v1/namespaces/default/events', (_, response) =>
      status(response, 404, 'NotFound', 'no events'),
    );
    expect((await shell.run('describe pod web')).out).not.toContain('Events:');
  });

  it('takes the name as a prefix when nothing has it', async () => {
    const { code, out } = await shell.run('describe pods d');
    expect(code).toBe(0);
    expect(out).toMatch(/^Name: +done\n/);
    expect(await shell.run('describe pods x')).toEqual({
      code: 1,
      out: '',
      err: 'Error from server (NotFound): pods "x" not found\n',
    });
  });
});
