import path from 'node:path';
import { hasCode, messageOf } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { Random } from '@podwright/time';
import { goError, type Answer } from '@podwright/http-answer';
import type { ServerRequest } from '@podwright/server-interface';
import { contentRange, parseRanges, type ByteRange } from './byte-ranges.js';
import { contentType, sniffedBytes } from './content-type.js';
import { directoryListing } from './directory-listing.js';
import { fileBody, type BodyPart } from './file-body.js';
import { openLogEntry, type LogEntry } from './open-log-entry.js';
import { checkPreconditions, isNotModifiedSince } from './preconditions.js';

export interface FileServerDeps {
  /** The directory to serve; nothing outside of it is served. */
  readonly root: string;
  /** Generates the boundaries of multipart answers. */
  readonly random: Random;
  readonly logger: Logger;
}

type FileRequest = Pick<ServerRequest, 'headers'> & { readonly search: string };

/**
 * Serves the files of a directory as Go's http.FileServer: listings, ranges, conditional requests, and redirects that
 * add the final slash for directories and remove it for files. Does not follow links that leave the root.
 * Source: Go net/http/fs.go (serveFile, serveContent).
 */
export class FileServer {
  constructor(private readonly deps: FileServerDeps) {}

  /** `url`: the decoded path inside the root, beginning with a slash. */
  async serve(url: string, request: FileRequest): Promise<Answer> {
    if (url.endsWith('/index.html')) return moved('./', request);
    let entry: LogEntry;
    try {
      entry = await this.open(url);
    } catch (error) {
      return this.failure(url, error);
    }
    let isHandedOver = false;
    try {
      if (entry.stats.isDirectory()) {
        if (!url.endsWith('/')) return moved(`${path.posix.basename(url)}/`, request);
        const index = await this.index(url);
        if (index === undefined) return await listing(entry, request);
        await entry.handle.close();
        entry = index;
      } else if (url.endsWith('/')) {
        return moved(`../${path.posix.basename(url)}`, request);
      }
      const { isStreamed, answer } = await this.content(path.posix.basename(url), entry, request);
      isHandedOver = isStreamed;
      return answer;
    } catch (error) {
      return this.failure(url, error);
    } finally {
      if (!isHandedOver) await entry.handle.close();
    }
  }

  private open(url: string): Promise<LogEntry> {
    return openLogEntry(this.deps.root, path.posix.normalize(url), 'contain-absolute');
  }

  private async index(url: string): Promise<LogEntry | undefined> {
    try {
      const entry = await this.open(`${url}index.html`);
      if (entry.stats.isFile()) return entry;
      await entry.handle.close();
      return undefined;
    } catch (error) {
      if (hasCode(error, 'not-found')) return undefined;
      throw error;
    }
  }

  private async content(
    name: string,
    { handle, stats }: LogEntry,
    { headers }: FileRequest,
  ): Promise<{ readonly isStreamed: boolean; readonly answer: Answer }> {
    const { size, mtimeMs } = stats;
    const modified = { 'Last-Modified': httpDate(mtimeMs) };
    const closed = (answer: Answer): { readonly isStreamed: boolean; readonly answer: Answer } => ({
      isStreamed: false,
      answer,
    });
    const condition = checkPreconditions(headers, mtimeMs);
    if (condition === 'failed') return closed({ status: 412, headers: modified, body: '' });
    if (condition === 'not-modified') return closed({ status: 304, headers: modified, body: '' });
    const beginning = Buffer.alloc(Math.min(sniffedBytes, size));
    const { bytesRead } = await handle.read(beginning, 0, beginning.length, 0);
    const type = contentType(name, beginning.subarray(0, bytesRead));
    const ranges = condition === 'whole' ? [] : parseRanges(headers.range, size);
    if (ranges === 'invalid') return closed(goError(416, 'invalid range'));
    if (ranges === 'unsatisfiable' && size > 0) {
      const answer = goError(416, 'invalid range: failed to overlap');
      return closed({ ...answer, headers: { ...answer.headers, 'Content-Range': `bytes */${size}` } });
    }
    const { status, parts, ...rest } = this.selection(ranges === 'unsatisfiable' ? [] : ranges, size, type);
    const length = parts.reduce(
      (sum, part) => sum + (typeof part === 'string' ? Buffer.byteLength(part) : part.length),
      0,
    );
    const answer = {
      status,
      headers: { ...modified, ...rest.headers, 'Accept-Ranges': 'bytes', 'Content-Length': String(length) },
      body: fileBody(handle, parts),
    };
    return { isStreamed: true, answer };
  }

  private selection(
    ranges: readonly ByteRange[],
    size: number,
    type: string,
  ): {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly parts: readonly BodyPart[];
  } {
    const [only, ...others] = ranges;
    if (only === undefined) {
      return { status: 200, headers: { 'Content-Type': type }, parts: [{ start: 0, length: size }] };
    }
    if (others.length === 0) {
      const headers = { 'Content-Type': type, 'Content-Range': contentRange(only, size) };
      return { status: 206, headers, parts: [only] };
    }
    const boundary = this.deps.random.hex(30);
    const parts = ranges.flatMap((range, index) => [
      `${index === 0 ? '' : '\r\n'}--${boundary}\r\nContent-Range: ${contentRange(range, size)}\r\nContent-Type: ${type}\r\n\r\n`,
      range,
    ]);
    const headers = { 'Content-Type': `multipart/byteranges; boundary=${boundary}` };
    return { status: 206, headers, parts: [...parts, `\r\n--${boundary}--\r\n`] };
  }

  // Answers missing and forbidden files as Go does; hides the details of other errors from the client.
  private failure(url: string, error: unknown): Answer {
    if (hasCode(error, 'not-found')) return goError(404, '404 page not found');
    if (hasCode(error, 'permission-denied') || hasCode(error, 'failed-precondition'))
      return goError(403, '403 Forbidden');
    this.deps.logger.error('Log file could not be served', { path: url, message: messageOf(error) });
    return goError(500, '500 Internal Server Error');
  }
}

async function listing({ handle, stats }: LogEntry, { headers }: FileRequest): Promise<Answer> {
  const modified = { 'Last-Modified': httpDate(stats.mtimeMs) };
  if (isNotModifiedSince(headers, stats.mtimeMs)) return { status: 304, headers: {}, body: '' };
  const body = await directoryListing(handle);
  return { status: 200, headers: { ...modified, 'Content-Type': 'text/html; charset=utf-8' }, body };
}

// Relative, so that it also works behind the API server's proxy.
const moved = (location: string, { search }: FileRequest): Answer => ({
  status: 301,
  headers: { Location: encodeURI(location) + search },
  body: '',
});

const httpDate = (ms: number): string => new Date(ms).toUTCString();
