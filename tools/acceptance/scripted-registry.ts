import { createHash, randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { pauseProgram, tarArchive, type Lab } from '@podwright/lab';

/** How a repository answers. It stays until the test changes it. */
export type Behaviour =
  | { readonly kind: 'open' }
  /** Requires this login, by the registry's scheme. */
  | { readonly kind: 'login'; readonly user: string; readonly password: string }
  /** Answers every request with this status. */
  | { readonly kind: 'status'; readonly code: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly kind: 'half-layer' | 'no-answer' | 'wrong-content' }
  /** Sends layers once the promise has settled. */
  | { readonly kind: 'held'; readonly until: Promise<void> };

/** How a registry wants to be told who asks: the password itself, or a token of its token service. */
export type AuthScheme = 'basic' | 'bearer';

interface Repository {
  behaviour: Behaviour;
  readonly manifest: Buffer;
  readonly manifestDigest: string;
  readonly blobs: ReadonlyMap<string, Buffer>;
}

const manifestType = 'application/vnd.oci.image.manifest.v1+json';
const digestOf = (content: Buffer): string => `sha256:${createHash('sha256').update(content).digest('hex')}`;
/** Large enough that half of it is sent before the connection ends. */
const layerBytes = 400_000;

/**
 * An image registry on loopback that misbehaves as a test says. It implements the part of the distribution protocol
 * that a pull needs.
 */
export class ScriptedRegistry {
  /** `<method> <path>` of all requests. */
  readonly requests: string[] = [];
  private readonly repositories = new Map<string, Repository>();
  private readonly tokens = new Set<string>();
  private readonly server = createServer((request, response) => this.answer(request, response));

  private constructor(private readonly scheme: AuthScheme) {}

  /** Host and port. */
  get address(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  static async start(lab: Lab, scheme: AuthScheme = 'basic'): Promise<ScriptedRegistry> {
    const registry = new ScriptedRegistry(scheme);
    await new Promise<void>((resolve) => registry.server.listen(0, '127.0.0.1', resolve));
    const folder = path.join(lab.layout.hostsDir, registry.address);
    await mkdir(folder, { recursive: true });
    const url = `http://${registry.address}`;
    await writeFile(
      path.join(folder, 'hosts.toml'),
      `server = "${url}"\n[host."${url}"]\n  capabilities = ["pull", "resolve"]\n`,
    );
    return registry;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  /** Makes a new image of at least `weightBytes`, whose program exits on SIGTERM, and returns its name. */
  publish(repository: string, behaviour: Behaviour, weightBytes = layerBytes): string {
    const program = pauseProgram(process.arch);
    if (program === undefined) throw new Error(`there is no program for ${process.arch}`);
    const layer = tarArchive([
      { path: 'pause', type: 'file', mode: 0o755, content: program },
      { path: 'weight', type: 'file', content: randomBytes(weightBytes) },
    ]);
    const rootfs = { type: 'layers', diff_ids: [digestOf(layer)] };
    const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
    const config = json({ architecture, os: 'linux', config: { Entrypoint: ['/pause'] }, rootfs });
    const describe = (mediaType: string, content: Buffer): object => ({
      ...{ mediaType, digest: digestOf(content), size: content.length },
    });
    const manifest = json({
      ...{ schemaVersion: 2, mediaType: manifestType },
      config: describe('application/vnd.oci.image.config.v1+json', config),
      layers: [describe('application/vnd.oci.image.layer.v1.tar', layer)],
    });
    const blobs = new Map([config, layer].map((content) => [digestOf(content), content]));
    this.repositories.set(repository, { behaviour, manifest, manifestDigest: digestOf(manifest), blobs });
    return `${this.address}/${repository}:1`;
  }

  behave(repository: string, behaviour: Behaviour): void {
    const found = this.repositories.get(repository);
    if (found === undefined) throw new Error(`there is no repository ${repository}`);
    found.behaviour = behaviour;
  }

  /** Number of requests for the repository so far. */
  asked(repository: string): number {
    return this.requests.filter((line) => line.includes(`/${repository}/`)).length;
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const { pathname } = new URL(request.url ?? '/', 'http://registry');
    this.requests.push(`${request.method} ${pathname}`);
    request.resume();
    if (pathname === '/token') return this.giveToken(request, response);
    // Some clients ask only here how to log in, and are then told at each repository what they may.
    if (pathname === '/v2/') return this.challenge(response, 'registry:catalog:*');
    const [, name = '', kind = '', reference = ''] = /^\/v2\/(.+)\/(manifests|blobs)\/([^/]+)$/.exec(pathname) ?? [];
    const repository = this.repositories.get(name);
    if (repository === undefined) return end(response, 404);
    if (this.refuses(request, response, name, repository.behaviour)) return;
    if (kind === 'manifests') {
      const { manifest, manifestDigest } = repository;
      const headers = { 'Content-Type': manifestType, 'Docker-Content-Digest': manifestDigest };
      return end(response, 200, request.method === 'HEAD' ? undefined : manifest, {
        ...{ ...headers, 'Content-Length': String(manifest.length) },
      });
    }
    const blob = repository.blobs.get(reference);
    if (blob === undefined) return end(response, 404);
    void this.giveBlob(response, blob, repository.behaviour);
  }

  /** True when the request was answered here, or will never be. */
  private refuses({ headers }: IncomingMessage, response: ServerResponse, name: string, behaviour: Behaviour): boolean {
    if (behaviour.kind === 'no-answer') return true;
    if (behaviour.kind === 'status') {
      end(response, behaviour.code, undefined, behaviour.headers);
      return true;
    }
    if (behaviour.kind !== 'login') return false;
    const { authorization = '' } = headers;
    const { user, password } = behaviour;
    const known =
      this.scheme === 'bearer'
        ? this.tokens.has(`${name} ${authorization.replace('Bearer ', '')}`)
        : authorization === `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
    if (!known) this.challenge(response, `repository:${name}:pull`);
    return !known;
  }

  private challenge(response: ServerResponse, scope: string): void {
    const realm =
      this.scheme === 'bearer'
        ? `Bearer realm="http://${this.address}/token",service="test",scope="${scope}"`
        : 'Basic realm="test"';
    end(response, 401, json({ errors: [{ code: 'UNAUTHORIZED' }] }), { 'WWW-Authenticate': realm });
  }

  private giveToken({ url = '/', headers }: IncomingMessage, response: ServerResponse): void {
    const scope = new URL(url, 'http://registry').searchParams.get('scope') ?? '';
    const [, name = ''] = /^repository:(.+):pull$/.exec(scope) ?? [];
    const behaviour = this.repositories.get(name)?.behaviour;
    if (behaviour === undefined) return end(response, 404);
    if (behaviour.kind === 'login') {
      const login = Buffer.from(`${behaviour.user}:${behaviour.password}`).toString('base64');
      if (headers.authorization !== `Basic ${login}`) return end(response, 401);
    }
    const token = randomBytes(12).toString('hex');
    this.tokens.add(`${name} ${token}`);
    end(response, 200, json({ token, expires_in: 300 }), { 'Content-Type': 'application/json' });
  }

  private async giveBlob(response: ServerResponse, blob: Buffer, behaviour: Behaviour): Promise<void> {
    const isLayer = blob.length > layerBytes;
    if (behaviour.kind === 'held' && isLayer) await behaviour.until;
    if (behaviour.kind === 'half-layer' && isLayer) {
      response.writeHead(200, { 'Content-Length': String(blob.length) });
      response.write(blob.subarray(0, blob.length / 2), () => response.socket?.resetAndDestroy());
      return;
    }
    const content = behaviour.kind === 'wrong-content' && isLayer ? Buffer.alloc(blob.length) : blob;
    end(response, 200, content, { 'Content-Type': 'application/octet-stream' });
  }
}

function end(
  response: ServerResponse,
  status: number,
  body?: Buffer,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { ...(body !== undefined && { 'Content-Length': String(body.length) }), ...headers });
  response.end(body);
}

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
