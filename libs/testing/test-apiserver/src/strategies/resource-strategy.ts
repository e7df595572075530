import type { ApiObject } from '@podwright/api-machinery';
import type { FieldError } from '@podwright/pod-manifest';
import type { ApiUser } from '../http/api-request.js';
import type { ServerContext } from '../registry/server-context.js';

export interface StrategyContext {
  readonly server: ServerContext;
  readonly user: ApiUser;
}

/** Handles updates through one endpoint of a resource. */
export interface UpdateStrategy {
  /**
   * The object to store, from the client's and the stored one; fields that the endpoint may not change come from the
   * latter.
   */
  prepare(next: ApiObject, old: ApiObject, context: StrategyContext): ApiObject;
  validate?(next: ApiObject, old: ApiObject, context: StrategyContext): readonly FieldError[];
}

/**
 * The rules of one resource: defaults, fields that clients may not set, validation, graceful deletion. Upstream:
 * kubernetes v1.36 pkg/registry, strategy.go of each resource.
 */
export interface ResourceStrategy {
  /** Sets the defaults, before admission. */
  defaults?(object: ApiObject): ApiObject;
  prepareCreate?(object: ApiObject, context: StrategyContext): ApiObject;
  validateCreate?(object: ApiObject): readonly FieldError[];
  readonly update?: UpdateStrategy;
  /** PUT and PATCH of subresources. */
  readonly subresources?: Readonly<Record<string, UpdateStrategy>>;
  /** The grace period of a deletion in seconds. Absent: objects are deleted at once. */
  gracePeriodSeconds?(object: ApiObject, asked: number | undefined): number;
  /** Whether a deletion answers with the object instead of a Status. */
  readonly returnsDeleted?: boolean;
  /** Whether a PUT creates a missing object. */
  readonly createOnUpdate?: boolean;
  /** Whether a PUT may lack a resourceVersion; it then replaces any version. */
  readonly unconditionalUpdate?: boolean;
}
