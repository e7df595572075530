import { derOid, derSequence, derSet, derText } from './der/der-encode.js';
import { derChildren, readOid, readText } from './der/der-decode.js';
import type { DerValue } from './der/der-decode.js';

/** The part of a distinguished name that Kubernetes reads: the user's name and groups. */
export interface Subject {
  readonly commonName?: string;
  readonly organizations?: readonly string[];
}

const commonNameOid = '2.5.4.3';
const organizationOid = '2.5.4.10';

/** All organizations in one set, then the common name: the order of Go's pkix.Name. */
export function encodeSubject({ commonName = '', organizations = [] }: Subject): Buffer {
  const attribute = (oid: string, text: string): Buffer => derSequence(derOid(oid), derText(text));
  return derSequence(
    ...(organizations.length > 0 ? [derSet(...organizations.map((name) => attribute(organizationOid, name)))] : []),
    ...(commonName === '' ? [] : [derSet(attribute(commonNameOid, commonName))]),
  );
}

/** Of several common names the last counts, as in Go. */
export function decodeSubject(name: DerValue | undefined): Required<Subject> {
  let commonName = '';
  const organizations: string[] = [];
  for (const set of derChildren(name)) {
    for (const attribute of derChildren(set, 0x31)) {
      const [oid, text] = derChildren(attribute);
      const type = readOid(oid);
      if (type === commonNameOid) commonName = readText(text);
      if (type === organizationOid) organizations.push(readText(text));
    }
  }
  return { commonName, organizations };
}
