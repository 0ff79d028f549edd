/** The part of the configuration that recording needs. */
export interface RecordingSettings {
  readonly recording: { readonly enabled: boolean; readonly retain_days: number; readonly max_gb: number }
  readonly cameras: ReadonlyMap<string, { readonly enabled: boolean; readonly record: CameraRecording }>
}

export interface CameraRecording {
  readonly enabled: boolean
  readonly mode: 'all' | 'motion'
  readonly retain_days: number | null
  readonly max_gb: number | null
}
