import { createHash, timingSafeEqual } from 'node:crypto';
import path from 'node:path';
import { text, type Answer } from '@podwright/http-answer';
import type { ServerRequest } from '@podwright/server-interface';
import { isLoopbackHost } from '../console-address.js';
import { secured } from './security-headers.js';

/** Browsers send the cookies of one port to all ports of a host, so each console adds something of its own to it. */
export const cookieName = 'podwright-console';

type Asked = Pick<ServerRequest, 'method' | 'path' | 'query' | 'headers'>;

/** Who may ask on the console's own port: who has read the token. cAdvisor's answers hold no secret and need none. */
export class TokenAccess {
  private readonly digest: Buffer;
  private readonly noToken: Answer;
  private readonly wrongToken: Answer;

  /** `rootDir` is where the token lies, for the answers to those who lack it. */
  constructor(
    private readonly token: string,
    rootDir: string,
  ) {
    this.digest = digestOf(token);
    const advice =
      `run "podwright console --root-dir=${rootDir}" on this machine, as root, and open the address that it prints. ` +
      `The token is in ${path.join(rootDir, 'console/token')}.\n`;
    this.noToken = secured(text(401, `the console needs its token: ${advice}`));
    this.wrongToken = secured(
      text(403, `that is not the console's token, which changes with each start of the kubelet: ${advice}`),
    );
  }

  /** The answer for a request that may not go on; undefined when it may. */
  refuse(request: Asked): Answer | undefined {
    const { path: asked, query, headers } = request;
    // A page of another site may have its name point here; the browser then sends that name.
    if (!isLoopbackHost(headers.host)) {
      return secured(
        text(403, `${JSON.stringify(headers.host ?? '')} is not this machine: use localhost or 127.0.0.1\n`),
      );
    }
    if (!/^\/console(\/|$)/.test(asked)) return undefined;
    const given = query.get('token');
    if (given !== null) return this.isToken(given) ? secured(this.welcome(asked, query)) : this.wrongToken;
    const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
    if (bearer !== undefined) return this.isToken(bearer) ? undefined : this.wrongToken;
    return cookies(headers.cookie).some((value) => this.isToken(value)) ? undefined : this.noToken;
  }

  /** Takes the token from the address, so that it stays out of the history. */
  private welcome(asked: string, query: URLSearchParams): Answer {
    const rest = new URLSearchParams(query);
    rest.delete('token');
    const location = `${asked}${rest.size > 0 ? `?${rest.toString()}` : ''}`;
    const cookie = `${cookieName}-${this.digest.toString('hex', 0, 4)}=${this.token}; Path=/console; HttpOnly; SameSite=Strict`;
    return { status: 303, headers: { Location: encodeURI(location), 'Set-Cookie': cookie }, body: '' };
  }

  private isToken(given: string): boolean {
    return timingSafeEqual(digestOf(given), this.digest);
  }
}

const digestOf = (value: string): Buffer => createHash('sha256').update(value).digest();

/** Those of all consoles on this machine, or on machines that are reached through it. */
function cookies(header: string | undefined): readonly string[] {
  return (header ?? '').split(';').flatMap((pair) => {
    const [name = '', value = ''] = pair.trim().split('=', 2);
    return name.startsWith(cookieName) ? [value] : [];
  });
}
