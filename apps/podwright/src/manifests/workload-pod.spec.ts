import { describe, expect, it } from '@jest/globals';
import { workloadPod } from './workload-pod.js';

const template = { metadata: { labels: { app: 'a' }, annotations: { x: 'y' } }, spec: { containers: [] } };

describe('workloadPod', () => {
  it.each(['Deployment', 'DaemonSet'])('makes the pod of a %s', (kind) => {
    const workload = {
      kind,
      metadata: { name: 'web', namespace: 'prod', labels: { not: 'taken' } },
      spec: { template },
    };
    expect(workloadPod(workload)).toEqual({
      pod: {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'web-pod', namespace: 'prod', labels: { app: 'a' }, annotations: { x: 'y' } },
        spec: { containers: [] },
      },
      warnings: [],
    });
  });

  it('warns of what runs once only', () => {
    const job = {
      kind: 'Job',
      metadata: { name: 'once' },
      spec: { parallelism: 2, completions: 3, template: { spec: { restartPolicy: 'Never' } } },
    };
    expect(workloadPod(job)).toMatchObject({
      warnings: [
        'Job "once": spec.parallelism is 2, but one pod is run',
        'Job "once": spec.completions is 3, but one pod is run',
      ],
    });
  });

  it.each([
    [{ kind: 'Deployment', spec: { template } }, 'Deployment has no name'],
    [{ kind: 'Deployment', metadata: { name: 'a' } }, 'Deployment "a": spec.template.spec: Required value'],
    [
      { kind: 'Deployment', metadata: { name: 'a' }, spec: { replicas: 0, template } },
      'Deployment "a": spec.replicas is 0: there is nothing to run',
    ],
    [
      { kind: 'Deployment', metadata: { name: 'a' }, spec: { template: { spec: { restartPolicy: 'Never' } } } },
      'Deployment "a": spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
    ],
    [
      { kind: 'Job', metadata: { name: 'a' }, spec: { template: { spec: { restartPolicy: 'Always' } } } },
      'Job "a": spec.template.spec.restartPolicy: Unsupported value: "Always": supported values: "OnFailure", "Never"',
    ],
  ])('refuses %j', (workload, fault) => {
    expect(workloadPod(workload)).toBe(fault);
  });
});
