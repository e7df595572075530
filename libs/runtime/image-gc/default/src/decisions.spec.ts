import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Container, ContainerStatusResponse, Image } from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import { RecordingJournal } from '@podwright/journal-interface/contract';
import { createMemoryLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import { diskUsage } from './disk-usage.js';
import { formatSize } from './format-size.js';
import { failure, FreeImages } from './free-images.js';
import { logFreedBytes, type FreedBytes } from './freed-bytes.js';
import { imageKey } from './image-key.js';
import { ImageRecords, type ImageRecord } from './image-records.js';
import { ImagesInUse } from './images-in-use.js';

describe('disk usage in whole numbers, as upstream counts', () => {
  const thresholds = { highThresholdPercent: 85, lowThresholdPercent: 80 };
  it.each([
    // capacity, available, usage in percent, to free
    [1000, 160, 84, undefined],
    [1000, 151, 85, 49n], // 15.1 % is 15 %
    [1000, 150, 85, 50n],
    [1000, 0, 100, 200n],
    [1000, 2000, 0, undefined], // more than there is
    [999, 0, 100, 199n],
    [2 ** 50, 2 ** 47, 88, 84442493013196n], // exact above 2^53 hundredths
  ])('%d bytes with %d available are %d %% used, %s to free', (capacityBytes, availableBytes, percent, toFree) => {
    expect(diskUsage({ capacityBytes, availableBytes }, thresholds)).toMatchObject({
      usagePercent: percent,
      bytesToFree: toFree,
    });
  });

  it('knows none without a capacity', () => {
    expect(diskUsage({ availableBytes: 5 }, thresholds)).toBeUndefined();
    expect(diskUsage({ capacityBytes: 0, availableBytes: 0 }, thresholds)).toBeUndefined();
  });

  it('begins at 0 percent with a high threshold of 0', () => {
    expect(
      diskUsage({ capacityBytes: 100, availableBytes: 100 }, { highThresholdPercent: 0, lowThresholdPercent: 0 }),
    ).toMatchObject({ usagePercent: 0, bytesToFree: 0n });
  });
});

it.each([
  [0n, '0 B'],
  [1023n, '1023 B'],
  [1024n, '1.0 KiB'],
  [1280n, '1.2 KiB'], // Go rounds half to even
  [1792n, '1.8 KiB'],
  [104857600n, '100.0 MiB'],
  [1610612736n, '1.5 GiB'],
  [5497558138880n, '5.0 TiB'],
])('%d bytes are %s', (bytes, text) => {
  expect(formatSize(bytes)).toBe(text);
});

it.each([
  ['', false, 'id'],
  ['', true, 'id'],
  ['kata', false, 'id'],
  ['kata', true, 'id,kata'],
])('an image for handler "%s" with the gate %s is kept as %s', (runtimeHandler, gate, key) => {
  expect(imageKey({ id: 'id', runtimeHandler }, gate)).toBe(key);
});

describe('ImageRecords', () => {
  const image = (id: string, fields: Partial<Image> = {}): Image =>
    ({ id, size: 1n, pinned: false, ...fields }) as Image;
  const order = (records: ImageRecords, ...inUse: string[]): string[] =>
    records.inEvictionOrder(new Set(inUse)).map(({ key }) => key);

  it('puts those never used before those used longest ago, and among equals those detected first', () => {
    const records = new ImageRecords(false);
    records.observe([image('a'), image('b')], new Set(['b']), 0, 1);
    records.observe([image('a'), image('b'), image('c'), image('d')], new Set(['c']), 10, 11);
    records.observe([image('a'), image('b'), image('c'), image('d')], new Set(), 20, 21);
    expect(order(records)).toEqual(['a', 'd', 'b', 'c']);
  });

  it('puts equals in the order of their detection, whatever the order of the list', () => {
    const records = new ImageRecords(false);
    records.observe([image('b'), image('x')], new Set(['x']), 0, 0);
    records.observe([image('x'), image('c'), image('b')], new Set(), 5, 5);
    records.observe([image('a'), image('x'), image('c'), image('b')], new Set(), 9, 9);
    expect(order(records)).toEqual(['b', 'c', 'a', 'x']);
    records.observe([image('a', { repoTags: ['a:1'], repoDigests: ['a@1'] })], new Set(), 9, 9);
    expect(records.inEvictionOrder(new Set())).toMatchObject([{ names: ['a:1', 'a@1'] }]);
    records.observe([image('a')], new Set(), 9, 9);
    expect(records.inEvictionOrder(new Set())).toMatchObject([{ names: [] }]);
  });

  it('leaves out those in use, pinned ones and those without an id', () => {
    const records = new ImageRecords(false);
    records.observe([image('a'), image('p', { pinned: true }), image('')], new Set(), 0, 0);
    expect(order(records, 'a')).toEqual([]);
    records.observe([image('a'), image('p')], new Set(), 1, 1);
    expect(order(records)).toEqual(['a', 'p']);
  });

  it('forgets what is gone: when it is back it is new', () => {
    const records = new ImageRecords(false);
    records.observe([image('a')], new Set(['a']), 0, 0);
    records.observe([], new Set(), 1, 1);
    expect(records.size).toBe(0);
    records.observe([image('a')], new Set(), 2, 2);
    expect(records.inEvictionOrder(new Set())).toMatchObject([{ firstDetectedAt: 2, lastUsedAt: -Infinity }]);
  });

  it('keeps one record per handler with the gate', () => {
    const records = new ImageRecords(true);
    const spec = { image: 'a', imageRef: '', userSpecifiedImage: '', runtimeHandler: 'kata', annotations: {} };
    records.observe([image('a'), image('a', { spec })], new Set(['a,kata']), 0, 0);
    expect(order(records, 'a,kata')).toEqual(['a']);
    expect(order(records, 'a')).toEqual(['a,kata']);
  });
});

describe('FreeImages', () => {
  const [now, signal] = [100, new AbortController().signal];
  const image = (id: string, lastUsedAt: number, more: Partial<ImageRecord> = {}): ImageRecord => ({
    ...{ key: id, id, runtimeHandler: '', firstDetectedAt: 0, lastUsedAt, sizeBytes: 10n, pinned: false, names: [] },
    ...more,
  });
  const asked: unknown[] = [];
  const logger = createMemoryLogger();
  let journal: RecordingJournal;
  let free: FreeImages;
  beforeEach(() => {
    asked.length = 0;
    journal = new RecordingJournal();
    free = new FreeImages({
      images: {
        removeImage: async ({ image: { image: id = '' } = {} }, options) => {
          asked.push(options?.signal === signal ? id : 'without the signal');
          if (id.startsWith('stuck')) throw new KubeletError('read-only', { code: 'unknown' });
          return {};
        },
      },
      records: new ImageRecords(false),
      collected: createMetricsRegistry().counter({ name: 'collected', help: '', labels: ['reason'] }),
      ...{ logger, journal },
    });
  });

  it('by age: leaves those used since, and tells how long the others were not', async () => {
    const images = [image('never', -Infinity), image('old', 89), image('edge', 90), image('young', 99)];
    expect(await free.byAge(images, { now, maxAgeMs: 10 }, signal)).toEqual(images.slice(2));
    expect(asked).toEqual(['never', 'old']);
    const [never, old] = journal.of('image.removed');
    expect(never).not.toHaveProperty('unusedMs');
    expect(never).not.toHaveProperty('error');
    expect(old).toMatchObject({ imageId: 'old', unusedMs: 11, cause: 'age' });
    const failed = free.byAge([image('stuck', 0), image('old', 0)], { now, maxAgeMs: 10 }, signal);
    await expect(failed).rejects.toMatchObject({ code: 'internal', cause: { code: 'unknown' } });
    expect(logger.entries.at(-2)).toMatchObject({
      message: 'Failed to remove image',
      fields: { imageId: 'stuck', error: { message: 'read-only' } },
    });
  });

  it.each([
    [20n, ['a', 'b'], { freedBytes: 20n, removed: 2, errors: [] }],
    [21n, ['a', 'b', 'c'], { freedBytes: 30n, removed: 3, errors: [] }],
    [0n, ['a'], { freedBytes: 10n, removed: 1, errors: [] }],
    [undefined, ['a', 'b', 'c', 'd'], { freedBytes: 40n, removed: 4, errors: [] }],
  ])('by space: %s bytes need %j', async (bytesToFree, expected, result) => {
    const images = [
      ...[image('used', 100), image('later', 101), image('pulled', 0, { firstDetectedAt: 96 })],
      ...[image('a', 99), image('b', 0, { firstDetectedAt: 95 }), image('c', -Infinity), image('d', 5)],
    ];
    const options = { cause: 'threshold', bytesToFree, now, minAgeMs: 5 } as const;
    expect(await free.bySpace(images, options, signal)).toEqual(result);
    expect(asked).toEqual(expected);
  });

  it('does without a journal', async () => {
    const removeImage = async (): Promise<object> => ({});
    const collected = createMetricsRegistry().counter({ name: 'collected', help: '', labels: ['reason'] });
    const records = new ImageRecords(false);
    const silent = new FreeImages({ images: { removeImage }, records, collected, logger, journal: undefined });
    expect(await silent.byAge([image('old', 0)], { now, maxAgeMs: 10 }, signal)).toEqual([]);
  });

  it('joins failures, each text once', () => {
    const [a, b] = ['rpc error: code = Unknown desc = a', 'rpc error: code = Unknown desc = b'];
    expect(failure('what', [new Error('a'), new Error('b'), new Error('a')]).message).toBe(`what: [${a}, ${b}]`);
    expect(failure('what', [new Error('a'), new Error('a')]).message).toBe(`what: ${a}`);
  });
});

describe('what a pass freed', () => {
  const gainedLittle =
    'Images were removed, the image filesystem gained far less than their sizes: their layers may be in use by other images, or something else writes';
  const notReported = 'Images were removed, but the image filesystem does not report what that freed';
  it.each<[string, Partial<FreedBytes>, string, string]>([
    ['half of the sizes', { availableAfter: 60n }, 'Images were removed', '50'],
    ['less', { availableAfter: 59n }, gainedLittle, '49'],
    ['an odd half', { availableAfter: 61n, sizesBytes: 101n }, 'Images were removed', '51'],
    ['a loss', { availableAfter: 5n }, gainedLittle, '0'],
    ['not known before', { availableBefore: undefined }, notReported, ''],
    ['not known after', { availableAfter: undefined }, notReported, ''],
  ])('%s', async (_, freed, message, gained) => {
    const [logger, metrics] = [createMemoryLogger(), createMetricsRegistry()];
    const counter = metrics.counter({ name: 'freed', help: '', labels: ['measure'] });
    const sizes = { wantedBytes: 1n, removedImages: 2, sizesBytes: 100n };
    logFreedBytes({ ...sizes, availableBefore: 10n, availableAfter: 110n, ...freed }, { logger, counter });
    expect(logger.messages()).toEqual([message]);
    expect(logger.messages('warning')).toHaveLength(message === gainedLittle ? 1 : 0);
    const page = await metrics.render();
    expect(/freed\{measure="file_system"\} (\d+)/.exec(page)?.[1] ?? '').toBe(gained);
  });
});

describe('images in use', () => {
  const { signal } = new AbortController();
  const find = (
    containers: readonly Partial<Container>[],
    status: (id: string) => Partial<ContainerStatusResponse>,
    images: readonly string[] = [],
  ) => {
    const withSignal = <T>(options: { readonly signal?: AbortSignal } | undefined, answer: T): T => {
      if (options?.signal !== signal) throw new Error('without the signal');
      return answer;
    };
    const service = {
      listContainers: async (_: object, options?: object) => withSignal(options, { containers }),
      containerStatus: async ({ containerId = '' }, options?: object) => withSignal(options, status(containerId)),
    };
    const inUse = new ImagesInUse(service as unknown as ConstructorParameters<typeof ImagesInUse>[0], true);
    return inUse.find(
      images.map((id) => ({ id, size: 1n, pinned: false }) as Image),
      signal,
    );
  };

  it('are those of containers, for their handler, and those that containers mount', async () => {
    const kata = { image: { image: 'x', runtimeHandler: 'kata' } } as Partial<Container>;
    const containers = [
      { id: '1', imageId: 'id', imageRef: 'reference' },
      { id: '2', imageId: '', imageRef: 'reference' },
      { id: '3', imageId: 'vm', imageRef: '', ...kata },
    ];
    const mounts = [{}, { image: { image: '' } }, { image: { image: 'mounted' } }];
    const status = (id: string) => (id === '1' ? { status: { mounts } } : {}) as Partial<ContainerStatusResponse>;
    const found = await find(containers, status, ['mounted', 'other', '']);
    expect([...found].toSorted()).toEqual(['id', 'mounted', 'reference', 'vm,kata']);
  });

  it('are not known when the runtime does not tell of a container', async () => {
    const cause = new KubeletError('down', { code: 'unavailable' });
    const asked = find([{ id: '1', imageId: 'id' }], () => {
      throw cause;
    });
    const message = 'get container status: rpc error: code = Unavailable desc = down';
    await expect(asked).rejects.toMatchObject({ message, code: 'unavailable', cause });
  });
});
