import { parseAccept, type AcceptClause } from '../../accept-header.js';

/** How a page about the process is answered. */
export type ZpageForm =
  | { readonly form: 'text' }
  | { readonly form: 'structured'; readonly mediaType: StructuredMediaType; readonly version: 'v1beta1' | 'v1alpha1' }
  /** `mediaType`: that of the answer which says so. */
  | { readonly form: 'not-acceptable'; readonly mediaType: StructuredMediaType | 'raw' };

export type StructuredMediaType = 'application/json' | 'application/yaml';

const structured: readonly StructuredMediaType[] = ['application/json', 'application/yaml'];

/** What is accepted, in the words of the answer to whoever wants something else. */
export const acceptedMediaTypes = 'application/json, application/yaml, text/plain';

/**
 * Plain text for those who ask for nothing special; a structure only for those who name its group, version and kind
 * (`application/json;v=v1beta1;g=config.k8s.io;as=Flagz`), as it may change. CBOR is not there, as upstream's feature gate for
 * it is off. Source: kubernetes v1.36 apiserver/pkg/server/flagz, apiserver/pkg/endpoints/handlers/negotiation.
 */
export function negotiateZpage(accept: string | undefined, kind: 'Flagz' | 'Statusz'): ZpageForm {
  if (accept === undefined || accept.trim() === '') return { form: 'text' };
  const clauses = parseAccept(accept);
  for (const clause of clauses) {
    if (hasForbiddenParameter(clause)) continue;
    const { as, g, v } = clause.parameters;
    const converts = as !== undefined || g !== undefined || v !== undefined;
    for (const mediaType of structured) {
      if (!matches(clause, mediaType) || as !== kind || g !== 'config.k8s.io') continue;
      if (v === 'v1beta1' || v === 'v1alpha1') return { form: 'structured', mediaType, version: v };
    }
    if (matches(clause, 'text/plain') && !converts) return { form: 'text' };
  }
  const plain = clauses.filter(({ parameters: { as, g, v } }) => (as ?? g ?? v) === undefined);
  const mediaType = plain.flatMap((clause) => structured.filter((type) => matches(clause, type)))[0];
  return { form: 'not-acceptable', mediaType: mediaType ?? 'raw' };
}

function matches({ type, subtype }: AcceptClause, mediaType: string): boolean {
  const [wantedType, wantedSubtype] = mediaType.split('/');
  if (type === '*') return subtype === '*';
  return type === wantedType && (subtype === '*' || subtype === wantedSubtype);
}

// Watching, and the version of a server's API group, are not for these pages.
const hasForbiddenParameter = ({ parameters }: AcceptClause): boolean =>
  parameters['stream'] !== undefined || parameters['sv'] !== undefined;
