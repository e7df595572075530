import { spawn, type ChildProcess } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createWriteStream } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { messageOf } from '@podwright/errors';
import { createSystemClock, createSystemRandom, type Clock } from '@podwright/time';
import { generatePrivateKey } from '@podwright/x509';
import { ClusterAuthority, type KeyPair, type LeafOptions } from '../identity/cluster-authority.js';
import type { ApiUser } from '../http/api-request.js';
import { kubeconfigText } from '../listener/kubeconfig-text.js';
import type { CaseServer } from './case-server.js';
import { HttpsTransport } from './https-transport.js';

const startTimeoutMs = 90_000;
const requestTimeoutMs = 5_000;
const endTimeoutMs = 15_000;
const administrator: ApiUser = { name: 'kubernetes-admin', groups: ['system:masters'] };
const programs = ['etcd', 'kube-apiserver', 'kube-controller-manager'] as const;

/** Why a real server cannot be started from the folder, as a sentence; undefined when it can. */
export function missingProgram(folder: string, exists: (program: string) => boolean): string | undefined {
  if (folder === '') return `KUBEBUILDER_ASSETS names no folder with ${programs.join(', ')}`;
  const missing = programs.find((program) => !exists(program));
  return missing === undefined ? undefined : `KUBEBUILDER_ASSETS has no ${missing}`;
}

/** Runs etcd, kube-apiserver and some of upstream's controllers on loopback, in their own folder. */
export class RealApiServer implements CaseServer {
  private readonly processes: ChildProcess[] = [];
  private apiServer: ChildProcess | undefined;
  private apiServerArgs: readonly string[] = [];
  private readonly clock: Clock = createSystemClock();
  private readonly authority = new ClusterAuthority(this.clock, createSystemRandom());
  private address = '';

  private constructor(
    private readonly assets: string,
    private readonly dir: string,
  ) {}

  /** Starts a server. When a program does not come up, stops all and rejects with the end of the program's log. */
  static async start(assets: string): Promise<RealApiServer> {
    const dir = await mkdtemp(path.join(os.tmpdir(), 'podwright-apiserver-'));
    const server = new RealApiServer(assets, dir);
    try {
      await server.up();
      return server;
    } catch (error) {
      const logs = await server.logs();
      await server.stop();
      throw new Error(`${messageOf(error)}\n${logs}`, { cause: error });
    }
  }

  get url(): string {
    return this.address;
  }

  transport(user: ApiUser = administrator): HttpsTransport {
    return new HttpsTransport(this.url, this.authority.certificate, this.certificateOf(user));
  }

  /** A kubeconfig with embedded certificates, valid for a year. */
  kubeconfig(user: Pick<ApiUser, 'name' | 'groups'>): string {
    return kubeconfigText(this.url, this.authority.certificate, this.certificateOf(user), user.name);
  }

  /** kill -9 of kube-apiserver. Resolves once it answers again: with what etcd has, and with a new serving certificate. */
  async restart(): Promise<void> {
    if (this.apiServer !== undefined) await this.end(this.apiServer, 'SIGKILL');
    await this.writeServing();
    this.apiServer = this.run('kube-apiserver', this.apiServerArgs);
    await this.answers('/readyz');
  }

  async stop(): Promise<void> {
    for (const child of [...this.processes].reverse()) await this.end(child);
    await rm(this.dir, { recursive: true, force: true });
  }

  private async up(): Promise<void> {
    const [client, peer, secure, controllers] = await freePorts(4);
    const etcd = `http://127.0.0.1:${client}`;
    this.run('etcd', [
      ...['--data-dir', path.join(this.dir, 'etcd'), '--unsafe-no-fsync', '--log-level', 'warn'],
      ...['--listen-client-urls', etcd, '--advertise-client-urls', etcd],
      ...['--listen-peer-urls', `http://127.0.0.1:${peer}`],
      ...['--initial-advertise-peer-urls', `http://127.0.0.1:${peer}`],
      ...['--initial-cluster', `default=http://127.0.0.1:${peer}`],
    ]);
    this.address = `https://127.0.0.1:${secure}`;
    const files = await this.writeFiles();
    const serving = await this.writeServing();
    this.apiServerArgs = [
      ...['--bind-address=127.0.0.1', '--advertise-address=127.0.0.1', '--endpoint-reconciler-type=none'],
      ...[`--secure-port=${secure}`, `--etcd-servers=${etcd}`, `--cert-dir=${this.dir}`],
      ...[`--tls-cert-file=${serving.certificate}`, `--tls-private-key-file=${serving.privateKey}`],
      ...[`--client-ca-file=${files.authority}`, '--allow-privileged=true'],
      ...['--authorization-mode=Node,RBAC', '--enable-admission-plugins=NodeRestriction'],
      ...['--service-cluster-ip-range=10.96.0.0/16'],
      ...['--service-account-issuer=https://kubernetes.default.svc.cluster.local'],
      ...[`--service-account-key-file=${files.accountPublic}`],
      ...[`--service-account-signing-key-file=${files.accountPrivate}`],
      ...[`--kubelet-client-certificate=${files.kubelets.certificate}`],
      ...[`--kubelet-client-key=${files.kubelets.privateKey}`, '--kubelet-preferred-address-types=InternalIP'],
      ...['--runtime-config=certificates.k8s.io/v1beta1=true'],
      ...['--feature-gates=ClusterTrustBundle=true,PodCertificateRequest=true,CBORServingAndStorage=true'],
    ];
    this.apiServer = this.run('kube-apiserver', this.apiServerArgs);
    await this.answers('/readyz');
    this.run('kube-controller-manager', [
      ...['--bind-address=127.0.0.1', `--secure-port=${controllers}`, `--cert-dir=${this.dir}`],
      ...[`--kubeconfig=${files.controllers}`, '--leader-elect=false', '--use-service-account-credentials=true'],
      ...[`--root-ca-file=${files.authority}`, `--service-account-private-key-file=${files.accountPrivate}`],
    ]);
    await this.answers('/api/v1/namespaces/default/serviceaccounts/default');
  }

