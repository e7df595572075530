import { describe, expect, it } from '@jest/globals';
import { decodeCbor } from '@podwright/kube-cbor';
import { createSeededRandom, VirtualClock } from '@podwright/time';
import { parse } from 'yaml';
import { askRoutes, type Asked } from '@podwright/server-interface/contract';
import { flagzRoutes } from './flagz-routes.js';
import { statuszRoutes } from './statusz-routes.js';
import { unixDate } from './unix-date.js';

const startedMs = Date.UTC(2026, 0, 2, 3, 4, 5);
const clock = new VirtualClock({ startMs: startedMs + 3_725_900 });
const paths = ['/healthz', '/healthz/ping', '/metrics', '/metrics/slis', '/debug/flags/v', '/configz', '/flagz'];
const listed = ['/configz', '/debug', '/flagz', '/healthz', '/metrics'];
const routesWith = (cbor: boolean) => [
  ...flagzRoutes({ flags: { v: '2', config: '/etc/k.yaml' } }, createSeededRandom(1), cbor),
  ...statuszRoutes({
    process: { version: 'v1.36.2', startedMs },
    ...{ clock, random: createSeededRandom(1), paths, cbor, engineVersion: 'node v20' },
  }),
];
const routes = routesWith(false);
const page = (path: string, accept?: string, more: Readonly<Record<string, string>> = {}): Promise<Asked> =>
  askRoutes(routes, 'GET', path, { headers: { ...more, ...(accept !== undefined && { accept }) } });
const warning =
  'Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is for debugging purposes only.';

describe('/flagz and /statusz', () => {
  it.each([
    undefined,
    '',
    ' ',
    'text/plain',
    '*/*',
    'text/*',
    'application/json, text/plain;q=0.1',
    'text/plain;charset=x',
  ])('is text for Accept: %s', async (accept) => {
    const { status, headers, body } = await page('/flagz', accept);
    expect([status, headers]).toEqual([200, { 'Content-Type': 'text/plain; charset=utf-8' }]);
    expect(body).toMatch(/^\nkubelet flagz\n/);
    const [, , second, third, fourth] = body.split('\n');
    expect(second).toBe(warning);
    expect([third, fourth]).toEqual([
      expect.stringMatching(/^config(?::|: |=| )\/etc\/k\.yaml$/),
      expect.stringMatching(/^v(?::|: |=| )2$/),
    ]);
  });

  it('says in text what runs since when', async () => {
    const { body } = await page('/statusz');
    const [, , , , started, ...rest] = body.split('\n');
    const separator = /^Started(:|: |=| ) /.exec(started ?? '')?.[1] ?? '?';
    expect(started).toBe(`Started${separator} ${unixDate(startedMs)}`);
    expect(rest).toEqual([
      `Up${separator} 1 hr 02 min 05 sec`,
      `Go version${separator} node v20`,
      `Binary version${separator} 1.36.2`,
      `Emulation version${separator} 1.36`,
      `Paths${separator} ${listed.join(' ')}`,
      '',
    ]);
  });

  const statusz = {
    ...{ startTime: '2026-01-02T03:04:05Z', uptimeSeconds: 3725, goVersion: 'node v20' },
    ...{ binaryVersion: '1.36.2', emulationVersion: '1.36', paths: listed },
  };
  it.each([
    ['/flagz', 'Flagz', 'v1beta1', { flags: { config: '/etc/k.yaml', v: '2' } }],
    ['/flagz', 'Flagz', 'v1alpha1', { flags: { config: '/etc/k.yaml', v: '2' } }],
    ['/statusz', 'Statusz', 'v1beta1', statusz],
    ['/statusz', 'Statusz', 'v1alpha1', statusz],
  ])('%s as %s %s', async (path, kind, version, fields) => {
    const wanted = `v=${version};g=config.k8s.io;as=${kind}`;
    const json = await page(path, `application/json;${wanted}`);
    const value = { kind, apiVersion: `config.k8s.io/${version}`, metadata: { name: 'kubelet' }, ...fields };
    expect(json.status).toBe(200);
    expect(json.body).toBe(`${JSON.stringify(value)}\n`);
    expect(json.headers).toEqual({
      'Content-Type': `application/json;g=config.k8s.io;v=${version};as=${kind}`,
      ...(version === 'v1alpha1' && {
        Warning: `299 - "This version of the ${path.slice(1)} endpoint is deprecated. Please use a newer version."`,
      }),
    });
    const yaml = await page(path, `application/yaml;${wanted}`);
    expect(yaml.headers['Content-Type']).toBe(`application/yaml;g=config.k8s.io;v=${version};as=${kind}`);
    expect(parse(yaml.body)).toEqual(value);
    // Readers of YAML 1.1, such as Python's, must not take a text for a time or a boolean.
    expect(parse(yaml.body, { version: '1.1' })).toEqual(value);
    const curl = await page(path, `application/json;${wanted}`, { 'user-agent': 'curl/8.0' });
    expect(curl.body).toBe(JSON.stringify(value, undefined, 2));
  });

  it.each([
    ['application/json', 'application/json', false],
    ['application/json;v=v1;g=config.k8s.io;as=Flagz', 'application/json', true],
    ['application/json;v=v1beta1;g=config.k8s.io;as=Statusz', 'application/json', true],
    ['application/json;v=v1beta1;as=Flagz', 'application/json', true],
    ['application/json;v=v1beta1;g=config.k8s.io;as=Flagz;stream=watch', 'application/json', true],
    ['text/plain;v=v1beta1;g=config.k8s.io;as=Flagz', 'application/json', true],
    ['application/cbor;v=v1beta1;g=config.k8s.io;as=Flagz', 'application/json', true],
    ['application/xml', 'application/json', true],
  ])('does not accept %s', async (accept, contentType, isRaw) => {
    const { status, headers, body } = await page('/flagz', accept);
    expect([status, headers]).toEqual([406, { 'Content-Type': contentType }]);
    expect(JSON.parse(body)).toEqual({
      ...{ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason: 'NotAcceptable', code: 406 },
      message: 'only the following media types are accepted: application/json, application/yaml, text/plain',
    });
    expect(body.includes('\n  ')).toBe(isRaw);
  });

  it('is CBOR too, if the gate is on', async () => {
    const accept = 'application/cbor;v=v1beta1;g=config.k8s.io;as=Flagz';
    const { headers, bytes } = await askRoutes(routesWith(true), 'GET', '/flagz', { headers: { accept } });
    expect(headers).toEqual({ 'Content-Type': 'application/cbor;g=config.k8s.io;v=v1beta1;as=Flagz' });
    expect(decodeCbor(bytes)).toMatchObject({ kind: 'Flagz', flags: { config: '/etc/k.yaml', v: '2' } });
    const refused = await askRoutes(routesWith(true), 'GET', '/flagz', { headers: { accept: 'application/xml' } });
    expect(refused.body).toContain('application/json, application/yaml, text/plain, application/cbor');
  });

  it('takes any method, as upstream does', async () => {
    expect((await askRoutes(routes, 'POST', '/flagz')).status).toBe(200);
  });
});
