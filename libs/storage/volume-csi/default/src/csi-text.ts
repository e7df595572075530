/** Upstream begins its messages about CSI with the plugin's name. Source: kubernetes v1.36 pkg/volume/csi/csi_util.go. */
export function csiText(text: string): string {
  return `kubernetes.io/csi: ${text}`;
}
