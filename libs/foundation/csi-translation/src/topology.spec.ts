import { describe, expect, it } from '@jest/globals';
import type { PersistentVolume } from '@podwright/kube-types';
import { translatePersistentVolume } from './translate.js';

type Labels = Readonly<Record<string, string>>;
type Values = Readonly<Record<string, readonly string[]>>;

const betaZone = 'failure-domain.beta.kubernetes.io/zone';
const betaRegion = 'failure-domain.beta.kubernetes.io/region';
const zone = 'topology.kubernetes.io/zone';
const region = 'topology.kubernetes.io/region';
const sources = {
  aws: [{ awsElasticBlockStore: { volumeID: 'vol-1' } }, 'topology.ebs.csi.aws.com/zone'],
  gce: [{ gcePersistentDisk: { pdName: 'pd' } }, 'topology.gke.io/zone'],
  cinder: [{ cinder: { volumeID: 'v' } }, 'topology.cinder.csi.openstack.org/zone'],
  vsphere: [{ vsphereVolume: { volumePath: 'p' } }, 'topology.csi.vmware.com/zone'],
} as const;
const names = ['aws', 'gce', 'cinder', 'vsphere'] as const;
const vsphereRegion = 'topology.csi.vmware.com/region';

type NodeAffinity = NonNullable<NonNullable<PersistentVolume['spec']>['nodeAffinity']>;

function affinity(terms: readonly Values[]): NodeAffinity {
  const nodeSelectorTerms = terms.map((term) => ({
    matchExpressions: Object.entries(term).map(([key, values]) => ({ key, operator: 'In', values })),
  }));
  return { required: { nodeSelectorTerms } };
}

function translated(source: object, terms: readonly Values[] | undefined, labels: Labels = {}): unknown {
  const spec = { ...source, ...(terms && { nodeAffinity: affinity(terms) }) };
  return translatePersistentVolume({ metadata: { name: 'pv-1', labels }, spec }).spec?.nodeAffinity;
}

describe('node affinity of a translated PersistentVolume', () => {
  it.each(names)('%s: the zone key becomes that of the driver', (name) => {
    const [source, key] = sources[name];
    expect(translated(source, [{ [zone]: ['a', 'b'], other: ['x'] }])).toEqual(
      affinity([{ [key]: ['a', 'b'], other: ['x'] }]),
    );
    expect(translated(source, [{ [betaZone]: ['a'] }, { [betaZone]: ['b'] }])).toEqual(
      affinity([{ [key]: ['a'] }, { [key]: ['b'] }]),
    );
  });

  it.each(['aws', 'cinder', 'gce'] as const)('%s: zones of a label are added to each term', (name) => {
    const [source, key] = sources[name];
    const labels = { [zone]: 'us-a1-b__us-a1-a' };
    expect(translated(source, undefined, labels)).toEqual(affinity([{ [key]: ['us-a1-a', 'us-a1-b'] }]));
    expect(translated(source, [{ x: ['1'] }, { y: ['2'] }], labels)).toEqual(
      affinity([
        { x: ['1'], [key]: ['us-a1-a', 'us-a1-b'] },
        { y: ['2'], [key]: ['us-a1-a', 'us-a1-b'] },
      ]),
    );
  });

  it('the affinity decides before the labels, and the stable key before the beta one', () => {
    const [source, key] = sources.aws;
    expect(translated(source, [{ [betaZone]: ['a'] }], { [zone]: 'b' })).toEqual(affinity([{ [key]: ['a'] }]));
    expect(translated(source, undefined, { [zone]: 'a', [betaZone]: 'b' })).toEqual(affinity([{ [key]: ['a'] }]));
    expect(translated(source, undefined, { [betaZone]: 'b' })).toEqual(affinity([{ [key]: ['b'] }]));
  });

  it('a beta region becomes a stable one, a stable one stays', () => {
    const [source, key] = sources.cinder;
    expect(translated(source, [{ [betaZone]: ['a'], [betaRegion]: ['r'] }])).toEqual(
      affinity([{ [key]: ['a'], [region]: ['r'] }]),
    );
    expect(translated(source, [{ [zone]: ['a'], [region]: ['r'] }])).toEqual(
      affinity([{ [key]: ['a'], [region]: ['r'] }]),
    );
  });

  it('vsphere has a key for regions, and one zone in a label', () => {
    const [source, key] = sources.vsphere;
    expect(translated(source, [{ [betaZone]: ['a'], [betaRegion]: ['r'] }])).toEqual(
      affinity([{ [key]: ['a'], [vsphereRegion]: ['r'] }]),
    );
    expect(translated(source, undefined, { [zone]: 'a__b', [region]: 'r' })).toEqual(
      affinity([{ [key]: ['a__b'], [vsphereRegion]: ['r'] }]),
    );
    expect(translated(source, undefined, { [zone]: '', [region]: 'r' })).toEqual(
      affinity([{ [vsphereRegion]: ['r'] }]),
    );
  });

  it('stays absent without zones, and as it is for the others', () => {
    expect(translated(sources.aws[0], undefined)).toBeUndefined();
    expect(translated(sources.aws[0], undefined, { [zone]: ' ' })).toBeUndefined();
    const azureDisk = { diskName: 'd', diskURI: 'u' };
    expect(translated({ azureDisk }, [{ [zone]: ['a'] }])).toEqual(affinity([{ [zone]: ['a'] }]));
    const fields = { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n'] }] };
    const spec = { ...sources.aws[0], nodeAffinity: { required: { nodeSelectorTerms: [fields] } } };
    expect(translatePersistentVolume({ spec }).spec?.nodeAffinity).toEqual(spec.nodeAffinity);
  });
});
