export const playback = {
  waiting: 'Loading…',
  nothing: 'Nothing was recorded here.',
  gone: 'This recording is gone.',
  goneBody: 'It was deleted to make room for newer ones.',
  lost: 'Connection lost. Trying again…',
  unsupported: 'This browser cannot play this camera’s video.',
  unsupportedBody:
    'It is recorded as the camera sends it, as H.265 for example. Download it and play it with another program, or set the camera to H.264.',
  broken: 'This recording cannot be played.',
  ended: 'You may no longer see this camera.',
  endedBody: 'Your access to it has ended. If that is a mistake, ask your administrator.',
  missing: 'This camera is gone.',
}
