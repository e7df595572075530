import { readdirSync } from 'node:fs';
import { open, readdir, readFile, readlink, rename, stat } from 'node:fs/promises';
import { request } from 'node:https';
import path from 'node:path';
import { createGunzip } from 'node:zlib';
import { createInterface } from 'node:readline';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { labSupport } from '@podwright/lab';
import { askApi } from './kubelet-api.js';
import { main, podManifest, script } from './pod-manifests.js';
import { useLab } from './test-lab.js';
import type { TestNode } from './test-node.js';
import { aWhile } from './wait-for.js';

jest.setTimeout(240_000);

const support = labSupport();
const onLab = support.ok ? describe : describe.skip;
const mebibyte = 2 ** 20;
const lineBytes = 1_000;
const megabytes = Number(process.env['PODWRIGHT_ACCEPTANCE_LOG_MB'] ?? '300');
const maxSizeBytes = 20 * mebibyte;
const maxFiles = 4;
const intervalMs = 3_000;

/** For {@link maxFiles} rotations and the log itself, and one look more, whenever the first one comes. */
const leastSeconds = ((maxFiles + 2) * intervalMs) / 1_000;

/**
 * Numbered lines of a thousand bytes: without end and with pauses in between, or so many as fast as they can be written.
 * There are looks enough in any case: CRI-O takes up a gigabyte between two.
 */
const numbered = (lines = Infinity): readonly string[] => {
  const text = 'text=$(head -c ' + lineBytes + ' /dev/zero | tr "\\0" x)';
  const [test, pause] =
    lines === Infinity
      ? ['', 'if (i % 1000 == 0) system("sleep 0.1")']
      : [
          `i <= ${lines}`,
          `if (i % 10000 == 0) while (systime() - begun < ${leastSeconds} * i / ${lines}) system("sleep 0.1")`,
        ];
  return script(
    `${text}; awk -v t=$text 'BEGIN { begun = systime(); for (i = 1; ${test}; i++) { print i "\t" t; ${pause} } }'; sleep 100000`,
  );
};

interface Following {
  readonly last: number;
  readonly gaps: number;
  readonly missed: number;
  readonly twice: number;
  /** Ends of lines whose beginnings are in a file that was removed: a runtime may leave a file in the middle of a line. */
  readonly headless: number;
  /** How the answer has ended, if it has. */
  readonly end: string | undefined;
  readonly stop: () => void;
}

