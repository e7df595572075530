import { beforeEach, describe, expect, it } from '@jest/globals';
import { LocalApiHarness, podBody, podsPath } from '../fixtures/local-api-harness.js';

let local: LocalApiHarness;
beforeEach(async () => void (local = await LocalApiHarness.create()));

const put = (spec: object, metadata: object = {}) => local.ask(`PUT ${podsPath}/web`, podBody('web', spec, metadata));
const volume = (source: object): object => ({ volumes: [{ name: 'v', ...source }] });

describe('what people put', () => {
  it('says nothing about what is the kubelet’s', async () => {
    const kubelets = {
      'kubernetes.io/config.mirror': 'x',
      'kubernetes.io/config.hash': 'x',
      'kubernetes.io/config.source': 'file',
      'kubernetes.io/config.seen': 'x',
    };
    const theirs = { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 0, generation: 7 };
    const body = {
      ...podBody('web', { nodeName: 'elsewhere' }, { ...theirs, annotations: { ...kubelets, own: 'y' } }),
    };
    await local.ask(`PUT ${podsPath}/web`, { ...body, status: { phase: 'Succeeded' } });
    const { metadata, spec, status } = local.pod('web');
    expect(metadata).toEqual({
      ...{ name: 'web', namespace: 'default', uid: 'uid-1', resourceVersion: '1', generation: 1 },
      ...{ creationTimestamp: '2026-01-02T03:04:05Z', annotations: { own: 'y' } },
    });
    expect([spec.nodeName, status]).toEqual(['n1', undefined]);
  });

  it('may refer to secrets and config maps', async () => {
    const container = {
      ...{ name: 'main', image: 'registry.test/main:1' },
      envFrom: [{ secretRef: { name: 'a' } }, { configMapRef: { name: 'b' } }],
    };
    const { status } = await put({
      ...{ containers: [container], imagePullSecrets: [{ name: 'c' }] },
      volumes: [
        { name: 's', secret: { secretName: 'a' } },
        { name: 'p', projected: { sources: [{ configMap: { name: 'b' } }] } },
      ],
    });
    expect(status).toBe(201);
  });

  it.each([
    [{ serviceAccountName: 'robot' }, 'spec.serviceAccountName', 'serviceaccounts'],
    [
      volume({ persistentVolumeClaim: { claimName: 'c' } }),
      'spec.volumes[0].persistentVolumeClaim',
      'persistentvolumeclaims',
    ],
    [
      volume({ projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } }),
      'spec.volumes[0].projected.sources[0].serviceAccountToken',
      'serviceaccounts',
    ],
    [{ resourceClaims: [{ name: 'r', resourceClaimName: 'x' }] }, 'spec.resourceClaims[0]', 'resourceclaims'],
  ])('may not refer to what only a cluster has: %j', async (spec, field, resource) => {
    expect(await put(spec)).toMatchObject({
      status: 422,
      body: {
        message: `Pod "web" is invalid: ${field}: Forbidden: pods of the local API may not reference ${resource}`,
        details: {
          ...{ name: 'web', kind: 'Pod' },
          causes: [{ reason: 'FieldValueForbidden', field, message: expect.stringMatching(/^Forbidden: /) }],
        },
      },
    });
  });

  it('may not have finalizers', async () => {
    expect((await put({}, { finalizers: ['example.com/x'] })).body['message']).toBe(
      'Pod "web" is invalid: metadata.finalizers: Forbidden: objects of the local API may not have finalizers',
    );
  });

  it('shows all faults of an invalid pod together', async () => {
    const { status, body } = await put({ containers: [{ name: 'Main' }], restartPolicy: 'Sometimes' });
    expect(status).toBe(422);
    const causes = (body['details'] as { readonly causes: { readonly field: string }[] }).causes;
    expect(causes.map(({ field }) => field)).toEqual(
      expect.arrayContaining(['spec.containers[0].name', 'spec.containers[0].image', 'spec.restartPolicy']),
    );
    expect(body['message']).toMatch(/^Pod "web" is invalid: \[spec\./);
  });

  it('has the priority of its class', async () => {
    await put({ priorityClassName: 'system-node-critical' });
    expect(local.pod('web').spec.priority).toBe(2_000_001_000);
    await put({ priorityClassName: 'system-cluster-critical' });
    expect(local.pod('web').spec.priority).toBe(2_000_000_000);
    expect(await put({ priorityClassName: 'high' })).toMatchObject({
      status: 403,
      body: { message: 'pods "web" is forbidden: no PriorityClass with name high was found', reason: 'Forbidden' },
    });
  });

  it.each([
    [`PUT ${podsPath}/web`, podBody('api'), 'the name of the object (api) does not match the name on the URL (web)'],
    [
      `PUT ${podsPath}/web`,
      podBody('web', {}, { namespace: 'other' }),
      'the namespace of the provided object does not match the namespace sent on the request',
    ],
    [
      `PUT ${podsPath}/web`,
      { ...podBody('web'), kind: 'Deployment', apiVersion: 'apps/v1' },
      'apiVersion: expected v1',
    ],
    [`PUT ${podsPath}/web`, podBody('web', { contaners: [] }), 'spec.contaners: unknown field'],
    [`PUT ${podsPath}/web`, podBody('web', { hostPID: 'yes' }), 'spec.hostPID'],
    [`PUT ${podsPath}/web`, '{"spec":', ''],
    [`PUT ${podsPath}/web`, '[]', ''],
    ['PUT /api/v1/namespaces/default/secrets/s', { data: { a: '%' } }, 'data[a]: illegal base64 data'],
  ])('%s %j is a bad request', async (line, body, message) => {
    const answer = await local.ask(line, body);
    expect(answer).toMatchObject({ status: 400, body: { kind: 'Status', reason: 'BadRequest' } });
    expect(answer.body['message']).toContain(message);
  });

  it('may be YAML, and leave out what the path says', async () => {
    const yaml = 'spec:\n  containers:\n  - {name: main, image: registry.test/main:1}\n';
    expect(await local.ask(`PUT ${podsPath}/web`, yaml)).toMatchObject({ status: 201 });
  });

  it('may not have a version when it is created', async () => {
    expect(await local.ask(`POST ${podsPath}`, podBody('web', {}, { resourceVersion: '1' }))).toMatchObject({
      status: 500,
      body: { message: 'resourceVersion should not be set on objects to be created' },
    });
  });

  it('may not take the name of a pod of another source', async () => {
    const metadata = { namespace: 'default', name: 'web', annotations: { 'kubernetes.io/config.source': 'http' } };
    local.others.push({ metadata, spec: { containers: [] } });
    const message = 'Operation cannot be fulfilled on pods "web": a pod of the source http has this name';
    expect(await put({})).toMatchObject({ status: 409, body: { message, reason: 'Conflict' } });
    expect(await local.ask('PUT /api/v1/pods', { items: [podBody('web')] })).toMatchObject({
      status: 409,
      body: { message: `items[0] pods "web": ${message}` },
    });
  });
});
