import { derOid, derSequence, derSet, derText } from './der/der-encode.js';
import { derChildren, readOid, readText } from './der/der-decode.js';
import type { DerValue } from './der/der-decode.js';

/** The parts of a distinguished name that Kubernetes reads: common name (user) and organizations (groups). */
export interface Subject {
  readonly commonName?: string;
  readonly organizations?: readonly string[];
}

/** Object identifiers of the attributes of a name that Kubernetes reads. */
export const nameOids = { commonName: '2.5.4.3', organization: '2.5.4.10' } as const;
const { commonName: commonNameOid, organization: organizationOid } = nameOids;

/** One attribute of a distinguished name. */
export interface NameAttribute {
  /** The attribute's type, such as `2.5.4.3` for the common name. */
  readonly oid: string;
  readonly value: string;
}

/** Encodes a subject as Go's pkix.Name: all organizations in one set, then the common name. */
export function encodeSubject({ commonName = '', organizations = [] }: Subject): Buffer {
  const attribute = (oid: string, text: string): Buffer => derSequence(derOid(oid), derText(text));
  return derSequence(
    ...(organizations.length > 0 ? [derSet(...organizations.map((name) => attribute(organizationOid, name)))] : []),
    ...(commonName === '' ? [] : [derSet(attribute(commonNameOid, commonName))]),
  );
}

/** Decodes a subject. The last of several common names counts, as in Go. */
export function decodeSubject(name: DerValue | undefined): Required<Subject> {
  const attributes = decodeNameAttributes(name);
  return {
    commonName: attributes.findLast(({ oid }) => oid === commonNameOid)?.value ?? '',
    organizations: attributes.filter(({ oid }) => oid === organizationOid).map(({ value }) => value),
  };
}

/** Decodes all attributes of a name in order. Throws `invalid-argument`, also for an attribute that is no text. */
export function decodeNameAttributes(name: DerValue | undefined): readonly NameAttribute[] {
  return derChildren(name).flatMap((set) =>
    derChildren(set, 0x31).map((attribute) => {
      const [oid, text] = derChildren(attribute);
      return { oid: readOid(oid), value: readText(text) };
    }),
  );
}
