import type { ApiRequest, Verb } from '../http/api-request.js';
import { parseResourceTarget } from '../http/resource-target.js';
import type { ResourceTable } from '../resources/resource-table.js';

/** One request that came, in the order of arrival. */
export interface AuditEntry {
  readonly user: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Undefined for what is no resource, `/healthz` for instance. */
  readonly verb: Verb | undefined;
  /** Plural name, empty for what is no resource. */
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** The body, as it was sent. */
  readonly body: string;
  /** Milliseconds since 1970 by the server's clock. */
  readonly atMs: number;
  /** Status of the answer; undefined while there is none, 0 when there was none. */
  code: number | undefined;
}

/** The last requests, so that a test can tell which calls were made. */
export class RequestLog {
  private kept: AuditEntry[] = [];

  constructor(
    private readonly table: ResourceTable,
    private readonly length: number,
  ) {}

  /** Oldest first. */
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
    return undefined; // Answered with 404 or 405; the path says what it was.
  }
}
