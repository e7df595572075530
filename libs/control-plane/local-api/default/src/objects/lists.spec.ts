import { beforeEach, describe, expect, it } from '@jest/globals';
import { LocalApiHarness, podBody, podsPath } from '../fixtures/local-api-harness.js';

let local: LocalApiHarness;
beforeEach(async () => {
  local = await LocalApiHarness.create();
  await local.ask('PUT /api/v1/pods', { apiVersion: 'v1', kind: 'PodList', items: [podBody('a'), podBody('b')] });
});

const stored = (): string =>
  local.objects
    .list('Pod')
    .items.map(({ metadata }) => `${metadata.name}${metadata.deletionTimestamp === undefined ? '' : '!'}`)
    .join(' ');
const put = (...items: readonly unknown[]) => local.ask('PUT /api/v1/pods', { kind: 'List', items });

describe('a list that is put', () => {
  it('replaces all that were put before: those that are missing end', async () => {
    const before = local.pod('b');
    expect(await put(podBody('b'), podBody('c'))).toMatchObject({
      status: 200,
      body: { kind: 'PodList', items: [{ metadata: { name: 'b', uid: 'uid-2' } }, { metadata: { name: 'c' } }] },
    });
    expect(stored()).toBe('a! b c');
    expect(local.pod('b')).toBe(before);
    await put();
    expect(stored()).toBe('a! b! c!');
  });

  it('that is put again changes nothing', async () => {
    const { resourceVersion } = local.objects.disk;
    await put(podBody('a'), podBody('b'));
    expect(local.objects.disk.resourceVersion).toBe(resourceVersion);
  });

  it('replaces finished pods at once, and objects of one kind alone', async () => {
    local.setStatus(local.pod('a'), { phase: 'Succeeded' });
    await local.ask('PUT /api/v1/configmaps', {
      items: [{ metadata: { name: 'one' } }, { metadata: { name: 'two' } }],
    });
    await put(podBody('b'));
    expect(stored()).toBe('b');
    await local.ask('PUT /api/v1/configmaps', { kind: 'ConfigMapList', items: [{ metadata: { name: 'two' } }] });
    expect(local.objects.list('ConfigMap').items.map(({ metadata }) => metadata?.name)).toEqual(['two']);
    expect(stored()).toBe('b');
  });

  it.each([
    [
      'an unknown field',
      [podBody('c'), podBody('d', { contaners: [] })],
      400,
      /^items\[1\] pods "d": spec\.contaners: unknown field/,
    ],
    [
      'another kind',
      [podBody('c'), { ...podBody('d'), kind: 'Service' }],
      400,
      /^items\[1\] pods "d": kind: expected Pod/,
    ],
    ['an item that is none', ['text'], 400, /^items\[0\] pods: expected an object/],
    [
      'an invalid pod',
      [podBody('c'), podBody('D')],
      422,
      /^items\[1\] pods "D": Pod "D" is invalid: metadata\.name: Invalid value: "D"/,
    ],
    ['a pod without a name', [podBody('')], 422, /^items\[0\] pods: Pod "" is invalid: metadata\.name: Required value/],
    [
      'two pods of one name',
      [podBody('c'), podBody('c')],
      422,
      /^items\[1\] pods "c": Pod "c" is invalid: metadata\.name: Duplicate value: "c"$/,
    ],
    [
      'a stale version',
      [podBody('c'), podBody('a', {}, { resourceVersion: '99' })],
      409,
      /^items\[1\] pods "a": Operation cannot be fulfilled on pods "a": the object has been modified/,
    ],
  ])('with %s is refused as a whole', async (_, items, status, message) => {
    const answer = await put(...items);
    expect([answer.status, answer.body['message']]).toEqual([status, expect.stringMatching(message)]);
    expect(stored()).toBe('a b');
  });

  it.each<[unknown, RegExp]>([
    ['', /^the body is empty/],
    ['[]', /./],
    [{ kind: 'ConfigMapList', items: [] }, /^expected a v1 PodList or List, got v1 ConfigMapList/],
    [{ kind: 'PodList', apiVersion: 'v2', items: [] }, /^expected a v1 PodList or List, got v2 PodList/],
    [{ kind: 'PodList', items: {} }, /^items: expected a list/],
    [{ kind: 'PodList', pods: [] }, /^unknown field "pods"/],
    ['{"kind":"PodList","items":[],"items":[]}', /items/],
    ['{"kind":"PodList"', /./],
  ])('cannot be %j', async (body, message) => {
    expect(await local.ask('PUT /api/v1/pods', body)).toMatchObject({
      ...{ status: 400, body: { reason: 'BadRequest', message: expect.stringMatching(message) } },
    });
    expect(stored()).toBe('a b');
  });

  it('without items is empty, as that of an API server may be', async () => {
    await local.ask('PUT /api/v1/pods', { kind: 'PodList', items: null });
    expect(stored()).toBe('a! b!');
  });

  it('deletes what it selects', async () => {
    await local.ask(`PUT ${podsPath}/c`, podBody('c', {}, { labels: { keep: 'no' } }));
    const { body } = await local.ask('DELETE /api/v1/pods?labelSelector=keep');
    expect(body).toMatchObject({ kind: 'PodList', items: [{ metadata: { name: 'c' } }] });
    expect(stored()).toBe('a b c!');
    await local.ask('DELETE /api/v1/namespaces/other/pods');
    expect(stored()).toBe('a b c!');
    await local.ask(`DELETE ${podsPath}?gracePeriodSeconds=0`);
    expect(stored()).toBe('');
  });
});
