import { describe } from '@jest/globals';
import type { Clock } from '@podwright/time';
import type { CaseServer } from './case-server.js';
import { cborContent, ContentTransport, protobufContent } from './content-transport.js';
import { describeClientCases } from './client-cases.js';
import { describeNodeCases } from './node-cases.js';
import { describeNodeVolumeCases } from './node-volume-cases.js';
import { describeNodeCertificateCases } from './node-certificate-cases.js';
import { describeObjectCases } from './object-cases.js';
import { describePodCases } from './pod-cases.js';
import { describeSameObjectCases } from './same-object-cases.js';

/** Tests what a kubelet and its tests rely on in an API server; the cases are the same for a real server. */
export function describeApiServerCases(name: string, create: () => Promise<CaseServer>, clock?: Clock): void {
  describe(name, () => {
    describeKubeletCases(create, clock);
    describeClientCases(create);
  });
}

/** Tests the same in protobuf and in CBOR, which the server must take. */
export function describeContentCases(name: string, create: () => Promise<CaseServer>, clock?: Clock): void {
  describe.each([protobufContent, cborContent])(`${name}, in $mediaType`, (content) => {
    describeSameObjectCases(create, content);
    describeKubeletCases(async () => {
      const server = await create();
      return {
        transport: (user) => new ContentTransport(server.transport(user), content),
        stop: () => server.stop(),
      };
    }, clock);
  });
}

function describeKubeletCases(create: () => Promise<CaseServer>, clock: Clock | undefined): void {
  describeObjectCases(create);
  describePodCases(create);
  describeNodeCases(create);
  describeNodeVolumeCases(create);
  describeNodeCertificateCases(create, clock);
}
