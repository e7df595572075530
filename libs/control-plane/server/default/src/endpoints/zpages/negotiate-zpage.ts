import { parseAccept, type AcceptClause } from '../../accept-header.js';

/** The form of the answer of `/flagz` or `/statusz`. */
export type ZpageForm =
  | { readonly form: 'text' }
  | { readonly form: 'structured'; readonly mediaType: StructuredMediaType; readonly version: 'v1beta1' | 'v1alpha1' }
  /** `mediaType` is the encoding of the 406 answer. */
  | { readonly form: 'not-acceptable'; readonly mediaType: StructuredMediaType | 'raw' };

export type StructuredMediaType = 'application/json' | 'application/yaml' | 'application/cbor';

const structured: readonly StructuredMediaType[] = ['application/json', 'application/yaml', 'application/cbor'];

/** The accepted media types, as the 406 answer lists them. */
export const acceptedMediaTypes = (cbor: boolean): string =>
  `application/json, application/yaml, text/plain${cbor ? ', application/cbor' : ''}`;

/**
 * Chooses the form from an Accept header. Plain text is the default. JSON, YAML or (if offered) CBOR needs the group,
 * version and kind (`application/json;v=v1beta1;g=config.k8s.io;as=Flagz`), because the structure may change between
 * versions. Source: kubernetes v1.36 apiserver/pkg/server/flagz,
 * apiserver/pkg/endpoints/handlers/negotiation.
 */
export function negotiateZpage(accept: string | undefined, kind: 'Flagz' | 'Statusz', cbor: boolean): ZpageForm {
  const offered = structured.filter((mediaType) => cbor || mediaType !== 'application/cbor');
  if (accept === undefined || accept.trim() === '') return { form: 'text' };
  const clauses = parseAccept(accept);
  for (const clause of clauses) {
    if (hasForbiddenParameter(clause)) continue;
    const { as, g, v } = clause.parameters;
    const converts = as !== undefined || g !== undefined || v !== undefined;
    for (const mediaType of offered) {
      if (!matches(clause, mediaType) || as !== kind || g !== 'config.k8s.io') continue;
      if (v === 'v1beta1' || v === 'v1alpha1') return { form: 'structured', mediaType, version: v };
    }
    if (matches(clause, 'text/plain') && !converts) return { form: 'text' };
  }
  const plain = clauses.filter(({ parameters: { as, g, v } }) => (as ?? g ?? v) === undefined);
  const mediaType = plain.flatMap((clause) => offered.filter((type) => matches(clause, type)))[0];
  return { form: 'not-acceptable', mediaType: mediaType ?? 'raw' };
}

function matches({ type, subtype }: AcceptClause, mediaType: string): boolean {
  const [wantedType, wantedSubtype] = mediaType.split('/');
  if (type === '*') return subtype === '*';
  return type === wantedType && (subtype === '*' || subtype === wantedSubtype);
}

// These pages support neither watches (`stream`) nor a server version (`sv`).
const hasForbiddenParameter = ({ parameters }: AcceptClause): boolean =>
  parameters['stream'] !== undefined || parameters['sv'] !== undefined;