onLab(`logs of a container that writes much${support.ok ? '' : ` (skipped: ${support.reason})`}`, () => {
  const bed = useLab();
  let node: TestNode;

  beforeAll(async () => {
    node = await bed().startNode('logs', {
      configuration: {
        containerLogMaxSize: '20Mi',
        containerLogMaxFiles: maxFiles,
        containerLogMonitorInterval: `${intervalMs / 1000}s`,
      },
    });
    await node.untilUp();
    // Its certificate comes a little later.
    await node.waitFor('the API answers', () => askApi(node.kubelet, '/pods'));
  });

  const logOf = async (name: string): Promise<string> => {
    const [container] = await bed().runtime.running(node.podName(name));
    return (await bed().runtime.status(container?.id ?? '')).logPath;
  };
  /** Names that hold a part of the log; a file being made, and one that was packed already, are none. */
  const parts = (names: readonly string[]): readonly string[] =>
    names.filter((name) => !name.endsWith('.tmp') && !names.includes(`${name}.gz`)).sort();
  const run = async (name: string, command: readonly string[]): Promise<string> => {
    const containers = [main({ command: [...command] })];
    await node.add(podManifest(name, { containers, terminationGracePeriodSeconds: 0 }));
    await node.waitForPod(name, 'runs', (pod) => pod.status?.phase === 'Running');
    return logOf(name);
  };
  /** Numbers at the beginnings of the lines of all parts, from the oldest. */
  const numbers = async function* (logPath: string): AsyncGenerator<number> {
    const folder = path.dirname(logPath);
    const [current = '', ...rotated] = parts(await readdir(folder));
    for (const name of [...rotated, current]) {
      // It may be packed between the list and now: the same lines under another name.
      const part = path.join(folder, name);
      const handle = await open(part).catch(() => open(`${part}.gz`));
      const file = handle.createReadStream();
      const packed = (await readlink(`/proc/self/fd/${handle.fd}`)).endsWith('.gz');
      const input = packed ? file.pipe(createGunzip()) : file;
      for await (const line of createInterface({ input })) {
        const number = Number(/ [FP] (\d+)\t/.exec(line.slice(0, 80))?.[1]);
        if (!Number.isNaN(number)) yield number;
      }
    }
  };

  /** Reads `kubectl logs -f` and counts. */
  const follow = async (pod: string): Promise<Following> => {
    const { operator, url } = node.kubelet;
    const [cert, key] = await Promise.all([readFile(operator.certFile), readFile(operator.keyFile)]);
    const seen = {
      last: 0,
      gaps: 0,
      missed: 0,
      twice: 0,
      headless: 0,
      end: undefined as string | undefined,
      stop: () => undefined as void,
    };
    const call = request(
      `${url}/containerLogs/default/${node.podName(pod)}/main?follow=true`,
      { cert, key, rejectUnauthorized: false },
      (response) => {
        let rest = '';
        response.setEncoding('latin1').on('data', (chunk: string) => {
          const lines = (rest + chunk).split('\n');
          rest = lines.pop() ?? '';
          for (const line of lines) {
            const number = Number.parseInt(line, 10);
            if (Number.isNaN(number)) {
              seen.headless++;
              continue;
            }
            if (number > seen.last + 1) {
              seen.gaps++;
              seen.missed += number - seen.last - 1;
            }
            if (number <= seen.last) seen.twice++;
            seen.last = Math.max(seen.last, number);
          }
        });
        response.on(
          'end',
          () => (seen.end ??= `the answer is complete, its rest ${JSON.stringify(rest.slice(0, 200))}`),
        );
        response.on('error', (error) => (seen.end ??= String(error)));
      },
    );
    call.on('error', (error) => (seen.end ??= String(error)));
    call.end();
    seen.stop = () => void call.destroy();
    return seen;
  };

  it(`${megabytes} MB: it is rotated at each look, never more files than allowed, and nothing is lost in between`, async () => {
    const lines = megabytes * 1_000;
    const logPath = await run('flood', numbered(lines));
    const folder = path.dirname(logPath);
    const following = await follow('flood');
    const rotations = new Set<string>();
    let most = 0;
    let before = 0;
    let quiet = 0;
    while (quiet < 10) {
      await aWhile(200);
      const names = parts(await readdir(folder));
      most = Math.max(most, names.length);
      for (const name of names) if (name !== '0.log') rotations.add(name.replace('.gz', ''));
      const size = await stat(logPath).then(
        (found) => found.size,
        () => 0,
      );
      quiet = size === before ? quiet + 1 : 0;
      before = size;
    }
    expect(most).toBeLessThanOrEqual(maxFiles);
    expect(rotations.size).toBeGreaterThanOrEqual(maxFiles); // so that some had to go
    await node.waitFor(
      'the follower is there',
      async () => following.last === lines || following.end !== undefined,
      { withinMs: 120_000 },
      () => `the follower: ${JSON.stringify(following)}, the files: ${parts(readdirSync(folder)).join(' ')}\n`,
    );
    expect(following).toMatchObject({ last: lines, end: undefined });
    following.stop();
    // Who reads slower than the container writes misses what was removed meanwhile: files as a whole, and nothing of the others.
    expect(following.gaps).toBeLessThanOrEqual(rotations.size);
    expect(following.headless).toBeLessThanOrEqual(following.gaps);
    expect(following.twice).toBe(0);
    const sizeNow = () =>
      stat(logPath)
        .then(({ size }) => size)
        .catch(() => Infinity);
    await node.waitFor(
      'all is rotated and packed',
      async () => (await sizeNow()) < maxSizeBytes && !(await readdir(folder)).some((name) => name.endsWith('.tmp')),
      { withinMs: 60_000 },
    );
    // What is kept is the end of it, without a gap from file to file.
    let last: number | undefined;
    for await (const number of numbers(logPath)) {
      if (last !== undefined && number !== last + 1) throw new Error(`${number} after ${last}`);
      last = number;
    }
    expect(last).toBe(lines);
    expect(await node.complaints('log-rotation')).toEqual([]);
    await node.remove('flood.json');
    await node.removed('flood');
  });

  it('who follows misses nothing, though files are packed and removed meanwhile', async () => {
    const logPath = await run('followed', numbered());
    const following = await follow('followed');
    const rotations = new Set<string>();
    await node.waitFor(
      'more files were rotated than are kept',
      async () => {
        for (const name of parts(await readdir(path.dirname(logPath)))) rotations.add(name.replace('.gz', ''));
        return rotations.size > maxFiles + 1;
      },
      { withinMs: 120_000, everyMs: 200 },
    );
    const reached = following.last;
    await node.waitFor('it goes on', async () => following.last > reached);
    following.stop();
    const { missed, twice, headless } = following;
    expect({ missed, twice, headless }).toEqual({ missed: 0, twice: 0, headless: 0 });
    await node.remove('followed.json');
    await node.removed('followed');
  });

  it('a kubelet that is killed while it packs or renames leaves what the next one puts right', async () => {
    const logPath = await run('steady', numbered());
    const folder = path.dirname(logPath);
    const files = (): Promise<readonly string[]> => readdir(folder);
    await node.waitFor('a file is being packed', async () => (await files()).some((name) => name.endsWith('.tmp')), {
      withinMs: 60_000,
      everyMs: 1,
    });
    await node.end('SIGKILL');
    const left = await files();
    const half = left.filter((name) => name.endsWith('.tmp'));
    // As one that died after it gave the log its new name: nobody has told the runtime.
    await rename(logPath, `${logPath}.20200101-000000`);
    await aWhile(500);
    await node.start();
    await node.untilUp();
    await node.waitFor('there is a log again', async () => (await stat(logPath)).size > 0);
    await node.waitFor('it is rotated', async () => !(await files()).includes('0.log.20200101-000000'), {
      withinMs: 60_000,
    });
    await node.waitFor('nothing is left of what was half packed', async () => {
      const now = await files();
      return !half.some((name) => now.includes(name)) && parts(now).length <= maxFiles;
    });
    await node.remove('steady.json');
    await node.removed('steady');
    await node.waitFor('its logs are gone', async () => (await readdir(folder).catch(() => [])).length === 0, {
      withinMs: 90_000,
    });
  });
});
