import type { Socket } from 'node:net';
import { attack, type Attack } from '../attack.js';
import { dial, exchange, webSocket } from '../api-exchange.js';
import type { AttackTarget } from '../attack-target.js';
import { aWhile } from '../../acceptance/wait-for.js';

/** How a kubelet was during and after a flood. */
interface Flooded {
  /** True when the operator got an answer while the flood went on. */
  readonly answeredDuring: boolean;
  readonly answersAfter: boolean;
  /** Growth of resident memory by the flood. */
  readonly grownMiB: number;
  /** Further harm. */
  readonly more: readonly string[];
}

/** Node and Go both keep some heap after a burst; a kubelet that stores what it is sent grows by far more. */
const allowedMiB = 150;

interface FloodParts extends Pick<Attack, 'name' | 'tries' | 'pastFault'> {
  readonly flood: (
    target: AttackTarget,
  ) => Promise<Pick<Flooded, 'answeredDuring'> & { readonly more?: readonly string[] }>;
}

function flooding({ flood, ...texts }: FloodParts): Attack {
  return attack<Flooded>({
    ...texts,
    mustNot: `the kubelet ends, refuses its operator, or grows by more than ${allowedMiB} MiB`,
    attempt: async (target) => {
      const before = await target.memoryMiB();
      const { answeredDuring, more = [] } = await flood(target);
      const grownMiB = (await target.memoryMiB()) - before;
      return { answeredDuring, answersAfter: await target.answers(), grownMiB, more };
    },
    harms: ({ answeredDuring, answersAfter, grownMiB, more }) => [
      ...(answeredDuring ? [] : ['the operator got no answer during the flood']),
      ...(answersAfter ? [] : ['the operator got no answer after the flood']),
      ...(grownMiB > allowedMiB ? [`the kubelet grew by ${grownMiB.toFixed(0)} MiB`] : []),
      ...more,
    ],
    weak: [
      { answeredDuring: false, answersAfter: true, grownMiB: 0, more: [] },
      { answeredDuring: true, answersAfter: false, grownMiB: 0, more: [] },
      { answeredDuring: true, answersAfter: true, grownMiB: allowedMiB + 1, more: [] },
      { answeredDuring: true, answersAfter: true, grownMiB: 0, more: ['a harm of its own'] },
    ],
  });
}

/** Sends requests, some at a time; broken connections are what an attacker expects. */
async function inParallel(count: number, send: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      await send(next).catch(() => undefined);
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

const mebibyte = 'x'.repeat(1024 * 1024);

export const headerFlood = flooding({
  name: 'header-flood',
  tries: 'requests without credentials with headers of 4 MiB, with 20,000 headers, and with targets of 1 MiB',
  pastFault: 'CVE-2020-8551 class, header floods of HTTP servers',
  flood: async (target) => {
    const many = Array.from({ length: 20_000 }, (_, index) => `X-${index}: y`);
    await inParallel(48, (index) =>
      target.call(
        index % 3 === 0
          ? { path: `/pods?${mebibyte}` }
          : { path: '/pods', headers: index % 3 === 1 ? [`X-Big: ${mebibyte.repeat(4)}`] : many },
        'nobody',
      ),
    );
    return { answeredDuring: await target.answers() };
  },
});

export const bodyFlood = flooding({
  name: 'body-flood',
  tries: 'bodies of 64 MiB, by nobody and by a user who may read metrics, and chunks without an end',
  pastFault: 'CVE-2020-8551, CVE-2025-0426 class',
  flood: async (target) => {
    const body = Buffer.alloc(64 * 1024 * 1024);
    for (const caller of ['nobody', 'metrics-reader', 'operator'] as const) {
      for (const path of ['/debug/flags/v', '/metrics', '/run/default/victim/main?cmd=true']) {
        await target
          .call({ method: path.startsWith('/debug') ? 'PUT' : 'POST', path, body }, caller)
          .catch(() => undefined);
      }
    }
    return { answeredDuring: await target.answers() };
  },
});

export const connectionFlood = flooding({
  name: 'connection-flood',
  tries: '1,500 connections without credentials that send half a request, and 500 that ask for a stream',
  pastFault: 'slow connections and stream floods (CVE-2023-44487 class)',
  flood: async (target) => {
    const { hostname, port } = new URL(target.node.kubelet.kubelet.url);
    const to = { host: hostname, port: Number(port) };
    const open: Socket[] = [];
    const plain = Array.from({ length: 1_500 }, async () => {
      const socket = await dial({ ...to, plain: true });
      open.push(socket.on('error', () => undefined));
      socket.write('GET /pods HTTP/1.1\r\nHost: a\r\nX-Slow: ');
    });
    await Promise.allSettled(plain);
    await inParallel(500, () =>
      exchange(to, { path: '/exec/default/victim/main?command=id&output=1', headers: webSocket }),
    );
    await aWhile(500);
    const answeredDuring = await target.answers();
    for (const socket of open) socket.destroy();
    return { answeredDuring };
  },
});

const seriesOf = async (target: AttackTarget): Promise<number> =>
  (await target.call({ path: '/metrics' }, 'operator')).body.split('\n').filter((line) => !line.startsWith('#')).length;
/** A page of its own, a few methods and results may be new. */
const allowedSeries = 200;

export const labelFlood = flooding({
  name: 'label-flood',
  tries: '2,000 requests with a path, a method and a user agent that nobody used before',
  pastFault: 'metrics with a label of what a client sends (CVE-2020-8551 class)',
  flood: async (target) => {
    const before = await seriesOf(target);
    await inParallel(2_000, (index) =>
      target.call(
        {
          method: index % 2 === 0 ? `M${index}` : 'GET',
          path: `/p${index}/x`,
          headers: [`User-Agent: agent-${index}`],
        },
        'metrics-reader',
      ),
    );
    const added = (await seriesOf(target)) - before;
    return {
      answeredDuring: await target.answers(),
      more: added > allowedSeries ? [`${added} metrics were added`] : [],
    };
  },
});

export const tokenFlood = flooding({
  name: 'token-flood',
  tries: '1,000 requests, each with another invented token, one of 512 KiB',
  pastFault: 'floods of token reviews and of their cache',
  flood: async (target) => {
    await inParallel(1_000, (index) =>
      target.call(
        {
          path: '/pods',
          headers: [`Authorization: Bearer invented-${index}-${index === 7 ? mebibyte.slice(0, 512 * 1024) : ''}`],
        },
        'nobody',
      ),
    );
    return { answeredDuring: await target.answers() };
  },
});
