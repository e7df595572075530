import type { Console } from '@podwright/console-interface';
import { hasCode, messageOf } from '@podwright/errors';
import { text, type Answer } from '@podwright/http-answer';
import type { ServerRequest } from '@podwright/server-interface';
import type { ConsoleParts } from '../console-needs.js';
import { acceptsEncoding } from './accepts-encoding.js';
import { compressedStream } from './compressed-stream.js';
import type { ConsoleFiles } from './console-files.js';
import { journalQuery } from './journal-query.js';
import { liveStream } from './live-stream.js';
import { podLog } from './pod-log.js';
import { secured } from './security-headers.js';
import { fileAnswer } from './static-files.js';

/** Answers the console's requests, whoever was let in. */
export class ConsolePages {
  constructor(
    private readonly parts: ConsoleParts,
    private readonly console: Pick<Console, 'watch' | 'pod' | 'cgroups' | 'journal'>,
    private readonly files: () => Promise<ConsoleFiles>,
  ) {}

  async index(request: ServerRequest): Promise<Answer> {
    // Everything on the page is relative to this folder, wherever a proxy has put it.
    if (!request.path.endsWith('/')) return secured({ status: 302, headers: { Location: 'console/' }, body: '' });
    return secured(await fileAnswer(await this.files(), 'index.html', request));
  }

  async asset(request: ServerRequest): Promise<Answer> {
    return secured(await fileAnswer(await this.files(), `assets/${request.parameters['name'] ?? ''}`, request));
  }

  live(request: ServerRequest): Answer {
    try {
      const texts = liveStream(this.console.watch(request.signal), this.parts.clock);
      // The first message of a full node is some hundred kilobytes long, and a tenth of that when it is compressed.
      const packed = acceptsEncoding(request, 'gzip');
      // A proxy must pass each message on at once.
      const headers = { 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' };
      return secured(
        packed
          ? { status: 200, headers: { ...headers, 'Content-Encoding': 'gzip' }, body: compressedStream(texts) }
          : { status: 200, headers, body: texts },
      );
    } catch (error) {
      return failure(error);
    }
  }

  pod({ parameters, query, signal }: ServerRequest): Promise<Answer> {
    const { namespace = '', name = '' } = parameters;
    const uid = query.get('uid') ?? '';
    return json(async () => {
      const page = await this.console.pod(namespace, name, { signal, ...(uid !== '' && { uid }) });
      if (page !== undefined) return { page };
      const which = uid === '' ? '' : ` with UID ${JSON.stringify(uid)}`;
      return {
        refusal: text(404, `nobody on this node knows pod ${JSON.stringify(`${namespace}/${name}`)}${which}\n`),
      };
    });
  }

  async logs(request: ServerRequest): Promise<Answer> {
    return secured(await podLog(this.parts, request));
  }

  cgroups({ signal }: ServerRequest): Promise<Answer> {
    return json(async () => ({ page: await this.console.cgroups(signal) }));
  }

  journal({ query, signal }: ServerRequest): Promise<Answer> {
    return json(async () => {
      const asked = journalQuery(query);
      if (typeof asked === 'string') return { refusal: text(400, `${asked}\n`) };
      return { page: await this.console.journal(asked, signal) };
    });
  }
}

async function json(make: () => Promise<{ readonly page: object } | { readonly refusal: Answer }>): Promise<Answer> {
  try {
    const made = await make();
    if ('refusal' in made) return secured(made.refusal);
    return secured({ status: 200, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(made.page) });
  } catch (error) {
    return failure(error);
  }
}

/** An error that the client can do something about; any other one is the server's to log. */
function failure(error: unknown): Answer {
  if (hasCode(error, 'resource-exhausted')) {
    const answer = text(429, `${messageOf(error)}\n`);
    return secured({ ...answer, headers: { ...answer.headers, 'Retry-After': '10' } });
  }
  if (hasCode(error, 'unavailable')) return secured(text(503, `${messageOf(error)}\n`));
  throw error;
}
