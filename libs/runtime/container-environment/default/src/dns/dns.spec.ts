import { describe, expect, it } from '@jest/globals';
import type { Pod } from '@podwright/kube-types';
import { checkNodeFile, fitToLimits } from './dns-limits.js';
import { podDns } from './pod-dns.js';
import { parseResolvConf } from './resolv-conf.js';

const pod = (spec: Partial<Pod['spec']>): Pod => ({
  metadata: { name: 'web', namespace: 'prod', uid: 'u1' },
  spec: { containers: [], dnsPolicy: 'ClusterFirst', ...spec },
});
const node = { servers: ['1.1.1.1'], searches: ['example.com'], options: ['timeout:2'] };
const cluster = { clusterDns: ['10.0.0.10'], clusterDomain: 'cluster.local', nodeIps: ['192.0.2.1', 'fd00::1'] };

describe('parseResolvConf', () => {
  it('takes servers, the last search line and merged options', () => {
    const text =
      '# c\nnameserver 1.1.1.1 x\n  nameserver\t2.2.2.2\nsearch a. b\nsearch . c. d\noptions ndots:1 rotate\noptions ndots:5\n';
    expect(parseResolvConf(text)).toEqual({
      servers: ['1.1.1.1', '2.2.2.2'],
      searches: ['c', 'd'],
      options: ['ndots:5', 'rotate'],
    });
  });

  it('refuses a name server line without one', () => {
    expect(() => parseResolvConf('nameserver\n')).toThrow('nameserver list is empty');
  });
});

describe('podDns', () => {
  it('puts the cluster first', () => {
    expect(podDns(pod({}), node, cluster).settings).toEqual({
      servers: ['10.0.0.10'],
      searches: ['prod.svc.cluster.local', 'svc.cluster.local', 'cluster.local', 'example.com'],
      options: ['ndots:5'],
    });
    expect(
      podDns(pod({ hostNetwork: true, dnsPolicy: 'ClusterFirstWithHostNet' }), node, cluster).settings.servers,
    ).toEqual(['10.0.0.10']);
    expect(podDns(pod({}), node, { ...cluster, clusterDomain: '' }).settings.searches).toEqual(['example.com']);
  });

  it('takes the settings of the node for Default and for the host network', () => {
    expect(podDns(pod({ dnsPolicy: 'Default' }), node, cluster).settings).toEqual(node);
    expect(podDns(pod({ hostNetwork: true }), node, cluster).settings).toEqual(node);
    expect(podDns(pod({ dnsPolicy: 'Default' }), undefined, cluster).settings).toEqual({
      servers: ['127.0.0.1', '::1'],
      searches: ['.'],
      options: [],
    });
  });

  it.each<[string, Partial<Pod['spec']>, readonly string[]]>([
    ['None', { dnsPolicy: 'None' }, []],
    ['ClusterFirst', { dnsPolicy: 'ClusterFirst' }, ['10.0.0.10']],
    ['ClusterFirst on the host network', { dnsPolicy: 'ClusterFirst', hostNetwork: true }, ['1.1.1.1']],
    ['ClusterFirstWithHostNet', { dnsPolicy: 'ClusterFirstWithHostNet' }, ['10.0.0.10']],
    ['ClusterFirstWithHostNet on it', { dnsPolicy: 'ClusterFirstWithHostNet', hostNetwork: true }, ['10.0.0.10']],
    ['Default', { dnsPolicy: 'Default' }, ['1.1.1.1']],
    ['Default on the host network', { dnsPolicy: 'Default', hostNetwork: true }, ['1.1.1.1']],
    ['a policy that there is not', { dnsPolicy: 'Nearest', hostNetwork: true }, ['10.0.0.10']],
  ])('%s', (_, spec, servers) => {
    expect(podDns(pod(spec), node, cluster).settings.servers).toEqual(servers);
  });

  it('asks the node itself where it has no resolver file, whatever its families are', () => {
    const servers = (nodeIps: readonly string[]): readonly string[] =>
      podDns(pod({ dnsPolicy: 'Default' }), undefined, { ...cluster, nodeIps }).settings.servers;
    expect([servers([]), servers(['fd00::1']), servers(['192.0.2.1'])]).toEqual([
      ['127.0.0.1'],
      ['::1'],
      ['127.0.0.1'],
    ]);
  });

  it('falls back without cluster DNS and says so', () => {
    const { settings, missingClusterDns } = podDns(pod({}), node, { ...cluster, clusterDns: [] });
    const text =
      'kubelet does not have ClusterDNS IP configured and cannot create Pod using "ClusterFirst" policy. Falling back to "Default" policy.';
    expect(settings).toEqual(node);
    expect(missingClusterDns).toEqual({ node: text, pod: `pod: "web_prod(u1)". ${text}` });
  });

  it('adds the settings of the pod', () => {
    const dnsConfig = {
      nameservers: ['1.1.1.1', '9.9.9.9'],
      searches: ['x.y'],
      options: [{ name: 'timeout', value: '5' }, { name: 'edns0' }],
    };
    expect(podDns(pod({ dnsPolicy: 'Default', dnsConfig }), node, cluster).settings).toEqual({
      servers: ['1.1.1.1', '9.9.9.9'],
      searches: ['example.com', 'x.y'],
      options: ['timeout:5', 'edns0'],
    });
    expect(podDns(pod({ dnsPolicy: 'None', dnsConfig }), node, cluster).settings.servers).toEqual([
      '1.1.1.1',
      '9.9.9.9',
    ]);
  });
});

