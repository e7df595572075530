import type { PodSpec } from '@podwright/kube-types';
import { dns1123Label, dns1123Subdomain, legacyIpAddress } from '@podwright/kube-types';
import type { FieldErrors } from './field-errors.js';
import type { PodRules } from './pod-rules.js';

const policies = ['ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None'];
const maxNameservers = 3;
const maxSearches = 32;
const maxSearchCharacters = 2048;
/** The longest hostname that Linux accepts. */
const maxHostname = 64;

export function validateDns(spec: PodSpec, { strictIps }: PodRules, errors: FieldErrors): void {
  if (!spec.dnsPolicy) errors.required('spec.dnsPolicy');
  else errors.oneOf('spec.dnsPolicy', spec.dnsPolicy, policies);
  const { nameservers = [], searches = [], options = [] } = spec.dnsConfig ?? {};
  if (spec.dnsPolicy === 'None' && nameservers.length === 0) {
    const detail = 'must provide at least one DNS nameserver when `dnsPolicy` is None';
    errors.required(spec.dnsConfig ? 'spec.dnsConfig.nameservers' : 'spec.dnsConfig', detail);
  }
  if (nameservers.length > maxNameservers) {
    errors.invalid('spec.dnsConfig.nameservers', nameservers, `must not have more than ${maxNameservers} nameservers`);
  }
  nameservers.forEach((server, index) => {
    errors.rule(`spec.dnsConfig.nameservers[${index}]`, server, legacyIpAddress(server, strictIps));
  });
  validateSearches(searches, errors);
  options.forEach(({ name }, index) => {
    if (!name) errors.required(`spec.dnsConfig.options[${index}]`, 'must not be empty');
  });
}

function validateSearches(searches: readonly string[], errors: FieldErrors): void {
  if (searches.length > maxSearches) {
    errors.invalid('spec.dnsConfig.searches', searches, `must not have more than ${maxSearches} search paths`);
  }
  if (searches.join(' ').length > maxSearchCharacters) {
    errors.invalid(
      'spec.dnsConfig.searches',
      searches,
      `must not have more than ${maxSearchCharacters} characters (including spaces) in the search list`,
    );
  }
  searches.forEach((search, index) => {
    // A single dot, a trailing dot and underscores are allowed here, unlike in names of objects.
    if (search === '.') return;
    const name = search
      .replace(/\.$/, '')
      .replaceAll('_', '-')
      .replace(/(^|\.)-/g, '$1a')
      .replace(/-(\.|$)/g, 'a$1');
    const strict = search.includes('_') ? name : search.replace(/\.$/, '');
    errors.rule(`spec.dnsConfig.searches[${index}]`, search, dns1123Subdomain(strict));
  });
}

export function validateHostnames(spec: PodSpec, { strictIps }: PodRules, errors: FieldErrors): void {
  if (spec.hostname) errors.rule('spec.hostname', spec.hostname, dns1123Label(spec.hostname));
  if (spec.subdomain) errors.rule('spec.subdomain', spec.subdomain, dns1123Label(spec.subdomain));
  const override = spec.hostnameOverride;
  if (override !== undefined) {
    errors.rule('spec.hostnameOverride', override, dns1123Subdomain(override));
    if (override.length > maxHostname) errors.tooLong('spec.hostnameOverride', maxHostname);
    if (spec.hostNetwork === true)
      errors.forbidden('spec.hostnameOverride', 'may not be specified when hostNetwork is true');
    if (spec.setHostnameAsFQDN === true) {
      errors.forbidden('spec.setHostnameAsFQDN', 'may not be specified when hostnameOverride is set');
    }
  }
  (spec.hostAliases ?? []).forEach(({ ip, hostnames = [] }, index) => {
    const field = `spec.hostAliases[${index}]`;
    errors.rule(`${field}.ip`, ip, legacyIpAddress(ip, strictIps));
    hostnames.forEach((name, at) => errors.rule(`${field}.hostnames[${at}]`, name, dns1123Subdomain(name)));
  });
}
