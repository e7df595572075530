import { createPublicKey } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request, type RequestOptions } from 'node:https';
import path from 'node:path';
import { METRICS } from '@podwright/assembly-interface';
import { flightRecorderModule } from '@podwright/flight-recorder';
import type { KubeObject } from '@podwright/kube-client-interface';
import { KUBELET_SERVER } from '@podwright/server-interface';
import { createSystemClock } from '@podwright/time';
import { createSelfSignedCertificate, generatePrivateKey, issueCertificate } from '@podwright/x509';
import { SimulatedCluster } from '../simulated-cluster.js';
import { simulationsFolder } from '../simulations-folder.js';
import { users, type Credentials, type UserName } from './callers.js';
import type { Setting } from './expectation.js';

const day = 86_400_000;
const namespace = 'default';
const tokenProtocol = 'base64url.bearer.authorization.k8s.io.';

interface Authority {
  readonly certificate: string;
  readonly privateKey: string;
}

interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** A client with the credentials that it presents. */
export interface Client {
  ask(method: string, target: string): Promise<{ readonly status: number; readonly body: string }>;
  close(): void;
}

/**
 * A shipped kubelet with its main port on loopback, and clients for every caller of the table. Its API server knows the
 * table's users.
 */
export class AccessScene {
  private readonly realTime = createSystemClock();
  private readonly tokens = new Map<string, string>();

  private constructor(
    private readonly sim: SimulatedCluster,
    private readonly dir: string,
    private readonly authorities: Readonly<Record<'trusted' | 'intermediate' | 'unknown', Authority>>,
    private readonly clientKey: string,
  ) {}

  static async open({ anonymous }: Setting): Promise<AccessScene> {
    const dir = await mkdtemp(path.join(simulationsFolder, 'podwright-access-'));
    const names = Object.keys(users) as UserName[];
    const sim = await SimulatedCluster.create({
      access: {
        tokens: Object.fromEntries(names.map((name) => [`token-of-${name}`, userOf(name)])),
        grants: names.flatMap((name) => {
          const rights = users[name];
          return rights === 'everything'
            ? []
            : rights.map((right) => {
                const [verb = '', subresource = ''] = right.split(' ');
                return { to: { user: name }, verbs: [verb], resources: [`nodes/${subresource}`] };
              });
        }),
      },
      modules: [flightRecorderModule],
      options: {
        '@podwright/server': { address: '127.0.0.1', port: 0 },
        '@podwright/console': { address: '127.0.0.1:0' },
      },
    });
    const nowMs = sim.node.clock.now();
    const [one, two, three, clientKey] = await Promise.all([1, 2, 3, 4].map(() => generatePrivateKey()));
    const trusted = authority('kubernetes', one, nowMs);
    const intermediate = {
      privateKey: two ?? '',
      certificate: issueCertificate(
        {
          subject: { commonName: 'intermediate' },
          publicKey: createPublicKey(two ?? ''),
          usages: [],
          authority: true,
          ...life(nowMs),
        },
        trusted,
      ),
    };
    const files = {
      ca: [path.join(dir, 'ca.crt'), trusted.certificate],
      cert: [path.join(dir, 'tls.crt'), serving(trusted, clientKey ?? '', nowMs)],
      key: [path.join(dir, 'tls.key'), clientKey ?? ''],
    } as const;
    await Promise.all(Object.values(files).map(([file, content]) => writeFile(file, content)));
    const authorities = { trusted, intermediate, unknown: authority('kubernetes', three, nowMs) };
    const scene = new AccessScene(sim, dir, authorities, clientKey ?? '');
    await sim.node.boot({
      enableServer: true,
      tlsCertFile: files.cert[0],
      tlsPrivateKeyFile: files.key[0],
      // The clock stands still, so a rate limit would block the many requests of the table.
      kubeAPIQPS: -1,
      authentication: {
        x509: { clientCAFile: files.ca[0] },
        webhook: { enabled: true, cacheTTL: '2m0s' },
        anonymous: { enabled: anonymous },
      },
    });
    await scene.makeDeadTokens();
    return scene;
  }

  client(shows: Credentials): Client {
    const { https = '' } = this.sim.node.part(KUBELET_SERVER).addresses();
    const { hostname, port } = new URL(`https://${https}`);
    const pair = shows.certificate === undefined ? {} : this.certificate(shows.certificate);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const options = { hostname, port, agent, rejectUnauthorized: false, ...pair, headers: this.headers(shows) };
    return {
      ask: (method, target) => this.settle(send({ ...options, method, path: target })),
      close: () => agent.destroy(),
    };
  }

  metrics(): Promise<string> {
    return this.sim.node.part(METRICS).render();
  }

  async close(): Promise<void> {
    await this.sim.dispose();
    await rm(this.dir, { recursive: true, force: true });
  }

