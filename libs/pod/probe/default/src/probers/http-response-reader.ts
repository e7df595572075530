import { goQuote } from '@podwright/kube-types';
import { cutOutput, maxOutputBytes } from './output-limit.js';
import { chunkedBody, sizedBody, unendingBody, type BodyReader } from './http-body-reader.js';
import { brokenAnswer, parseHeaders, type ResponseHeaders } from './response-headers.js';

export interface HttpResponse {
  readonly status: number;
  /** Value of the first Location header, or empty. */
  readonly location: string;
  /** Its first 10240 bytes at most. */
  readonly body: string;
}

// No valid server needs more, and a hostile one must not fill the memory.
const maxHeadBytes = 64 * 1024;
const headEnd = /\r?\n\r?\n/;

/**
 * Parses one answer of an HTTP/1 server from the pieces in which it arrives, and no more of it than a probe needs.
 * Throws an Error with the text of Go's client for invalid HTTP. Trusts nothing: every part of an answer has a limit.
 */
export class HttpResponseReader {
  private head: Buffer = Buffer.alloc(0);
  /** What came after `head`, which takes it over only where there is something to read: a head may come byte by byte. */
  private pieces: Buffer[] = [];
  private headBytes = 0;
  /** The last bytes, which may begin the end of the head. */
  private tail = '';
  private hasStatusLine = false;
  private status = 0;
  private location = '';
  private body: BodyReader | undefined;
  /** Bytes of informational answers, which count with the head. */
  private informationalBytes = 0;

  /** The head is complete: a later failure concerns the body. */
  get inBody(): boolean {
    return this.body !== undefined;
  }

  /** True when the answer is complete or enough of it has arrived. */
  push(piece: Buffer): boolean {
    if (this.body !== undefined) return this.body.push(piece);
    this.pieces.push(piece);
    this.headBytes += piece.length;
    const text = this.tail + piece.toString('latin1');
    this.tail = text.slice(-3);
    const isLine = !this.hasStatusLine && piece.includes('\n');
    if (!isLine && this.headBytes <= maxHeadBytes && !headEnd.test(text)) return false;
    this.join();
    return this.readHead();
  }

  /** Call it when the server has closed the connection. Throws when that is too early. */
  end(): void {
    if (this.body !== undefined) return this.body.end();
    this.join();
    if (this.head.length === 0) throw new Error('EOF');
    const text = this.head.toString('latin1');
    statusOf(text);
    parseHeaders(text.slice(text.includes('\n') ? text.indexOf('\n') + 1 : text.length));
    throw new Error('unexpected EOF');
  }

  /** Call it after `push` returned true or `end` did not throw. */
  response(): HttpResponse {
    return { status: this.status, location: this.location, body: cutOutput(this.body?.content() ?? Buffer.alloc(0)) };
  }

  private join(): void {
    if (this.pieces.length > 0) this.head = Buffer.concat([this.head, ...this.pieces]);
    this.pieces = [];
  }

  private readHead(): boolean {
    const text = this.head.toString('latin1');
    const lineEnd = text.indexOf('\n');
    this.hasStatusLine = lineEnd >= 0;
    if (this.hasStatusLine) this.status = statusOf(text);
    const found = headEnd.exec(text);
    if (found === null) {
      if (this.head.length <= maxHeadBytes) return false;
      throw tooLong();
    }
    const rest = this.head.subarray(found.index + found[0].length);
    const headers = parseHeaders(text.slice(lineEnd + 1, found.index));
    if (this.status >= 100 && this.status < 200 && this.status !== 101) return this.skipInformational(rest);
    this.location = headers.get('location')?.[0] ?? '';
    this.body = bodyOf(this.status, headers, /^HTTP\/(0|1\.0)/.test(text));
    this.head = Buffer.alloc(0);
    return this.body.push(rest);
  }

  private skipInformational(rest: Buffer): boolean {
    this.informationalBytes += this.head.length - rest.length;
    if (this.informationalBytes > maxHeadBytes) throw tooLong();
    this.head = rest;
    this.headBytes = rest.length;
    this.tail = rest.subarray(-3).toString('latin1');
    this.hasStatusLine = false;
    return rest.length > 0 && this.readHead();
  }
}

/** The status in the first line of an answer, by the rules of Go's http.ReadResponse. */
function statusOf(head: string): number {
  const line = head.replace(/\r?\n[^]*/, '');
  const [, protocol, code] = /^([^ ]*) +([^ ]*)/.exec(line) ?? [];
  if (protocol === undefined || code === undefined) throw malformed('response', line);
  if (code.length !== 3 || !/^\+?\d+$/.test(code)) throw malformed('status code', code);
  if (!/^HTTP\/\d\.\d$/.test(protocol)) throw malformed('version', protocol);
  return Number(code);
}

const malformed = (what: string, text: string): Error =>
  brokenAnswer(`malformed HTTP ${what} ${goQuote(text.slice(0, 200))}`);

const tooLong = (): Error => new Error(`net/http: server response headers exceeded ${maxHeadBytes} bytes; aborted`);

// Source: Go net/http transfer.go parseTransferEncoding and fixLength.
function bodyOf(status: number, headers: ResponseHeaders, beforeHttp11: boolean): BodyReader {
  const encodings = beforeHttp11 ? [] : (headers.get('transfer-encoding') ?? []);
  if (encodings.length > 1) throw brokenAnswer(`too many transfer encodings: ${quotedList(encodings)}`);
  const [encoding] = encodings;
  if (encoding !== undefined && encoding.toLowerCase() !== 'chunked')
    throw brokenAnswer(`unsupported transfer encoding: ${goQuote(encoding)}`);
  const length = lengthOf(headers.get('content-length') ?? []);
  if (status === 101 || status === 204 || status === 304) return sizedBody(0, maxOutputBytes);
  if (encoding !== undefined) return chunkedBody(maxOutputBytes);
  return length === undefined ? unendingBody(maxOutputBytes) : sizedBody(length, maxOutputBytes);
}

function lengthOf(values: readonly string[]): number | undefined {
  const [length] = values;
  if (length === undefined) return undefined;
  if (values.some((value) => value !== length))
    throw brokenAnswer(`http: message cannot contain multiple Content-Length headers; got ${quotedList(values)}`);
  if (length === '') throw brokenAnswer('invalid empty Content-Length ""');
  if (!/^\d{1,18}$/.test(length)) throw brokenAnswer(`bad Content-Length ${goQuote(length)}`);
  return Number(length);
}

const quotedList = (values: readonly string[]): string => `[${values.map((value) => goQuote(value)).join(' ')}]`;
