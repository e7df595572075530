import { beforeEach, describe, expect, it } from '@jest/globals';
import { KubeletError } from '@podwright/errors';
import { LocalApiHarness, podBody, podsPath } from '../fixtures/local-api-harness.js';

let local: LocalApiHarness;
beforeEach(async () => void (local = await LocalApiHarness.create()));

const configMap = (data: object, more: object = {}): object => ({ metadata: { name: 'settings' }, data, ...more });
const settings = '/api/v1/namespaces/default/configmaps/settings';
const message = (text: string) => ({ kind: 'Status', status: 'Failure', message: text });

describe('an object of the local API', () => {
  it('is listed by its name, whenever it was made', async () => {
    for (const name of ['c', 'a', 'b']) await local.ask(`POST ${podsPath}`, podBody(name));
    const { body } = await local.ask('GET /api/v1/pods');
    expect((body['items'] as readonly { metadata: { name: string } }[]).map(({ metadata }) => metadata.name)).toEqual([
      ...['a', 'b', 'c'],
    ]);
  });

  it('is created with its defaults, shown with its status, and listed', async () => {
    const created = await local.ask(`POST ${podsPath}`, podBody('web', {}, { labels: { app: 'web' } }));
    expect(created).toMatchObject({
      status: 201,
      body: {
        ...{ apiVersion: 'v1', kind: 'Pod' },
        metadata: {
          ...{ name: 'web', namespace: 'default', uid: 'uid-1', generation: 1, labels: { app: 'web' } },
          annotations: { 'kubernetes.io/config.source': 'local' },
        },
        spec: { restartPolicy: 'Always', nodeName: 'n1', terminationGracePeriodSeconds: 30 },
        status: { phase: 'Pending' },
      },
    });
    local.setStatus(local.pod('web'), { phase: 'Running', podIP: '10.0.0.1' });
    const shown = await local.ask(`GET ${podsPath}/web`);
    expect(shown).toMatchObject({ status: 200, body: { status: { phase: 'Running', podIP: '10.0.0.1' } } });
    expect(await local.ask(`GET ${podsPath}/web/status`)).toEqual(shown);
    expect((await local.ask('GET /api/v1/pods')).body).toEqual({
      ...{ kind: 'PodList', apiVersion: 'v1', metadata: { resourceVersion: '1' }, items: [shown.body] },
    });
  });

  it('is created under a generated name', async () => {
    const { body } = await local.ask(`POST ${podsPath}`, podBody('', {}, { name: undefined, generateName: 'job-' }));
    expect(body['metadata']).toMatchObject({ name: expect.stringMatching(/^job-[a-z0-9]{5}$/), generateName: 'job-' });
  });

  it('is not created twice', async () => {
    await local.ask(`POST ${podsPath}`, podBody('web'));
    const details = { name: 'web', kind: 'pods' };
    expect(await local.ask(`POST ${podsPath}`, podBody('web'))).toEqual({
      status: 409,
      body: {
        ...{ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 409 },
        ...{ message: 'pods "web" already exists', reason: 'AlreadyExists', details },
      },
    });
    await local.ask(`DELETE ${podsPath}/web`);
    expect(await local.ask(`POST ${podsPath}`, podBody('web'))).toMatchObject({
      status: 409,
      body: message('object is being deleted: pods "web" already exists'),
    });
  });

  it('is put: 201 when it is new, 200 when it is not, and no change is none', async () => {
    expect(await local.ask(`PUT ${settings}`, configMap({ a: '1' }))).toMatchObject({ status: 201 });
    const again = await local.ask(`PUT ${settings}`, configMap({ a: '1' }));
    expect(again).toMatchObject({ status: 200, body: { metadata: { resourceVersion: '1', uid: 'uid-1' } } });
    const changed = await local.ask(`PUT ${settings}`, configMap({ a: '2' }));
    expect(changed).toMatchObject({ status: 200, body: { metadata: { resourceVersion: '2', uid: 'uid-1' } } });
  });

  it('can be put back as it was shown', async () => {
    await local.ask(`PUT ${podsPath}/web`, podBody('web', {}, { annotations: { note: 'mine' } }));
    local.setStatus(local.pod('web'), { phase: 'Running' });
    const shown = await local.ask(`GET ${podsPath}/web`);
    const put = await local.ask(`PUT ${podsPath}/web`, shown.body);
    expect(put).toEqual(shown);
    expect(local.objects.disk.resourceVersion).toBe('1');
    expect(local.pod('web').metadata.annotations).toEqual({ note: 'mine' });
  });

  it('is put only over the version that the client has seen', async () => {
    await local.ask(`PUT ${settings}`, configMap({ a: '1' }));
    await local.ask(`PUT ${settings}`, configMap({ a: '2' }));
    const stale = configMap({ a: '3' }, { metadata: { name: 'settings', resourceVersion: '1' } });
    const changed = 'the object has been modified; please apply your changes to the latest version and try again';
    expect(await local.ask(`PUT ${settings}`, stale)).toMatchObject({
      status: 409,
      body: {
        ...message(`Operation cannot be fulfilled on configmaps "settings": ${changed}`),
        ...{ reason: 'Conflict', details: { name: 'settings', kind: 'configmaps' } },
      },
    });
    const other = configMap({ a: '3' }, { metadata: { name: 'settings', uid: 'uid-9' } });
    expect(await local.ask(`PUT ${settings}`, other)).toMatchObject({
      status: 409,
      body: message(
        'Operation cannot be fulfilled on configmaps "settings": Precondition failed: UID in precondition: uid-9, UID in object meta: uid-1',
      ),
    });
    const fresh = configMap({ a: '3' }, { metadata: { name: 'settings', resourceVersion: '2', uid: 'uid-1' } });
    expect(await local.ask(`PUT ${settings}`, fresh)).toMatchObject({ status: 200 });
    await local.ask(`DELETE ${settings}`);
    expect(await local.ask(`PUT ${settings}`, fresh)).toMatchObject({
      status: 404,
      body: message('configmaps "settings" not found'),
    });
  });

  it('is another pod when its spec changes, or when the one before is being deleted', async () => {
    await local.ask(`PUT ${podsPath}/web`, podBody('web'));
    const uid = async (body: object): Promise<unknown> => {
      const { body: answer } = await local.ask(`PUT ${podsPath}/web`, body);
      return (answer['metadata'] as { readonly uid: string }).uid;
    };
    const cpu = (amount: string): object => ({
      containers: [{ name: 'main', image: 'registry.test/main:1', resources: { limits: { cpu: amount } } }],
    });
    expect(await uid(podBody('web', {}, { labels: { a: 'b' } }))).toBe('uid-1');
    expect(await uid(podBody('web', cpu('1')))).toBe('uid-2');
    const { resourceVersion } = local.pod('web').metadata;
    expect(await uid(podBody('web', cpu('1000m')))).toBe('uid-2');
    expect(local.pod('web').metadata.resourceVersion).toBe(resourceVersion);
    await local.ask(`DELETE ${podsPath}/web`);
    expect(await uid(podBody('web', cpu('1')))).toBe('uid-3');
    expect(local.pod('web').metadata.deletionTimestamp).toBeUndefined();
  });

  it('is patched as it is when its turn has come', async () => {
    const patch = (body: unknown, type = 'strategic-merge-patch', path = `${podsPath}/web`) =>
      local.ask(`PATCH ${path}`, body, { 'content-type': `application/${type}+json` });
    await local.ask(`PUT ${podsPath}/web`, podBody('web', {}, { labels: { a: '1', b: '2' } }));
    expect(await patch({ metadata: { labels: { a: null, c: '3' } } })).toMatchObject({
      status: 200,
      body: { metadata: { uid: 'uid-1', labels: { b: '2', c: '3' } } },
    });
    const container = { containers: [{ name: 'main', image: 'registry.test/main:2' }] };
    expect(await patch({ spec: container })).toMatchObject({ status: 200, body: { metadata: { uid: 'uid-2' } } });
    expect(local.pod('web').spec.containers).toMatchObject([{ name: 'main', image: 'registry.test/main:2' }]);
    const { resourceVersion } = local.pod('web').metadata;
    await patch({ spec: container });
    expect(local.pod('web').metadata.resourceVersion).toBe(resourceVersion);
    expect(await patch([{ op: 'add', path: '/metadata/annotations', value: { x: 'y' } }], 'json-patch')).toMatchObject({
      status: 200,
    });
    expect(await patch({ metadata: { resourceVersion: '1' } }, 'merge-patch')).toMatchObject({ status: 409 });
    expect(await patch({ spec: { nonsense: 1 } }, 'merge-patch')).toMatchObject({ status: 400 });
    expect(await patch({ spec: { restartPolicy: 'x' } }, 'merge-patch')).toMatchObject({ status: 422 });
    expect(await patch({}, 'merge-patch', `${podsPath}/none`)).toMatchObject({ status: 404 });
    expect(await patch({}, 'apply-patch')).toMatchObject({ status: 415 });
  });

  it('takes its text data in, and an immutable one stays', async () => {
    const path = '/api/v1/namespaces/default/secrets/keys';
    const secret = { metadata: { name: 'keys' }, stringData: { password: 'secret' }, immutable: true };
    const { body } = await local.ask(`PUT ${path}`, secret);
    expect(body).toMatchObject({ type: 'Opaque', data: { password: 'c2VjcmV0' } });
    expect(body).not.toHaveProperty('stringData');
    expect(await local.ask(`PUT ${path}`, { ...secret, stringData: { password: 'other' } })).toMatchObject({
      status: 422,
      body: {
        ...message('Secret "keys" is invalid: data: Forbidden: field is immutable when `immutable` is set'),
        details: { causes: [{ reason: 'FieldValueForbidden', field: 'data' }] },
      },
    });
  });

  it('is selected by labels and fields', async () => {
    await local.ask(`PUT ${podsPath}/a`, podBody('a', {}, { labels: { tier: 'front' } }));
    await local.ask(`PUT ${podsPath}/b`, podBody('b', {}, { labels: { tier: 'back' } }));
    await local.ask('PUT /api/v1/namespaces/other/pods/c', podBody('c'));
    local.setStatus(local.pod('b'), { phase: 'Running' });
    const names = async (query: string, path = '/api/v1/pods'): Promise<string> => {
      const { body } = await local.ask(`GET ${path}?${query}`);
      return (body['items'] as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name).join(' ');
    };
    expect(await names('')).toBe('a b c');
    expect(await names('', podsPath)).toBe('a b');
    expect(await names('labelSelector=tier%3Dfront')).toBe('a');
    expect(await names('labelSelector=tier')).toBe('a b');
    expect(await names('fieldSelector=metadata.name%3Db')).toBe('b');
    expect(await names('fieldSelector=metadata.namespace!%3Ddefault')).toBe('c');
    expect(await names('fieldSelector=status.phase%3DRunning')).toBe('b');
    expect(await local.ask('GET /api/v1/pods?fieldSelector=spec.x%3Dy')).toMatchObject({
      status: 400,
      body: message('field label not supported: spec.x'),
    });
  });

  it('is only tried with dryRun', async () => {
    expect(await local.ask(`POST ${podsPath}?dryRun=All`, podBody('web'))).toMatchObject({ status: 201 });
    expect(await local.ask(`PUT ${podsPath}/web?dryRun=All`, podBody('web', { nonsense: 1 }))).toMatchObject({
      status: 400,
    });
    expect(await local.ask(`PUT /api/v1/pods?dryRun=All`, { items: [podBody('web')] })).toMatchObject({ status: 200 });
    expect(local.objects.list('Pod').items).toEqual([]);
    expect(await local.ask(`POST ${podsPath}?dryRun=Some`, podBody('web'))).toMatchObject({ status: 400 });
  });

  it('is refused with the reason of the store', async () => {
    local.objects.failure = new KubeletError('no space left on device', { code: 'unavailable' });
    expect(await local.ask(`PUT ${settings}`, configMap({}))).toMatchObject({
      status: 503,
      body: { ...message('no space left on device'), reason: 'ServiceUnavailable' },
    });
    expect(local.logger.messages('error')).toEqual(['A request of the local API failed']);
    const file = 'configmaps "settings" comes from /etc/podwright/settings.yaml';
    local.objects.failure = new KubeletError(file, { code: 'failed-precondition' });
    expect(await local.ask(`PUT ${settings}`, configMap({}))).toMatchObject({
      status: 409,
      body: { ...message(file), reason: 'Conflict' },
    });
  });
});
