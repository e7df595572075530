import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiCaller } from './api-caller.js';
import { uniqueName, type CaseServer } from './case-server.js';

/** Tests objects, lists, watches and patches with config maps. */
export function describeObjectCases(create: () => Promise<CaseServer>): void {
  describe('objects', () => {
    let server: CaseServer;
    let admin: ApiCaller;
    let namespace = '';
    let path = '';
    const configMap = (name: string, labels: object = {}): object => ({ metadata: { name, labels }, data: { a: '1' } });

    beforeAll(async () => {
      server = await create();
      admin = new ApiCaller(server.transport());
      namespace = uniqueName('objects');
      await admin.post('/api/v1/namespaces', { metadata: { name: namespace } });
      path = `/api/v1/namespaces/${namespace}/configmaps`;
    });
    afterAll(async () => {
      await admin.delete(`/api/v1/namespaces/${namespace}`);
      await server.stop();
    });

    it('are created once', async () => {
      const first = await admin.post(path, configMap('once'));
      expect(first).toMatchObject({
        status: 201,
        body: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { namespace } },
      });
      expect(first.body.metadata?.uid).toMatch(/^[0-9a-f-]{36}$/);
      expect(await admin.post(path, configMap('once'))).toMatchObject({
        status: 409,
        body: { kind: 'Status', reason: 'AlreadyExists', message: 'configmaps "once" already exists' },
      });
    });

    it('get generated names', async () => {
      const { body } = await admin.post(path, { metadata: { generateName: 'made-' } });
      expect(body.metadata?.name).toMatch(/^made-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    });

    it.each([
      ['GET of nothing', () => admin.get(`${path}/none`), 404, 'configmaps "none" not found'],
      ['DELETE of nothing', () => admin.delete(`${path}/none`), 404, 'configmaps "none" not found'],
      [
        'an unknown resource',
        () => admin.get('/api/v1/frobs'),
        404,
        'the server could not find the requested resource',
      ],
      [
        'a namespace that is not there',
        () => admin.post('/api/v1/namespaces/nowhere/configmaps', configMap('x')),
        404,
        'namespaces "nowhere" not found',
      ],
      [
        'a field that cannot be selected',
        () => admin.get(`${path}?fieldSelector=data.a%3D1`),
        400,
        '"data.a" is not a known field selector: only "metadata.name", "metadata.namespace"',
      ],
      [
        'a field that pods cannot be selected by',
        () => admin.get('/api/v1/pods?fieldSelector=spec.x%3D1'),
        400,
        'field label not supported: spec.x',
      ],
    ])('refuses %s', async (_what, call, status, message) => {
      expect(await call()).toMatchObject({ status, body: { status: 'Failure', message, code: status } });
    });

    it('are not overwritten by who has an old version', async () => {
      const { body } = await admin.post(path, configMap('versions'));
      expect(await admin.put(`${path}/versions`, { ...body, data: { a: '2' } })).toMatchObject({ status: 200 });
      expect(await admin.put(`${path}/versions`, { ...body, data: { a: '3' } })).toMatchObject({
        status: 409,
        body: {
          reason: 'Conflict',
          message:
            'Operation cannot be fulfilled on configmaps "versions": the object has been modified; please apply your changes to the latest version and try again',
        },
      });
    });

    it('keep their version when a write changes nothing', async () => {
      const { body } = await admin.post(path, configMap('same'));
      const again = await admin.put(`${path}/same`, body);
      expect(again.body.metadata?.resourceVersion).toBe(body.metadata?.resourceVersion);
    });

    it('are patched in every form', async () => {
      await admin.post(path, configMap('patched'));
      const target = `${path}/patched`;
      await admin.patch('merge', target, { data: { b: '2' } });
      await admin.patch('strategic', target, { data: { a: null, c: '3' } });
      await admin.patch('json', target, [{ op: 'replace', path: '/data/b', value: '4' }]);
      const { body } = await admin.patch('apply', `${target}?fieldManager=case`, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'patched' },
        data: { d: '5' },
      });
      expect(body.data).toEqual({ b: '4', c: '3', d: '5' });
    });

    it('lose what an applier does not name any more', async () => {
      const apply = (data: object): ReturnType<ApiCaller['patch']> =>
        admin.patch('apply', `${path}/applied?fieldManager=case`, {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'applied' },
          data,
        });
      expect(await apply({ a: '1', b: '2' })).toMatchObject({ status: 201 });
      expect((await apply({ b: '3' })).body.data).toEqual({ b: '3' });
    });

    it('are deleted under preconditions', async () => {
      const { body } = await admin.post(path, configMap('precious'));
      const wrong = await admin.delete(`${path}/precious`, { preconditions: { uid: 'x' } });
      expect(wrong).toMatchObject({
        status: 409,
        body: {
          message: `Operation cannot be fulfilled on ConfigMap "precious": the UID in the precondition (x) does not match the UID in record (${body.metadata?.uid}). The object might have been deleted and then recreated`,
        },
      });
      expect(await admin.delete(`${path}/precious`, { preconditions: { resourceVersion: '1' } })).toMatchObject({
        status: 409,
        body: {
          message: `Operation cannot be fulfilled on ConfigMap "precious": the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (${body.metadata?.resourceVersion}). The object might have been modified`,
        },
      });
      expect(await admin.delete(`${path}/precious`)).toMatchObject({
        status: 200,
        body: { kind: 'Status', status: 'Success', details: { name: 'precious', kind: 'configmaps' } },
      });
    });

    it('stay for their finalizers', async () => {
      await admin.post(path, { metadata: { name: 'held', finalizers: ['example.com/x'] } });
      expect(await admin.delete(`${path}/held`)).toMatchObject({ status: 200, body: { kind: 'ConfigMap' } });
      expect((await admin.get(`${path}/held`)).status).toBe(200);
      await admin.patch('merge', `${path}/held`, { metadata: { finalizers: null } });
      expect((await admin.get(`${path}/held`)).status).toBe(404);
    });

    it('are listed in pages of one moment', async () => {
      for (const name of ['p1', 'p2', 'p3']) await admin.post(path, configMap(name, { page: 'yes' }));
      const query = `${path}?labelSelector=page%3Dyes&limit=2`;
      const first = await admin.get(query);
      expect(first.body.items?.map(({ metadata }) => metadata?.name)).toEqual(['p1', 'p2']);
      await admin.delete(`${path}/p3`);
      const second = await admin.get(`${query}&continue=${encodeURIComponent(first.body.metadata?.continue ?? '')}`);
      expect(second.body.items?.map(({ metadata }) => metadata?.name)).toEqual(['p3']);
      expect(second.body.metadata?.resourceVersion).toBe(first.body.metadata?.resourceVersion);
    });

    it('are watched from a version on, in and out of a selector', async () => {
      const { body } = await admin.get(path);
      const query = `${path}?watch=1&labelSelector=seen%3Dyes&resourceVersion=${body.metadata?.resourceVersion}`;
      const events = await admin.watch(query, 4, async () => {
        await admin.post(path, configMap('watched'));
        await admin.patch('merge', `${path}/watched`, { metadata: { labels: { seen: 'yes' } } });
        await admin.patch('merge', `${path}/watched`, { data: { a: '2' } });
        await admin.patch('merge', `${path}/watched`, { metadata: { labels: { seen: 'no' } } });
        await admin.patch('merge', `${path}/watched`, { metadata: { labels: { seen: 'yes' } } });
      });
      expect(events.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'DELETED', 'ADDED']);
    });

    it('come first in a watch that asks for them, up to a bookmark', async () => {
      const query = `${path}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&fieldSelector=metadata.name%3Dinitial`;
      await admin.post(path, configMap('initial'));
      const [added, bookmark] = await admin.watch(query, 2);
      expect(added).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'initial' } } });
      expect(bookmark).toMatchObject({
        type: 'BOOKMARK',
        object: { metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } },
      });
    });
  });
}
