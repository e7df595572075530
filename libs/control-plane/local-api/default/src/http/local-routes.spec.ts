import { PassThrough } from 'node:stream';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { KubeletError } from '@podwright/errors';
import { goError, text, type Answer } from '@podwright/http-answer';
import { requestTarget } from '@podwright/http-router';
import type { ServerRequest, ServerRoute } from '@podwright/server-interface';
import { LocalApiHarness, podBody, podsPath } from '../fixtures/local-api-harness.js';

let local: LocalApiHarness;
let passed: string[];
let logs: () => Answer;
beforeEach(async () => {
  passed = [];
  logs = () => text(200, 'a line\n');
  const note = ({ method, path, query }: ServerRequest): string => `${method} ${path}?${query.toString()}`;
  const stream = (path: string): ServerRoute => ({
    ...{ path, methods: ['GET', 'POST'], handle: () => goError(500, 'Upgrade request required') },
    upgrade: async (request, { url }) => {
      passed.push(note(request), url);
      return request.query.get('command') === 'none' ? text(404, 'pod does not exist') : undefined;
    },
  });
  const log: ServerRoute = {
    ...{ path: '/containerLogs/{namespace}/{pod}/{container}', methods: ['GET'] },
    handle: (request) => {
      passed.push(note(request));
      return logs();
    },
  };
  local = await LocalApiHarness.create([
    ...[log, stream('/exec/{namespace}/{pod}/{container}')],
    ...[stream('/attach/{namespace}/{pod}/{container}'), stream('/portForward/{namespace}/{pod}')],
  ]);
  await local.ask(`PUT ${podsPath}/web`, podBody('web'));
  const containers = ['one', 'two'].map((name) => ({ name, image: 'registry.test/main:1' }));
  await local.ask(`PUT ${podsPath}/pair`, podBody('pair', { containers }));
});

describe('paths of the local API', () => {
  it.each([
    'GET /api/v1/services',
    'GET /api/v1/namespaces/default/services/web',
    'GET /api/v1/namespaces/default',
    'GET /api/v1/pods/web',
    'GET /api/v1/namespaces/default/nodes',
    `GET ${podsPath}/web/scale`,
    `GET ${podsPath}/web/constructor`,
    `GET ${podsPath}/web/log/more`,
    'GET /api/v1/namespaces/default/secrets/keys/status',
    'GET /api/v2/pods',
    'POST /apis/apps/v1/namespaces/default/deployments',
    'GET /apis/apps',
  ])('do not include %s, and say what there is', async (line) => {
    const { status, body } = await local.ask(line, {});
    expect([status, body['reason'], body['message']]).toEqual([
      ...[404, 'NotFound'],
      'the server could not find the requested resource: the local API has configmaps, events, nodes, pods, secrets in /api/v1',
    ]);
  });

  it.each([
    [`POST ${podsPath}/web`, 'GET, PUT, PATCH, DELETE'],
    [`PATCH ${podsPath}`, 'GET, POST, DELETE'],
    [`PUT ${podsPath}`, 'GET, POST, DELETE'],
    ['POST /api/v1/pods', 'GET, PUT, DELETE'],
    ['DELETE /api/v1/nodes/n1', 'GET'],
    ['GET /api/v1/nodes?watch=true', 'GET'],
    [`PUT ${podsPath}/web/status`, 'GET'],
    [`DELETE ${podsPath}/web/exec`, 'GET, POST'],
  ])('do not take %s, and say which methods they take', async (line, allowed) => {
    expect(await local.ask(line, podBody('web'))).toMatchObject({
      status: 405,
      body: {
        reason: 'MethodNotAllowed',
        message: `the server does not allow this method on the requested resource: it allows ${allowed}`,
      },
    });
  });

  it('refuse a body that is too large as an API server does', async () => {
    const target = requestTarget(`${podsPath}/web`);
    const route = local.api.routes().find(({ path }) => path === '/api/');
    const { path = '', query = new URLSearchParams() } = target ?? {};
    const answer = await route?.handle({
      ...{ method: 'PUT', path, query, parameters: {}, headers: {}, user: undefined },
      signal: new AbortController().signal,
      body: async (maxBytes) => {
        throw new KubeletError(`request body is larger than ${maxBytes} bytes`, { code: 'resource-exhausted' });
      },
    });
    expect([answer?.status, JSON.parse(String(answer?.body))]).toMatchObject([
      413,
      { reason: 'RequestEntityTooLarge', message: 'Request entity too large: limit is 3145728' },
    ]);
  });

  it.each(['application/vnd.kubernetes.protobuf', 'application/cbor'])('refuse a body in %s', async (type) => {
    expect(await local.ask(`PUT ${podsPath}/web`, 'k8s', { 'content-type': type })).toMatchObject({
      status: 415,
      body: {
        reason: 'UnsupportedMediaType',
        message:
          'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml',
      },
    });
  });

  it('tell kubectl what there is', async () => {
    expect((await local.ask('GET /version')).body).toMatchObject({ major: '1', minor: '36', gitVersion: 'v1.36.2' });
    expect((await local.ask('GET /api')).body).toMatchObject({ kind: 'APIVersions', versions: ['v1'] });
    expect((await local.ask('GET /apis')).body).toMatchObject({ kind: 'APIGroupList', groups: [] });
    const { resources } = (await local.ask('GET /api/v1')).body as { readonly resources: { readonly name: string }[] };
    expect(resources.map(({ name }) => name).join(' ')).toBe(
      'configmaps events nodes pods pods/status pods/log pods/exec pods/attach pods/portforward secrets',
    );
    expect((await local.ask('DELETE /version')).status).toBe(405);
    // kubectl looks for this before it sends an object without having checked it.
    const { paths } = (await local.ask('GET /openapi/v3/api/v1')).body as { readonly paths: Record<string, unknown> };
    expect(paths['/api/v1/namespaces/{namespace}/pods/{name}']).toMatchObject({
      patch: {
        parameters: [{ name: 'fieldValidation', in: 'query' }],
        'x-kubernetes-group-version-kind': { group: '', version: 'v1', kind: 'Pod' },
      },
    });
    expect((await local.ask('GET /openapi/v2')).status).toBe(404);
  });

  it('show tables', async () => {
    const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' };
    const { body } = await local.ask('GET /api/v1/pods', undefined, headers);
    const { rows } = body as { readonly rows: { readonly cells: unknown[] }[] };
    expect(rows.map(({ cells }) => cells.slice(0, 3))).toEqual([
      ['pair', '0/2', 'Pending'],
      ['web', '0/1', 'Pending'],
    ]);
    expect((await local.ask('GET /api/v1/pods', undefined, { accept: 'text/html' })).status).toBe(406);
  });
});

