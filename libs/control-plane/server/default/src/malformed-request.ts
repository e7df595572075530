import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** A request that this server does not read further: `text` is the body of the answer, and follows its status. */
export interface Refusal {
  readonly status: 400 | 431 | 501 | 505;
  /** What follows the status in the first line. */
  readonly phrase: string;
  readonly text: string;
}

type ParserError = Pick<NodeJS.ErrnoException, 'code' | 'message'>;

const fault = (status: 400 | 505, words: string, detail?: string): Refusal => {
  const phrase = detail === undefined ? words : `${words}: ${detail}`;
  return { status, phrase, text: `${status} ${phrase}` };
};

const unsupportedVersion = fault(505, 'HTTP Version Not Supported', 'unsupported protocol version');
const unsupportedEncoding: Refusal = {
  status: 501,
  phrase: 'Not Implemented',
  text: 'Unsupported transfer encoding',
};

/** The answer to what Node's parser refuses; undefined when the connection failed. Source: Go net/http server.go. */
export function refusalOfError({ code = '', message }: ParserError): Refusal | undefined {
  if (!code.startsWith('HPE_')) return undefined;
  switch (code) {
    case 'HPE_HEADER_OVERFLOW': {
      const phrase = 'Request Header Fields Too Large';
      return { status: 431, phrase, text: `431 ${phrase}` };
    }
    case 'HPE_INVALID_TRANSFER_ENCODING':
      // The same code stands for a length beside the encoding.
      if (message.includes('Content-Length')) return fault(400, 'Bad Request');
      return unsupportedEncoding;
    case 'HPE_INVALID_VERSION':
      return unsupportedVersion;
    case 'HPE_INVALID_HEADER_TOKEN':
      return fault(400, 'Bad Request', message.includes('value') ? undefined : 'invalid header name');
    default:
      return fault(400, 'Bad Request');
  }
}

// Source: Go x/net/http/httpguts ValidHostHeader.
const hostCharacters = /^[\w!$%&'()*+,\-.:;=[\]~]*$/;

/** The answer to what Node's parser lets through and Go does not, in the order in which Go looks. */
export function refusalOfRequest({ headers, rawHeaders, httpVersion }: IncomingMessage): Refusal | undefined {
  // A request line without a version.
  if (httpVersion === '0.9') return fault(400, 'Bad Request');
  if ((headers['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked') return unsupportedEncoding;
  if (httpVersion === '2.0') return unsupportedVersion;
  const hosts = rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'host');
  if (hosts.length > 1) return fault(400, 'Bad Request');
  if (hosts.length === 0 && httpVersion !== '1.0') return fault(400, 'Bad Request', 'missing required Host header');
  return hostCharacters.test(hosts[0] ?? '') ? undefined : fault(400, 'Bad Request', 'malformed Host header');
}

/** Ends a connection on which no answer is in progress. */
export function refuseOn(stream: Duplex, { status, phrase, text }: Refusal): void {
  const headers = 'Content-Type: text/plain; charset=utf-8\r\nConnection: close';
  if (!stream.writable) return;
  stream.end(`HTTP/1.1 ${status} ${phrase}\r\n${headers}\r\n\r\n${text}`, () => stream.destroy());
}

/** Ends a connection after the answers to earlier requests. */
export function refuseWith(response: ServerResponse, { status, phrase, text }: Refusal): void {
  const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Length': text.length };
  response.shouldKeepAlive = false;
  response.writeHead(status, phrase, headers).end(text);
}
