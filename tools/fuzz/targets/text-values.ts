import {
  canonicalIp,
  cidr,
  configMapKey,
  envVarName,
  httpHeaderName,
  ipAddress,
  labelValue,
  legacyIpAddress,
  parseCidr,
  parseImageReference,
  portName,
  qualifiedName,
} from '@podwright/kube-types';
import { formatGoNanoseconds, formatRfc3339, parseGoDuration, parseGoNanoseconds, parseRfc3339 } from '@podwright/time';
import { parseFieldSelector, parseLabelSelector } from '@podwright/api-machinery';
import { checkImagePattern } from '../../../libs/foundation/kubelet-configuration/src/validation/image-pattern.js';
import { parseEnvFile } from '../../../libs/runtime/container-environment/default/src/variables/parse-env-file.js';
import { trimImage } from '../../../libs/runtime/image-pull-records/default/src/trim-image.js';
import { withDefaultTag } from '../../../libs/runtime/image/default/src/default-tag.js';
import { parseThresholds } from '../../../libs/node/eviction/default/src/thresholds/parse-thresholds.js';
import { eachOf, fuzzTarget, refusesAs, refusesInput, text } from '../fuzz-target.js';

const names = [
  canonicalIp,
  cidr,
  configMapKey,
  envVarName,
  httpHeaderName,
  ipAddress,
  labelValue,
  parseCidr,
  portName,
  qualifiedName,
];
const same = (first: unknown, again: unknown): void => {
  if (first !== again) throw new Error(`${String(first)} reads as ${String(again)} after formatting`);
};

const { run, seed } = eachOf({
  duration: text((each) => {
    const nanoseconds = parseGoNanoseconds(each);
    parseGoDuration(each);
    same(nanoseconds, parseGoNanoseconds(formatGoNanoseconds(nanoseconds)));
  }),
  time: text((each) => {
    const ms = parseRfc3339(each);
    if (ms !== undefined && ms >= 0) same(Math.floor(ms), Math.floor(parseRfc3339(formatRfc3339(ms, 9)) ?? Number.NaN));
  }),
  image: text((each) => {
    parseImageReference(each);
    same(trimImage(each), trimImage(withDefaultTag(each)));
  }),
  pattern: text(checkImagePattern),
  labels: text((each) => parseLabelSelector(each)({ app: 'a', x: '5' })),
  fields: text(parseFieldSelector),
  env: text((each) => parseEnvFile(each, 'A')),
  thresholds: text((each) => {
    const [hard = '', soft = '', grace = '', reclaim = ''] = each.split('\n');
    const of = (value: string): Record<string, string> => ({ 'memory.available': value });
    parseThresholds({
      evictionHard: of(hard),
      evictionSoft: of(soft),
      evictionSoftGracePeriod: of(grace),
      evictionMinimumReclaim: of(reclaim),
      enforcePods: true,
    });
  }),
  names: text((each) => [...names.map((rule) => rule(each)), legacyIpAddress(each, false)]),
});
const words = refusesAs('Error', 'ApiError');

export const target = fuzzTarget({
  name: 'text-values',
  reads: 'durations, times, image references, selectors, env files, eviction thresholds, names and addresses',
  seeds: () => [
    ...['1h2m3.5s', '-1.5h', '100ms', '2\u00b5s'].map((each) => seed('duration', each)),
    ...['2026-01-01T00:00:00.123456789Z', '2024-02-29T23:59:60+01:00'].map((each) => seed('time', each)),
    ...['busybox', 'a.b:5000/c/d:1.0', `x@sha256:${'0'.repeat(64)}`, 'docker.io/library/a:b'].map((each) =>
      seed('image', each),
    ),
    ...['a.b/c', 'a.b/*'].map((each) => seed('pattern', each)),
    ...['app=a,!b,c in (d, e),f notin (),x>4', 'a==b, c!=d'].map((each) => seed('labels', each)),
    ...['metadata.name=a,status.phase!=b\\,c'].map((each) => seed('fields', each)),
    seed('env', "# a\nA='b c'\n B = 'd\ne' # f\n"),
    seed('thresholds', '100Mi\n10%\n1m30s\n5%'),
    ...['10.0.0.0/8', '::ffff:1.2.3.4', 'a-b.c', 'a.b/c_d', 'http-1', 'A_B'].map((each) => seed('names', each)),
  ],
  run,
  // Image patterns are refused with an Error that the caller completes, selectors as an API server does.
  refuses: (error) => refusesInput(error) || (words(error) && !/after formatting/.test((error as Error).message)),
});
