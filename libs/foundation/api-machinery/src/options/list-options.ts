import { FieldErrors } from '@podwright/pod-manifest';
import { badRequest, invalid } from '../status/api-error.js';
import { isTrue } from './query-values.js';

/** The validated query of a list or watch. */
export interface ListParameters {
  /** Undefined: the newest. */
  readonly resourceVersion: number | undefined;
  readonly match: '' | 'NotOlderThan' | 'Exact';
  readonly limit: number;
  readonly continueToken: string;
  readonly sendInitialEvents: boolean | undefined;
  readonly allowBookmarks: boolean;
  /** Undefined: the server chooses. */
  readonly timeoutSeconds: number | undefined;
}

/**
 * Reads and validates the query of a list or watch.
 * Source: kubernetes v1.36 apimachinery/pkg/apis/meta/internalversion/validation/validation.go.
 * @throws ApiError 400 or 422 for invalid values and combinations.
 */
export function listParameters(query: URLSearchParams, watching: boolean): ListParameters {
  const version = query.get('resourceVersion') ?? '';
  if (!/^\d*$/.test(version)) {
    throw badRequest(
      `resourceVersion: Invalid value: "${version}": strconv.ParseUint: parsing "${version}": invalid syntax`,
    );
  }
  const match = query.get('resourceVersionMatch') ?? '';
  const initial = query.get('sendInitialEvents');
  const errors = new FieldErrors();
  if (!watching && initial !== null) errors.forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list');
  if (watching) checkWatch(match, initial, errors);
  else checkList({ match, version, continueToken: query.get('continue') ?? '' }, errors);
  if (errors.list.length > 0) throw invalid('meta.k8s.io', 'ListOptions', '', errors.list);
  const timeout = query.get('timeoutSeconds');
  return {
    resourceVersion: version === '' ? undefined : Number(version),
    match: match as ListParameters['match'],
    limit: Number(query.get('limit') ?? 0),
    continueToken: query.get('continue') ?? '',
    sendInitialEvents: initial === null ? undefined : isTrue(initial),
    allowBookmarks: isTrue(query.get('allowWatchBookmarks')),
    timeoutSeconds: timeout === null || timeout === '0' ? undefined : Number(timeout),
  };
}

const matches = ['Exact', 'NotOlderThan'];

function checkWatch(match: string, initial: string | null, errors: FieldErrors): void {
  if (match !== '' && initial === null) {
    errors.forbidden(
      'resourceVersionMatch',
      'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
    );
  }
  if (initial !== null && match !== 'NotOlderThan') {
    errors.forbidden('resourceVersionMatch', 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan');
  }
}

function checkList(
  asked: { readonly match: string; readonly version: string; readonly continueToken: string },
  errors: FieldErrors,
): void {
  const { match, version, continueToken } = asked;
  if (match === '') return;
  if (!matches.includes(match)) errors.unsupported('resourceVersionMatch', match, [...matches, '']);
  else if (version === '') {
    errors.forbidden('resourceVersionMatch', 'resourceVersionMatch is forbidden unless resourceVersion is provided');
  }
  if (continueToken !== '') {
    errors.forbidden('resourceVersionMatch', 'resourceVersionMatch is forbidden when continue is provided');
  }
  if (match === 'Exact' && version === '0') {
    errors.forbidden('resourceVersionMatch', 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"');
  }
}
