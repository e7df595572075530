import { beforeEach, describe, expect, it } from '@jest/globals';
import type { LocalObjectChange } from '@podwright/local-objects-interface';
import { LocalApiHarness, podBody, podsPath } from '../fixtures/local-api-harness.js';

let local: LocalApiHarness;
let changes: LocalObjectChange[];
beforeEach(async () => {
  local = await LocalApiHarness.create();
  await local.ask(`PUT ${podsPath}/web`, podBody('web'));
  changes = [];
  local.objects.watch((change) => changes.push(change));
});

const web = `${podsPath}/web`;
const grace = (): unknown => local.objects.get('Pod', 'default', 'web')?.metadata.deletionGracePeriodSeconds;

describe('the deletion of a pod', () => {
  it('says when its time is over, and waits for its end', async () => {
    const { status, body } = await local.ask(`DELETE ${web}`);
    expect(status).toBe(200);
    const metadata = { deletionTimestamp: '2026-01-02T03:04:35Z', deletionGracePeriodSeconds: 30, generation: 2 };
    expect(body).toMatchObject({ kind: 'Pod', metadata });
    expect(local.pod('web').metadata).toMatchObject(metadata);
  });

  it.each<[string, unknown, unknown]>([
    ['the grace period of the request', 'gracePeriodSeconds=5', 5],
    ['at least a second', 'gracePeriodSeconds=-1', 1],
  ])('takes %s', async (_, query, expected) => {
    await local.ask(`DELETE ${web}?${String(query)}`);
    expect(grace()).toBe(expected);
  });

  it('takes the grace period of the body, and of the pod', async () => {
    await local.ask(`DELETE ${web}`, { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 7 });
    expect(grace()).toBe(7);
    await local.ask(`PUT ${podsPath}/slow`, podBody('slow', { terminationGracePeriodSeconds: 100 }));
    await local.ask(`DELETE ${podsPath}/slow`);
    expect(local.pod('slow').metadata.deletionGracePeriodSeconds).toBe(100);
  });

  it('can only become shorter', async () => {
    await local.ask(`DELETE ${web}`);
    await local.clock.advance(10_000);
    const { resourceVersion } = local.pod('web').metadata;
    expect(await local.ask(`DELETE ${web}?gracePeriodSeconds=60`)).toMatchObject({ status: 200 });
    expect(local.pod('web').metadata.resourceVersion).toBe(resourceVersion);
    await local.ask(`DELETE ${web}?gracePeriodSeconds=20`);
    expect(local.pod('web').metadata).toMatchObject({
      ...{ deletionTimestamp: '2026-01-02T03:04:25Z', deletionGracePeriodSeconds: 20, generation: 2 },
    });
  });

  it('by force shows the pod without time, and then not at all', async () => {
    expect(await local.ask(`DELETE ${web}?gracePeriodSeconds=0`)).toMatchObject({
      status: 200,
      body: { metadata: { name: 'web', deletionGracePeriodSeconds: 0 } },
    });
    expect(changes.map(({ type }) => type)).toEqual(['MODIFIED', 'DELETED']);
    expect((await local.ask(`GET ${web}`)).status).toBe(404);
  });

  it.each(['Succeeded', 'Failed'])('that is %s takes no time', async (phase) => {
    local.setStatus(local.pod('web'), { phase });
    await local.ask(`DELETE ${web}`);
    expect(local.objects.list('Pod').items).toEqual([]);
  });

  it.each([
    [{ uid: 'uid-9' }, 'the UID in the precondition (uid-9) does not match the UID in record (uid-1).'],
    [
      { resourceVersion: '9' },
      'the ResourceVersion in the precondition (9) does not match the ResourceVersion in record (1).',
    ],
  ])('with %j is refused', async (preconditions, why) => {
    const answer = await local.ask(`DELETE ${web}`, { preconditions });
    expect(answer).toMatchObject({ status: 409, body: { reason: 'Conflict' } });
    expect(answer.body['message']).toContain(`Operation cannot be fulfilled on Pod "web": ${why}`);
    expect(changes).toEqual([]);
  });

  it('is only tried with dryRun', async () => {
    expect(await local.ask(`DELETE ${web}?dryRun=All`)).toMatchObject({
      status: 200,
      body: { metadata: { deletionGracePeriodSeconds: 30 } },
    });
    await local.ask(`DELETE ${web}`, { dryRun: ['All'] });
    expect(changes).toEqual([]);
  });

  it('of one that is not there is 404', async () => {
    expect(await local.ask(`DELETE ${podsPath}/none`)).toMatchObject({
      status: 404,
      body: { message: 'pods "none" not found', reason: 'NotFound', details: { name: 'none', kind: 'pods' } },
    });
  });

  it('of a pod of another source is forbidden', async () => {
    const metadata = { namespace: 'default', name: 'static', annotations: { 'kubernetes.io/config.source': 'file' } };
    local.others.push({ metadata, spec: { containers: [] } });
    expect(await local.ask(`DELETE ${podsPath}/static`)).toMatchObject({
      status: 403,
      body: { message: 'pods "static" is forbidden: the pod comes from the source file, where it must be removed' },
    });
    await local.ask('DELETE /api/v1/pods');
    expect((await local.ask(`GET ${podsPath}/static`)).status).toBe(200);
  });
});

describe('the deletion of a config map or secret', () => {
  it('is done at once, and tells that alone', async () => {
    const path = '/api/v1/namespaces/default/secrets/keys';
    await local.ask(`PUT ${path}`, { metadata: { name: 'keys' }, stringData: { a: 'secret' } });
    expect(await local.ask(`DELETE ${path}`)).toEqual({
      status: 200,
      body: {
        ...{ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' },
        details: { name: 'keys', kind: 'secrets', uid: 'uid-2' },
      },
    });
    expect((await local.ask(`GET ${path}`)).status).toBe(404);
  });
});
