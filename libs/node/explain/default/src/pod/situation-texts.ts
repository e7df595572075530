import type { PodSituation } from '@podwright/explain-interface';

/** Headline and advice; names in braces are those of `Finding.about`. */
export type SituationText = readonly [headline: string, advice: string];

const nothing = '';
const seeLogs = 'Read why {logs}';
/** Of a container that runs again. While it waits for its next start, its log is still that of the last one. */
const seeLogsBefore = 'Read why {logsBefore}';

/** All that an explanation says in words of its own: one sentence each. */
export const situationTexts: Readonly<Record<PodSituation, SituationText>> = {
  unknown: ['This node has no pod {namespace}/{pod}{past}.', 'Compare the name and the namespace: {find}.'],
  'manifest-refused': [
    'The manifest {origin} is refused, so its pod does not exist.',
    'Correct the file; the kubelet reads it again as soon as it changes.',
  ],
  'name-taken': [
    'The pod does not run, because another pod of this node has its name.',
    'Rename one of the two: this one comes from {origin}, the other from {firstOrigin}.',
  ],
  'uid-taken': [
    'The pod does not run, because another pod of this node has its UID.',
    'Remove metadata.uid from one of the two: this one comes from {origin}, the other from {firstOrigin}.',
  ],
  received: ['The kubelet has the pod and has not admitted it yet.', nothing],
  'refused-resources': [
    'The node refused the pod, because it has too little {resource}.',
    '{takeBack}, and lower its requests or free {resource} on the node; a refused pod never runs.',
  ],
  'refused-node-affinity': [
    "The node refused the pod, because its labels do not match the pod's node selector or affinity.",
    '{takeBack}, and correct its nodeSelector and affinity or the labels of the node; a refused pod never runs.',
  ],
  'refused-taint': [
    'The node refused the pod, because it does not tolerate a NoExecute taint of the node.',
    '{takeBack}, and add the toleration or remove the taint; a refused pod never runs.',
  ],
  'refused-port': [
    'The node refused the pod, because another pod uses one of its host ports.',
    '{takeBack}, and choose another hostPort or another node; a refused pod never runs.',
  ],
  'refused-pressure': [
    'The node refused the pod, because it is short of resources.',
    'See podwright explain node for what is short and who uses it, then {recreate}; a refused pod never runs.',
  ],
  'refused-topology': [
    'The node refused the pod, because its CPUs, memory or devices cannot be aligned.',
    '{takeBack}, and ask for what fits one NUMA node or relax topologyManagerPolicy; a refused pod never runs.',
  ],
  'refused-shutdown': ['The node refused the pod, because it is shutting down.', '{moveOn}; a refused pod never runs.'],
  'refused-other': [
    'The node refused the pod: {reason}.',
    'Fix what the message names, then {recreate}; a refused pod never runs.',
  ],
  queued: ['The pod is admitted, and its first sync has not ended.', nothing],
  'waits-for-name': [
    'The pod waits until the static pod that had its name before has ended.',
    'Wait for the old pod to end, or shorten its terminationGracePeriodSeconds next time.',
  ],
  'waits-for-restart': [
    'The pod came back while it was terminating, and starts again afterwards.',
    'Wait; the kubelet starts it by itself.',
  ],
  'runtime-down': [
    'The pod waits, because the container runtime does not work.',
    'Fix the container runtime (systemctl status containerd); see podwright explain node.',
  ],
  'disk-full': [
    '{what}, because a disk of the node is full.',
    'Free disk space on the node: df -h and df -i show where it is missing, and podwright explain node what the kubelet does about it. It retries by itself.',
  ],
  'volume-object-missing': [
    'Volume {volume} cannot be mounted, because {object} is missing.',
    'Create {object} in namespace {namespace}; a reference to a Secret or ConfigMap may also be marked as optional.',
  ],
  'volume-unattached': [
    'Volume {volume} is not attached to this node yet.',
    'Look at kubectl get volumeattachments and at the controller of the CSI driver: it may still be attached to another node.',
  ],
  'volume-unresolved': [
    'Volume {volume} cannot be resolved.',
    'Look at the claim with kubectl describe pvc -n {namespace}: it must exist and be bound.',
  ],
  'volume-driver-missing': [
    'Volume {volume} needs a CSI driver that is not registered on this node.',
    "Start the driver's node plugin on this node, and look at its registrar's log.",
  ],
  'volume-host-path': [
    'Volume {volume} is a hostPath that is not what its type demands.',
    'Create the path on this node, or use type DirectoryOrCreate or FileOrCreate.',
  ],
  'volume-failed': ['Volume {volume} cannot be mounted.', 'Fix what the error names; the kubelet retries by itself.'],
  'volume-waiting': ['The pod waits for its volumes {volume}{turn}.', nothing],
  'claims-failed': [
    'The resource claims of the pod cannot be prepared.',
    "Look at the DRA driver's pod on this node and at kubectl get resourceclaims -n {namespace}.",
  ],
  'runtime-class-missing': [
    'The runtime class of the pod does not exist, or the runtime has no such handler.',
    'Create the RuntimeClass, or configure its handler in the runtime of this node.',
  ],
  'network-not-ready': [
    'The pod waits, because the network of the node is not ready.',
    'Install or fix the network plugin (CNI) of this node; its configuration belongs in /etc/cni/net.d.',
  ],
  'network-failed': [
    'The network plugin refused to set up the network of the pod.',
    "Look at the log of the network plugin on this node; the error is the plugin's own.",
  ],
  'sandbox-failed': ['The sandbox of the pod cannot be created.', 'Fix what the error names.'],
  'sandbox-starting': ['The sandbox of the pod is being created.', nothing],
  'sandbox-overdue': [
    'The sandbox of the pod is still not there.',
    'If few other pods start now, look at the runtime (systemctl status containerd) and at the network plugin of this node: one of them may hang.',
  ],
  'image-queued': [
    'Container {container} waits for its turn to pull image {image}.',
    'Set serializeImagePulls to false, or raise maxParallelImagePulls, if pulls wait too long.',
  ],
  'image-pulling': ['Image {image} is being pulled for container {container}.', nothing],
  'image-not-found': [
    'Image {image} of container {container} does not exist in its registry.',
    'Correct the name or tag of the image, or push it.',
  ],
  'image-unauthorized': [
    'The registry refuses image {image} of container {container}.',
    'Check imagePullSecrets and that the account may pull; registries answer the same for images that do not exist.',
  ],
  'image-unreachable': [
    'The registry of image {image} of container {container} cannot be reached.',
    'Check from this node: the name in DNS, the proxy, the firewall, and whether the registry answers.',
  ],
  'image-registry-error': [
    'The registry of image {image} of container {container} answers with an error of its own.',
    'Look at the registry, or use a mirror: it is overloaded or broken; the kubelet retries by itself.',
  ],
  'image-never': [
    'Image {image} of container {container} is not on the node, and its pull policy is Never.',
    'Load the image into the runtime of this node, or use imagePullPolicy IfNotPresent.',
  ],
  'image-removed': [
    'Image {image} of container {container} is no longer on the node, and its pull policy is Never: {removal}.',
    'Load the image again, or use imagePullPolicy IfNotPresent; to keep it, pin it in the runtime, give images more disk or raise imageGCHighThresholdPercent.',
  ],
  'image-invalid': [
    'Image name {image} of container {container} is invalid.',
    'Correct the field image: names are lower case, with one tag or digest.',
  ],
  'image-failed': [
    'Image {image} of container {container} cannot be pulled.',
    'Fix what the error names; the kubelet retries by itself.',
  ],
  'config-object-missing': [
    'Container {container} cannot start, because {object} is missing.',
    'Create {object} in namespace {namespace}, or mark the reference as optional.',
  ],
  'object-without-api-server': [
    '{user} needs {object}, and this node knows no API server that has it.',
    'Put the values into the manifest or into files of the node (hostPath), or run the pod through an API.',
  ],
  'container-config': [
    'Container {container} cannot start, because the kubelet cannot build its configuration.',
    'Correct what the error names in the spec of the pod.',
  ],
  'run-as-root-refused': [
    'Container {container} would run as root, and its security context forbids that.',
    'Set runAsUser to a number other than 0, or use an image with a numeric user.',
  ],
  'container-create-failed': ['The runtime refuses to create container {container}.', 'Fix what the error names.'],
  'command-not-found': [
    'The command of container {container} does not exist in its image.',
    'Correct command in the spec, or the entry point of image {image}.',
  ],
  'command-not-allowed': [
    'The command of container {container} may not be executed.',
    'Make the file executable in image {image}, or correct the user and the security context.',
  ],
  'container-start-failed': ['The runtime cannot start container {container}.', 'Fix what the error names.'],
  'post-start-failed': [
    'The postStart hook of container {container} failed, so the container was killed.',
    'Read its answer in the event FailedPostStartHook {describe}, and correct the hook.',
  ],
  'init-running': ['Init container {container} runs; the next one starts when it has succeeded.', nothing],
  'init-failing': ['Init container {container} fails, so the pod cannot start.', `${seeLogs}.`],
  'sidecar-starting': ['The pod waits until sidecar {container} has started.', nothing],
  starting: ['Container {container} is about to start.', nothing],
  'start-overdue': [
    'The runtime has still not started container {container}.',
    'Look at the runtime on this node (systemctl status containerd) and at its log: it may hang; other pods do not wait for this one.',
  ],
  'out-of-memory': [
    'Container {container} runs out of memory and is restarted.',
    'Raise its memory limit, or find out what uses the memory; see the limit and the usage under LAST EXIT.',
  ],
  'liveness-restart': [
    'Container {container} is restarted, because its liveness probe fails.',
    "Compare the probe's answer, in the last error, with the probe in the spec; raise timeoutSeconds or failureThreshold or add a startupProbe if the container only needs longer.",
  ],
  'startup-restart': [
    'Container {container} is restarted, because its startup probe did not succeed in time.',
    "Compare the probe's answer, in the last error, with the probe in the spec; raise failureThreshold or periodSeconds of the startupProbe if the container only needs longer.",
  ],
  'crash-loop': ['Container {container} crashes again and again, {with} exit code {exitCode}.', `${seeLogs}.`],
  'exit-loop': [
    'Container {container} ends again and again without an error, and is restarted.',
    'Give it a command that does not end, or use restartPolicy OnFailure or a Job.',
  ],
  restarted: [
    'The pod is ready; container {container} was restarted {restarts}, the last time because of {cause}.',
    `${seeLogsBefore}.`,
  ],
  'restarted-for-probe': [
    'The pod is ready; container {container} was restarted {restarts}, the last time because of {cause}.',
    "Compare the probe's answer, in the last error, with the probe in the spec, and read the log {logsBefore}.",
  ],
  'startup-probing': ['Container {container} runs, and its startup probe has not succeeded yet.', nothing],
  'startup-failing': [
    'Container {container} runs, and its startup probe fails.',
    'Compare the last answer with the probe in the spec; the container is killed when the threshold is reached.',
  ],
  'probe-stopping': [
    'Container {container} is being stopped, because its {probe} probe failed.',
    'Compare the last answer with the probe in the spec; a shorter terminationGracePeriodSeconds of the probe restarts the container sooner.',
  ],
  'readiness-failing': [
    'Container {container} runs, and its readiness probe fails, so it gets no traffic.',
    'Compare the last answer with the probe in the spec, and read the log {logs}.',
  ],
  'readiness-waiting': ['Container {container} runs, and its readiness probe has not succeeded yet.', nothing],
  'readiness-gate': [
    'All containers are ready, and the readiness gate {gate} is not true.',
    'Look at the controller that owns the gate: it must set the condition on the pod.',
  ],
  'probe-flapping': [
    'The {probe} probe of container {container} changed {changes} times between success and failure within ten minutes.',
    'Raise timeoutSeconds or failureThreshold, or give the container more CPU: a throttled container answers late.',
  ],
  'probe-error': [
    'The kubelet cannot run the {probe} probe of container {container}.',
    'Correct the probe in the spec; the error says what is wrong with it.',
  ],
  'status-outage': [
    'The pod is {state} on the node; the API server does not know, because it cannot be reached.',
    'Fix the connection to the API server; the kubelet sends the status by itself.',
  ],
  'status-refused': [
    'The pod is {state} on the node; the API server refuses its status.',
    'Check the rights of the node and admission webhooks for pods/status.',
  ],
  'resize-infeasible': [
    'The pod runs with its old resources: the resize can never be granted on this node.',
    'Take the change back, or delete the pod so that it is made with the new resources.',
  ],
  'resize-deferred': [
    'The pod runs with its old resources: the node has too little free for the resize at the moment.',
    'Free resources on the node or wait; the kubelet retries by itself. More than the node has is never granted.',
  ],
  ready: ['The pod runs and is ready.', nothing],
  running: ['The pod runs.', nothing],
  'ending-grace': [
    'The pod is being terminated: {container} may take until the end of its grace period.',
    'Wait, or make the program end at SIGTERM{orDelete}.',
  ],
  'ending-overdue': [
    'The pod is being terminated, and {container} still runs after its grace period.',
    'Look at the runtime on this node: a process that waits for a disk or network file system cannot be killed.',
  ],
  'ending-kill-failed': [
    'The pod is being terminated, and the runtime cannot stop {container}.',
    'Look at the runtime on this node (systemctl status containerd); the kubelet retries by itself.',
  ],
  'ending-volume': [
    'The containers of the pod have ended, and volume {volume} cannot be unmounted.',
    'Find out who uses the mount (fuser -vm), or fix the server or driver of the volume; the kubelet retries by itself.',
  ],
  'ending-cleanup': ['The containers of the pod have ended, and the kubelet cleans up after them.', nothing],
  'ending-finalizers': [
    'The pod has ended on the node; its object stays because of the finalizers {finalizers}.',
    'Look at the controllers that own these finalizers: each must remove its own.',
  ],
  'ending-object': [
    'The pod has ended on the node; the API server still has its object.',
    'Fix the connection to the API server; the kubelet deletes the object by itself.',
  ],
  succeeded: ['The pod has succeeded: all its containers ended with exit code 0.', nothing],
  failed: ['The pod has failed: container {container} ended with exit code {exitCode}.', `${seeLogs}.`],
  'evicted-pressure': [
    'The pod was evicted, because the node ran short of {resource}.',
    'Raise its requests to what it really uses, or move load away; see podwright explain node.',
  ],
  'evicted-local-storage': [
    'The pod was evicted, because it used more local storage than its limit.',
    'Raise sizeLimit or the limit of ephemeral-storage, or make it write less.',
  ],
  'deadline-exceeded': [
    'The pod was ended, because its activeDeadlineSeconds have passed.',
    'Raise activeDeadlineSeconds, or make the work quicker.',
  ],
  preempted: [
    'The pod was ended to make room for a critical pod.',
    'Free resources on this node, or let the scheduler place the pod elsewhere.',
  ],
  'node-shutdown': [
    'The pod was ended, because the node shut down.',
    'Delete the pod if no controller does, so that it is created again.',
  ],
  ended: ['The pod has ended, and is no longer on this node.', nothing],
  removed: ['The pod has ended, because its source no longer has it.', nothing],
};
