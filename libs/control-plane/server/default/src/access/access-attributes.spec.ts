import { describe, expect, it } from '@jest/globals';
import { requestTarget } from '@podwright/http-router';
import { accessAttributes } from './access-attributes.js';

function asked(method: string, url: string, verbByMethod = false): readonly string[] {
  const target = requestTarget(url);
  if (target === undefined) throw new Error(`malformed: ${url}`);
  return accessAttributes(method, target, verbByMethod).map(({ verb, subresource }) => `${verb} ${subresource}`);
}

describe('accessAttributes', () => {
  it.each([
    ['/stats', ['stats']],
    ['/stats/summary', ['stats']],
    ['/metrics/cadvisor', ['metrics']],
    ['/logs/', ['log']],
    ['/checkpoint/n/p/c', ['checkpoint']],
    ['/statusz', ['statusz']],
    ['/flagz', ['configz']],
    ['/pods', ['pods', 'proxy']],
    ['/runningpods/', ['pods', 'proxy']],
    ['/healthz/ping', ['healthz', 'proxy']],
    ['/configz', ['configz', 'proxy']],
    ['/containerLogs/n/p/c', ['proxy']],
    ['/debug/pprof/heap', ['proxy']],
    ['/podsx', ['proxy']],
    ['/constructor', ['proxy']],
    ['/', ['proxy']],
  ])('%s', (url, subresources) => {
    expect(asked('GET', url)).toEqual(subresources.map((subresource) => `get ${subresource}`));
  });

  it.each([
    ['POST', 'create'],
    ['GET', 'get'],
    ['PUT', 'update'],
    ['PATCH', 'patch'],
    ['DELETE', 'delete'],
    ['HEAD', ''],
    ['constructor', ''],
  ])('%s is %j, and into a pod always create unless asked to do as upstream', (method, verb) => {
    expect(asked(method, '/metrics')).toEqual([`${verb} metrics`]);
    for (const path of ['/exec/n/p/c', '/attach/n/p/c', '/run/n/p/c', '/portForward/n/p']) {
      expect(asked(method, path)).toEqual(['create proxy']);
      expect(asked(method, path, true)).toEqual([`${verb} proxy`]);
    }
  });
});