  private async file(name: string, text: string): Promise<string> {
    const place = path.join(this.dir, name);
    await writeFile(place, text, { mode: 0o600 });
    return place;
  }

  /** Resolves with the paths. */
  private async pair(name: string, keys: KeyPair): Promise<KeyPair> {
    return {
      certificate: await this.file(`${name}.crt`, keys.certificate),
      privateKey: await this.file(`${name}.key`, keys.privateKey),
    };
  }

  private writeServing(): Promise<KeyPair> {
    const addresses = { dnsNames: ['localhost', 'kubernetes'], ipAddresses: ['127.0.0.1', '10.96.0.1'] };
    return this.pair('apiserver', this.issue({ commonName: 'kube-apiserver' }, 'server auth', addresses));
  }

  private async writeFiles(): Promise<ServerFiles> {
    const accountKey = await generatePrivateKey();
    const accountPublic = createPublicKey(accountKey).export({ type: 'spki', format: 'pem' }) as string;
    const authority = await this.file('ca.crt', this.authority.certificate);
    const controllers = await this.pair(
      'kcm',
      this.issue({ commonName: 'system:kube-controller-manager' }, 'client auth'),
    );
    const kubeletClient = { commonName: 'kube-apiserver-kubelet-client', organizations: ['system:masters'] };
    return {
      authority,
      kubelets: await this.pair('kubelet-client', this.issue(kubeletClient, 'client auth')),
      accountPublic: await this.file('sa.pub', accountPublic),
      accountPrivate: await this.file('sa.key', accountKey),
      controllers: await this.file('kcm.kubeconfig', kubeconfigOf(this.url, authority, controllers)),
    };
  }

  private certificateOf({ name, groups }: Pick<ApiUser, 'name' | 'groups'>): KeyPair {
    const organizations = groups.filter((group) => group !== 'system:authenticated');
    return this.issue({ commonName: name, organizations }, 'client auth');
  }

  private issue(subject: LeafOptions['subject'], usage: string, names: Partial<LeafOptions> = {}): KeyPair {
    return this.authority.issue({ ...names, subject, usages: ['digital signature', 'key encipherment', usage] });
  }

  private run(program: (typeof programs)[number], args: readonly string[]): ChildProcess {
    const child = spawn(path.join(this.assets, program), args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const log = createWriteStream(path.join(this.dir, `${program}.log`), { flags: 'a' });
    child.stdout.pipe(log, { end: false });
    child.stderr.pipe(log, { end: false });
    this.processes.push(child);
    return child;
  }

  /** Resolves once a GET of the path answers 200. */
  private async answers(asked: string): Promise<void> {
    const deadline = this.clock.monotonic() + startTimeoutMs;
    const transport = this.transport();
    let last = '';
    while (this.clock.monotonic() < deadline) {
      const ended = this.processes.find(({ exitCode }) => exitCode !== null);
      if (ended !== undefined) throw new Error(`${ended.spawnfile} ended with ${ended.exitCode}`);
      try {
        const status = await this.statusOf(transport, asked);
        if (status === 200) return;
        last = `status ${status}`;
      } catch (error) {
        last = messageOf(error);
      }
      await this.clock.sleep(200);
    }
    throw new Error(`no answer from ${this.url}${asked}: ${last}`);
  }

  private async statusOf(transport: HttpsTransport, asked: string): Promise<number> {
    const leaving = new AbortController();
    const timer = this.clock.setTimer(requestTimeoutMs, () => leaving.abort(new Error('no answer in time')));
    try {
      const { status, body } = await transport.send({ method: 'GET', path: asked, headers: {} }, leaving.signal);
      for await (const _chunk of body);
      return status;
    } finally {
      timer.cancel();
    }
  }

  private async end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.kill(signal);
    const timer = this.clock.setTimer(endTimeoutMs, () => child.kill('SIGKILL'));
    await exited;
    timer.cancel();
  }

  private async logs(): Promise<string> {
    const tails = programs.map(async (program) => {
      const text = await readFile(path.join(this.dir, `${program}.log`), 'utf8').catch(() => '');
      return `${program}: ${text.trimEnd().split('\n').slice(-5).join('\n')}`;
    });
    return (await Promise.all(tails)).join('\n');
  }
}

/** The paths of the server's files. */
interface ServerFiles {
  readonly authority: string;
  /** The server's client certificate towards kubelets. */
  readonly kubelets: KeyPair;
  readonly accountPublic: string;
  readonly accountPrivate: string;
  readonly controllers: string;
}

function kubeconfigOf(server: string, authority: string, { certificate, privateKey }: KeyPair): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server, 'certificate-authority': authority } }],
    users: [{ name: 'u', user: { 'client-certificate': certificate, 'client-key': privateKey } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  });
}

/** Different ports that are free now. */
async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
