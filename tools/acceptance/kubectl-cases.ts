import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findKubectl } from '@podwright/lab';
import { ClusterNode, kubeconfigFile } from './cluster-node.js';
import type { ClusterServer } from './cluster-server.js';
import { KubectlClient, type RunningCommand } from './kubectl-client.js';
import { describeKubectlLogs } from './kubectl-log-cases.js';
import { main, podManifest, script } from './pod-manifests.js';
import type { TestLab } from './test-lab.js';
import { aWhile, untilHolds, waitFor } from './wait-for.js';

const program = process.env['PODWRIGHT_ACCEPTANCE_KUBECTL'];
const megabytes = 1_000_000;
/** A size that operators really copy; the other cases use less. */
const largeBytes = 100 * megabytes;
const atOnce = 50;
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const counter = script('trap "exit 0" TERM; i=0; while :; do i=$((i+1)); echo "line $i"; sleep 0.01; done');
const server =
  'mkdir -p /www; dd if=/dev/urandom of=/www/large bs=1000000 count=100; dd if=/dev/urandom of=/www/small bs=100000 count=1; ' +
  'trap "exit 0" TERM; httpd -f -p 80 -h /www & wait';
const secondRun = 'if [ -e /data/ran ]; then echo second; else touch /data/ran; echo first; exit 3; fi';

