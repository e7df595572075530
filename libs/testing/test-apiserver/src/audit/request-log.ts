import type { ApiRequest, Verb } from '../http/api-request.js';
import { parseResourceTarget } from '../http/resource-target.js';
import type { ResourceTable } from '../resources/resource-table.js';

/** One request to the server. */
export interface AuditEntry {
  readonly user: string;
  readonly method: string;
  /** The path without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Undefined for a path that is no resource, such as `/healthz`. */
  readonly verb: Verb | undefined;
  /** Plural name; empty for a path that is no resource. */
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** The body as sent. */
  readonly body: string;
  /** Time of arrival: milliseconds since 1970, by the server's clock. */
  readonly atMs: number;
  /** HTTP status of the answer; undefined until there is one, 0 when the request failed without one. */
  code: number | undefined;
}

/** The last requests, for a test to check which calls were made. */
export class RequestLog {
  private kept: AuditEntry[] = [];

  constructor(
    private readonly table: ResourceTable,
    private readonly length: number,
  ) {}

  /** The kept requests, oldest first. */
  get entries(): readonly AuditEntry[] {
    return this.kept;
  }

  clear(): void {
    this.kept = [];
  }

  add(request: ApiRequest, nowMs: number): AuditEntry {
    const target = targetOf(this.table, request);
    const entry: AuditEntry = {
      user: request.user.name,
      method: request.method,
      path: request.path,
      query: request.query,
      verb: target?.verb,
      resource: target?.resource.plural ?? '',
      subresource: target?.subresource ?? '',
      namespace: target?.namespace ?? '',
      name: target?.name ?? '',
      body: new TextDecoder().decode(request.body),
      atMs: nowMs,
      code: undefined,
    };
    if (this.length === 0) return entry;
    this.kept.push(entry);
    if (this.kept.length > this.length) this.kept.shift();
    return entry;
  }
}

function targetOf(table: ResourceTable, request: ApiRequest): ReturnType<typeof parseResourceTarget> {
  try {
    return parseResourceTarget(table, request);
  } catch {
    return undefined; // The server answers with 404 or 405, and the entry still has the path.
  }
}
