import { readFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import path from 'node:path';
import type { ConsoleMessageName, ConsoleMessages } from '@podwright/console-interface';
import type { TestNode } from './test-node.js';

/** An answer while it comes. */
export interface ConsoleAnswer {
  readonly status: number | undefined;
  text(): string;
  close(): void;
}

/** A client of the console's own port, with its token unless it is told to be somebody else. */
export class ConsoleClient {
  private constructor(
    private readonly address: string,
    private readonly token: string,
  ) {}

  /** Waits until the console of the node listens. */
  static async of(node: TestNode): Promise<ConsoleClient> {
    const content = (name: string): Promise<string> => readFile(path.join(node.dir, 'root/console', name), 'utf8');
    await node.waitFor('the console listens', () => content('address'));
    return new ConsoleClient((await content('address')).trim(), (await content('token')).trim());
  }

  open(target: string, headers: Readonly<Record<string, string>> = {}): Promise<ConsoleAnswer> {
    const all = { cookie: `podwright-console=${this.token}`, ...headers };
    return new Promise((resolve, reject) => {
      get(`http://${this.address}${target}`, { headers: all }, (response) => resolve(answer(response))).once(
        'error',
        reject,
      );
    });
  }

  async json<T>(target: string): Promise<T> {
    const { status, body } = await this.whole(target);
    if (status !== 200) throw new Error(`${target}: ${status} ${body}`);
    return JSON.parse(body) as T;
  }

  whole(
    target: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly status: number | undefined; readonly body: string }> {
    const all = { cookie: `podwright-console=${this.token}`, ...headers };
    return new Promise((resolve, reject) => {
      const request = get(`http://${this.address}${target}`, { headers: all }, (response) => {
        const { text } = answer(response);
        response.once('end', () => resolve({ status: response.statusCode, body: text() })).once('error', reject);
      });
      request.once('error', reject);
    });
  }
}

/** The messages of a stream so far, of one name. */
export function messages<N extends ConsoleMessageName>(
  stream: Pick<ConsoleAnswer, 'text'>,
  name: N,
): readonly ConsoleMessages[N][] {
  return stream
    .text()
    .split('\n\n')
    .slice(0, -1)
    .flatMap((event) => {
      const [, named, data] = /^event: (\w+)\ndata: (.*)$/.exec(event) ?? [];
      return named === name ? [JSON.parse(data ?? '') as ConsoleMessages[N]] : [];
    });
}

function answer(response: IncomingMessage): ConsoleAnswer {
  let text = '';
  response.setEncoding('utf8').on('data', (piece: string) => void (text += piece));
  response.on('error', () => undefined);
  return { status: response.statusCode, text: () => text, close: () => response.destroy() };
}
