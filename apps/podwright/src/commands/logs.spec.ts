import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@podwright/time';
import { donePod, webPod } from '../fixtures/objects.js';
import { PodApi, status } from '../fixtures/pod-api.js';
import { TestShell } from '../fixtures/test-shell.js';

const path = '/api/v1/namespaces/default/pods/web/log';

describe('podwright logs', () => {
  const api = new PodApi();
  let shell: TestShell;

  beforeEach(async () => {
    await api.start();
    shell = new TestShell(api.socket);
    for (const object of [webPod, donePod]) api.put(object);
    api.answers.set(path, ({ url }, response) => {
      const container = new URL(url, 'http://x').searchParams.get('container') ?? '';
      response.end(`${container} 1\n${container} 2\nno end`);
    });
  });
  afterEach(() => api.stop());

  it('prints the first container and says so', async () => {
    expect(await shell.run('logs web')).toEqual({
      code: 0,
      out: 'app 1\napp 2\nno end',
      err: 'Defaulted container "app" out of: app, grpc, init (init), side (init)\n',
    });
  });

  it('prints all containers, each line with its source', async () => {
    const { out } = await shell.run('logs pod/web --all-containers --prefix');
    expect(out.split('\n').slice(0, 4)).toEqual([
      '[pod/web/init] init 1',
      '[pod/web/init] init 2',
      '[pod/web/init] no end[pod/web/side] side 1',
      '[pod/web/side] side 2',
    ]);
  });

  it('passes its options on', async () => {
    await shell.run('logs -p web grpc --tail=5 --since=1m30s --timestamps --limit-bytes=100');
    expect(api.requests.at(-1)?.url).toBe(
      `${path}?previous=true&timestamps=true&tailLines=5&sinceSeconds=90&limitBytes=100&container=grpc`,
    );
    await shell.run('logs -l app=web -c app');
    expect(api.requests.at(-1)?.url).toBe(`${path}?tailLines=10&container=app`);
  });

  it('follows; it tries again until the container has started', async () => {
    let refusals = 1;
    api.answers.set(path, (_, response) => {
      if ((refusals -= 1) >= 0) return status(response, 400, 'BadRequest', 'container "app" is waiting to start');
      response.end('started\n');
    });
    const running = shell.start('logs -f web -c app');
    await eventually(() => running.err() !== '');
    await shell.clock.advance(1_000);
    expect(await running.ended).toEqual({
      code: 0,
      out: 'started\n',
      err: 'container "app" is waiting to start\n',
    });
  });

  it.each([
    ['logs', 'POD or TYPE/NAME is a required argument for the logs command'],
    ['logs nope', 'error: error from server (NotFound): pods "nope" not found in namespace "default"'],
    ['logs web -c nope', 'error: container nope is not valid for pod web out of: app, grpc, init (init), side (init)'],
    ['logs web app -c app', 'only one of -c or an inline [CONTAINER] arg is allowed'],
    ['logs web -l a=b', 'only a selector (-l) or a POD name is allowed'],
    [
      'logs web --tail=x',
      `invalid argument "x" for "--tail" flag: strconv.ParseInt: parsing "x": invalid syntax\nSee 'podwright logs --help' for usage.`,
    ],
    [
      'logs -f web --all-containers --max-log-requests=2',
      'you are attempting to follow 4 log streams, but maximum allowed concurrency is 2',
    ],
  ])('refuses %s', async (line, message) => {
    const { code, out, err } = await shell.run(line);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(message);
  });
});