  /** Sockets need real time. When that alone does not help, the virtual clock advances too. */
  private async settle<T>(work: Promise<T>): Promise<T> {
    let done = false;
    const end = (): void => void (done = true);
    work.then(end, end);
    for (let turn = 0; !done; turn++) {
      await this.realTime.sleep(1);
      if (!done && turn > 20) await this.sim.node.clock.advance(100);
    }
    return work;
  }

  private headers({ token, inSubprotocol, impersonating, basic }: Credentials): Readonly<Record<string, string>> {
    const text = token === 'empty' ? '' : (this.tokens.get(token ?? '') ?? `token-of-${token}`);
    const protocol = `${tokenProtocol}${Buffer.from(text).toString('base64url')}`;
    const offered = {
      true: `${protocol}, v5.channel.k8s.io`,
      twice: `${protocol}, ${protocol}, v5.channel.k8s.io`,
      alone: protocol,
      broken: `${protocol}+, v5.channel.k8s.io`,
    };
    return {
      ...(token !== undefined && inSubprotocol === undefined && { authorization: `Bearer ${text}` }),
      ...(inSubprotocol !== undefined && {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
        'sec-websocket-protocol': offered[`${inSubprotocol}`],
      }),
      ...(impersonating !== undefined && { 'impersonate-user': impersonating, 'impersonate-group': 'system:masters' }),
      ...(basic === true && { authorization: 'Basic YWRtaW46YWRtaW4=' }),
    };
  }

  private certificate({ user, fault, intermediate }: NonNullable<Credentials['certificate']>): KeyPair {
    const nowMs = this.sim.node.clock.now();
    const { trusted, unknown } = this.authorities;
    const signer =
      intermediate === true ? this.authorities.intermediate : fault === 'unknown authority' ? unknown : trusted;
    const leaf = issueCertificate(
      {
        subject: { commonName: user, organizations: user === '' || user === 'admin' ? ['system:masters'] : [] },
        publicKey: createPublicKey(this.clientKey),
        usages: ['digital signature', fault === 'server auth only' ? 'server auth' : 'client auth'],
        notBeforeMs: nowMs + (fault === 'not valid yet' ? day : -2 * day),
        notAfterMs: nowMs + (fault === 'expired' ? -day : 2 * day),
      },
      signer,
    );
    return { cert: intermediate === true ? `${leaf}${signer.certificate}` : leaf, key: this.clientKey };
  }

  /** Makes an expired token, and one of a deleted service account. */
  private async makeDeadTokens(): Promise<void> {
    const serviceAccounts = {
      group: '',
      version: 'v1',
      plural: 'serviceaccounts',
      kind: 'ServiceAccount',
      namespaced: true,
    };
    const { admin, node } = this.sim;
    for (const [kind, name] of [
      ['expired', 'default'],
      ['deleted account', 'gone'],
    ] as const) {
      if (name === 'gone') await this.sim.finish(admin.create(serviceAccounts, { metadata: { name, namespace } }));
      const of = { namespace, name, subresource: 'token' };
      const body = { spec: { expirationSeconds: 600 } } as object;
      const made = admin.createSubresource<KubeObject & { readonly status?: { readonly token: string } }>(
        serviceAccounts,
        of,
        body,
      );
      this.tokens.set(kind, (await this.sim.finish(made)).status?.token ?? '');
      if (name === 'gone') await this.sim.finish(admin.delete(serviceAccounts, { namespace, name }));
    }
    await node.clock.advance(900_000);
  }
}

const life = (nowMs: number): { notBeforeMs: number; notAfterMs: number } => ({
  notBeforeMs: nowMs - 10 * day,
  notAfterMs: nowMs + 3650 * day,
});

function authority(commonName: string, privateKey = '', nowMs: number): Authority {
  const options = {
    subject: { commonName },
    privateKey,
    usages: ['digital signature'],
    authority: true,
    ...life(nowMs),
  };
  return { privateKey, certificate: createSelfSignedCertificate(options) };
}

function serving(signer: Authority, key: string, nowMs: number): string {
  const subject = { commonName: 'system:node:node' };
  const usages = ['digital signature', 'server auth'];
  return issueCertificate(
    { subject, publicKey: createPublicKey(key), usages, ipAddresses: ['127.0.0.1'], ...life(nowMs) },
    signer,
  );
}

function userOf(name: UserName): { name: string; groups: readonly string[] } {
  return { name, groups: users[name] === 'everything' ? ['system:masters'] : [] };
}

function send(options: RequestOptions): ReturnType<Client['ask']> {
  return new Promise((resolve, reject) => {
    const sent = request(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }));
      response.on('error', reject);
    });
    sent.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? 0, body: '' });
    });
    sent.on('error', reject);
    sent.end();
  });
}