describe('the node and its events', () => {
  it('are there to read', async () => {
    expect((await local.ask('GET /api/v1/nodes')).body).toMatchObject({ items: [{ metadata: { name: 'n1' } }] });
    expect((await local.ask('GET /api/v1/nodes/n1')).body).toMatchObject({ kind: 'Node', metadata: { uid: 'uid-n1' } });
    expect((await local.ask('GET /api/v1/nodes/n2')).status).toBe(404);
    const event = {
      kind: 'Pod',
      namespace: 'default',
      podUid: 'uid-1',
      fieldPath: '',
      type: 'Normal',
      count: 2,
    } as const;
    const times = { firstAtMs: Date.UTC(2026, 0, 2), lastAtMs: Date.UTC(2026, 0, 3) };
    local.events.push(
      { ...event, ...times, name: 'web', reason: 'Pulled', message: 'm', fieldPath: 'spec.containers{main}' },
      { ...event, ...times, name: 'pair', reason: 'Killing', message: 'm' },
    );
    const selector = 'involvedObject.name%3Dweb,involvedObject.namespace%3Ddefault,involvedObject.uid%3Duid-1';
    const { body } = await local.ask(`GET /api/v1/events?fieldSelector=${selector}`);
    expect(body['items']).toMatchObject([
      {
        ...{ kind: 'Event', reason: 'Pulled', count: 2, type: 'Normal' },
        metadata: { name: expect.stringMatching(/^web\.[0-9a-f]+$/), namespace: 'default' },
        involvedObject: { kind: 'Pod', name: 'web', uid: 'uid-1', fieldPath: 'spec.containers{main}' },
        ...{ firstTimestamp: '2026-01-02T00:00:00Z', lastTimestamp: '2026-01-03T00:00:00Z' },
        source: { component: 'kubelet', host: 'n1' },
      },
    ]);
  });
});

