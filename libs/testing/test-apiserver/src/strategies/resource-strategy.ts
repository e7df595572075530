import type { FieldError } from '@podwright/kube-types';
import type { ApiObject } from '../api-object.js';
import type { ApiUser } from '../http/api-request.js';
import type { ServerContext } from '../registry/server-context.js';

export interface StrategyContext {
  readonly server: ServerContext;
  readonly user: ApiUser;
}

/** What an update through one endpoint may change. */
export interface UpdateStrategy {
  /** The object to store, out of what the client sent and what there was; protected fields come from the latter. */
  prepare(next: ApiObject, old: ApiObject, context: StrategyContext): ApiObject;
  validate?(next: ApiObject, old: ApiObject): readonly FieldError[];
}

/**
 * What is special about one resource: defaults, fields that clients may not set, validation, graceful deletion. Upstream:
 * kubernetes v1.36 pkg/registry, strategy.go of each resource.
 */
export interface ResourceStrategy {
  /** Defaults, as decoding gives them, before admission. */
  defaults?(object: ApiObject): ApiObject;
  prepareCreate?(object: ApiObject, context: StrategyContext): ApiObject;
  validateCreate?(object: ApiObject): readonly FieldError[];
  readonly update?: UpdateStrategy;
  /** PUT and PATCH of subresources. */
  readonly subresources?: Readonly<Record<string, UpdateStrategy>>;
  /** Seconds of grace; undefined when the resource is deleted at once. */
  gracePeriodSeconds?(object: ApiObject, asked: number | undefined): number;
  /** A deletion answers with the object instead of a Status. */
  readonly returnsDeleted?: boolean;
  /** A PUT of a name that does not exist makes the object. */
  readonly createOnUpdate?: boolean;
  /** PUT without a resource version wins over whatever there is. */
  readonly unconditionalUpdate?: boolean;
}
