/** What happens to one camera, for everybody who may see it. */
export interface Event {
  readonly type: 'camera'
  readonly camera: string
  readonly state: string
  readonly recording: boolean
}