/** Cases for kubectl with containers, through the API server and the kubelet's own port. */
export function describeKubectlCases(bed: () => TestLab, start: () => Promise<ClusterServer>): void {
  let cluster: ClusterServer;
  let on: ClusterNode;
  let kubectl: KubectlClient;
  let dir: string;

  beforeAll(async () => {
    cluster = await start();
    dir = await mkdtemp(path.join(os.tmpdir(), 'podwright-kubectl-'));
    const admin = await kubeconfigFile(bed(), cluster, { name: 'admin', groups: ['system:masters'] });
    kubectl = new KubectlClient(program ?? (await findKubectl(() => undefined)), admin, dir);
    on = await ClusterNode.start(bed(), cluster, 'streams', { configuration: { clusterDNS: ['10.96.0.10'] } });
    await on.ready();
    const data = { volumes: [{ name: 'data', emptyDir: {} }] };
    const mounted = { volumeMounts: [{ name: 'data', mountPath: '/data' }] };
    const serves = { httpGet: { path: '/small', port: 80 }, periodSeconds: 1, timeoutSeconds: 10 };
    await Promise.all([
      on.create(podManifest('counter', { containers: [main({ command: [...counter] })] })),
      on.create(podManifest('web', { containers: [main({ command: [...script(server)], readinessProbe: serves })] })),
      on.create(podManifest('shell', { containers: [main({ stdin: true, tty: false })] })),
      on.create(podManifest('echo', { containers: [main({ stdin: true, command: ['cat'] })] })),
      on.create(
        podManifest('missing', { containers: [main({ image: 'podwright.local/no:1', imagePullPolicy: 'Never' })] }),
      ),
      on.create(
        podManifest('again', {
          ...data,
          containers: [
            main({ ...mounted, command: [...script(`${secondRun}; trap "exit 0" TERM; sleep 100000 & wait`)] }),
          ],
        }),
      ),
    ]);
    await Promise.all(['counter', 'web', 'shell', 'echo'].map((name) => on.untilReady(name, { withinMs: 60_000 })));
    // The certificate of the kubelet's port comes a little later.
    await untilHolds(async () => void (await kubectl.text('logs', 'echo')));
  }, 180_000);
  afterAll(async () => {
    for (const name of ['counter', 'web', 'shell', 'echo', 'missing', 'again']) await on.delete(name, 1);
    await on?.stop();
    await bed().stopNodes();
    await cluster?.stop();
    await rm(dir, { recursive: true, force: true });
  });

  describeKubectlLogs(() => ({ bed: bed(), on, kubectl }));

  describe('kubectl exec', () => {
    it('gives both streams and the exit code', async () => {
      const { code, stdout, stderr } = await kubectl.run([
        'exec',
        'shell',
        '--',
        'sh',
        '-c',
        'echo out; echo err >&2; exit 7',
      ]);
      expect([code, stdout.toString(), stderr]).toEqual([7, 'out\n', 'err\ncommand terminated with exit code 7\n']);
      expect((await kubectl.run(['exec', 'shell', '--', 'true'])).code).toBe(0);
    });

    it('says what cannot be run', async () => {
      const { code, stderr } = await kubectl.run(['exec', 'shell', '--', '/no/such/program']);
      expect(code).not.toBe(0);
      expect(stderr).toMatch(/no such file or directory/);
    });

    it('-i hands input on to its end', async () => {
      const input = randomBytes(5 * megabytes);
      const { code, stdout } = await kubectl.run(['exec', '-i', 'shell', '--', 'sh', '-c', 'cat; exit 4'], { input });
      expect([code, sha256(stdout)]).toEqual([4, sha256(input)]);
    });

    it('-it has a terminal whose size follows that of the user', async () => {
      const session = kubectl.startOnTerminal(['exec', '-it', 'shell', '--', 'sh'], 40, 100);
      const [, terminal = ''] = await session.until(/^(\/dev\/pts\/\d+)/);
      await session.until(/[#$] /);
      session.write('tty; stty size\n');
      await session.until(/\/dev\/pts\/\d+[^]*\/dev\/(pts\/\d+|console)[^]*\b40 100\b/);
      await promisify(execFile)('stty', ['-F', terminal, 'rows', '50', 'cols', '132']);
      await askForSize(session, /\b50 132\b/);
      session.write('exit 5\n');
      expect((await session.ended).code).toBe(5);
    });

    it('ends the program when the user interrupts it on the terminal', async () => {
      const session = kubectl.startOnTerminal(
        ['exec', '-it', 'shell', '--', 'sh', '-c', 'echo begun; sleep 1000'],
        24,
        80,
      );
      await session.until(/begun/);
      session.write('\u0003');
      expect((await session.ended).code).toBe(130);
    });
  });

  describe('kubectl attach', () => {
    it('-i joins a container that runs, and leaves it running', async () => {
      const attached = kubectl.start(['attach', '-i', 'echo']);
      await waitUntilAttached(attached);
      attached.write('hello\n');
      await attached.until(/^hello$/m);
      await attached.interrupt();
      expect((await on.pod('echo'))?.status?.containerStatuses?.[0]?.state?.running).toBeDefined();
      await untilHolds(async () => expect(await kubectl.text('logs', 'echo')).toContain('hello\n'));
    });

    it('shows what a container writes from now on', async () => {
      const attached = kubectl.start(['attach', 'counter']);
      await attached.until(/line \d+\nline \d+\n/);
      await attached.interrupt();
    });
  });

  describe('kubectl cp', () => {
    it('copies 100 MB there and back', async () => {
      const file = path.join(dir, 'large');
      const content = randomBytes(largeBytes);
      await writeFile(file, content);
      await kubectl.text('cp', file, 'shell:/tmp/large');
      expect((await kubectl.text('exec', 'shell', '--', 'sha256sum', '/tmp/large')).split(' ')[0]).toBe(
        sha256(content),
      );
      await kubectl.text('cp', 'shell:/tmp/large', `${file}.back`);
      expect(sha256(await readFile(`${file}.back`))).toBe(sha256(content));
      await kubectl.text('exec', 'shell', '--', 'rm', '/tmp/large');
    });
  });

  describe('kubectl port-forward', () => {
    let forwarding: RunningCommand;
    let port = 0;
    const sumOf = async (name: string): Promise<string> =>
      (await kubectl.text('exec', 'web', '--', 'sha256sum', `/www/${name}`)).split(' ')[0] ?? '';
    /** A download whose failure has kubectl's own words: only kubectl knows why it closed a connection. */
    const forwarded = (file: string): Promise<Buffer> =>
      download(port, file).catch((error: Error) => {
        throw new Error(`${error.message}; kubectl says: ${forwarding.stderr.slice(-2000)}`);
      });

    beforeAll(async () => {
      forwarding = kubectl.start(['port-forward', 'pod/web', ':80']);
      port = Number((await forwarding.until(/Forwarding from 127\.0\.0\.1:(\d+) -> 80/))[1]);
    });
    afterAll(async () => void (await forwarding.interrupt()));

    it('carries 100 MB', async () => {
      const content = await forwarded('/large');
      expect([content.length, sha256(content)]).toEqual([largeBytes, await sumOf('large')]);
    });

    it(`carries ${atOnce} downloads at once`, async () => {
      const sum = await sumOf('small');
      const contents = await Promise.all(Array.from({ length: atOnce }, () => forwarded('/small')));
      expect(contents.map(sha256)).toEqual(contents.map(() => sum));
    });

    it('says that nobody listens on a port, and goes on', async () => {
      const refused = kubectl.start(['port-forward', 'pod/web', ':81']);
      const closed = Number((await refused.until(/Forwarding from 127\.0\.0\.1:(\d+) -> 81/))[1]);
      await expect(download(closed, '/')).rejects.toThrow();
      await refused.interrupt();
      expect(refused.stderr).toMatch(/connection refused|lost connection to pod/i);
      expect((await forwarded('/small')).length).toBe(100_000);
    });
  });
}

/** The new terminal size arrives a moment after the change, so this asks repeatedly. */
async function askForSize(session: RunningCommand, size: RegExp): Promise<void> {
  await waitFor(
    'the shell tells its size',
    async () => {
      session.write('stty size\n');
      return size.test(session.stdout);
    },
    { everyMs: 250 },
  );
}

async function waitUntilAttached(attached: RunningCommand): Promise<void> {
  await attached.until(/^/);
  for (let tries = 0; tries < 20 && !/press enter|command prompt/.test(attached.stderr); tries++) await aWhile(250);
}

function download(port: number, file: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const request = http.get({ host: '127.0.0.1', port, path: file, agent: false }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.on('end', () => resolve(Buffer.concat(pieces)));
      answer.on('error', reject);
    });
    request.setTimeout(60_000, () => request.destroy(new Error(`no bytes of ${file} for a minute`)));
    request.on('error', reject);
  });
}
