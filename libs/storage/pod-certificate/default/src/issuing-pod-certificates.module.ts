import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { POD_CERTIFICATES } from '@podwright/pod-certificate-interface';
import { IssuingPodCertificates, issuingPodCertificatesNeeds } from './issuing-pod-certificates.js';
import { issuingPodCertificatesConfigSchema } from './issuing-pod-certificates-config.js';

export const apiPodCertificateModule = defineModule({
  name: '@podwright/pod-certificate#api',
  provides: [POD_CERTIFICATES],
  needs: issuingPodCertificatesNeeds,
  config: issuingPodCertificatesConfigSchema,
  create: (deps, config) => new IssuingPodCertificates(deps, config),
});

/** Creates one without an assembly. Throws `invalid-argument` for options out of range. */
export const createIssuingPodCertificates = factoryOf(apiPodCertificateModule);
