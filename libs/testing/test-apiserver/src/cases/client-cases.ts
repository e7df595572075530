import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiCaller, type Body } from './api-caller.js';
import { uniqueName, type CaseServer } from './case-server.js';

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const metadataOnly = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const metadataLists = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

interface Table {
  readonly kind: string;
  readonly columnDefinitions:
    | readonly { readonly name: string; readonly type: string; readonly priority: number }[]
    | null;
  readonly rows: readonly { readonly cells: readonly unknown[]; readonly object: Body }[];
}

/** Tests what kubectl needs: discovery, OpenAPI, tables, partial metadata, strict fields, dry runs. */
export function describeClientCases(create: () => Promise<CaseServer>): void {
  describe('clients for people', () => {
    let server: CaseServer;
    let admin: ApiCaller;
    let namespace = '';
    let path = '';

    beforeAll(async () => {
      server = await create();
      admin = new ApiCaller(server.transport());
      namespace = uniqueName('people');
      await admin.post('/api/v1/namespaces', { metadata: { name: namespace } });
      path = `/api/v1/namespaces/${namespace}/configmaps`;
    });
    afterAll(async () => {
      await admin.delete(`/api/v1/namespaces/${namespace}`);
      await server.stop();
    });

    it.each([
      [
        '/api/v1',
        'pods',
        { kind: 'Pod', namespaced: true, shortNames: ['po'], categories: ['all'], singularName: 'pod' },
      ],
      ['/api/v1', 'pods/eviction', { kind: 'Eviction', group: 'policy', version: 'v1', verbs: ['create'] }],
      ['/api/v1', 'pods/status', { kind: 'Pod', verbs: ['get', 'patch', 'update'] }],
      ['/api/v1', 'pods/exec', { kind: 'PodExecOptions', verbs: ['create', 'get'] }],
      ['/api/v1', 'nodes', { kind: 'Node', namespaced: false, shortNames: ['no'] }],
      ['/api/v1', 'serviceaccounts/token', { kind: 'TokenRequest', group: 'authentication.k8s.io', verbs: ['create'] }],
      ['/apis/coordination.k8s.io/v1', 'leases', { kind: 'Lease', namespaced: true }],
      ['/apis/certificates.k8s.io/v1', 'certificatesigningrequests', { shortNames: ['csr'], namespaced: false }],
      ['/apis/certificates.k8s.io/v1', 'certificatesigningrequests/approval', { verbs: ['get', 'patch', 'update'] }],
      ['/apis/node.k8s.io/v1', 'runtimeclasses', { kind: 'RuntimeClass', singularName: 'runtimeclass' }],
    ])('find in %s the resource %s', async (groupVersion, name, expected) => {
      const { body } = await admin.get(groupVersion);
      const resources = body.resources as readonly { readonly name: string }[];
      expect(resources.find((resource) => resource.name === name)).toMatchObject(expected);
    });

    it('find all resources at once', async () => {
      const { body, headers } = await admin.get('/api', aggregated);
      expect(headers['content-type']).toBe(aggregated);
      expect(body).toMatchObject({ kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2' });
      const [core] = body.items as unknown as readonly {
        readonly versions: readonly { readonly resources: readonly { readonly resource: string }[] }[];
      }[];
      const resources = core?.versions[0]?.resources ?? [];
      expect(resources.find(({ resource }) => resource === 'pods')).toMatchObject({
        responseKind: { group: '', version: '', kind: 'Pod' },
        scope: 'Namespaced',
        singularResource: 'pod',
        shortNames: ['po'],
        subresources: expect.arrayContaining([
          {
            subresource: 'eviction',
            responseKind: { group: 'policy', version: 'v1', kind: 'Eviction' },
            verbs: ['create'],
          },
        ]) as unknown,
      });
    });

    it('find the fields of a type, and how lists merge', async () => {
      const { body } = await admin.get('/openapi/v3');
      // The body is JSON, but the server's Content-Type says text.
      const places = (JSON.parse(body.message ?? '{}') as Body).paths as Readonly<
        Record<string, { readonly serverRelativeURL: string }>
      >;
      const core = await admin.get(places['api/v1']?.serverRelativeURL ?? '');
      const { schemas } = core.body.components as {
        readonly schemas: Readonly<
          Record<string, { readonly properties: object; readonly required?: readonly string[] }>
        >;
      };
      expect(schemas['io.k8s.api.core.v1.PodSpec']).toMatchObject({
        required: ['containers'],
        properties: {
          containers: { type: 'array', 'x-kubernetes-patch-merge-key': 'name', 'x-kubernetes-patch-strategy': 'merge' },
          tolerations: { type: 'array', 'x-kubernetes-list-type': 'atomic' },
          volumes: { 'x-kubernetes-patch-strategy': 'merge,retainKeys', 'x-kubernetes-list-map-keys': ['name'] },
          hostNetwork: { type: 'boolean' },
          terminationGracePeriodSeconds: { type: 'integer', format: 'int64' },
        },
      });
      expect(schemas['io.k8s.api.core.v1.Pod']).toMatchObject({
        'x-kubernetes-group-version-kind': [{ group: '', version: 'v1', kind: 'Pod' }],
      });
      const paths = core.body.paths as Readonly<
        Record<string, { readonly patch: { readonly parameters: readonly { readonly name: string }[] } }>
      >;
      const { parameters } = paths['/api/v1/namespaces/{namespace}/pods/{name}']?.patch ?? { parameters: [] };
      expect(parameters.map(({ name }) => name).sort()).toEqual(['dryRun', 'fieldManager', 'fieldValidation', 'force']);
    });

    it.each([
      ['/api/v1/pods', 'Name Ready Status Restarts Age IP Node Nominated+Node Readiness+Gates', 4],
      [
        '/api/v1/nodes',
        'Name Status Roles Age Version Internal-IP External-IP OS-Image Kernel-Version Container-Runtime',
        5,
      ],
      ['/api/v1/secrets', 'Name Type Data Age', 0],
      ['/api/v1/configmaps', 'Name Data Age', 0],
      ['/api/v1/services', 'Name Type Cluster-IP External-IP Port(s) Age Selector', 1],
      ['/api/v1/events', 'Last+Seen Type Reason Object Subobject Source Message First+Seen Count Name', 5],
      ['/api/v1/namespaces', 'Name Status Age', 0],
      ['/api/v1/serviceaccounts', 'Name Age', 0],
      ['/apis/coordination.k8s.io/v1/leases', 'Name Holder Age', 0],
      ['/apis/node.k8s.io/v1/runtimeclasses', 'Name Handler Age', 0],
      [
        '/apis/certificates.k8s.io/v1/certificatesigningrequests',
        'Name Age SignerName Requestor RequestedDuration Condition',
        0,
      ],
      ['/apis/rbac.authorization.k8s.io/v1/clusterroles', 'Name Created+At', 0],
      ['/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', 'Name Role Age Users Groups ServiceAccounts', 3],
      ['/apis/scheduling.k8s.io/v1/priorityclasses', 'Name Value Global-Default Age PreemptionPolicy', 0],
      ['/apis/storage.k8s.io/v1/csinodes', 'Name Drivers Age', 0],
    ])('see %s as a table', async (url, names, wide) => {
      const { body } = await admin.get(url, table);
      const { kind, columnDefinitions } = body as unknown as Table;
      expect(kind).toBe('Table');
      expect(columnDefinitions?.map(({ name }) => name.replaceAll(' ', '+')).join(' ')).toBe(names);
      expect(columnDefinitions?.filter(({ priority }) => priority === 1)).toHaveLength(wide);
    });

    it('see rows with the objects that they ask for', async () => {
      await admin.post(path, { metadata: { name: 'shown' }, data: { a: '1', b: '2' } });
      const rows = async (query: string): Promise<Table['rows']> =>
        ((await admin.get(`${path}/shown${query}`, table)).body as unknown as Table).rows;
      expect(await rows('')).toMatchObject([
        {
          cells: ['shown', 2, expect.any(String)],
          object: { kind: 'PartialObjectMetadata', metadata: { name: 'shown' } },
        },
      ]);
      expect(await rows('?includeObject=Object')).toMatchObject([{ object: { kind: 'ConfigMap', data: { a: '1' } } }]);
      expect(await rows('?includeObject=None')).toMatchObject([{ object: null }]);
    });

    it('see changes as tables, the first with columns', async () => {
      const { body } = await admin.get(path);
      const events: Table[] = [];
      const query = `${path}?watch=1&resourceVersion=${body.metadata?.resourceVersion}`;
      const make = async (): Promise<void> => {
        for (const name of ['seen-1', 'seen-2']) await admin.post(path, { metadata: { name } });
      };
      for (const { object } of await admin.watch(query, 2, make, table)) events.push(object as unknown as Table);
      expect(events.map(({ columnDefinitions, rows }) => [columnDefinitions?.length, rows[0]?.cells[0]])).toEqual([
        [3, 'seen-1'],
        [undefined, 'seen-2'],
      ]);
    });

    it('see metadata alone', async () => {
      await admin.post(path, { metadata: { name: 'partial', labels: { a: 'b' } }, data: { a: '1' } });
      const one = await admin.get(`${path}/partial`, metadataOnly);
      expect(one.body).toMatchObject({
        kind: 'PartialObjectMetadata',
        apiVersion: 'meta.k8s.io/v1',
        metadata: { name: 'partial', labels: { a: 'b' } },
      });
      expect(one.body.data).toBeUndefined();
      const { body } = await admin.get(path, metadataLists);
      expect(body).toMatchObject({ kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1' });
      expect(body.items?.[0]).toMatchObject({ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' });
    });

    it('are told that nothing else than what the server has is to be had', async () => {
      expect(await admin.get(path, 'text/html')).toMatchObject({ status: 406, body: { reason: 'NotAcceptable' } });
    });

    const wrongFields = { metadata: { name: 'wrong', foo: 'bar' }, data: { a: 'b' }, spec: 3 };
    const subject = 'ConfigMap in version "v1" cannot be handled as a ConfigMap';

    it('are refused fields that a type does not have, when they want it so', async () => {
      expect(await admin.post(`${path}?fieldValidation=Strict`, wrongFields)).toMatchObject({
        status: 400,
        body: { message: `${subject}: strict decoding error: unknown field "metadata.foo", unknown field "spec"` },
      });
      expect((await admin.get(`${path}/wrong`)).status).toBe(404);
    });

    it('are warned of such fields otherwise, and the fields are dropped', async () => {
      const made = await admin.post(path, wrongFields);
      expect(made.status).toBe(201);
      expect(made.headers['warning']).toBe(
        '299 - "unknown field \\"metadata.foo\\"", 299 - "unknown field \\"spec\\""',
      );
      expect(made.body.spec).toBeUndefined();
      const patched = await admin.patch('merge', `${path}/wrong`, { metadata: { foo: 1 }, data: { c: 'd' } });
      expect(patched).toMatchObject({ status: 200, body: { data: { a: 'b', c: 'd' } } });
      expect(patched.headers['warning']).toBe('299 - "unknown field \\"metadata.foo\\""');
      const quiet = await admin.patch('merge', `${path}/wrong?fieldValidation=Ignore`, { metadata: { foo: 1 } });
      expect(quiet.headers['warning']).toBeUndefined();
    });

    it.each([
      [
        { containers: [{ name: 'c', image: 'i', ports: 'x' }] },
        'string into Go struct field Container.spec.containers.ports of type []v1.ContainerPort',
      ],
      [
        { containers: [{ name: 'c', image: 'i', args: ['a', 3] }] },
        'number into Go struct field Container.spec.containers.args of type string',
      ],
      [{ containers: { a: 1 } }, 'object into Go struct field PodSpec.spec.containers of type []v1.Container'],
      [{ hostNetwork: 'yes', containers: [] }, 'string into Go struct field PodSpec.spec.hostNetwork of type bool'],
      [{ nodeName: 3, containers: [] }, 'number into Go struct field PodSpec.spec.nodeName of type string'],
    ])('are told of a wrong type in %j', async (spec, fault) => {
      const pods = `/api/v1/namespaces/${namespace}/pods`;
      expect(await admin.post(pods, { metadata: { name: 'typed' }, spec })).toMatchObject({
        status: 400,
        body: { message: `Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal ${fault}` },
      });
    });

    it('are told of fields that cannot be applied', async () => {
      const object = { apiVersion: 'v1', kind: 'ConfigMap', ...wrongFields, spec: undefined };
      expect(await admin.patch('apply', `${path}/wrong?fieldManager=case`, object)).toMatchObject({
        status: 500,
        body: {
          message: `failed to create typed patch object (/wrong; /v1, Kind=ConfigMap): .metadata.foo: field not declared in schema`,
        },
      });
    });

    it('try things without doing them', async () => {
      const made = await admin.post(`${path}?dryRun=All`, { metadata: { name: 'tried' } });
      expect(made).toMatchObject({ status: 201, body: { metadata: { name: 'tried' } } });
      expect((await admin.get(`${path}/tried`)).status).toBe(404);
      await admin.post(path, { metadata: { name: 'tried' }, data: { a: '1' } });
      const patched = await admin.patch('merge', `${path}/tried?dryRun=All`, { data: { a: '2' } });
      expect(patched.body.data).toEqual({ a: '2' });
      expect((await admin.delete(`${path}/tried?dryRun=All`)).status).toBe(200);
      expect((await admin.get(`${path}/tried`)).body.data).toEqual({ a: '1' });
      expect(await admin.post(`${path}?dryRun=Some`, { metadata: { name: 'tried-2' } })).toMatchObject({
        status: 422,
        body: {
          message:
            'CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Some"]: supported values: "All"',
        },
      });
    });

    it('know who they are and what they may do', async () => {
      const whoami = await admin.post('/apis/authentication.k8s.io/v1/selfsubjectreviews', {});
      expect(whoami.body.status).toMatchObject({ userInfo: { username: 'kubernetes-admin' } });
      const review = { spec: { resourceAttributes: { verb: 'delete', resource: 'nodes' } } };
      const may = await admin.post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', review);
      expect(may.body.status).toMatchObject({ allowed: true });
    });

    it('are told what cannot be logged or run', async () => {
      const pods = `/api/v1/namespaces/${namespace}/pods`;
      const containers = [
        { name: 'a', image: 'i' },
        { name: 'b', image: 'i' },
      ];
      await admin.post(pods, { metadata: { name: 'many' }, spec: { containers } });
      expect(await admin.get(`${pods}/many/log`)).toMatchObject({
        status: 400,
        body: { message: 'a container name must be specified for pod many, choose one of: [a b]' },
      });
      expect(await admin.get(`${pods}/many/log?container=x`)).toMatchObject({
        status: 400,
        body: { message: 'container x is not valid for pod many' },
      });
      expect(await admin.get(`${pods}/many/log?container=a`)).toMatchObject({ status: 204, body: { message: '' } });
      expect(await admin.get(`${pods}/none/log`)).toMatchObject({
        status: 404,
        body: { message: 'pods "none" not found' },
      });
      expect(await admin.post(`${pods}/many/exec?container=a&command=ls`, undefined)).toMatchObject({
        status: 400,
        body: { message: 'pod many does not have a host assigned' },
      });
    });
  });
}