describe('limits', () => {
  it('cuts servers and searches and says what is left', () => {
    const searches = Array.from({ length: 33 }, (_, index) => `s${index}`);
    const { settings, warnings } = fitToLimits({ servers: ['1', '2', '3', '4'], searches, options: [] });
    expect(settings.servers).toEqual(['1', '2', '3']);
    expect(settings.searches).toHaveLength(32);
    expect(warnings[0]).toBe(
      'Nameserver limits were exceeded, some nameservers have been omitted, the applied nameserver line is: 1 2 3',
    );
    expect(warnings[1]).toMatch(
      /^Search Line limits were exceeded, some search paths have been omitted, the applied search line is: s0 s1 /,
    );
  });

  it('drops long paths and cuts a long line', () => {
    const long = 'l'.repeat(254);
    const wide = Array.from({ length: 10 }, () => 'w'.repeat(250));
    expect(fitToLimits({ servers: [], searches: ['a', long, 'b'], options: [] }).settings.searches).toEqual(['a', 'b']);
    // 8 x 250 and 7 blanks are 2007; a ninth would be 2258.
    expect(fitToLimits({ servers: [], searches: wide, options: [] }).settings.searches).toHaveLength(8);
    expect(fitToLimits({ servers: [], searches: wide.slice(0, 8), options: [] }).warnings).toEqual([]);
  });

  it('checks the file of the node', () => {
    const searches = Array.from({ length: 30 }, (_, index) => `s${index}`);
    expect(checkNodeFile('/r', { ...node, searches }, true)).toEqual([
      "Resolv.conf file '/r' contains search line consisting of more than 29 domains!",
    ]);
    expect(checkNodeFile('/r', { ...node, searches }, false)).toEqual([]);
    expect(checkNodeFile('/r', { ...node, searches: ['x'.repeat(254)] }, false)).toEqual([
      'Resolv.conf file "/r" contains a search path which length is more than allowed 253 chars!',
    ]);
    expect(checkNodeFile('/r', { ...node, searches: Array.from({ length: 9 }, () => 'w'.repeat(250)) }, false)).toEqual(
      ["Resolv.conf file '/r' contains search line which length is more than allowed 2048 chars!"],
    );
  });
});