describe('the log of a pod', () => {
  const get = async (query: string): Promise<readonly [number, unknown]> => {
    const target = requestTarget(`${podsPath}/${query}`);
    const route = local.api.routes().find(({ path }) => path === '/api/');
    const { path = '', query: parsed = new URLSearchParams() } = target ?? {};
    const answer = await route?.handle({
      ...{ method: 'GET', path, query: parsed, parameters: {}, headers: {}, user: undefined },
      ...{ signal: new AbortController().signal, body: async () => Buffer.alloc(0) },
    });
    return [answer?.status ?? 0, answer?.body];
  };
  const message = (body: unknown): string => (JSON.parse(String(body)) as { readonly message: string }).message;

  it('comes from the kubelet, with what the client asks for', async () => {
    expect(await get('web/log?follow=true&tailLines=5&sinceSeconds=3&previous=false')).toEqual([200, 'a line\n']);
    expect(passed).toEqual(['GET /containerLogs/default/web/main?follow=true&sinceSeconds=3&tailLines=5']);
  });

  it.each([
    ['none/log', 404, 'pods "none" not found'],
    ['pair/log', 400, 'a container name must be specified for pod pair, choose one of: [one two]'],
    ['web/log?container=x', 400, 'container x is not valid for pod web'],
  ])('%s: %i', async (query, status, expected) => {
    const [got, body] = await get(query);
    expect([got, message(body)]).toEqual([status, expected]);
  });

  it('that cannot be shown has the reason of the kubelet', async () => {
    logs = () => text(400, 'container "main" in pod "web" is waiting to start: ContainerCreating');
    const [status, body] = await get('web/log');
    expect([status, message(body)]).toEqual([
      400,
      'container "main" in pod "web" is waiting to start: ContainerCreating',
    ]);
  });
});

describe('exec, attach and port-forward', () => {
  const upgrade = (url: string): Promise<Answer | undefined> => {
    const target = requestTarget(`${podsPath}/${url}`);
    const route = local.api.routes().find(({ path }) => path === '/api/');
    const { path = '', query = new URLSearchParams() } = target ?? {};
    const connection = { method: 'POST', url, rawHeaders: [], socket: new PassThrough(), head: Buffer.alloc(0) };
    const request: ServerRequest = {
      ...{ method: 'POST', path, query, parameters: {}, headers: {}, user: undefined },
      ...{ signal: new AbortController().signal, body: async () => Buffer.alloc(0) },
    };
    return route?.upgrade?.(request, { ...connection, remoteAddress: '' }) ?? Promise.reject(new Error('no upgrade'));
  };

  it.each([
    [
      'web/exec?command=ls&command=-l&stdin=true&stdout=true&tty=1',
      '/exec/default/web/main',
      'input=1&output=1&tty=1&command=ls&command=-l',
    ],
    ['pair/attach?container=two&stderr=true', '/attach/default/pair/two', 'error=1'],
    ['web/portforward?ports=80&ports=81,82', '/portForward/default/web', 'port=80&port=81&port=82'],
  ])('%s goes on to the kubelet', async (url, path, query) => {
    expect(await upgrade(url)).toBeUndefined();
    expect(passed).toEqual([`POST ${path}?${query}`, `${path}?${query}`]);
  });

  it('answer with a Status when they cannot begin', async () => {
    const of = async (url: string): Promise<unknown> => {
      const { status, body } = (await upgrade(url)) ?? {};
      return [status, (JSON.parse(String(body)) as { readonly message: string }).message];
    };
    expect(await of('none/exec?command=ls')).toEqual([404, 'pods "none" not found']);
    expect(await of('web/exec?command=none')).toEqual([404, 'pod does not exist']);
    expect(await of('web/nothing')).toEqual([404, expect.stringContaining('the server could not find')]);
    expect((await local.ask(`POST ${podsPath}/web/exec`)).body['message']).toBe('Upgrade request required');
  });

  it('are not there without the streams of the kubelet', async () => {
    const bare = await LocalApiHarness.create();
    await bare.ask(`PUT ${podsPath}/web`, podBody('web'));
    expect(await bare.ask(`GET ${podsPath}/web/log`)).toMatchObject({
      status: 501,
      body: { reason: 'NotImplemented', message: 'this kubelet does not serve log' },
    });
  });
});
