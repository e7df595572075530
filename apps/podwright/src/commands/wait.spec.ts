import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@podwright/time';
import { donePod, webPod } from '../fixtures/objects.js';
import { PodApi } from '../fixtures/pod-api.js';
import { TestShell } from '../fixtures/test-shell.js';

describe('podwright wait', () => {
  const api = new PodApi();
  let shell: TestShell;

  beforeEach(async () => {
    await api.start();
    shell = new TestShell(api.socket);
    for (const object of [webPod, donePod]) api.put(object);
  });
  afterEach(() => api.stop());

  it('is done at once when the condition is met', async () => {
    const met = { code: 0, out: 'pod/web condition met\n', err: '' };
    expect(await shell.run('wait pod/web --for=condition=initialized')).toEqual(met);
    expect(await shell.run('wait pod web --for=condition=Ready=false')).toEqual(met);
    expect(await shell.run('wait pod/web --for=jsonpath={.status.phase}=Running')).toEqual(met);
    expect(await shell.run('wait pod/web --for=create')).toEqual(met);
    expect((await shell.run('wait pod/web --for=condition=Initialized -o name')).out).toBe('pod/web\n');
    expect(await shell.run('wait pod/nope --for=delete')).toEqual({ code: 0, out: '', err: '' });
  });

  it('waits for a change, a creation and a deletion', async () => {
    const ready = shell.start('wait pod/web --for=condition=Ready');
    const made = shell.start('wait pod/new --for=create');
    const gone = shell.start('wait pod/done --for=delete');
    await eventually(() => api.watches === 3);
    api.put({ ...webPod, status: { conditions: [{ type: 'Ready', status: 'True' }] } });
    api.put({ ...donePod, metadata: { ...donePod.metadata, name: 'new' } });
    api.remove(donePod);
    expect((await ready.ended).out).toBe('pod/web condition met\n');
    expect((await made.ended).out).toBe('pod/new condition met\n');
    expect((await gone.ended).out).toBe('pod/done condition met\n');
  });

  it('takes no notice of other objects that a watch tells of', async () => {
    const running = shell.start('wait pod/web --for=condition=Ready');
    await eventually(() => api.watches === 1);
    api.stray(donePod);
    api.put({ ...webPod, status: { conditions: [{ type: 'Ready', status: 'True' }] } });
    expect((await running.ended).out).toBe('pod/web condition met\n');
  });

  it('gives up at the timeout, for each object', async () => {
    const running = shell.start('wait pods --all --for=condition=Ready --timeout=3s');
    await eventually(() => api.watches === 1);
    await shell.clock.advance(3_000);
    const { code, err } = await running.ended;
    expect(code).toBe(1);
    expect(err).toBe(
      'timed out waiting for the condition on pods/web\ntimed out waiting for the condition on pods/done\n',
    );
  });

  it('checks once with a timeout of zero', async () => {
    expect((await shell.run('wait pod/web --for=condition=Ready --timeout=0')).err).toBe(
      'error: condition not met for pods/web\n',
    );
  });

  it('fails when the object is deleted meanwhile', async () => {
    const running = shell.start('wait pod/web --for=condition=Ready');
    await eventually(() => api.watches === 1);
    api.remove(webPod);
    expect((await running.ended).err).toBe('Error from server (NotFound): pods "web" not found\n');
  });

  it.each([
    ['wait pod/web', 'unrecognized condition: []'],
    ['wait pod/web --for=foo', 'unrecognized condition: "foo"'],
    ['wait pods -l a=b --for=condition=Ready', 'no matching resources found'],
    [
      'wait pod/web --for=jsonpath={.metadata.labels}=a',
      'jsonpath leads to a nested object or list which is not supported',
    ],
    [
      'wait pod/web --for=jsonpath={.spec.containers[*].name}=a',
      'given jsonpath expression matches more than one value',
    ],
    ['wait pod/web --for=jsonpath={.a}=', 'jsonpath wait has to have a value after equal sign'],
    ['wait pod/web --for=delete --timeout=x', 'invalid argument "x" for "--timeout" flag: time: invalid duration "x"'],
  ])('refuses %s', async (line, message) => {
    const { code, err } = await shell.run(line);
    expect(code).toBe(1);
    expect(err).toContain(`error: ${message}`);
  });
});
